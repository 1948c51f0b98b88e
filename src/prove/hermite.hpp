// The integer solutions of linear equalities and congruences: x = x0 + sum_k t_k b_k, t_k any integers.
//
// Algorithm: integer column echelon form (Hermite), one constraint at a time (Schrijver, "Theory of Linear and Integer
// Programming", 1986, sections 4.1 and 5.3): the constraint c x == r, or c x == r (mod m), becomes an equation in t;
// unimodular column operations leave one coefficient g, the gcd; g (or gcd(g, m)) must divide the rest, and t_k is
// fixed (or becomes s + (m / gcd(g, m)) t_k). The Chinese remainder theorem is the special case of one variable.
// Variables that no constraint ties together are kept apart, so that cost counts only those tied.
// Cost: a constraint over a component of n variables O(n^2) Integer operations (times log of the coefficients for the
// gcds); memory O(n^2) per component. pop() is O(what it undoes).
// Exact: residue() is the strongest congruence that the constraints imply. Cores are found by leaving out one tag
// after the other (they are minimal): O(k) solutions of the k constraints involved.
// Deterministic: the lattice, consistency and residues depend on the set of constraints only; core() on their order.
// Tests: tests/prove/hermite_test.cpp, against enumeration.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dimgate/facts.hpp"
#include "prove/linear.hpp"

namespace dimgate {

class SolutionLattice {
 public:
  SolutionLattice();
  ~SolutionLattice();
  SolutionLattice(SolutionLattice&&) noexcept;
  SolutionLattice& operator=(SolutionLattice&&) noexcept;

  void clear();
  std::uint32_t new_variable();
  [[nodiscard]] std::uint32_t variables() const;
  void push();
  /// Forgets constraints and variables made since the matching push(); a contradiction found since is gone too.
  void pop();

  /// sum(terms) == bound. False: the constraints contradict each other over the integers (core()); what is added after
  /// that is ignored until pop().
  bool equals(std::span<const LinearTerm> terms, const Integer& bound, std::uint32_t tag);
  /// sum(terms) == residue (mod modulus), modulus >= 0; modulus 0 is equality.
  bool congruent(std::span<const LinearTerm> terms, const Integer& modulus, const Integer& residue, std::uint32_t tag);
  [[nodiscard]] bool consistent() const;
  /// After a contradiction: a minimal set of tags that contradict. Sorted.
  [[nodiscard]] const std::vector<std::uint32_t>& core() const;

  /// The strongest congruence of a form over the solutions: every value it takes, and it takes all of them. Only while
  /// consistent().
  [[nodiscard]] Congruence residue(std::span<const LinearTerm> terms) const;
  /// A minimal set of tags whose constraints imply that the form is in `claim`. Only if residue(terms) implies it.
  [[nodiscard]] std::vector<std::uint32_t> why(std::span<const LinearTerm> terms, const Congruence& claim) const;

  /// One variable in the solutions: constant + sum(terms) over free parameters (their numbers mean nothing else; two
  /// variables share parameters where they are tied).
  struct Affine {
    Integer constant;
    std::vector<LinearTerm> terms;
  };
  [[nodiscard]] Affine solution(std::uint32_t var) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dimgate
