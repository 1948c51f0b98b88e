// Many threads at once: every distinct world is compiled once, no entry is lost, nothing is accepted wrongly.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <random>
#include <thread>

#include "dimgate/cache.hpp"
#include "program/build.hpp"

using namespace dimgate;
using dimgate::testing::bounds_program;

namespace {

constexpr int kThreads = 16;

struct Scripted : MissHandler {
  std::function<MissAnswer(const Miss&)> on_miss;
  MissAnswer miss(const Miss& m) override { return on_miss(m); }
};

NewEntry entry(Program program) {
  NewEntry e;
  e.program = std::move(program);
  e.artifact = std::make_shared<Artifact>();
  return e;
}

/// DIMGATE_TEST_SCALE multiplies the amount of work.
std::size_t scale() {
  const char* s = std::getenv("DIMGATE_TEST_SCALE");
  return s != nullptr ? std::strtoull(s, nullptr, 10) : 1;
}

template <class Work>
void in_threads(Work work) {
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) threads.emplace_back([&work, t] { work(t); });
  for (auto& t : threads) t.join();
}

}  // namespace

TEST_CASE("hits and misses from 16 threads: each world compiled once") {
  constexpr std::int64_t kWorlds = 200;
  std::atomic<int> inside{0}, compiled{0};
  std::atomic<bool> overlapped{false};
  Scripted h;
  h.on_miss = [&](const Miss& m) {
    if (inside.fetch_add(1) != 0) overlapped = true;
    const std::int64_t n = m.inputs.raw(0);
    // Exact entries and ones with a guard beside the pinned slot.
    NewEntry e = entry(n % 2 == 0 ? bounds_program({{0, n, n}}) : bounds_program({{0, n, n}, {1, 0, INT64_MAX}}));
    ++compiled;
    inside.fetch_sub(1);
    return MissAnswer::compile(std::move(e));
  };
  Cache cache(h);
  std::atomic<std::uint64_t> wrong{0}, lookups{0};
  in_threads([&](int t) {
    std::mt19937_64 rng(static_cast<std::uint64_t>(t));
    CacheReader reader(cache);
    Snapshot s(2);
    s.set(1, 5);
    const std::size_t rounds = 5000 * scale();
    for (std::size_t i = 0; i < rounds; ++i) {
      const auto n = static_cast<std::int64_t>(rng() % kWorlds);
      s.set(0, n);
      const auto a = reader.lookup(s);
      if (a.entry() == nullptr || a.entry()->program.check(s) != kPass) ++wrong;
    }
    lookups += rounds;
  });
  CHECK(wrong == 0);
  CHECK(!overlapped);
  CHECK(compiled == kWorlds);
  const CacheStatistics s = cache.statistics();
  CHECK(s.compiles == kWorlds);
  CHECK(s.calls() == lookups);
  CHECK(s.hits + s.compiles == lookups);
  CHECK(cache.entries()->entries.size() == kWorlds);
  std::uint64_t entry_hits = 0;
  for (const EntryRef& e : cache.entries()->entries) entry_hits += e->hits.load();
  CHECK(entry_hits == s.hits);
}

TEST_CASE("hits, misses, evictions and invalidations at once: nothing wrong, nothing kept") {
  std::atomic<std::int64_t> artifacts{0};
  struct Counted {
    std::atomic<std::int64_t>& n;
    explicit Counted(std::atomic<std::int64_t>& c) : n(c) { ++n; }
    ~Counted() { --n; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
  };
  Scripted h;
  h.on_miss = [&](const Miss& m) {
    const std::int64_t n = m.inputs.raw(0);
    NewEntry e = entry(bounds_program({{0, n, n}}));
    auto artifact = std::make_shared<Artifact>();
    artifact->payload = std::make_shared<Counted>(artifacts);
    e.artifact = artifact;
    return MissAnswer::compile(std::move(e));
  };
  std::atomic<std::uint64_t> wrong{0};
  {
    Cache cache(h, {.max_entries = 20, .on_limit = OnLimit::evict, .on_busy = OnBusy::fallback});
    in_threads([&](int t) {
      std::mt19937_64 rng(static_cast<std::uint64_t>(t) + 100);
      CacheReader reader(cache);
      Snapshot s(1);
      const std::size_t rounds = 1000 * scale();
      for (std::size_t i = 0; i < rounds; ++i) {
        const auto n = static_cast<std::int64_t>(rng() % 30);
        s.set(0, n);
        const auto a = reader.lookup(s);
        if (a.entry() != nullptr && (a.entry()->program.check(s) != kPass || a.entry()->artifact == nullptr)) ++wrong;
        if (t == 0 && i % 64 == 0)
          cache.invalidate([n](const Entry& e) { return e.id % 7 == static_cast<EntryId>(n) % 7; }, "test");
        if (t == 1 && i % 64 == 0) {
          const auto set = cache.entries();
          if (!set->entries.empty()) cache.evict(set->entries.front()->id, "test");
        }
      }
    });
    CHECK(cache.entries()->entries.size() <= 20);
    // Nobody is inside any more: the next change frees all that waited.
    cache.invalidate([](const Entry&) { return true; }, "end");
    CHECK(artifacts == 0);
    CHECK(cache.statistics().errors == 0);
  }
  CHECK(wrong == 0);
  CHECK(artifacts == 0);
}
