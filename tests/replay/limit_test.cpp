// Comparisons with a limit of entries: counts against a slow cache of exact shapes, artifacts compiled again once all
// their entries went, and the text of a limit.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "dimgate/replay.hpp"
#include "policy/toy_model.hpp"

using namespace dimgate;
using namespace dimgate::testing;

namespace {

Calls calls_of(const std::vector<std::int64_t>& values) {
  std::vector<std::uint32_t> lines;
  for (std::size_t i = 0; i < values.size(); ++i) lines.push_back(static_cast<std::uint32_t>(i + 2));
  return {{"n"}, values, std::move(lines), {false}};
}

PolicyRow row_of(const Model& model, const Calls& calls, const char* policy, const char* limit) {
  NativeProver prover;
  ReplayOptions options;
  options.measure_lookup = false;
  options.limit = parse_entry_limit(limit).value();
  auto c = compare(model, calls, parse_policies(policy).value(), prover, "t", options);
  REQUIRE(c.ok());
  CHECK(c->limit->text() == options.limit->text());
  return c->rows[0];
}

std::vector<std::int64_t> skewed(std::uint64_t seed, std::size_t n) {
  std::mt19937_64 rng(seed);
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(static_cast<std::int64_t>(rng() % (1 + rng() % 12)));
  return out;
}

/// Hits of a list of shapes: `recent`, the least recently used goes; else the oldest.
std::uint64_t slow_hits(const std::vector<std::int64_t>& values, std::size_t capacity, bool recent) {
  std::vector<std::int64_t> held;  // next to go first
  std::uint64_t hits = 0;
  for (const std::int64_t v : values) {
    const auto it = std::ranges::find(held, v);
    if (it != held.end()) {
      ++hits;
      if (!recent) continue;
      held.erase(it);
    } else if (held.size() == capacity) {
      held.erase(held.begin());
    }
    held.push_back(v);
  }
  return hits;
}

}  // namespace

TEST_CASE("static under a limit is a cache of shapes: LRU and FIFO as a list would do it") {
  const ToyModel model({"n"});
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const std::vector<std::int64_t> values = skewed(seed, 3000);
    const Calls calls = calls_of(values);
    const std::size_t capacity = 1 + seed % 5;
    const std::string n = std::to_string(capacity);
    for (const bool recent : {true, false}) {
      const PolicyRow row = row_of(model, calls, "static", (n + (recent ? ":lru" : ":fifo")).c_str());
      CHECK(row.hits == slow_hits(values, capacity, recent));
      CHECK(row.compiles == row.calls - row.hits);
      CHECK(row.entries == capacity);
      CHECK(row.evictions == row.compiles - capacity);
      CHECK(row.fallbacks == 0);
    }
  }
}

TEST_CASE("at the limit calls run eagerly, and the first entries still serve") {
  const ToyModel model({"n"});
  const PolicyRow row = row_of(model, calls_of({1, 2, 3, 1, 3, 2}), "static", "2");
  CHECK(row.compiles == 2);
  CHECK(row.hits == 2);
  CHECK(row.fallbacks == 2);
  CHECK(row.evictions == 0);
}

TEST_CASE("an artifact is shared while an entry has it, and compiled again once none does") {
  const ToyModel model({"n"}, [](Tracer& t, std::span<const SymInt> d) {
    const SymTensor x = t.input("x", {d[0]});
    ToyModel::copy(t, x, d[0] % 3 == 0 ? "a" : d[0] % 3 == 1 ? "b" : "c");
  });
  // symbolic: one entry a residue; with room for one, each change of residue compiles.
  const Calls calls = calls_of({3, 6, 4, 7, 3, 5, 3});
  CHECK(row_of(model, calls, "symbolic", "1:lru").compiles == 5);
  CHECK(row_of(model, calls, "symbolic", "1:lru").shared == 0);
  CHECK(row_of(model, calls, "symbolic", "2:lru").compiles == 3);  // 3 comes back while its entry is there
  // whitelist: an entry a shape. 6 shares what 3 compiled; with room for two both went when 4 and 7 came.
  const PolicyRow list = row_of(model, calls, "whitelist", "2:lru");
  CHECK(list.compiles == 4);  // a, b, a, c
  CHECK(list.shared == 2);    // 6, 7
  REQUIRE(list.shown.size() == 2);
  CHECK(list.shown[0].guards == std::vector<std::string>{"n == 3"});
  CHECK(list.shown[1].guards == std::vector<std::string>{"n == 5"});
}

TEST_CASE("what a trace thrashes through is forgotten: merging still sees the entries there are") {
  const ToyModel model({"n"}, [](Tracer& t, std::span<const SymInt> d) {
    const SymTensor x = t.input("x", {d[0]});
    ToyModel::copy(t, x, "op" + std::to_string(d[0].to_int() % 50));
  });
  for (const char* policy : {"symbolic", "symbolic+merge"}) {
    const std::vector<std::int64_t> values = skewed(3, 400);
    const PolicyRow row = row_of(model, calls_of(values), policy, "3:lru");
    CHECK(row.hits == slow_hits(values, 3, true));
    CHECK(row.entries == 3);
  }
}

TEST_CASE("limits are read, and what is none says what would be") {
  CHECK(parse_entry_limit("8").value().text() == "8:fallback");
  CHECK(parse_entry_limit("12:bypass").value().text() == "12:bypass");
  for (const char* bad : {"", "0", "-1", "8:", "8:mru", "x", "8 ", "99999999999999999999", ":lru"}) {
    const auto limit = parse_entry_limit(bad);
    REQUIRE_FALSE(limit.ok());
    CHECK(limit.error().to_string().find("8:lru") != std::string::npos);
  }
}
