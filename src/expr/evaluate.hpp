// The reference evaluator over many points: the DAG is put in order once, then each point is one loop.
// `evaluate` is this, once. Not thread-safe; dies with the Context.
// Tests: tests/expr/evaluate_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
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
  /// The value of a formula of at most kSmallTree nodes, counted as often as they are written, at one point.
  static Value of_small(const Context& ctx, Expr e, const Assignment& at);
  /// The same where all values are Bools and Ints in int64, results between included; nullopt elsewhere.
  static std::optional<Value> of_words(Expr e, const Assignment& at);
  static constexpr std::uint32_t kSmallTree = 48;

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
  // An operator with its operands' values: `at` says where they lie among the cells; null: they lie in a row.
  struct Applied {
    Expr node;
    const Cell* cells;
    const std::uint32_t* at;
  };
  explicit Evaluator(const Context& ctx) : ctx_(ctx) {}
  void order(std::span<const Expr> roots);
  void run(const Assignment& at);
  void leaf(Cell& out, Expr e, const Assignment& at) const;
  void apply(Cell& out, const Applied& s) const;
  void arithmetic(Cell& out, const Applied& s) const;
  void connective(Cell& out, const Applied& s) const;
  [[nodiscard]] bool equal(const Cell& a, const Cell& b) const;
  [[nodiscard]] bool distinct(const Applied& s) const;
  static const Cell& arg(const Applied& s, std::size_t i) { return s.cells[s.at == nullptr ? i : s.at[i]]; }
  static Value value_of(const Cell& c);

  const Context& ctx_;
  SmallVector<Step, 16> steps_;
  SmallVector<std::uint32_t, 32> operands_;
  SmallVector<std::uint32_t, 2> roots_;
  SmallVector<Cell, 16> cells_;
};

}  // namespace dimgate
