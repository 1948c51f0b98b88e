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

}  // namespace dimgate::detail
