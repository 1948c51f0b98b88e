// Linear equations over several slots in solved form: later slots, by name, in terms of earlier ones.
//
// Reduced row echelon form over the rationals, kept in primitive integer rows: a row space has one such form, so what
// is written does not depend on the order or the choice of the equations that say it. Integer points: the same, as each
// system implies the other over the rationals. Cost: equations^2 * slots for each group that shares slots.
// Tested by tests/simplify/equations_test.cpp.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "simplify/affine.hpp"

namespace dimgate::simplify {

/// A canonical linear equation over two slots or more; nullopt: it is none.
std::optional<LinearEquation> linear_equation(Expr canonical);

/// Equations that say the same, the dependent slot of each first and its coefficient positive; nullopt: no integers
/// satisfy them. Groups of more than kMostEquations stay as they are.
inline constexpr std::size_t kMostEquations = 16;
std::optional<std::vector<LinearEquation>> solved_form(Context& ctx, std::span<const LinearEquation> equations);

}  // namespace dimgate::simplify
