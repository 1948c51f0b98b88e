// Affine relations between columns of integers, by exact elimination, and linear relations spelled for people.
//
// AffineHull keeps the differences of the rows seen in reduced echelon form; what is orthogonal to all of them is an
// equation that holds on every row. Columns given first become the independent ones, so a relation reads
// "later == expression in earlier". Cost: rows * rank * columns. Tested by tests/simplify/equations_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate::simplify {

/// sum(coefficient * symbol) == constant, coefficients without common factor.
struct LinearEquation {
  std::vector<std::pair<Integer, Expr>> terms;
  Integer constant;
};

class AffineHull {
 public:
  explicit AffineHull(std::size_t columns) : columns_(columns) {}
  void add(std::span<const Integer> row);
  [[nodiscard]] std::size_t rank() const noexcept { return echelon_.size(); }
  /// One equation for every dependent column. symbols[i] names column i. Needs at least one row.
  [[nodiscard]] std::vector<LinearEquation> equations(std::span<const Expr> symbols) const;

 private:
  struct Fraction {
    Integer n, d = 1;
    [[nodiscard]] bool is_zero() const { return n.is_zero(); }
  };
  static Fraction make(Integer n, Integer d);
  static Fraction sub_mul(const Fraction& a, const Fraction& f, const Fraction& b);  // a - f*b
  static Fraction divide(const Fraction& a, const Fraction& b);

  std::size_t columns_;
  std::vector<Integer> first_;
  bool any_ = false;
  std::vector<std::vector<Fraction>> echelon_;  // reduced; row i has its pivot 1 at pivots_[i]
  std::vector<std::size_t> pivots_;
};

/// The equation as `x == 2*y + 3`: a term with coefficient 1 or -1 alone on the left if there is one, no minus signs.
Expr spell_equation(Context& ctx, const LinearEquation& equation);
/// sum(terms) op constant for Eq, Ne, Le, Ge, with positive coefficients on both sides (`a > b` for a - b >= 1).
Expr spell_relation(Context& ctx, Op op, std::span<const std::pair<Integer, Expr>> terms, const Integer& constant);
/// A canonical comparison of linear terms spelled that way; null if it is none.
Expr spell_atom(Context& ctx, Expr canonical);
/// A canonical comparison of e - d*(e//d) with a number, written `e % d == r`; null: it is none.
Expr spell_remainder(Context& ctx, Expr canonical);

}  // namespace dimgate::simplify
