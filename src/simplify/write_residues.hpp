// The cheapest conjunction found that says "x is in these residue classes", given the classes that x is in anyway.
//
// Tried: one class or all but one, the stretch of remainders from the first to the last with the gaps that it has
// (`not 3 <= x % 128 <= 18`), stretches or-ed, lists, and products of small moduli. Deterministic.
// Tested by tests/simplify/write_set_test.cpp.
#pragma once

#include <vector>

#include "dimgate/expr.hpp"
#include "simplify/residues.hpp"

namespace dimgate::simplify {

/// conjuncts hold exactly where x is in r, as far as x is in `care`. Not for r that is all or none.
std::vector<Expr> write_residues(Context& ctx, Expr x, const Residues& r, const Residues& care);

}  // namespace dimgate::simplify
