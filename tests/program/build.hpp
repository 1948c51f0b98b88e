// Programs by hand, without formulas: for tests that link the run time alone.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "program/draft.hpp"

namespace dimgate::testing {

struct SlotBounds {
  SlotIndex slot;
  std::int64_t lo, hi;
};

struct SlotResidue {
  SlotIndex slot;
  std::uint64_t modulus, residue;
};

struct SlotPair {
  detail::Code code;  // PairsEq ... PairsLe
  SlotIndex left, right;
};

/// Guard i: bounds[i].lo <= slot <= bounds[i].hi; then, guard by guard, slot == residue (mod modulus); then the
/// pairs; then, one by one, bounds that the slot must be outside of.
inline Program bounds_program(const std::vector<SlotBounds>& bounds, const std::vector<SlotResidue>& residues = {},
                              const std::vector<SlotPair>& pairs = {}, const std::vector<SlotBounds>& outside = {}) {
  using namespace detail;
  Draft p;
  const auto ranges = static_cast<std::uint32_t>(bounds.size()), mods = static_cast<std::uint32_t>(residues.size());
  const auto twos = static_cast<std::uint32_t>(pairs.size()), outs = static_cast<std::uint32_t>(outside.size());
  p.code.push_back({.code = Code::Need});
  p.code.push_back({.code = Code::Ranges, .c = ranges});
  if (mods != 0) p.code.push_back({.code = Code::Mods, .c = mods});
  for (std::uint32_t i = 0; i < twos; ++i) p.code.push_back({.code = pairs[i].code, .b = i, .c = 1});
  if (outs != 0) p.code.push_back({.code = Code::NotRanges, .b = ranges, .c = outs});
  p.code.push_back({.code = Code::Pass});
  p.exact = mods == 0 && twos == 0 && outs == 0;
  p.test_begin.push_back(0);
  const auto guard = [&](std::uint32_t i, SlotIndex slot) {
    p.test_guards.push_back(i);
    p.test_begin.push_back(i + 1);
    p.order.push_back(i);
    p.slots.push_back(slot);
  };
  for (std::uint32_t i = 0; i < ranges; ++i) {
    const auto& [slot, lo, hi] = bounds[i];
    guard(i, slot);
    p.ranges.push_back({slot, i, i, lo, static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo)});
    if (lo == hi) p.pinned.push_back({slot, lo});
    p.exact = p.exact && lo == hi;
  }
  for (std::uint32_t i = 0; i < mods; ++i) {
    guard(ranges + i, residues[i].slot);
    p.mods.push_back(Congruent::make(residues[i].slot, ranges + i, residues[i].modulus, residues[i].residue));
  }
  for (std::uint32_t i = 0; i < twos; ++i) {
    guard(ranges + mods + i, pairs[i].left);
    p.slots.push_back(pairs[i].right);
    p.pairs.push_back({pairs[i].left, pairs[i].right, ranges + mods + i});
  }
  for (std::uint32_t i = 0; i < outs; ++i) {
    const auto& [slot, lo, hi] = outside[i];
    guard(ranges + mods + twos + i, slot);
    p.ranges.push_back({slot, ranges + mods + twos + i, ranges + mods + twos + i, lo,
                        static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo)});
  }
  std::sort(p.slots.begin(), p.slots.end());
  p.slots.erase(std::unique(p.slots.begin(), p.slots.end()), p.slots.end());
  for (const SlotIndex slot : p.slots) {
    if (p.needs.empty() || p.needs.back().word != slot / 64) p.needs.push_back({slot / 64, 0});
    p.needs.back().mask |= std::uint64_t{1} << (slot % 64);
  }
  p.code[0].c = static_cast<std::uint32_t>(p.needs.size());
  p.guard_count = ranges + mods + twos + outs;
  return finish(p);
}

}  // namespace dimgate::testing
