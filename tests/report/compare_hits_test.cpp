// Hits and misses by guard kind: small traces whose answer is plain, and that what cannot be evaluated is no hit.
#include "report/compare_hits.hpp"

#include <doctest/doctest.h>

using namespace dimgate;
using namespace dimgate::report;

namespace {

Calls calls(std::vector<std::int64_t> values) {
  const std::size_t n = values.size() / 2;
  return {{"H", "W"}, std::move(values), std::vector<std::uint32_t>(n, 1), {false, false}};
}

}  // namespace

TEST_CASE("hits go to the first entry that accepts; misses to what fails in the nearest") {
  const Calls all = calls({4, 4, 4, 8, 4, 9, 5, 9, 5, 0, 4, 12});
  const std::vector<std::pair<std::size_t, KeptGuards>> entries{
      {0, {{"divisor", "W % 4 == 0", 2}, {"bound", "H <= 4", 1}, {"bound", "W >= 1", 1}}},
      {2, {{"relation", "H * 2 < W", 1}}},
  };
  std::vector<std::size_t> asked;
  const HitsByKind use = hits_by_kind(all, [&](std::size_t call) -> std::optional<KeptGuards> {
    asked.push_back(call);
    for (const auto& [at, guards] : entries)
      if (at == call) return guards;
    return std::nullopt;  // a shape error
  });
  CHECK(asked == std::vector<std::size_t>{0, 2, 3, 4});
  CHECK(use.calls == 6);
  CHECK(use.before_any == 1);  // (4, 4) made the first entry
  CHECK(use.hits == 2);        // (4, 8) and (4, 12), both by the first
  CHECK(use.misses == 3);      // (4, 9): divisor; (5, 9): relation, the nearest; (5, 0): relation
  CHECK(use.kinds.at("divisor").hits == 2);
  CHECK(use.kinds.at("bound").hits == 2);
  CHECK(use.kinds.at("bound").cost == doctest::Approx(4));
  CHECK(use.kinds.at("divisor").cost == doctest::Approx(4));
  CHECK(use.kinds.at("divisor").misses == 1);
  CHECK(use.kinds.at("bound").misses == 0);
  CHECK(use.kinds.at("relation").misses == 2);
  CHECK(use.kinds.at("relation").hits == 0);
  CHECK(use.hits + use.misses + use.before_any == use.calls);
}

TEST_CASE("an undefined guard is no hit; an entry without guards serves all; what does not read is not counted") {
  const Calls all = calls({0, 1, 0, 2});
  const auto always = [](KeptGuards guards) { return [guards](std::size_t) { return std::optional(guards); }; };
  CHECK(hits_by_kind(all, always({{"divisor", "W % H == 0", 1}})).misses == 1);
  const HitsByKind open = hits_by_kind(all, always({}));
  CHECK(open.hits == 1);
  CHECK(open.without_guard == 1);
  CHECK(hits_by_kind(all, always({{"bound", "H <=", 1}})).calls == 0);
  CHECK(hits_by_kind(all, [](std::size_t) { return std::optional<KeptGuards>(); }).before_any == 2);
}
