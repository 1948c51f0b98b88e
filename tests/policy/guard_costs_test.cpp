#include "dimgate/guard_costs.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "dimgate/compile.hpp"

using namespace dimgate;

namespace {

struct Never : MissHandler {
  MissAnswer miss(const Miss&) override { return MissAnswer::fall_back(); }
};

NewEntry entry(const Layout& layout, const std::vector<std::string>& guards, const std::vector<std::string>& kinds) {
  Context ctx;
  std::vector<Expr> formulas;
  for (const std::string& g : guards) formulas.push_back(parse(ctx, g).value());
  NewEntry e;
  e.program = compile(ctx, formulas, layout).value();
  e.guard_texts = guards;
  e.guard_kinds = kinds;
  return e;
}

}  // namespace

TEST_CASE("evaluations and failures by kind, up to the first guard that is not true") {
  Layout layout;
  for (const char* s : {"n", "m", "k"}) layout.add(s);
  Never handler;
  Cache cache(handler);
  REQUIRE(cache.insert(entry(layout, {"n == 1", "m * k % 7 == 3"}, {"shape", "data"})).ok());
  REQUIRE(cache.insert(entry(layout, {"n == 2"}, {"shape"})).ok());
  std::vector<Snapshot> calls;
  for (const std::int64_t n : {1, 2, 3}) {
    Snapshot s(3);
    s.set(0, n), s.set(1, 3), s.set(2, 1);
    calls.push_back(s);
  }
  const auto set = cache.entries();
  REQUIRE(set->entries[0]->program.order()[0] == 0);  // the cheap one first
  const auto costs = guard_costs(*set, layout, calls).value();
  REQUIRE(costs.size() == 2);
  const auto& shape = *std::ranges::find(costs, "shape", &KindCost::kind);
  const auto& data = *std::ranges::find(costs, "data", &KindCost::kind);
  CHECK(shape.guards == 2);
  CHECK(shape.evaluations == 5);  // n is 1: one; 2: both; 3: both
  CHECK(shape.failures == 3);
  CHECK(data.evaluations == 1);
  CHECK(data.failures == 0);
  CHECK(shape.nanoseconds > 0);
  CHECK(costs[0].total() >= costs[1].total());
  const CheckCost check = measure_checks(cache, calls);
  CHECK(check.calls == 3);
  CHECK(check.hits == 2);
  CHECK(check.with_checks > 0);
  CHECK(check.without_checks > 0);
  CHECK(measure_checks(cache, {}).calls == 0);
}
