// Quadratic equations in two unknowns whose terms of degree 2 are those of a product: hyperbolas, whose integer points
// are the divisors of one number. By completing the square (squares.hpp); a few products of short polynomials.
// Limits: at most kTerms terms; one unknown must have a square. Tested by tests/prove/polynomials_test.cpp.
#pragma once

#include <optional>

#include "expr/poly.hpp"

namespace dimgate {

/// p == 0 for a quadratic p in two unknowns whose terms of degree 2 are those of a product of two linear forms:
/// left*right == value, over the integers. With p = a*x^2 + x*B + C and D = B^2 - 4a*C = d*y^2 + e*y + g, d = s^2:
/// n^2 == D for n = 2a*x + B, so (2s*n - (2d*y + e))*(2s*n + (2d*y + e)) == 4d*g - e^2. nullopt: it is none.
struct ProductForm {
  Poly left, right;
  Integer value;
  bool none = false;  // no integers satisfy it
};
std::optional<ProductForm> as_product(PolyRing& ring, const Poly& p);

}  // namespace dimgate
