// Bounded rows over integer columns, freed of their equalities.
//
// Algorithm: each equality is solved over the integers and substituted (Pugh, "The Omega Test", 1991, section 2.2):
// unimodular column operations shrink its coefficients until one is a unit, or its gcd does not divide the right-hand
// side. Rows are divided by their gcd and rounded after each step; parallel rows are merged, which finds new
// equalities. The columns keep an integer map back to the variables they came from, so that the integer solutions of
// what is left and of what was given correspond one to one.
// Cost: (equalities) x (rows x columns) steps of Integer arithmetic; dense.
// Tests: tests/prove/linear_test.cpp (through LinearCore).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dimgate/integer.hpp"
#include "prove/linear_reasons.hpp"
#include "prove/linear_tableau.hpp"

namespace dimgate::linear {

class Rows {
 public:
  struct Side {
    Integer value;
    Reason reason = 0;
    bool present = false;
  };
  struct Row {
    Side lo, hi;
    bool alive = true;
  };

  explicit Rows(Reasons& reasons) : reasons_(reasons) {}
  /// No rows; `columns` variables.
  void reset(std::size_t columns);
  /// A row of zeros; the caller fills coefficient() and the sides before reduce().
  Row& add();
  Integer& coefficient(std::size_t row, std::size_t column) { return cells_[row * columns_ + column]; }
  [[nodiscard]] const Integer& coefficient(std::size_t row, std::size_t column) const {
    return cells_[row * columns_ + column];
  }
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  /// Columns that are still variables.
  [[nodiscard]] bool column_alive(std::size_t column) const { return column_alive_[column]; }

  [[nodiscard]] bool has_equality() const;
  /// Solves and substitutes the equalities: feasible (nothing found against it), conflict or out_of_steps.
  Outcome reduce(std::uint64_t& steps);
  [[nodiscard]] const std::vector<Reason>& conflict() const { return conflict_; }
  /// Unimodular column operations after which the rows are zero outside as few columns as their rank; the others die
  /// (their variables are free: 0).
  void compress(std::uint64_t& steps);
  /// A stronger side for a row (a consequence of the others).
  void bound(std::size_t row, bool upper, Side side) { (upper ? rows_[row].hi : rows_[row].lo) = std::move(side); }
  /// column[from] -= times * column[what]: the variable of `what` becomes itself plus times * that of `from`.
  void subtract_column(std::size_t from, std::size_t what, const Integer& times, std::uint64_t& steps);
  void swap_columns(std::size_t a, std::size_t b);
  /// Makes the first coefficient of each row positive after column operations.
  void fix_signs();
  /// The values of the variables given to reset() from those of the columns alive.
  void lift(std::span<const Integer> columns, std::vector<Integer>& variables) const;

 private:
  Outcome normalise(std::size_t row);
  Outcome substitute(std::size_t equality, std::uint64_t& steps);
  std::size_t least_column(std::size_t row) const;
  Outcome merge_parallel();
  void fail(std::initializer_list<Reason> why) { conflict_.assign(why.begin(), why.end()); }

  Reasons& reasons_;
  std::size_t columns_ = 0;
  std::vector<Row> rows_;
  std::vector<Integer> cells_;  // rows x columns
  std::vector<Integer> map_;    // variables x (columns + 1): the last is constant
  std::vector<bool> column_alive_;
  std::vector<Reason> conflict_;
  std::vector<std::size_t> order_;
};

}  // namespace dimgate::linear
