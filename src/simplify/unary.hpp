// Formulas about one integer symbol as exact sets.
//
// unary_truth gives T(f) and F(f) of a formula whose only symbol is `x` and whose operators are the arithmetic of the
// language with constant factors, divisors and moduli (also `c // t(x)` and `c % t(x)`, whose divisor may be zero).
// Method: atoms that are one chain of monotone steps around x are inverted step by step; any other atom is evaluated
// on each residue class x = P*q + r, where for a large enough period P every term is piecewise linear in q, so that
// comparisons become ranges of q. The sets are therefore proofs, not samples.
// Says nullopt ("cannot") for products of x with itself, huge periods or constants, more than kMaxWeight nodes.
// Cost: nodes times period. Tested by tests/simplify/unary_test.cpp against the reference evaluator.
#pragma once

#include <optional>

#include "dimgate/expr.hpp"
#include "simplify/int_set.hpp"

namespace dimgate::simplify {

struct UnaryTruth {
  IntSet is_true, is_false;  // elsewhere undefined
};

inline constexpr std::uint32_t kMaxWeight = 4000;

std::optional<UnaryTruth> unary_truth(Expr formula, Expr x);

}  // namespace dimgate::simplify
