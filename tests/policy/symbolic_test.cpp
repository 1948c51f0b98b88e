#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>

#include "policy/toy_model.hpp"

using namespace dimgate;
using namespace dimgate::testing;

namespace {

/// Pads to a multiple of 8: two ways through the program.
ToyModel padded() {
  return ToyModel({"n"}, [](Tracer& t, std::span<const SymInt> d) {
    const SymTensor x = t.input("x", {d[0]});
    if (d[0] % 8 != 0)
      t.output(t.record("pad", {}, std::span(&x, 1), {d[0] + (8 - d[0] % 8)}, x.dtype()));
    else
      ToyModel::copy(t, x, "copy");
  });
}

/// Branches without a difference: the program is the same on either side.
ToyModel idle_branches() {
  return ToyModel({"n"}, [](Tracer& t, std::span<const SymInt> d) {
    const SymTensor x = t.input("x", {d[0]});
    if (d[0] > 10 && d[0] % 2 == 0) (void)0;
    ToyModel::copy(t, x, "copy");
  });
}

}  // namespace

TEST_CASE("one entry for each path, under its condition") {
  NativeProver prover;
  const ToyModel model = padded();
  Frame frame(model, prover, "symbolic");
  CHECK(frame.calls({{3}, {8}, {5}, {16}, {0}, {1}}) == "cchhhh");
  CHECK(frame.shown() == "n % 8 != 0; n % 8 == 0");
}

TEST_CASE("equal fingerprints share the artifact; merging joins their entries") {
  NativeProver prover;
  const ToyModel model = idle_branches();
  const std::vector<std::vector<std::int64_t>> calls{{3}, {12}, {13}, {4}, {14}, {15}};
  Frame plain(model, prover, "symbolic");
  CHECK(plain.calls(calls) == "csshhh");
  CHECK(plain.policy->show(*plain.cache->entries()).size() == 3);
  Frame merged(model, prover, "symbolic+merge");
  CHECK(merged.calls(calls) == "csshhh");
  REQUIRE(merged.policy->show(*merged.cache->entries()).size() == 1);
  CHECK(merged.policy->show(*merged.cache->entries())[0].joined == 3);
  CHECK(merged.cache->entries()->entries.size() == 1);
  CHECK(merged.shown() == "true");
}

TEST_CASE("whatever the order of calls, entries accept exactly what a fresh trace would give (brute force)") {
  NativeProver prover;
  std::mt19937 rng(11);
  const ToyModel model({"a", "b"}, [](Tracer& t, std::span<const SymInt> d) {
    const SymTensor x = t.input("x", {d[0], d[1]});
    std::string op = "p";
    if (d[0] * 2 > d[1] + 3) op += "1";
    if ((d[0] + d[1]) % 3 == 1) op += "2";
    if (d[1] != 0 && d[0] % 4 == 2) op += "4";
    ToyModel::copy(t, x, op);
  });
  const auto op_of = [](std::int64_t a, std::int64_t b) {
    std::string op = "p";
    if (a * 2 > b + 3) op += "1";
    if ((a + b) % 3 == 1) op += "2";
    if (b != 0 && a % 4 == 2) op += "4";
    return op;
  };
  for (const char* policy : {"symbolic", "symbolic+merge", "whitelist"}) {
    Frame frame(model, prover, policy);
    std::map<std::string, std::string> fingerprint_of;
    for (int i = 0; i < 400; ++i) {
      const std::int64_t a = rng() % 12, b = rng() % 12;
      Snapshot at(2);
      at.set(0, a), at.set(1, b);
      const auto answer = frame.reader->lookup(at);
      REQUIRE_MESSAGE(answer.entry() != nullptr, policy << " " << a << "," << b << ": " << answer.reason());
      const auto [it, fresh] = fingerprint_of.emplace(op_of(a, b), answer.entry()->artifact->fingerprint);
      CHECK_MESSAGE(it->second == answer.entry()->artifact->fingerprint, policy << " " << a << "," << b);
    }
    std::set<std::string> distinct;
    for (const auto& [op, bytes] : fingerprint_of) distinct.insert(bytes);
    CHECK(distinct.size() == fingerprint_of.size());
  }
}

TEST_CASE("facts decide branches and cost no guard") {
  NativeProver prover;
  ToyModel model = padded();
  model.facts_ = {"n % 16 == 0"};
  Frame frame(model, prover, "symbolic");
  CHECK(frame.calls({{16}, {32}}) == "ch");
  CHECK(frame.shown() == "true");
}

TEST_CASE("whitelist accepts exactly what was seen, as the simplest formula") {
  NativeProver prover;
  const ToyModel model({"a", "b"});
  Frame frame(model, prover, "whitelist");
  CHECK(frame.call({2, 3}) == 'c');
  CHECK(frame.shown() == "a == 2 and b == 3");
  CHECK(frame.calls({{2, 4}, {2, 5}, {2, 4}}) == "ssh");
  CHECK(frame.shown() == "a == 2 and 3 <= b <= 5");
  CHECK(frame.call({2, 7}) == 's');
  CHECK(frame.shown().find("3 <= b <= 7") == std::string::npos);
  CHECK(frame.policy->traces() == 4);
  Snapshot at(2);
  at.set(0, 2), at.set(1, 6);
  CHECK(frame.reader->peek(at).entry() == nullptr);
}
