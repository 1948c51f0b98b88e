// The linear integer core: is a conjunction of linear constraints over integer variables satisfiable, and how small
// can a linear form get under it?
//
// Algorithm: general simplex with bounded slack rows (Dutertre & de Moura, "A Fast Linear-Arithmetic Solver for
// DPLL(T)", CAV 2006) on rows of integers with one denominator each; constraints are divided by the gcd of their
// coefficients and rounded on entry. Where the rational answer is not an integer one: equalities are solved over the
// integers (Pugh, "The Omega Test", 1991, section 2.2), the rest is split into components, cut (Gomory's fractional
// cuts) and branched; directions in which a component is unbounded are projected away first when branching does not
// end (Bromberger, "A Reduction from Unbounded Linear Mixed Arithmetic Problems into Bounded Problems", IJCAR 2018),
// so that only the steps limit what is decided.
// Numbers: int64, on overflow again in 128 bits, then in Integer. No answer depends on the width.
// Cost: a few microseconds for 2-10 variables and 5-30 constraints; each level of push() keeps its solved tableau, so
// a check below it starts there. A step is one short row rewritten (in a pivot, a substitution or a cut); long rows
// and wide numbers cost more: some tens of nanoseconds a step.
// Limits: `unknown` only when the steps ran out. The integer stages (not the rational one) hold rows x columns numbers
// of a component; where hundreds of variables are tied together they run out of steps rather than time.
// Deterministic: the answer (status, model, core, steps used) is a function of the variables' numbers and of the
// constraints of each level, not of the order within a level, of what was popped, nor of what was asked before.
// Tests: tests/prove/linear_test.cpp, against enumeration.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dimgate/integer.hpp"

namespace dimgate {

struct LinearTerm {
  std::uint32_t var;
  Integer coefficient;
};

class LinearCore {
 public:
  LinearCore();
  ~LinearCore();
  LinearCore(LinearCore&&) noexcept;
  LinearCore& operator=(LinearCore&&) noexcept;

  /// Forgets everything but keeps the memory: cheaper than a new one.
  void clear();
  /// A new integer variable; they count up from 0. It goes with the level it was made in.
  std::uint32_t new_variable();
  [[nodiscard]] std::uint32_t variables() const;
  void push();
  /// Forgets constraints and variables made since the matching push().
  void pop();

  /// sum(terms) >= bound. A variable may occur several times; zero coefficients and no terms at all are fine.
  /// `tag` names the constraint in cores; several may share one.
  void at_least(std::span<const LinearTerm> terms, const Integer& bound, std::uint32_t tag);
  /// sum(terms) <= bound.
  void at_most(std::span<const LinearTerm> terms, const Integer& bound, std::uint32_t tag);
  /// sum(terms) == bound.
  void equals(std::span<const LinearTerm> terms, const Integer& bound, std::uint32_t tag);

  enum class Status : std::uint8_t { sat, unsat, unknown };

  /// Are there integers that satisfy every constraint? Subtracts the steps used; unknown when they run out.
  Status check(std::uint64_t& steps);
  /// After unsat (of check or minimise): tags whose constraints alone are unsatisfiable. After minimise with a value:
  /// tags whose constraints alone imply objective >= value. Sorted, unique; not always fewest.
  [[nodiscard]] const std::vector<std::uint32_t>& core() const;
  /// After sat: an integer model. After minimise with `attained`: one that attains the value.
  [[nodiscard]] const Integer& value(std::uint32_t var) const;

  /// A proved lower bound of sum(objective) over the integer solutions.
  struct Optimum {
    /// sat: there is a solution; unsat: none; unknown: steps ran out before either was found (a value is still right).
    Status status = Status::unknown;
    /// Every solution has objective >= value. With sat and no value: unbounded below. With unknown, nothing known.
    std::optional<Integer> value;
    /// Some solution has objective == value (it is the model).
    bool attained = false;
  };
  Optimum minimise(std::span<const LinearTerm> objective, std::uint64_t& steps);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dimgate
