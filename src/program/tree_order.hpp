// The order of a guard tree's tests. Private to src/program.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dimgate/guard_tree.hpp"

namespace dimgate::detail {

/// Indices of the units in running order: data last, relations before them, before these one object after another; each
/// step the cheapest by cost / chance to fail among those whose slots' edges have been tested. Deterministic: ties by
/// recorded order. `counts` null: nothing observed.
std::vector<std::uint32_t> tree_order(std::span<const TreeUnit> units, std::span<const GuardTree::Slot> slots,
                                      const TreeCounts* counts);

/// Runs one test, reading its slots.
inline bool holds(const TreeTest& t, const SlotIndex* slots, const Program* program, LazySnapshot& at) noexcept {
  if (program == nullptr) {
    if (!at.fetch(*slots)) return false;
    const std::int64_t v = at.raw(*slots);
    return t.lo <= v && v <= t.hi;
  }
  // A formula may hold without some of its slots (`x is None or ...`): each is asked for, the program decides.
  for (std::uint32_t i = 0; i < t.slots; ++i) at.fetch(slots[i]);
  return program->check(at.view()) == kPass;
}

}  // namespace dimgate::detail
