// What evaluating a literal needs: a term is *reached* if every operator around it, up to the literal, is strict, or
// takes it as the condition of an if-then-else. Where the literal is true, what is reached is defined. A term inside a
// branch or an operand of a connective need not be: in `Where(b > 0, a//b, 0) >= 0` the quotient is not reached, and
// where b == 0 the literal is true without it. Cost: one pass over the nodes of the literals. Tested by
// tests/prove/conditionals_test.cpp.
#pragma once

#include <vector>

#include "prove/relax.hpp"

namespace dimgate {

/// The first node in canonical order for which `wanted` holds and that is reached, or for which `total` holds (then a
/// split on it misses no point wherever it stands); null if there is none. Nothing inside an if-then-else is looked at
/// as reached, its condition included: the outermost one is decided first.
template <class Wanted, class Total>
Expr first_reached(Context& ctx, const std::vector<Literal>& literals, Wanted wanted, Total total) {
  Expr best;
  std::vector<Expr> stack;
  for (const bool reached : {true, false}) {
    const std::uint32_t mark = ctx.next_mark();
    for (const Literal& l : literals) {
      stack.push_back(l.f);
      while (!stack.empty()) {
        const Expr e = stack.back();
        stack.pop_back();
        if (e.node()->mark == mark) continue;
        e.node()->mark = mark;
        if (wanted(e) && (reached || total(e)) && (!best || ctx.order(e, best) < 0)) best = e;
        const bool closed = e.is(Op::Ite) || e.is(Op::And) || e.is(Op::Or);
        for (std::size_t i = 0; i < e.size() && !(reached && closed); ++i) stack.push_back(e[i]);
      }
    }
  }
  return best;
}

/// What says that e is defined: nothing where it always is, else the premises of the literals in which it occurs.
Deps definedness_deps(Context& ctx, const std::vector<Literal>& literals, Expr e);

/// Some literal that may be undefined has an if-then-else inside a term.
bool has_partial_choice(Context& ctx, const std::vector<Literal>& literals);

}  // namespace dimgate
