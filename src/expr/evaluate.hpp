// The reference evaluator over many points: the DAG is put in order once, then each point is one loop.
// `evaluate` is this, once. Not thread-safe; dies with the Context.
// Tests: tests/expr/evaluate_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/small_vector.hpp"
#include "dimgate/expr.hpp"

namespace dimgate {

class Evaluator {
 public:
  Evaluator(const Context& ctx, Expr e);
  Evaluator(const Context& ctx, std::vector<Expr> roots);
  /// The value of the (first) expression.
  Value operator()(const Assignment& at);
  /// The values of all roots, in order.
  std::vector<Value> all(const Assignment& at);

 private:
  struct Step {
    Expr node;
    std::uint32_t first;  // operands_[first, first + node.size()): indices of earlier steps
  };
  // A value without a string of its own: names are borrowed from the Context or the Assignment.
  struct Cell {
    Value::Kind kind = Value::Kind::undefined;
    std::uint64_t bits = 0;
    Integer integer;
    const std::string* name = nullptr;
  };
  void order(std::span<const Expr> roots);
  void order_tree(Expr root);
  void run(const Assignment& at);
  void leaf(Cell& out, Expr e, const Assignment& at) const;
  void apply(Cell& out, const Step& s) const;
  void arithmetic(Cell& out, const Step& s) const;
  void connective(Cell& out, const Step& s) const;
  [[nodiscard]] bool equal(const Cell& a, const Cell& b) const;
  [[nodiscard]] bool distinct(const Step& s) const;
  [[nodiscard]] const Cell& arg(const Step& s, std::size_t i) const { return cells_[operands_[s.first + i]]; }
  static Value value_of(const Cell& c);

  const Context& ctx_;
  SmallVector<Step, 16> steps_;
  SmallVector<std::uint32_t, 32> operands_;
  SmallVector<std::uint32_t, 2> roots_;
  SmallVector<Cell, 16> cells_;
};

}  // namespace dimgate
