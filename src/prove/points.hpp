// Evaluates a fixed list of canonical formulas at many points fast: one pass over a topologically sorted DAG, a few
// nanoseconds a node. Three-valued like the reference evaluator (tests/prove/points_test.cpp compares them).
// Limits: Int and Bool sorts; a formula with Float or Enum parts makes `supported()` false.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/small_vector.hpp"
#include "dimgate/expr.hpp"

namespace dimgate {

class PointEvaluator {
 public:
  PointEvaluator(Context& ctx, std::span<const Expr> formulas);
  [[nodiscard]] bool supported() const { return supported_; }
  [[nodiscard]] const std::vector<Expr>& symbols() const { return symbols_; }
  /// Value of symbols()[i] for the next runs.
  void set(std::size_t i, const Integer& v) { cells_[symbol_cell_[i]].v = v; }
  [[nodiscard]] const Integer& get(std::size_t i) const { return cells_[symbol_cell_[i]].v; }
  /// True if every formula is true at the point. Stops at the first that is not.
  bool all_true() { return first_not_true() == roots_.size(); }
  /// Position of the first formula that is not true at the point; their number if all are.
  std::size_t first_not_true();
  [[nodiscard]] std::size_t size() const { return steps_.size(); }
  /// Value of formula or term i after `evaluate_all`.
  void evaluate_all();
  [[nodiscard]] bool defined(std::size_t i) const { return cells_[roots_[i]].state != kUndefined; }
  [[nodiscard]] const Integer& value(std::size_t i) const { return cells_[roots_[i]].v; }
  [[nodiscard]] bool is_true(std::size_t i) const { return cells_[roots_[i]].state == kTrue; }

 private:
  enum State : std::uint8_t { kUndefined, kInt, kFalse, kTrue };
  struct Cell {
    Integer v;
    State state = kInt;
  };
  struct Step {
    Op op;
    std::uint32_t out, first, count;  // operands: operands_[first, first + count)
  };
  void run(const Step& s);

  std::vector<Expr> symbols_;
  SmallVector<std::uint32_t, 8> symbol_cell_, roots_, root_end_;
  SmallVector<std::uint32_t, 32> operands_;
  SmallVector<Cell, 24> cells_;
  SmallVector<Step, 16> steps_;
  bool supported_ = true;
};

}  // namespace dimgate
