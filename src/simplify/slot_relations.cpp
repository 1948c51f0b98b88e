#include "simplify/slot_relations.hpp"

namespace dimgate::simplify {

std::vector<Expr> relations_of(Context& ctx, std::span<const Expr> two) {
  const Expr x = two[0], y = two[1], zero = ctx.integer(0);
  std::vector<Expr> out{ctx.make(Op::Eq, {x, y}), ctx.make(Op::Ne, {x, y})};
  for (const Op op : {Op::Lt, Op::Le}) {
    out.push_back(ctx.make(op, {x, y}));
    out.push_back(ctx.make(op, {y, x}));
  }
  for (const Op op : {Op::Eq, Op::Ne}) {
    out.push_back(ctx.make(op, {ctx.make(Op::Mod, {x, y}), zero}));
    out.push_back(ctx.make(op, {ctx.make(Op::Mod, {y, x}), zero}));
  }
  return out;
}

bool compares_slots(Expr clause) {
  std::size_t products = 0;  // x*x >= x*y compares, x*y >= 4 does not
  std::vector<Expr> todo{clause};
  while (!todo.empty()) {
    const Expr e = todo.back();
    todo.pop_back();
    const bool divides = e.is(Op::FloorDiv) || e.is(Op::Mod) || e.is(Op::CeilDiv);
    if ((divides && !e[1].is_int()) || e.is(Op::Min) || e.is(Op::Max) || e.is(Op::Abs) || e.is(Op::Ite)) return true;
    const auto factors = [&] {
      std::size_t n = 0;
      for (std::size_t i = 0; i < e.size(); ++i) n += e[i].is_int() ? 0 : 1;
      return n;
    };
    if (e.is(Op::Mul) && factors() > 1 && ++products > 1) return true;
    for (std::size_t i = 0; i < e.size(); ++i) todo.push_back(e[i]);
  }
  return false;
}

}  // namespace dimgate::simplify
