// One lookup in a cache: entries of 60 guards over a snapshot of 20 tensors (two sizes and a dtype each).
//
// Entry i pins the first size of tensor i % 20 and bounds the rest; every lookup hits one of the entries at random, or
// none. Prints nanoseconds a lookup through CacheReader (counters and epochs included), the same with the checks off
// (the entry is known), through two layers, and the entries' bytes.
#include "dimgate/cache.hpp"

#include <chrono>
#include <cstdio>
#include <random>

#include "dimgate/layers.hpp"
#include "program/build.hpp"

using namespace dimgate;
using dimgate::testing::bounds_program;
using dimgate::testing::SlotBounds;

namespace {

constexpr std::size_t kTensors = 20, kSlots = 3 * kTensors;

struct Never : MissHandler {
  MissAnswer miss(const Miss&) override { return MissAnswer::fall_back(); }
};
struct NeverFrame : FrameHandler {
  FrameAnswer miss(const FrameMiss&) override { return {MissAnswer::fall_back(), Layer::frame}; }
};

Program program(std::size_t entry, bool pinned) {
  std::vector<SlotBounds> bounds;
  for (SlotIndex s = 0; s < kSlots; ++s) bounds.push_back({s, s % 3 == 2 ? 7 : 1, s % 3 == 2 ? 7 : 1 << 20});
  auto& own = bounds[3 * (entry % kTensors)];
  const auto v = static_cast<std::int64_t>(100 + 10 * entry);
  own.lo = v, own.hi = pinned ? v : v + 5;
  return bounds_program(bounds);
}

Snapshot call(std::size_t entry) {
  Snapshot s(kSlots);
  for (SlotIndex i = 0; i < kSlots; ++i) s.set(i, i % 3 == 2 ? 7 : 50);
  s.set(static_cast<SlotIndex>(3 * (entry % kTensors)), static_cast<std::int64_t>(100 + 10 * entry));
  return s;
}

template <class Lookup>
double nanoseconds(const std::vector<Snapshot>& calls, Lookup lookup) {
  double best = 1e18;
  for (int round = 0; round < 7; ++round) {
    const auto start = std::chrono::steady_clock::now();
    std::uint64_t sum = 0;
    for (const Snapshot& s : calls) sum += lookup(s);
    asm volatile("" : : "r"(sum));
    const auto spent = std::chrono::steady_clock::now() - start;
    best = std::min(best, std::chrono::duration<double, std::nano>(spent).count() / static_cast<double>(calls.size()));
  }
  return best;
}

}  // namespace

int main() {
  const auto jit = Jit::create();
  std::printf(
      "| entries | guards | engine | hit | miss | hit, checks off | hit through two layers | bytes an entry |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
  for (const bool pinned : {true, false})
    for (const std::size_t entries : {1U, 8U, 64U})
      for (const bool native : {false, true}) {
        if (native && !jit) continue;
        Never handler;
        Cache cache(handler);
        std::vector<Program> programs;
        for (std::size_t i = 0; i < entries; ++i) {
          NewEntry e;
          e.program = program(i, pinned);
          if (native) e.program = jit->translate(e.program);
          programs.push_back(e.program);
          (void)cache.insert(std::move(e));
        }
        NeverFrame frame_handler;
        CacheDomain domain;
        auto frame = std::move(LayeredFrame::create(domain, frame_handler, {.function = "f"}).value());
        for (const Program& p : programs) {
          NewEntry e;
          e.program = p;
          (void)frame->cache().insert(std::move(e));
        }
        std::mt19937_64 rng(1);
        std::vector<Snapshot> hits, misses;
        for (int i = 0; i < 2000; ++i)
          hits.push_back(call(rng() % entries)), misses.push_back(call(entries + 1 + rng() % 64));
        CacheReader reader(cache);
        FrameReader layered(*frame);
        const auto id = [](const Cache::Answer& a) { return a.entry() != nullptr ? a.entry()->id : 0; };
        const double hit = nanoseconds(hits, [&](const Snapshot& s) { return id(reader.lookup(s)); });
        const double miss = nanoseconds(misses, [&](const Snapshot& s) { return id(reader.peek(s)); });
        const double two = nanoseconds(hits, [&](const Snapshot& s) { return id(layered.lookup(s)); });
        std::vector<const Entry*> found;
        const auto set = cache.entries();
        for (const Snapshot& s : hits) found.push_back(set->find(id(reader.peek(s))));
        std::size_t next = 0;
        const double off = nanoseconds(hits, [&](const Snapshot&) {
          const Entry& e = *found[next++ % found.size()];
          e.hits.fetch_add(1, std::memory_order_relaxed);
          return e.id;
        });
        std::printf("| %zu | 60, %s | %s | %.0f ns | %.0f ns | %.0f ns | %.0f ns | %zu |\n", entries,
                    pinned ? "one pins a size" : "ranges only", native ? "machine code" : "interpreter", hit, miss, off,
                    two, cache.bytes() / entries);
      }
  return 0;
}
