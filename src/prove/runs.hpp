// Where a polynomial in one unknown is at least 0, over the integers: exactly, as runs of consecutive integers.
//
// The difference p(x + 1) - p(x) has a degree less; where it keeps its sign p is monotone on the integers, so between
// two changes of the difference's sign p changes its own at most once, and a binary search finds where (the discrete
// form of isolating roots by derivatives). Beyond 1 + max|c_i| there is no change (Cauchy's bound with |c_n| >= 1).
// Cost: O(degree^2) binary searches over that range. Exact: no floating point, no limit but the degree's.
// Tests: tests/prove/polynomials_test.cpp, against evaluation.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "dimgate/facts.hpp"
#include "expr/poly.hpp"

namespace dimgate {

/// A polynomial in a single atom; coefficients by degree, the last is not 0, degree 2 to kMostDegree.
struct OneUnknown {
  static constexpr std::uint32_t kMostDegree = 8;
  const Node* atom = nullptr;
  std::vector<Integer> coefficients;
};
std::optional<OneUnknown> in_one_unknown(PolyRing& ring, const Poly& p);

/// The integers x with p(x) >= 0: disjoint runs, ascending, none next to another.
std::vector<Interval> runs_at_least_zero(std::span<const Integer> coefficients);
/// The integers x with p(x) == 0, ascending; p is not constant.
std::vector<Integer> integer_zeros(std::span<const Integer> coefficients);

}  // namespace dimgate
