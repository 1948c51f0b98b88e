// A simplex tableau with bounds on every variable, over one width of numbers (linear_number.hpp).
//
// Meaning: row i reads  d * x_basic(i) = sum_j a_ij * x_nonbasic(j)  with integers d > 0 and a_ij whose gcd is 1.
// Invariant: a nonbasic variable has an integer value within its bounds; so every value is (integer v) / d, and the
// tableau holds v beside d. All bounds are integers.
// Algorithm: Dutertre & de Moura (CAV 2006): feasible() pivots a variable out of its bounds onto one; minimise() is the
// primal simplex with bounds. Pivots on units are preferred at first (they keep d small), then Bland's rule ends it.
// Reasons are numbers of the caller's; a bound carries one; a conflict and an optimum name those that imply it.
// Cost: a pivot is O(entries of the rows that hold the column), plus a look at a mask for every other row. Rows are
// sparse, sorted by column, and lie in one pool, so that copying a tableau copies a few blocks of memory.
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
  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
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
    return {rows_[v.place].value, rows_[v.place].denominator};
  }
  [[nodiscard]] bool integral(Var x) const {
    const Variable& v = variables_[x];
    return !v.basic || is_one(rows_[v.place].denominator) ||
           sign(floor_remainder(rows_[v.place].value, rows_[v.place].denominator)) == 0;
  }
  struct Entry {
    std::uint32_t column;
    T coefficient;
  };
  /// The row of a basic variable: denominator, entries, and the variable of each column.
  [[nodiscard]] const T& denominator(std::uint32_t row) const { return rows_[row].denominator; }
  [[nodiscard]] const T& numerator(std::uint32_t row) const { return rows_[row].value; }
  [[nodiscard]] std::span<const Entry> entries(std::uint32_t row) const {
    return {pool_.data() + rows_[row].begin, rows_[row].size};
  }
  [[nodiscard]] const std::vector<Var>& columns() const { return column_variable_; }
  bool& wide_flag() { return wide_; }

 private:
  struct Row {
    std::uint32_t begin = 0, size = 0, room = 0;  // in pool_
    std::uint64_t mask = 0;                       // bit (column % 64) of every entry
    T denominator{1}, value{};
  };
  struct Undo {
    Var var;
    bool upper;
    Bound old;
  };

  static bool is_one(const T& a) { return a == T(1); }
  static std::uint64_t bit(std::uint32_t column) { return std::uint64_t{1} << (column % 64); }
  std::span<Entry> editable(std::uint32_t row) { return {pool_.data() + rows_[row].begin, rows_[row].size}; }
  [[nodiscard]] const Entry* find(const Row& row, std::uint32_t column) const {
    return (row.mask & bit(column)) == 0 ? nullptr : look_up(row, column);
  }
  [[nodiscard]] const Entry* look_up(const Row& row, std::uint32_t column) const;
  void combine(std::span<const Entry> to, const T& p, std::span<const Entry> from, const T& q);
  void store(Row& row);
  bool below(const Variable& v) const;
  bool above(const Variable& v) const;
  void explain(std::uint32_t row, bool rising, bool with_bound);
  void normalise(Row& row, std::vector<Entry>& entries);
  void shift(std::uint32_t column, const T& delta);
  void pivot(std::uint32_t row, std::uint32_t column, const T& target, std::uint64_t& steps);
  Outcome settle(Var x);

  std::vector<Variable> variables_;
  std::vector<Var> row_variable_, column_variable_;
  std::vector<Row> rows_;
  std::vector<Entry> pool_, scratch_;
  std::size_t waste_ = 0;  // entries of pool_ that no row owns
  std::vector<Undo> trail_;
  std::vector<Reason> conflict_;
  mutable bool wide_ = false;
};

extern template class Tableau<std::int64_t>;
extern template class Tableau<Int128>;
extern template class Tableau<Integer>;

}  // namespace dimgate::linear
