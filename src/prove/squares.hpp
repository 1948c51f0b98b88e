// The least value of a polynomial that is a sum of squares and of terms with known ends.
//
// p = d*z^2 + z*B + C with d > 0, z a monomial that B and C are free of:  4d*p = (2*d*z + B)^2 + (4d*C - B^2), so
//   min p >= ceil((min (2*d*z + B)^2 + min (4d*C - B^2)) / 4d)
// (completing the square as in Lagrange's diagonalisation of quadratic forms; everything stays an integer). A form
// g*(...) + r is at least min(r mod g, -r mod g) away from 0. What is left without squares is bounded term by term.
// Cost: at most kPivots products of short polynomials for each order tried. Limits: the order of pivots is one of
// kOrders; forms that need another, or sums of squares that are no such chain, are not seen.
// Lemma: tests/prove/lemmas_test.cpp. Tests: tests/prove/polynomials_test.cpp, against evaluation.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "expr/poly.hpp"

namespace dimgate {

/// 4d*p = form^2 + rest, with d*z^2 (`square`) a term of p; nullopt: z is in a term otherwise than z^1 or z^2.
struct Completed {
  Integer d;
  Poly form, rest;
};
std::optional<Completed> complete(PolyRing& ring, const Poly& p, const Term& square, const Node* z);

struct LeastOfSquares {
  Integer value;            // p >= value wherever what `least` said holds
  bool exact = false;       // p == value exactly where every form is 0
  std::vector<Poly> forms;  // the squared ones
};

/// `least(m, c)`: a lower end of c*m for a monomial m, nullopt if none is known.
using LeastTerm = std::function<std::optional<Integer>(const Node* monomial, const Integer& coefficient)>;

/// nullopt: no square is in p, or something in it has no lower end.
std::optional<LeastOfSquares> least_of_squares(PolyRing& ring, const Poly& p, const LeastTerm& least);

}  // namespace dimgate
