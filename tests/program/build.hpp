// Programs by hand, without formulas: for tests that link the run time alone.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "program/code.hpp"

namespace dimgate::testing {

struct SlotBounds {
  SlotIndex slot;
  std::int64_t lo, hi;
};

struct SlotResidue {
  SlotIndex slot;
  std::uint64_t modulus, residue;
};

/// Guard i: bounds[i].lo <= slot <= bounds[i].hi; then, guard by guard, slot == residue (mod modulus).
inline Program bounds_program(const std::vector<SlotBounds>& bounds, const std::vector<SlotResidue>& residues = {}) {
  using namespace detail;
  auto p = std::make_shared<ProgramCode>();
  const auto ranges = static_cast<std::uint32_t>(bounds.size()), mods = static_cast<std::uint32_t>(residues.size());
  p->code.push_back({.code = Code::Need, .c = ranges + mods});
  p->code.push_back({.code = Code::Ranges, .c = ranges});
  if (mods != 0) p->code.push_back({.code = Code::Mods, .c = mods});
  p->code.push_back({.code = Code::Pass});
  p->exact = mods == 0;
  p->test_begin.push_back(0);
  const auto guard = [&](std::uint32_t i, SlotIndex slot) {
    p->needs.push_back({slot / 64, std::uint64_t{1} << (slot % 64)});
    p->test_guards.push_back(i);
    p->test_begin.push_back(i + 1);
    p->order.push_back(i);
    p->slots.push_back(slot);
  };
  for (std::uint32_t i = 0; i < ranges; ++i) {
    const auto& [slot, lo, hi] = bounds[i];
    guard(i, slot);
    p->ranges.push_back({slot, i, i, lo, static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo)});
    if (lo == hi) p->pinned.push_back({slot, lo});
    p->exact = p->exact && lo == hi;
  }
  for (std::uint32_t i = 0; i < mods; ++i) {
    guard(ranges + i, residues[i].slot);
    p->mods.push_back(Congruent::make(residues[i].slot, ranges + i, residues[i].modulus, residues[i].residue));
  }
  std::sort(p->slots.begin(), p->slots.end());
  p->slots.erase(std::unique(p->slots.begin(), p->slots.end()), p->slots.end());
  p->guard_count = ranges + mods;
  return Program(std::move(p));
}

}  // namespace dimgate::testing
