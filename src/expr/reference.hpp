// The reference: what a formula means at a point, as docs/guard-language.md says it, operator by operator. Exact, slow,
// obviously right; nothing fast uses it and it uses nothing fast: its arithmetic is the addition, multiplication and
// comparison of Integer, and each quotient is checked against the definition of floor division.
// Whatever computes values quickly (value_at, PointEvaluator, programs, machine code, emitted C) is held against it in
// tests, which take no other oracle; strict mode asks it as well.
// Cost: one pass over the DAG to put it in order, then one loop a point, exact integers throughout.
// Tests: tests/expr/reference_test.cpp, where values are written by hand or computed by Python.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate {

/// Several formulas at many points; `evaluate` is one at one. Not thread-safe; dies with the Context.
class ReferenceEvaluator {
 public:
  ReferenceEvaluator(const Context& ctx, std::span<const Expr> roots);
  ReferenceEvaluator(const Context& ctx, Expr root) : ReferenceEvaluator(ctx, std::span(&root, 1)) {}
  /// The value of the (first) expression.
  const Value& operator()(const Assignment& at);
  /// The values of all roots, in order.
  std::vector<Value> all(const Assignment& at);

 private:
  struct Step {
    Expr node;
    std::vector<std::size_t> operands;  // earlier steps
  };
  Value leaf(Expr e, const Assignment& at) const;
  Value apply(const Step& s) const;
  Value branch(const Step& s) const;
  Value connective(const Step& s) const;
  Value arithmetic(const Step& s) const;
  Value relation(const Step& s) const;
  [[nodiscard]] bool distinct(const Step& s) const;
  const Value& arg(const Step& s, std::size_t i) const { return values_[s.operands[i]]; }

  const Context& ctx_;
  std::vector<Step> steps_;
  std::vector<std::size_t> roots_;
  std::vector<Value> values_;  // by step
};

}  // namespace dimgate
