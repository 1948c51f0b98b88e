// Calls f on each symbol of an expression once, in order of first occurrence. Linear in the DAG; no allocation for
// ordinary sizes. f must not walk the same Context with marks.
#pragma once

#include <algorithm>

#include "base/small_vector.hpp"
#include "dimgate/expr.hpp"

namespace dimgate {

template <class F>
void each_symbol(Context& ctx, Expr e, F f) {
  SmallVector<const detail::Node*, 32> stack{e.node()};
  const std::uint32_t mark = ctx.next_mark();
  while (!stack.empty()) {
    const detail::Node* n = stack.back();
    stack.pop_back();
    if (n->mark == mark) continue;
    n->mark = mark;
    if (n->op == Op::Symbol) f(Expr(n));
    for (std::uint32_t i = n->size; i-- > 0;)
      if (n->args()[i]->mark != mark) stack.push_back(n->args()[i]);
  }
}

/// Sorts terms or formulas canonically. The symbols of one canonical formula mostly come sorted, and comparing names is
/// dear: many are looked over first.
template <class List>
void sort_canonically(const Context& ctx, List& list) {
  const auto before = [&](Expr a, Expr b) { return ctx.order(a, b) < 0; };
  if (list.size() > 32 && std::is_sorted(list.begin(), list.end(), before)) return;
  std::sort(list.begin(), list.end(), before);
}

}  // namespace dimgate
