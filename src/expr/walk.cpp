// Walkers over the DAG: symbols, substitution, transfer, definedness. All linear, with explicit stacks.
#include "dimgate/expr.hpp"
#include "expr/node_map.hpp"
#include "expr/symbols.hpp"

namespace dimgate {

namespace {

// Calls visit(e) on each node below e that is `inside` once, children first, left to right.
template <class Visit, class Inside>
void post_order(Expr root, Visit visit, Inside inside) {
  NodeMap<bool, 32> done;  // false: opened, true: closed
  SmallVector<Expr, 32> stack{root};
  while (!stack.empty()) {
    const Expr e = stack.back();
    const auto [closed, fresh] = done.try_emplace(e.node(), false);
    if (fresh && e.size() != 0) {
      for (std::size_t i = e.size(); i-- > 0;)
        if (inside(e[i]) && !done.contains(e[i].node())) stack.push_back(e[i]);
      continue;
    }
    stack.pop_back();
    if (closed) continue;
    closed = true;
    visit(e);
  }
}

template <class Visit>
void post_order(Expr root, Visit visit) {
  post_order(root, visit, [](Expr) { return true; });
}

}  // namespace

std::vector<Expr> symbols_of(Context& ctx, Expr e) {
  std::vector<Expr> out;
  if (e.size() > 0) out.reserve(4);
  each_symbol(ctx, e, [&](Expr s) { out.push_back(s); });
  return out;
}

Expr substitute(Context& ctx, Expr e, const std::function<Expr(Expr)>& replacement) {
  NodeMap<Expr, 32> made;
  std::vector<Expr> args;
  post_order(e, [&](Expr n) {
    if (n.is_symbol()) {
      made[n.node()] = replacement(n);
      return;
    }
    if (n.size() == 0) {
      made[n.node()] = n;
      return;
    }
    args.clear();
    bool same = true;
    for (std::size_t i = 0; i < n.size(); ++i) {
      args.push_back(made[n[i].node()]);
      same = same && args.back() == n[i];
    }
    made[n.node()] = same ? n : ctx.make(n.op(), args);
  });
  return made[e.node()];
}

Expr transfer(Context& to, const Context& from, Expr e) {
  NodeMap<Expr, 32> made;
  std::vector<Expr> args;
  post_order(e, [&](Expr n) {
    Expr r;
    switch (n.op()) {
      case Op::IntConst:
        r = to.integer(n.integer());
        break;
      case Op::BoolConst:
        r = to.boolean(n.is_true());
        break;
      case Op::FloatConst:
        r = to.float_bits(n.float_bits());
        break;
      case Op::EnumConst:
        r = to.enumeration(from.enum_name(n));
        break;
      case Op::Symbol:
        r = to.symbol(from.symbol_name(n), n.sort());
        break;
      default:
        args.clear();
        for (std::size_t i = 0; i < n.size(); ++i) args.push_back(made[n[i].node()]);
        r = to.make(n.op(), args);
    }
    made[n.node()] = r;
  });
  return made[e.node()];
}

Expr definedness(Context& ctx, Expr e) {
  if (e.is_total()) return ctx.boolean(true);
  // def(n) for every node; for Kleene nodes a deciding operand suffices:
  // def(p and q) = (def p and def q) or (def p and not p) or (def q and not q).
  NodeMap<Expr, 32> def;
  const Expr yes = ctx.boolean(true);
  const auto both = [&](Expr a, Expr b) {
    if (a.is_true()) return b;
    if (b.is_true() || a == b) return a;
    return ctx.make(Op::And, {a, b});
  };
  const auto def_of = [&](Expr n) { return n.is_total() ? yes : def[n.node()]; };
  const auto visit = [&](Expr n) {
    Expr d = yes;
    if (!n.is_total()) {
      const OpInfo& row = info(n.op());
      if (row.strictness == Strictness::branch) {
        const Expr chosen = ctx.make(Op::Ite, {n[0], def_of(n[1]), def_of(n[2])});
        d = both(def_of(n[0]), chosen);
      } else {
        for (std::size_t i = 0; i < n.size(); ++i) d = both(d, def_of(n[i]));
        if (n.is(Op::FloorDiv) || n.is(Op::Mod) || n.is(Op::CeilDiv) || n.is(Op::Divides)) {
          const Expr divisor = n.is(Op::Divides) ? n[0] : n[1];
          d = both(d, ctx.make(Op::Ne, {divisor, ctx.integer(0)}));
        }
        if (row.strictness == Strictness::kleene && n.size() > 1) {
          std::vector<Expr> ways{d};
          for (std::size_t i = 0; i < n.size(); ++i) {
            const bool decides_when_true = n.is(Op::Or) || (n.is(Op::Implies) && i == 1);
            const Expr deciding = decides_when_true ? n[i] : ctx.make(Op::Not, {n[i]});
            ways.push_back(both(def_of(n[i]), deciding));
          }
          d = ctx.make(Op::Or, ways);
        }
      }
    }
    def[n.node()] = d;
  };
  post_order(e, visit, [](Expr n) { return !n.is_total(); });
  return def[e.node()];
}

}  // namespace dimgate
