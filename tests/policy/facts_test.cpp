// How many entries situations take: what users of a guarded cache count on.
#include <doctest/doctest.h>

#include "dimgate/compile.hpp"
#include "dimgate/guard_kinds.hpp"
#include "policy/toy_model.hpp"

using namespace dimgate;
using dimgate::testing::ToyModel;

namespace {

struct Scripted : MissHandler {
  std::function<MissAnswer(const Miss&)> on_miss;
  MissAnswer miss(const Miss& m) override { return on_miss(m); }
};

std::size_t entries(const Model& model, const char* policy, const std::vector<std::vector<std::int64_t>>& calls) {
  NativeProver prover;
  dimgate::testing::Frame frame(model, prover, policy);
  for (const auto& call : calls) {
    const char outcome = frame.call(call);
    CHECK((outcome == 'h' || outcome == 'c' || outcome == 's'));
  }
  CHECK(frame.cache->statistics().compiles == frame.cache->entries()->entries.size());
  return frame.cache->entries()->entries.size();
}

/// One world: sizes of two tensors and their storages.
struct TwoTensors {
  Layout layout;
  Scripted handler;
  std::unique_ptr<Cache> cache = std::make_unique<Cache>(handler);
  CacheReader reader{*cache};
  SlotIndex a = layout.add("L['x'].size()[0]"), b = layout.add("L['y'].size()[0]");
  SlotIndex sa = layout.add("storage(L['x'])", SlotSort::name), sb = layout.add("storage(L['y'])", SlotSort::name);

  TwoTensors() {
    handler.on_miss = [this](const Miss& m) {
      Context ctx;
      const std::string names[] = {"L['x']", "L['y']"};
      const Guard alias = m.inputs.raw(sa) == m.inputs.raw(sb) ? guards::same_storage(ctx, names[0], names[1])
                                                               : guards::no_aliasing(ctx, names);
      const Expr all[] = {alias.formula, parse(ctx, "L['x'].size()[0] == L['y'].size()[0]").value()};
      NewEntry e;
      auto program = compile(ctx, all, layout);
      REQUIRE_MESSAGE(program.ok(), (program.ok() ? "" : program.error().to_string()));
      e.program = std::move(*program);
      return MissAnswer::compile(std::move(e));
    };
  }
  Outcome call(std::int64_t size, const char* x, const char* y) {
    Snapshot at(layout.size());
    at.set(a, size), at.set(b, size);
    at.set(sa, layout.names().intern(x)), at.set(sb, layout.names().intern(y));
    return reader.lookup(at).outcome();
  }
};

}  // namespace

TEST_CASE("sizes 2,3,4,4,5,5,6: five entries static, two automatic, one symbolic") {
  const ToyModel model({"n"});
  const std::vector<std::vector<std::int64_t>> calls{{2}, {3}, {4}, {4}, {5}, {5}, {6}};
  CHECK(entries(model, "static", calls) == 5);
  CHECK(entries(model, "auto_dynamic:8", calls) == 2);
  CHECK(entries(model, "symbolic", calls) == 1);
}

TEST_CASE("with flags F,T,F,F,T,T,F beside them: five, three, two") {
  // The program asks the flag once.
  const ToyModel model({"n", "flag"}, [](Tracer& t, std::span<const SymInt> d) {
    const SymTensor x = t.input("x", Shape{d[0]});
    ToyModel::copy(t, x, d[1] == 1 ? "dropout" : "copy");
  });
  const std::vector<std::vector<std::int64_t>> calls{{2, 0}, {3, 1}, {4, 0}, {4, 0}, {5, 1}, {5, 1}, {6, 0}};
  CHECK(entries(model, "static", calls) == 5);
  CHECK(entries(model, "auto_dynamic:8", calls) == 3);
  CHECK(entries(model, "symbolic", calls) == 2);
}

TEST_CASE("train and eval, twenty times to and fro: two entries") {
  const ToyModel model({"training"}, [](Tracer& t, std::span<const SymInt> d) {
    const SymTensor x = t.input("x", Shape{SymInt(4)});
    ToyModel::copy(t, x, d[0] == 1 ? "dropout" : "copy");
  });
  std::vector<std::vector<std::int64_t>> calls;
  for (int i = 0; i < 20; ++i) calls.push_back({i % 2});
  for (const char* policy : {"static", "auto_dynamic:8", "symbolic"}) CHECK(entries(model, policy, calls) == 2);
}

TEST_CASE("limit 2 with ten distinct ints: two compiles, eight fallbacks, and the earlier ones still hit") {
  const ToyModel model({"n"});
  NativeProver prover;
  dimgate::testing::Frame frame(model, prover, "static");
  frame.reader.reset();
  frame.cache = std::make_unique<Cache>(*frame.policy, CacheOptions{.max_entries = 2, .on_limit = OnLimit::fallback});
  frame.reader = std::make_unique<CacheReader>(*frame.cache);
  std::string out;
  for (std::int64_t n = 10; n < 20; ++n) out += frame.call({n});
  CHECK(out == "ccffffffff");
  CHECK(frame.calls({{10}, {11}, {12}}) == "hhf");
  CHECK(frame.cache->statistics().compiles == 2);
  CHECK(frame.cache->statistics().limit_fallbacks == 9);
}

TEST_CASE("permuting arguments that share nothing adds no entry, an aliasing flip adds one") {
  TwoTensors t;
  CHECK(t.call(4, "A", "B") == Outcome::compiled);
  CHECK(t.call(4, "B", "A") == Outcome::hit);
  CHECK(t.call(9, "C", "A") == Outcome::hit);
  CHECK(t.call(4, "A", "A") == Outcome::compiled);
  CHECK(t.call(4, "B", "B") == Outcome::hit);
  CHECK(t.call(4, "A", "B") == Outcome::hit);
  CHECK(t.cache->entries()->entries.size() == 2);
}
