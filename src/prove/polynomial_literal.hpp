// A canonical comparison of a polynomial with a number, as the polynomial that it compares with 0.
#pragma once

#include "expr/poly.hpp"

namespace dimgate {

/// Left against a number, with a product on the left; sums of more than kPolynomialTerms are left alone.
inline constexpr std::size_t kPolynomialTerms = 32;
inline bool is_polynomial(Expr f) {
  return f.size() == 2 && f[0].sort() == Sort::Int && f[1].is_int() && f[0].node()->degree >= 2 &&
         f[0].size() <= kPolynomialTerms;
}

/// left - right.
inline Poly zero_form(const PolyRing& ring, Expr comparison) {
  return ring.add(ring.of(comparison[0].node()), ring.constant(comparison[1].integer()), -1);
}

}  // namespace dimgate
