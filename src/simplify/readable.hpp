// What stays of a guard set, as people write it.
#pragma once

#include <span>
#include <vector>

#include "simplify/guard_item.hpp"

namespace dimgate::simplify {

/// Conjuncts with the same T as the items together, under the facts. In the order of the house.
std::vector<Expr> readable_form(Questions& questions, std::span<const GuardItem* const> items,
                                std::vector<Obligation>* obligations);

}  // namespace dimgate::simplify
