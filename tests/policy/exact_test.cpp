#include <doctest/doctest.h>

#include <limits>

#include "policy/toy_model.hpp"

using namespace dimgate;
using namespace dimgate::testing;

namespace {

std::vector<std::int64_t> shape_of(const char* policy, std::vector<std::int64_t> call, std::vector<bool> free) {
  NativeProver prover;
  const ToyModel model({"B", "L"});
  Subject subject{&model, std::move(free), {}, &prover};
  const auto p = make_policy(*parse_policy(policy), subject);
  std::vector<std::int64_t> run(call.size());
  if (!(*p)->shape(call, run)) return {};
  return run;
}

using Shape2 = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("padding rounds every free dim up, and only those") {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK(shape_of("static", {3, 5}, {true, true}) == Shape2{3, 5});
  CHECK(shape_of("pow2", {3, 5}, {true, true}) == Shape2{4, 8});
  CHECK(shape_of("pow2", {3, 5}, {false, true}) == Shape2{3, 8});
  CHECK(shape_of("pow2(L)", {3, 5}, {true, true}) == Shape2{3, 8});
  CHECK(shape_of("pow2", {0, 1}, {true, true}) == Shape2{0, 1});
  CHECK(shape_of("pow2", {64, 65}, {true, true}) == Shape2{64, 128});
  CHECK(shape_of("bucket:64", {0, 65}, {true, true}) == Shape2{0, 128});
  CHECK(shape_of("bucket:64", {64, 1}, {true, true}) == Shape2{64, 64});
  CHECK(shape_of("pad_to:100", {1, 100}, {true, true}) == Shape2{100, 100});
  CHECK(shape_of("pad_to(L):100", {1, 0}, {true, true}) == Shape2{1, 100});
  CHECK(shape_of("pad_to:100", {1, 101}, {true, true}).empty());  // longer: falls back
  CHECK(shape_of("pow2", {1, std::int64_t{1} << 62}, {true, true}) == Shape2{1, std::int64_t{1} << 62});
  CHECK(shape_of("pow2", {1, (std::int64_t{1} << 62) + 1}, {true, true}).empty());
  CHECK(shape_of("bucket:64", {1, most}, {true, true}).empty());
}

TEST_CASE("sizes 2,3,4,4,5,5,6: static 5, automatic 2, symbolic 1") {
  NativeProver prover;
  const ToyModel model({"n"});
  const std::vector<std::vector<std::int64_t>> sizes{{2}, {3}, {4}, {4}, {5}, {5}, {6}};
  CHECK(Frame(model, prover, "static").calls(sizes) == "ccchchc");
  CHECK(Frame(model, prover, "auto_dynamic").calls(sizes) == "cchhhhh");
  CHECK(Frame(model, prover, "symbolic").calls(sizes) == "chhhhhh");
  CHECK(Frame(model, prover, "pow2").calls(sizes) == "cchhchh");
  CHECK(Frame(model, prover, "eager").calls(sizes) == "fffffff");
  CHECK(Frame(model, prover, "whitelist").calls(sizes) == "csshshs");
}

TEST_CASE("a rejected shape is traced once and remembered") {
  NativeProver prover;
  int traced = 0;
  const ToyModel model({"n"}, [&](Tracer& t, std::span<const SymInt> d) {
    ++traced;
    t.require(d[0] % 2 == 0, [] { return std::string("n must be even"); });
    ToyModel::copy(t, t.input("x", {d[0]}), "copy");
  });
  for (const char* policy : {"static", "symbolic", "auto_dynamic", "whitelist"}) {
    traced = 0;
    Frame frame(model, prover, policy);
    CHECK_MESSAGE(frame.calls({{3}, {3}, {5}, {3}}) == "rrrr", policy);
    CHECK(traced == 2);
    CHECK(frame.policy->traces() == 2);
    CHECK(frame.call({4}) == 'c');
    CHECK(frame.call({3}) == 'r');
    CHECK(traced == 3);
  }
}

TEST_CASE("eager check: the error that eager execution raises, asked once a shape") {
  NativeProver prover;
  int traced = 0;
  const ToyModel model({"n"}, [&](Tracer& t, std::span<const SymInt> d) {
    ++traced;
    t.require(d[0] % 2 == 0, [] { return std::string("n must be even"); });
  });
  Subject subject{&model, {true}, {}, &prover};
  EagerCheck check(subject);
  const std::int64_t odd[] = {3}, even[] = {4};
  REQUIRE(check.error(odd) != nullptr);
  CHECK(check.error(odd)->find("n must be even") != std::string::npos);
  CHECK(check.error(even) == nullptr);
  CHECK(check.error(even) == nullptr);
  CHECK(traced == 2);
}
