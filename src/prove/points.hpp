// Evaluates a fixed list of canonical formulas at many points fast: one pass over a topologically sorted DAG, a few
// nanoseconds a node in checked int64; a point where that overflows is done over in exact integers. Three-valued like
// the reference evaluator (tests/prove/points_test.cpp compares them).
// Limits: Int and Bool sorts; a formula with Float or Enum parts makes `supported()` false.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/small_vector.hpp"
#include "dimgate/expr.hpp"
#include "expr/apply.hpp"

namespace dimgate {

class PointEvaluator {
 public:
  /// `more`: symbols to have values for whether the formulas show them or not.
  PointEvaluator(Context& ctx, std::span<const Expr> formulas, std::span<const Expr> more = {});
  [[nodiscard]] bool supported() const { return supported_; }
  [[nodiscard]] const SmallVector<Expr, 8>& symbols() const { return symbols_; }
  /// Value of symbols()[i] for the next runs.
  void set(std::size_t i, const Integer& v) {
    values_[i] = v;
    if (v.is_small()) fast_[symbol_cell_[i]].v = v.small();
  }
  [[nodiscard]] const Integer& get(std::size_t i) const { return values_[i]; }
  /// True if every formula is true at the point. Stops at the first that is not.
  bool all_true() { return first_not_true() == roots_.size(); }
  /// Position of the first formula that is not true at the point; their number if all are.
  std::size_t first_not_true();
  [[nodiscard]] std::size_t size() const { return steps_.size(); }

 private:
  using State = point::State;
  template <class Number>
  using Cell = point::Cell<Number>;
  struct Step {
    Op op;
    bool guarded;                     // strict, and an operand can be undefined
    std::uint32_t out, first, count;  // operands: operands_[first, first + count)
  };
  [[nodiscard]] std::uint32_t cell_of(Expr e) const { return e.node()->mark - base_ - 1; }
  [[nodiscard]] bool placed(Expr e) const { return cell_of(e) < fast_.size(); }
  void place_tree(Expr root);
  void place_dag(Expr root);
  void place(Expr e);  // its operands are placed
  // false: the result does not fit the number
  template <class Arithmetic>
  bool run(const Step& s, Cell<typename Arithmetic::Number>* cells) const;
  template <class Arithmetic>
  std::optional<std::size_t> first_not_true(Cell<typename Arithmetic::Number>* cells) const;
  std::size_t first_not_true_exact();

  std::uint32_t base_;  // only while building
  SmallVector<Expr, 8> symbols_;
  SmallVector<Integer, 8> values_;  // by symbol
  SmallVector<std::uint32_t, 8> symbol_cell_, roots_, root_end_;
  SmallVector<std::uint32_t, 32> operands_;
  SmallVector<Cell<std::int64_t>, 32> fast_;
  SmallVector<std::pair<std::uint32_t, Expr>, 1> big_;  // constants beyond int64, with their cells
  std::vector<Cell<Integer>> exact_;                    // made when first needed
  SmallVector<Step, 16> steps_;
  bool supported_ = true;
};

}  // namespace dimgate
