// The whole run time under 16 threads: hits, misses, evictions by benefit, invalidations, machine code, observers, two
// layers. DIMGATE_STRESS_LOOKUPS sets the number of lookups (default 100,000; 10,000,000 for a long run).
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <random>
#include <thread>

#include "dimgate/eviction.hpp"
#include "dimgate/layers.hpp"
#include "dimgate/statistics.hpp"
#include "dimgate/thrash.hpp"
#include "program/build.hpp"

using namespace dimgate;
using dimgate::testing::bounds_program;

namespace {

constexpr int kThreads = 16;

std::size_t lookups() {
  const char* s = std::getenv("DIMGATE_STRESS_LOOKUPS");
  return s != nullptr ? std::strtoull(s, nullptr, 10) : 100'000;
}

template <class Work>
void in_threads(Work work) {
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) threads.emplace_back([&work, t] { work(t); });
  for (auto& t : threads) t.join();
}

/// Counts what lives.
struct Counted {
  std::atomic<std::int64_t>& n;
  explicit Counted(std::atomic<std::int64_t>& c) : n(c) { ++n; }
  ~Counted() { --n; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
};

ArtifactRef counted(std::atomic<std::int64_t>& n, std::string fingerprint = {}) {
  auto a = std::make_shared<Artifact>();
  a->payload = std::make_shared<Counted>(n);
  a->fingerprint = std::move(fingerprint);
  return a;
}

}  // namespace

TEST_CASE("churn: worlds compiled only while no entry serves them, no entry lost, none wrong, nothing left") {
  constexpr std::int64_t kCommon = 460, kRare = 40;
  std::atomic<std::int64_t> artifacts{0}, inside{0};
  std::atomic<std::uint64_t> wrong{0}, twice{0}, inserted{0}, gone{0};
  const std::shared_ptr<Jit> jit = Jit::create();
  struct Handler : MissHandler {
    std::function<MissAnswer(const Miss&)> f;
    MissAnswer miss(const Miss& m) override { return f(m); }
  } h;
  h.f = [&](const Miss& m) {
    if (inside.fetch_add(1) != 0) ++twice;
    for (const EntryRef& e : m.entries.entries)
      if (e->program.check(m.inputs) == kPass) ++twice;  // was served
    const std::int64_t n = m.inputs.raw(0);
    NewEntry e;
    e.program = n % 3 == 0 ? bounds_program({{0, n, n}, {1, 0, 9}}) : bounds_program({{0, n, n}, {1, 5, 5}});
    if (jit) e.program = jit->translate(e.program);
    e.artifact = counted(artifacts);
    inside.fetch_sub(1);
    return MissAnswer::compile(std::move(e));
  };
  {
    CacheOptions options{.max_entries = kCommon + kRare / 2, .on_limit = OnLimit::evict, .max_events = 64};
    options.eviction = make_benefit();
    options.observer = observe_all({std::make_shared<CauseStatistics>(), std::make_shared<ThrashDetector>()});
    options.on_event = [&](const CacheEvent& e) { ++(e.kind == CacheEvent::Kind::insert ? inserted : gone); };
    Cache cache(h, options);
    const std::size_t each = lookups() / kThreads;
    std::atomic<std::size_t> level{0};
    in_threads([&](int t) {
      std::mt19937_64 rng(static_cast<std::uint64_t>(t) + 1);
      CacheReader reader(cache);
      Snapshot s(2);
      s.set(1, 5);
      const std::size_t stir = std::max<std::size_t>(each / 100, 1);
      for (std::size_t i = 0; i < each; ++i) {
        const auto n = static_cast<std::int64_t>(rng() % 20'000 == 0 ? kCommon + rng() % kRare : rng() % kCommon);
        s.set(0, n);
        const auto a = reader.lookup(s);
        if (a.entry() == nullptr || a.entry()->program.check(s) != kPass || !a.entry()->artifact->payload) ++wrong;
        if (i % stir != 0 || t > 3) continue;
        if (t == 0) cache.invalidate_pinned(0, n, "object died");
        if (t == 1) cache.evict(a.entry() != nullptr ? a.entry()->id : 1, "test");
        if (t == 2) (void)cache.statistics();
        if (t == 3 && i >= each / 2 && level == 0) level = cache.bytes();
      }
    });
    const auto set = cache.entries();
    const CacheStatistics stats = cache.statistics();
    CHECK(stats.calls() == each * kThreads);
    CHECK(stats.errors == 0);
    CHECK(stats.fallbacks == 0);
    CHECK(stats.compiles == inserted);
    CHECK(inserted - gone == set->entries.size());
    CHECK(set->entries.size() <= kCommon + kRare / 2);
    CHECK(cache.bytes() <= level + level / 4);  // level after churn
    MESSAGE(stats.hits << " hits, " << stats.misses << " misses, " << stats.compiles << " compiles, " << stats.evictions
                       << " evictions, " << stats.waits << " waits, " << cache.bytes() << " bytes");
    cache.invalidate([](const Entry&) { return true; }, "end");
    CHECK(artifacts == static_cast<std::int64_t>(set->entries.size()));  // `set` holds the last ones
  }
  CHECK(wrong == 0);
  CHECK(twice == 0);
  CHECK(artifacts == 0);
  if (jit) CHECK(jit->bytes() == 0);
}

TEST_CASE("four frames of one function from 16 threads: each world compiled once for all of them") {
  constexpr std::int64_t kWorlds = 100;
  std::atomic<std::int64_t> artifacts{0};
  std::atomic<std::uint64_t> wrong{0}, built{0};
  struct Handler : FrameHandler {
    std::function<FrameAnswer(const FrameMiss&)> f;
    FrameAnswer miss(const FrameMiss& m) override { return f(m); }
  } h;
  h.f = [&](const FrameMiss& m) {
    const std::int64_t n = m.function.raw(0);
    ++built;
    NewEntry e;
    SlotIndex slot = 0;
    while (n % 2 != 0 && !m.miss.inputs.has(slot)) ++slot;  // the frame's own
    e.program = bounds_program({{slot, n, n}});
    e.artifact = counted(artifacts, "world " + std::to_string(n));
    return FrameAnswer{MissAnswer::compile(std::move(e)), n % 2 == 0 ? Layer::global : Layer::frame};
  };
  {
    CacheDomain domain({.overall = {.max_entries = 5000}, .on_limit = OnLimit::evict});
    std::vector<std::unique_ptr<LayeredFrame>> frames;
    for (SlotIndex k = 0; k < 4; ++k)
      frames.push_back(
          std::move(LayeredFrame::create(domain, h, {.function = "f", .owner = "o", .slots = {k}}).value()));
    std::atomic<std::uint64_t> calls{0};
    in_threads([&](int t) {
      std::mt19937_64 rng(static_cast<std::uint64_t>(t) + 50);
      const auto k = static_cast<SlotIndex>(t % 4);
      FrameReader reader(*frames[k]);
      Snapshot s(4);
      const std::size_t each = std::max<std::size_t>(lookups() / kThreads / 4, 1000);
      for (std::size_t i = 0; i < each; ++i) {
        const auto n = static_cast<std::int64_t>(rng() % kWorlds);
        s.set(k, n);
        Snapshot function(1);
        function.set(0, n);
        const auto a = reader.lookup(s);
        if (a.entry() == nullptr || a.entry()->artifact->fingerprint != "world " + std::to_string(n)) ++wrong;
      }
      calls += each;
    });
    FrameStatistics sum;
    for (const auto& f : frames) {
      const FrameStatistics s = f->statistics();
      sum.global_hits += s.global_hits, sum.frame_hits += s.frame_hits, sum.compiles += s.compiles;
      sum.shared += s.shared, sum.fallbacks += s.fallbacks, sum.errors += s.errors;
    }
    CHECK(sum.calls() == calls);
    CHECK(sum.compiles == kWorlds);                 // artifacts
    CHECK(built <= kWorlds / 2 + 4 * kWorlds / 2);  // an entry of its own for each frame where it is the frame's
    CHECK(domain.function_entries("f")->entries.size() == kWorlds / 2);
    CHECK(domain.usage().entries == kWorlds / 2 + 4 * kWorlds / 2);
    CHECK(artifacts == kWorlds);
  }
  CHECK(wrong == 0);
  CHECK(artifacts == 0);
}
