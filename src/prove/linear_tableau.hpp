// A simplex tableau with bounds on every variable, over one width of numbers (linear_number.hpp).
//
// Meaning: row i reads  d * x_basic(i) = sum_j a_ij * x_nonbasic(j)  with integers d > 0 and a_ij whose gcd is 1.
// Invariant: a nonbasic variable has an integer value within its bounds; so every value is (integer v) / d, and the
// tableau holds v beside d. All bounds are integers.
// Algorithm: Dutertre & de Moura (CAV 2006): feasible() pivots a variable out of its bounds onto one; minimise() is the
// primal simplex with bounds. Pivots on units are preferred at first (they keep d small), then Bland's rule ends it.
// Reasons are numbers of the caller's; a bound carries one; a conflict and an optimum name those that imply it.
// Cost: a pivot is O(rows that hold the column x columns); rows are dense.
// Tests: tests/prove/linear_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "prove/linear_number.hpp"

namespace dimgate::linear {

enum class Outcome : std::uint8_t { feasible, conflict, unbounded, out_of_steps, too_wide };

template <class T>
class Tableau {
 public:
  using Var = std::uint32_t;
  using Reason = std::uint32_t;
  struct Bound {
    T value{};
    Reason reason = 0;
    bool present = false;
  };
  struct Variable {
    Bound lo, hi;
    T value{};                // while nonbasic
    std::uint32_t place = 0;  // row while basic, else column
    bool basic = false;
  };
  struct Term {
    Var var;
    T coefficient;
  };

  void clear();
  /// A free variable with value 0.
  Var add_variable();
  /// A variable that equals the sum; no variable twice.
  Var add_sum(std::span<const Term> terms);

  [[nodiscard]] const std::vector<Variable>& variables() const { return variables_; }
  [[nodiscard]] std::size_t rows() const { return row_variable_.size(); }
  [[nodiscard]] bool too_wide() const { return wide_; }

  /// Sets the bound if it is stronger, or equally strong with a lesser reason. Call settle() before solving.
  void at_least(Var x, const T& bound, Reason why);
  void at_most(Var x, const T& bound, Reason why);
  /// Moves nonbasic variables into their bounds; conflict where a lower bound exceeds an upper one.
  Outcome settle();
  /// at_least/at_most and settle for one variable, undone by undo_to(): for branching.
  Outcome branch_at_least(Var x, const T& bound, Reason why);
  Outcome branch_at_most(Var x, const T& bound, Reason why);
  [[nodiscard]] std::size_t trail() const { return trail_.size(); }
  void undo_to(std::size_t mark);

  /// Brings every variable within its bounds. Ends with steps left, or with out_of_steps: what a finished call used
  /// does not depend on how many there were.
  Outcome feasible(std::uint64_t& steps);
  /// From a feasible state, pushes x down as far as it goes: feasible at the optimum, or unbounded. x must be a sum
  /// without bounds that was added after the last pivot.
  Outcome minimise(Var x, std::uint64_t& steps);
  /// After conflict: reasons that imply it. After minimise: reasons that imply x >= its value. May repeat.
  [[nodiscard]] const std::vector<Reason>& conflict() const { return conflict_; }

  /// x = first / second, second > 0.
  [[nodiscard]] std::pair<T, T> value(Var x) const {
    const Variable& v = variables_[x];
    if (!v.basic) return {v.value, T(1)};
    return {cell(v.place, kValue), cell(v.place, kDenominator)};
  }
  [[nodiscard]] bool integral(Var x) const {
    const Variable& v = variables_[x];
    return !v.basic || is_one(cell(v.place, kDenominator)) ||
           sign(floor_remainder(cell(v.place, kValue), cell(v.place, kDenominator))) == 0;
  }
  /// The row of a basic variable: denominator, coefficients by column, and the variable of each column.
  [[nodiscard]] const T& denominator(std::uint32_t row) const { return cell(row, kDenominator); }
  [[nodiscard]] const T& numerator(std::uint32_t row) const { return cell(row, kValue); }
  [[nodiscard]] const T& coefficient(std::uint32_t row, std::size_t column) const { return cell(row, kFirst + column); }
  [[nodiscard]] const std::vector<Var>& columns() const { return column_variable_; }
  bool& wide_flag() { return wide_; }

 private:
  static constexpr std::size_t kDenominator = 0, kValue = 1, kFirst = 2;
  struct Undo {
    Var var;
    bool upper;
    Bound old;
  };

  static bool is_one(const T& a) { return a == T(1); }
  T& cell(std::size_t row, std::size_t k) { return cells_[row * stride_ + k]; }
  [[nodiscard]] const T& cell(std::size_t row, std::size_t k) const { return cells_[row * stride_ + k]; }
  [[nodiscard]] std::size_t used() const { return kFirst + column_variable_.size(); }
  void widen_rows(std::size_t stride);
  bool below(const Variable& v) const;
  bool above(const Variable& v) const;
  void explain(std::uint32_t row, bool rising, bool with_bound);
  void normalise(T* row);
  void shift(std::uint32_t column, const T& delta);
  void pivot(std::uint32_t row, std::uint32_t column, const T& target, std::uint64_t& steps);
  Outcome settle(Var x);

  std::vector<Variable> variables_;
  std::vector<Var> row_variable_, column_variable_;
  std::vector<T> cells_;
  std::size_t stride_ = kFirst;
  std::vector<Undo> trail_;
  std::vector<Reason> conflict_;
  mutable bool wide_ = false;
};

extern template class Tableau<std::int64_t>;
extern template class Tableau<Int128>;
extern template class Tableau<Integer>;

}  // namespace dimgate::linear
