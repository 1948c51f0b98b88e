#include "dimgate/eviction.hpp"

#include <algorithm>
#include <random>

#include "cache/fixture.hpp"

using namespace dimgate;
using dimgate::testing::Frame;
using dimgate::testing::Scripted;

namespace {

/// A frame whose entries cost what `cost` says of the size they are made for.
struct Static : Scripted {
  explicit Static(const Frame& f, std::function<EntryCosts(std::int64_t)> cost = {}) {
    on_miss = [&f, cost](const Miss& m) {
      NewEntry e = f.entry({"n == " + std::to_string(m.inputs.raw(0))});
      if (cost) e.costs = cost(m.inputs.raw(0));
      return MissAnswer::compile(std::move(e));
    };
  }
};

std::string labels(const Cache& cache) {
  std::string out;
  for (const EntryRef& e : cache.entries()->entries) out += (out.empty() ? "" : "; ") + e->label;
  return out;
}

std::string run(const Frame& f, std::shared_ptr<Eviction> eviction, std::size_t capacity,
                const std::vector<std::int64_t>& calls) {
  Static h(f);
  Cache cache(h, {.max_entries = capacity, .on_limit = OnLimit::evict, .eviction = std::move(eviction)});
  CacheReader reader(cache);
  std::string out;
  for (const std::int64_t n : calls) out += to_string(reader.lookup(f.at({n})).outcome()).front();
  return out;
}

/// A general entry (slow, one call now and then) and the special `n == 3`, fast, which serves `hot` of each ten calls;
/// then a stranger comes to a full cache. What is left.
std::string after_stranger(int hot) {
  const Frame f{"n"};
  Static h(f, [](std::int64_t) { return EntryCosts{.run = 0.004}; });
  Cache cache(h, {.max_entries = 2, .on_limit = OnLimit::evict, .eviction = make_benefit()});
  NewEntry general = f.entry({"n >= 0"});
  general.costs = {.compile = 1.0, .run = 0.010};
  const EntryId g = *cache.insert(std::move(general));
  NewEntry special = f.entry({"n == 3"});
  special.costs = {.compile = 1.0, .run = 0.001};
  special.inside = {g};
  REQUIRE(cache.insert(std::move(special)).ok());
  CacheReader reader(cache);
  for (int i = 0; i < 500; ++i) CHECK(reader.lookup(f.at({i % 10 < hot ? 3 : 100 + i})).outcome() == Outcome::hit);
  CHECK(reader.lookup(f.at({-1})).outcome() == Outcome::compiled);
  return labels(cache);
}

}  // namespace

TEST_CASE("a hot specialised entry that runs faster outlives a general one, and a cold one does not") {
  // 9 ms saved on nine calls of ten beat 10 ms (20 eager - 10) on one; on no call they do not.
  CHECK(after_stranger(9) == "n == 3; n == -1");
  CHECK(after_stranger(0) == "n >= 0; n == -1");
  CHECK(after_stranger(1) == "n >= 0; n == -1");
}

TEST_CASE("a special entry that runs no faster than what contains it saves nothing: it goes first") {
  const Frame f{"n"};
  Static h(f);
  auto eviction = make_benefit();
  Cache cache(h, {.max_entries = 2, .on_limit = OnLimit::evict, .eviction = eviction});
  const EntryId g = *cache.insert(f.entry({"n >= 0"}));
  NewEntry special = f.entry({"n == 3"});
  special.inside = {g};
  const EntryId s = *cache.insert(std::move(special));
  CacheReader reader(cache);
  for (int i = 0; i < 100; ++i) (void)reader.lookup(f.at({i % 10 == 0 ? 5 : 3}));
  const auto set = cache.entries();
  CHECK(eviction->benefit(*set->find(s), *set, 100) < 0);  // it costs its checks
  (void)reader.lookup(f.at({-1}));
  CHECK(labels(cache) == "n >= 0; n == -1");
}

TEST_CASE("run times may be measured: what was slower than eager goes first, however hot") {
  const Frame f{"n"};
  Static h(f);
  auto eviction = make_benefit();
  Cache cache(h, {.max_entries = 2, .on_limit = OnLimit::evict, .eviction = eviction});
  CacheReader reader(cache);
  for (const std::int64_t n : {1, 2, 1, 1, 1, 2}) {
    const auto a = reader.lookup(f.at({n}));
    eviction->measured_run(a.entry()->id, n == 1 ? 0.5 : 0.001);
  }
  (void)reader.lookup(f.at({3}));
  CHECK(labels(cache) == "n == 2; n == 3");
  eviction->measured_run(77, 1);  // unknown entries and nonsense are ignored
  eviction->measured_run(2, -1);
}

TEST_CASE("rates: calls per call, and benefit as the formula says") {
  const Frame f{"n"};
  Static h(f, [](std::int64_t) { return EntryCosts{.compile = 3.0, .run = 0.001, .check = 1e-6}; });
  auto eviction = make_benefit({.eager = 0.011, .half_lives = {1024}});
  Cache cache(h, {.max_entries = 8, .on_limit = OnLimit::evict, .eviction = eviction});
  CacheReader reader(cache);
  for (int i = 0; i < 8000; ++i) (void)reader.lookup(f.at({i % 4 == 0 ? 2 : 1}));
  const auto set = cache.entries();
  (void)reader.lookup(f.at({9}));  // rates are brought up to date at a miss
  CHECK(eviction->half_life() == 1024);
  const Entry& one = *set->find(2);
  CHECK(one.label == "n == 1");
  CHECK(eviction->rate(one, 8000) == doctest::Approx(0.75).epsilon(0.02));
  CHECK(eviction->rate(*set->find(1), 8000) == doctest::Approx(0.25).epsilon(0.02));
  CHECK(eviction->benefit(one, *set, 8000) == doctest::Approx(0.75 * (0.010 - 1e-6)).epsilon(0.02));
}

TEST_CASE("a half-life of one call is LRU, exactly; an endless one is plain frequency") {
  const Frame f{"n"};
  std::mt19937_64 rng(7);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::int64_t> calls;
    for (int i = 0; i < 300; ++i) calls.push_back(static_cast<std::int64_t>(std::min(rng() % 12, rng() % 12)));
    const std::size_t capacity = 1 + rng() % 6;
    CHECK(run(f, make_benefit({.half_lives = {1}}), capacity, calls) == run(f, make_lru(), capacity, calls));
  }
  std::vector<std::int64_t> calls{1, 1, 1, 2, 2, 3, 4, 2, 1, 5, 1, 2};
  CHECK(run(f, make_frequency(), 2, calls) == "chhchccchchc");
  CHECK(run(f, make_fifo(), 2, {1, 2, 1, 3, 1, 2}) == "cchccc");
}

TEST_CASE("frequency counts may end with the entry or outlive it") {
  const Frame f{"n"};
  const std::vector<std::int64_t> calls{1, 1, 1, 2, 2, 3, 3, 1, 2, 2};
  // 2 (served twice before) comes back to {1, 3}: with memory it is worth more than 3.
  CHECK(run(f, make_frequency(true), 2, calls) == "chhchchhch");
  CHECK(run(f, make_frequency(false), 2, calls) == "chhchchhch");
}

TEST_CASE("bypass: rare inputs do not push out frequent ones") {
  const Frame f{"n"};
  std::vector<std::int64_t> calls;
  for (int i = 0; i < 400; ++i) calls.push_back(i % 2 == 0 ? 1 : 1000 + i);
  const std::string lru = run(f, make_lru(), 1, calls), bypass = run(f, make_benefit({.bypass = true}), 1, calls);
  CHECK(std::ranges::count(lru, 'h') == 0);
  CHECK(std::ranges::count(bypass, 'h') > 180);
  CHECK(std::ranges::count(bypass, 'f') > 180);
  CHECK(run(f, make_benefit({.bypass = true}), 1, calls) == bypass);  // the same calls, the same answers
}

TEST_CASE("admission may wait for the second sighting: eager first") {
  const Frame f{"n"};
  Static h(f);
  Cache cache(h, {.admit_at_sighting = 2});
  CacheReader reader(cache);
  std::string out;
  for (const std::int64_t n : {1, 2, 1, 1, 3, 2, 2}) out += to_string(reader.lookup(f.at({n})).outcome()).front();
  CHECK(out == "ffchfch");
  const CacheStatistics s = cache.statistics();
  CHECK(s.admission_fallbacks == 3);
  CHECK(s.compiles == 2);
  CHECK(s.calls() == 7);
}

TEST_CASE("an entry that comes back is not new: its rate outlives it, up to a bound") {
  const Frame f{"n"};
  Static h(f);
  auto eviction = make_benefit({.half_lives = {10000}, .ghosts = 10});
  Cache cache(h, {.max_entries = 1, .on_limit = OnLimit::evict, .eviction = eviction});
  CacheReader reader(cache);
  for (int i = 0; i < 50; ++i) (void)reader.lookup(f.at({1}));
  (void)reader.lookup(f.at({2}));
  (void)reader.lookup(f.at({1}));
  CHECK(eviction->rate(*cache.entries()->entries.front(), 52) > 50.0 / 10000 * 0.6);
  for (int i = 0; i < 1000; ++i) (void)reader.lookup(f.at({10 + i}));
  (void)reader.lookup(f.at({1}));
  CHECK(eviction->rate(*cache.entries()->entries.front(), 1053) < 1.5 / 10000);  // forgotten
}

TEST_CASE("dead identities: entries that demand them go") {
  const Frame f{"x", "y", "n"};
  Scripted h;
  Cache cache(h);
  REQUIRE(cache.insert(f.entry({"x == 7", "n == 1"})).ok());
  REQUIRE(cache.insert(f.entry({"y == 7", "n == 1"})).ok());
  REQUIRE(cache.insert(f.entry({"x == 8", "n == 1"})).ok());
  REQUIRE(cache.insert(f.entry({"n == 7"})).ok());
  const SlotIndex both[] = {0, 1};
  CHECK(cache.invalidate_pinned(0, 9, "x died") == 0);
  CHECK(cache.invalidate_pinned(0, 8, "x died") == 1);
  CHECK(cache.invalidate_pinned(both, 7, "object 7 died") == 2);
  CHECK(labels(cache) == "n == 7");
  CHECK(cache.events().back().kind == CacheEvent::Kind::invalidate);
}
