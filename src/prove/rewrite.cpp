#include "prove/rewrite.hpp"

#include <algorithm>
#include <unordered_map>

#include "expr/node_map.hpp"

namespace dimgate {

Expr replace(Context& ctx, Expr root, const Replacements& with) {
  if (std::none_of(with.begin(), with.end(), [&](const auto& w) { return occurs(ctx, root, w.first); })) return root;
  NodeMap<Expr, 32> made;
  SmallVector<Expr, 32> stack{root};
  SmallVector<Expr, 8> args;
  while (!stack.empty()) {
    const Expr e = stack.back();
    if (made.contains(e.node())) {
      stack.pop_back();
      continue;
    }
    const auto* w = std::find_if(with.begin(), with.end(), [&](const auto& each) { return each.first == e; });
    if (w != with.end() || e.size() == 0) {
      made[e.node()] = w != with.end() ? w->second : e;
      stack.pop_back();
      continue;
    }
    bool ready = true;
    for (std::size_t i = 0; i < e.size(); ++i)
      if (!made.contains(e[i].node())) {
        stack.push_back(e[i]);
        ready = false;
      }
    if (!ready) continue;
    stack.pop_back();
    args.clear();
    bool same = true;
    for (std::size_t i = 0; i < e.size(); ++i) {
      args.push_back(made[e[i].node()]);
      same = same && args.back() == e[i];
    }
    made[e.node()] = same ? e : ctx.canonical(ctx.make(e.op(), args));
  }
  return made[root.node()];
}

bool occurs(Context& ctx, Expr e, Expr part) {
  const std::uint32_t mark = ctx.next_mark();
  SmallVector<Expr, 32> stack{e};
  while (!stack.empty()) {
    const Expr n = stack.back();
    stack.pop_back();
    if (n == part) return true;
    if (n.node()->mark == mark) continue;
    n.node()->mark = mark;
    for (std::size_t i = 0; i < n.size(); ++i) stack.push_back(n[i]);
  }
  return false;
}

SmallVector<Expr, 8> partial_divisors(Context& ctx, Expr e, bool conditional) {
  SmallVector<Expr, 8> out;
  SmallVector<Expr, 32> stack{e};
  const std::uint32_t mark = ctx.next_mark();
  while (!stack.empty()) {
    const Expr n = stack.back();
    stack.pop_back();
    if (n.is_total() || n.node()->mark == mark) continue;
    n.node()->mark = mark;
    if (!conditional && (n.is(Op::And) || n.is(Op::Or) || n.is(Op::Implies))) continue;  // another operand may decide
    if (n.is(Op::FloorDiv) && !n[1].is_int()) out.push_back(n[1]);
    if (n.is(Op::FloorDiv) && n[1].is_int() && n[1].integer().is_zero()) out.push_back(n[1]);
    const std::size_t last = n.is(Op::Ite) && !conditional ? 1 : n.size();
    for (std::size_t i = 0; i < last; ++i) stack.push_back(n[i]);
  }
  return out;
}

namespace {

struct Side {
  const detail::Node* f;
  bool truth;
  friend bool operator==(const Side&, const Side&) = default;
};
struct SideHash {
  std::size_t operator()(const Side& q) const {
    return std::hash<const void*>{}(q.f) * 2 + static_cast<std::size_t>(q.truth);
  }
};

// Canonical connectives nest as deep as users write them: explicit stack.
Expr translate(Context& ctx, Expr root, bool truth) {
  std::unordered_map<Side, Expr, SideHash> made;
  std::vector<Side> stack{{root.node(), truth}};
  const Expr zero = ctx.integer(0);
  std::vector<Expr> parts;
  while (!stack.empty()) {
    const Side top = stack.back();
    const Expr f(top.f);
    if (made.contains(top)) {
      stack.pop_back();
      continue;
    }
    if (f.is_total()) {
      made[top] = top.truth ? f : ctx.negate(f);
      stack.pop_back();
      continue;
    }
    parts.clear();
    if (f.is(Op::And) || f.is(Op::Or)) {
      bool ready = true;
      for (std::size_t i = 0; i < f.size(); ++i)
        if (const Side q{f[i].node(), top.truth}; !made.contains(q)) {
          stack.push_back(q);
          ready = false;
        }
      if (!ready) continue;
      stack.pop_back();
      for (std::size_t i = 0; i < f.size(); ++i) parts.push_back(made[{f[i].node(), top.truth}]);
      made[top] = f.is(Op::And) == top.truth ? ctx.conj(parts) : ctx.disj(parts);
      continue;
    }
    stack.pop_back();
    // true: f and every divisor != 0.  not true: (not f and every divisor != 0) or some divisor == 0.
    const auto divisors = partial_divisors(ctx, f, !top.truth);
    std::vector<Expr> defined{top.truth ? f : ctx.negate(f)};
    for (const Expr d : divisors) defined.push_back(ctx.compare(Op::Ne, d, zero));
    parts.push_back(ctx.conj(defined));
    if (!top.truth)
      for (const Expr d : divisors) parts.push_back(ctx.compare(Op::Eq, d, zero));
    made[top] = ctx.disj(parts);
  }
  return made[{root.node(), truth}];
}

}  // namespace

Expr necessary_if_true(Context& ctx, Expr f) { return f.is_total() ? f : translate(ctx, f, true); }
Expr necessary_if_not_true(Context& ctx, Expr f) { return f.is_total() ? ctx.negate(f) : translate(ctx, f, false); }

}  // namespace dimgate
