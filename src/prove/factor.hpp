// Splitting a polynomial equation or inequality into factors: the cancellation stage.
//
//   (a*x + b)*A == 0   ->  a*x + b == 0 or A == 0          so a*b == 6*b under b >= 1 is a == 6
//   (a*x + b)*A >= 1   ->  both >= 1 or both <= -1          (>= 0: both >= 0 or both <= 0)
//   p(x) == 0          ->  x == r1 or x == r2 ...           the integer roots (runs.hpp); none: false
//
// A factor linear in x is found without general factoring: p = x*A + B splits exactly if B is a multiple of the
// primitive part of A (Gauss's lemma makes the multiple an integer). O(atoms * terms). Where no atom is linear, x - k*y
// with |k| <= 4 is tried (x*x == y*y, x*x*x <= y*y*y). Limits: no other factor where every atom has a square; roots up
// to degree 8. Carriers are left out, quotients count as unknowns. Tests: tests/prove/factor_test.cpp.
#pragma once

#include <optional>

#include "expr/poly.hpp"

namespace dimgate {

struct FactorPair {
  Poly linear, rest;  // their product is the polynomial
};

/// p as a product of a linear factor and another one, neither constant.
std::optional<FactorPair> factor(PolyRing& ring, const Poly& p);

/// The integer roots of a polynomial in one atom, ascending; nullopt if it has several, is linear, or its constant is 0
/// (then the atom is a factor).
struct Roots {
  const Node* atom = nullptr;
  std::vector<Integer> values;
};
std::optional<Roots> integer_roots(PolyRing& ring, const Poly& p);

}  // namespace dimgate
