// What a case split rests on; see reached.hpp.
#include "prove/reached.hpp"

#include <algorithm>

#include "prove/rewrite.hpp"

namespace dimgate {

Deps definedness_deps(Context& ctx, const std::vector<Literal>& literals, Expr e) {
  Deps out;
  if (e.is_total()) return out;
  for (const Literal& l : literals)
    if (!l.f.is_total() && occurs(ctx, l.f, e)) out.merge(l.deps);
  return out;
}

bool has_partial_choice(Context& ctx, const std::vector<Literal>& literals) {
  std::vector<Expr> stack;
  const std::uint32_t mark = ctx.next_mark();
  for (const Literal& l : literals)
    if (!l.f.is_total()) stack.push_back(l.f);
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    if (e.node()->mark == mark) continue;
    e.node()->mark = mark;
    if (e.is(Op::Ite) && e.sort() != Sort::Bool && !e.is_total()) return true;
    for (std::size_t i = 0; i < e.size(); ++i) stack.push_back(e[i]);
  }
  return false;
}

}  // namespace dimgate
