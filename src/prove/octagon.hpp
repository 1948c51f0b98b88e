// Octagons over the integers: conjunctions of +-x +-y <= c and +-x <= c, kept consistent as they come, and the least
// upper bound of any form of that shape.
//
// Algorithm: each variable x is two nodes x+ and x-, +-x +-y <= c is a pair of edges (Mine, "The Octagon Abstract
// Domain", HOSC 2006). A potential of the nodes is kept; a new constraint repairs it by one partial Dijkstra (Cotton &
// Maler, "Fast and Flexible Difference Constraint Propagation for DPLL(T)", SAT 2006); where that fails a negative
// cycle is the core. The integers are contradictory beyond that exactly if some x+ and x- lie on a cycle of weight 0 on
// which their distance is odd (Lahiri & Musuvathi, "An Efficient Decision Procedure for UTVPI Constraints", FroCoS
// 2005). No closure is stored: a bound asks shortest paths and rounds, min(d(i,j), floor(d(i,i-)/2) + floor(d(j-,j)/2))
// (Bagnara, Hill & Zaffanella, "Weakly-Relational Shapes for Numeric Abstractions", FMSD 2009: this is the tight
// closure). Cost: a constraint that the potential satisfies O(1) plus the test of its neighbourhood, else O(m log n)
// for n variables and m constraints, often much less; a bound O(m log n); memory O(n + m). Limits: exact (tightest) for
// octagonal constraints; others are refused (Added::other_shape). Numbers are Integers. Deterministic: whether it is
// consistent and every bound are functions of the set of constraints; a core is one of the smallest cycles found and
// may depend on the order in which constraints came. Tests: tests/prove/octagon_test.cpp, against enumeration and
// against LinearCore.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "prove/linear.hpp"

namespace dimgate {

class Octagon {
 public:
  Octagon();
  ~Octagon();
  Octagon(Octagon&&) noexcept;
  Octagon& operator=(Octagon&&) noexcept;

  void clear();
  std::uint32_t new_variable();
  [[nodiscard]] std::uint32_t variables() const;
  void push();
  /// Forgets constraints and variables made since the matching push(); a contradiction found since is gone too.
  void pop();

  /// One or two variables (after adding up repetitions), coefficients of the same magnitude.
  [[nodiscard]] static bool has_shape(std::span<const LinearTerm> terms);

  enum class Added : std::uint8_t {
    consistent,     // taken, and there are integer solutions
    contradiction,  // none: see core(); further constraints are ignored until pop()
    other_shape,    // not taken
  };
  Added at_least(std::span<const LinearTerm> terms, const Integer& bound, std::uint32_t tag);
  Added at_most(std::span<const LinearTerm> terms, const Integer& bound, std::uint32_t tag);
  Added equals(std::span<const LinearTerm> terms, const Integer& bound, std::uint32_t tag);

  [[nodiscard]] bool consistent() const;
  /// After a contradiction: tags whose constraints alone contradict. After upper()/lower(): tags whose constraints
  /// alone imply the bound. Sorted, unique.
  [[nodiscard]] const std::vector<std::uint32_t>& core() const;
  /// The greatest (least) value of a form of the shape over the integer solutions; nullopt if there is none, or if the
  /// form has another shape. Only while consistent().
  std::optional<Integer> upper(std::span<const LinearTerm> terms);
  std::optional<Integer> lower(std::span<const LinearTerm> terms);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dimgate
