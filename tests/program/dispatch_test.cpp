// Dispatch against a plain scan.
#include "dimgate/dispatch.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "program/build.hpp"

using namespace dimgate;
using dimgate::testing::bounds_program;
using dimgate::testing::SlotBounds;
using dimgate::testing::SlotResidue;

namespace {

std::int32_t scan(const std::vector<Program>& programs, SnapshotView at) {
  for (std::size_t i = 0; i < programs.size(); ++i)
    if (programs[i].check(at) == kPass) return static_cast<std::int32_t>(i);
  return Dispatch::kMiss;
}

}  // namespace

TEST_CASE("the first entry in order, as a scan finds it, over random entry sets") {
  std::mt19937_64 rng(11);
  std::size_t hits = 0, misses = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = rng() % (round % 10 == 0 ? 300 : 40), slots = 1 + rng() % 4;
    const auto small = [&] { return static_cast<std::int64_t>(rng() % 5); };
    std::vector<Program> programs;
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<SlotBounds> bounds;
      for (SlotIndex s = 0; s < slots; ++s) {
        const std::int64_t lo = small();
        if (rng() % 4 != 0) bounds.push_back({s, lo, rng() % 3 != 0 ? lo : lo + small()});
      }
      std::vector<SlotResidue> residues;
      if (rng() % 4 == 0) {
        const std::uint64_t m = 1 + rng() % 4;
        residues.push_back({static_cast<SlotIndex>(rng() % slots), m, rng() % m});
      }
      programs.push_back(bounds_program(bounds, residues));
    }
    std::vector<const Program*> pointers;
    for (const Program& p : programs) pointers.push_back(&p);
    Dispatch dispatch{pointers};
    Dispatch grown;
    for (const Program& p : programs) {
      Dispatch copy = grown;
      copy.append(p);
      grown = std::move(copy);
    }
    CHECK(dispatch.size() == n);
    for (int k = 0; k < 60; ++k) {
      Snapshot s(slots);
      for (SlotIndex i = 0; i < slots; ++i)
        if (rng() % 10 != 0) s.set(i, small());
      const std::int32_t expected = scan(programs, s);
      CHECK(dispatch.find(s) == expected);
      CHECK(grown.find(s) == expected);
      ++(expected < 0 ? misses : hits);
    }
  }
  CHECK(hits > 1000);
  CHECK(misses > 1000);
}

TEST_CASE("thousands of exact entries, and one general entry in front or behind") {
  std::vector<Program> programs;
  for (std::int64_t i = 0; i < 5000; ++i) programs.push_back(bounds_program({{0, i, i}, {1, i % 7, i % 7}}));
  std::vector<const Program*> pointers;
  for (const Program& p : programs) pointers.push_back(&p);
  const Program general = bounds_program({{0, 100, 200}});
  pointers.push_back(&general);
  const Dispatch behind{pointers};
  std::rotate(pointers.begin(), pointers.end() - 1, pointers.end());
  const Dispatch front{pointers};
  Snapshot s(2);
  for (std::int64_t i = 0; i < 5000; ++i) {
    s.set(0, i), s.set(1, i % 7);
    CHECK(behind.find(s) == i);
    CHECK(front.find(s) == (i >= 100 && i <= 200 ? 0 : i + 1));
  }
  s.set(0, 150), s.set(1, 9);
  CHECK(behind.find(s) == 5000);
  s.set(0, 99);
  CHECK(behind.find(s) == Dispatch::kMiss);
  CHECK(behind.bytes() < 5000 * 200);
}

TEST_CASE("thousands of overlapping ranges and residues: lowest rank wins, ends included") {
  std::mt19937_64 rng(5);
  std::vector<Program> programs;
  const auto end = [&](std::int64_t v) { return rng() % 50 == 0 ? (rng() % 2 == 0 ? INT64_MIN : INT64_MAX) : v; };
  for (int i = 0; i < 3000; ++i) {
    const auto lo = static_cast<std::int64_t>(rng() % 20000), width = static_cast<std::int64_t>(rng() % 30);
    const std::int64_t a = end(lo), b = end(lo + width);
    switch (i % 4) {
      case 0:
      case 1:
        programs.push_back(bounds_program({{0, std::min(a, b), std::max(a, b)}}));
        break;
      case 2:
        programs.push_back(bounds_program({{0, lo, lo + width}, {1, 0, static_cast<std::int64_t>(rng() % 9)}}));
        break;
      default:
        programs.push_back(bounds_program({{1, 3, 1000}}, {{0, 997, rng() % 997}}));
        break;
    }
  }
  std::vector<const Program*> pointers;
  for (const Program& p : programs) pointers.push_back(&p);
  // Whole ranges at the very front would answer everything.
  std::ranges::stable_sort(pointers, {}, [](const Program* p) { return p->check(SnapshotView{}) == kPass; });
  const Dispatch d{pointers};
  Snapshot s(2);
  std::size_t hits = 0;
  for (int k = 0; k < 4000; ++k) {
    const std::int64_t v = k % 100 == 0   ? INT64_MIN
                           : k % 101 == 0 ? INT64_MAX
                                          : static_cast<std::int64_t>(rng() % 20100) - 50;
    s.set(0, v), s.set(1, static_cast<std::int64_t>(rng() % 12));
    std::int32_t expected = Dispatch::kMiss;
    for (std::size_t i = 0; i < pointers.size() && expected < 0; ++i)
      if (pointers[i]->check(s) == kPass) expected = static_cast<std::int32_t>(i);
    CHECK(d.find(s) == expected);
    hits += expected >= 0 ? 1 : 0;
  }
  CHECK(hits > 1000);
  CHECK(d.bytes() < 3000 * 400);
}

TEST_CASE("entries that share what they pin are told apart by their ranges") {
  std::vector<Program> programs;
  for (std::int64_t i = 0; i < 2000; ++i) programs.push_back(bounds_program({{0, 7, 7}, {1, 10 * i, 10 * i + 8}}));
  std::vector<const Program*> pointers;
  for (const Program& p : programs) pointers.push_back(&p);
  const Dispatch d{pointers};
  Snapshot s(2);
  for (std::int64_t v = 0; v < 20000; v += 3) {
    s.set(0, 7), s.set(1, v);
    CHECK(d.find(s) == (v % 10 == 9 ? Dispatch::kMiss : static_cast<std::int32_t>(v / 10)));
  }
  s.set(0, 8);
  CHECK(d.find(s) == Dispatch::kMiss);
}

TEST_CASE("more sets of pinned slots than are hashed are scanned") {
  std::vector<Program> programs;
  for (SlotIndex i = 0; i < 40; ++i) programs.push_back(bounds_program({{i, 7, 7}}));
  std::vector<const Program*> pointers;
  for (const Program& p : programs) pointers.push_back(&p);
  const Dispatch d{pointers};
  Snapshot s(40);
  for (SlotIndex i = 40; i-- > 0;) {
    s.set(i, 7);
    CHECK(d.find(s) == static_cast<std::int32_t>(i));
  }
}

TEST_CASE(
    "entries of shared tests and relations, every structure on and off, in front and behind, as a scan finds them") {
  using detail::Code;
  std::mt19937_64 rng(21);
  std::size_t hits = 0, misses = 0, checks = 0, scanned = 0;
  const DispatchOptions all_options[] = {
      {}, {.hash = false}, {.ranges = false}, {.bits = false}, {.hash = false, .ranges = false}};
  for (int round = 0; round < 40; ++round) {
    const std::size_t n = round == 0 ? 9000 : 1 + rng() % 600, slots = 6;
    std::vector<Program> programs;
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<SlotBounds> bounds, outside;
      std::vector<SlotResidue> residues;
      std::vector<dimgate::testing::SlotPair> pairs;
      const auto any = [&] { return static_cast<SlotIndex>(rng() % slots); };
      for (std::size_t k = 3 + rng() % 4; k-- > 0;) {
        const std::int64_t lo = static_cast<std::int64_t>(rng() % 8) * 4;
        switch (rng() % 5) {
          case 0:
          case 1:
            bounds.push_back({any(), lo, lo + 24 + static_cast<std::int64_t>(rng() % 3) * 8});
            break;
          case 2:
            outside.push_back({any(), lo, lo + 7});
            break;
          case 3:
            if (rng() % 4 == 0) residues.push_back({any(), 4, rng() % 4});
            [[fallthrough]];
          default:
            pairs.push_back({static_cast<Code>(static_cast<unsigned>(Code::PairsEq) + rng() % 4), any(), any()});
        }
      }
      if (rng() % 6 == 0) bounds.push_back({any(), 5, 5});
      programs.push_back(bounds_program(bounds, residues, pairs, outside));
    }
    std::vector<const Program*> pointers;
    for (const Program& p : programs) pointers.push_back(&p);
    for (const DispatchOptions& options : all_options) {
      const Dispatch d{pointers, options};
      LastHit last;
      for (int k = 0; k < (round == 0 ? 200 : 40); ++k) {
        Snapshot s(slots);
        for (SlotIndex i = 0; i < slots; ++i)
          if (rng() % 20 != 0) s.set(i, static_cast<std::int64_t>(rng() % 80));
        const std::int32_t expected = scan(programs, s);
        std::uint32_t count = 0;
        CHECK(d.find_counting(s, count) == expected);
        CHECK(d.find(s, last) == expected);
        if (&options != &all_options[0]) continue;
        checks += count;
        scanned += expected < 0 ? n : static_cast<std::size_t>(expected) + 1;
        ++(expected < 0 ? misses : hits);
      }
    }
  }
  CHECK(hits > 200);
  CHECK(misses > 30);
  CHECK(checks < scanned);
}

TEST_CASE("adding and removing in any order, copies keep what they had, removed programs are never touched") {
  std::mt19937_64 rng(31);
  for (int round = 0; round < 12; ++round) {
    std::vector<std::shared_ptr<Program>> live;
    Dispatch d;
    LastHit last;
    const auto agrees = [&](const Dispatch& dispatch, const std::vector<std::shared_ptr<Program>>& with,
                            bool remember) {
      for (int k = 0; k < 12; ++k) {
        Snapshot s(2);
        s.set(0, static_cast<std::int64_t>(rng() % 40)), s.set(1, static_cast<std::int64_t>(rng() % 40));
        std::int32_t expected = Dispatch::kMiss;
        for (std::size_t i = 0; i < with.size() && expected < 0; ++i)
          if (with[i]->check(s) == kPass) expected = static_cast<std::int32_t>(i);
        CHECK(dispatch.find(s) == expected);
        if (remember) CHECK(dispatch.find(s, last) == expected);
      }
    };
    for (int step = 0; step < 400; ++step) {
      if (live.empty() || rng() % 5 < (step < 250 ? 4U : 1U)) {
        const auto v = [&] { return static_cast<std::int64_t>(rng() % 40); };
        const std::int64_t a = v(), b = v();
        const bool ranges_only = round % 3 == 0, exact_only = round % 3 == 1;
        if (exact_only || (!ranges_only && rng() % 2 == 0))
          live.push_back(std::make_shared<Program>(bounds_program({{0, a, a}, {1, b, b}})));
        else
          live.push_back(std::make_shared<Program>(bounds_program({{0, a, a + static_cast<std::int64_t>(rng() % 5)}})));
        d.append(*live.back());
      } else {
        const std::size_t gone = rng() % live.size();
        const Dispatch before = d;
        const std::vector<std::shared_ptr<Program>> then = live;
        d.remove(gone);
        live.erase(live.begin() + static_cast<std::ptrdiff_t>(gone));
        if (step % 20 == 0) agrees(before, then, false);
      }
      CHECK(d.size() == live.size());
      if (step % 7 == 0) agrees(d, live, true);
    }
  }
}

TEST_CASE("many rows at once give what each gives alone, whatever the number of entries and of slots") {
  std::mt19937_64 rng(41);
  for (const std::size_t n : {0, 1, 3, 16, 17, 18, 60})
    for (const std::size_t slots : {2, 600}) {
      std::vector<Program> programs;
      const auto last = static_cast<SlotIndex>(slots - 1);
      for (std::size_t i = 0; i < n; ++i) {
        const auto lo = static_cast<std::int64_t>(rng() % 20);
        programs.push_back(bounds_program({{0, lo, lo + 3}}, {{last, 2 + i % 3, i % 2}},
                                          {{i % 2 == 0 ? detail::Code::PairsLe : detail::Code::PairsNe, 0, last}},
                                          {{last, lo, lo + 1}}));
      }
      std::vector<const Program*> pointers;
      for (const Program& p : programs) pointers.push_back(&p);
      Dispatch d{pointers};
      if (n > 2) d.remove(1);
      constexpr std::size_t kRows = 700;
      std::vector<std::int64_t> first(kRows), other(kRows);
      for (std::size_t r = 0; r < kRows; ++r) {
        first[r] = r % 50 == 0 ? INT64_MIN : static_cast<std::int64_t>(rng() % 30) - 3;
        other[r] = r % 51 == 0 ? INT64_MAX : static_cast<std::int64_t>(rng() % 30) - 3;
      }
      std::vector<const std::int64_t*> columns(slots, nullptr);
      for (const bool absent : {false, true}) {
        columns[0] = first.data();
        columns[last] = absent ? nullptr : other.data();
        std::vector<std::int32_t> ranks(kRows, -9);
        d.find_batch(columns, kRows, ranks.data());
        Snapshot s(slots);
        for (std::size_t r = 0; r < kRows; ++r) {
          s.set(0, first[r]);
          if (!absent) s.set(last, other[r]);
          if (absent) s.unset(last);
          CHECK(ranks[r] == d.find(s));
        }
      }
    }
}

TEST_CASE("a dispatch of nothing misses") {
  const Dispatch d;
  CHECK(d.find(SnapshotView{}) == Dispatch::kMiss);
  CHECK(d.size() == 0);
}
