#include "simplify/forms.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>

namespace dimgate::simplify {

Expr int_const(Context& ctx, std::int64_t v) { return ctx.integer(v); }

Expr make_at_least(Context& ctx, Expr x, std::int64_t lo) { return ctx.make(Op::Ge, {x, int_const(ctx, lo)}); }
Expr make_at_most(Context& ctx, Expr x, std::int64_t hi) { return ctx.make(Op::Le, {x, int_const(ctx, hi)}); }
Expr make_range(Context& ctx, Expr x, std::int64_t lo, std::int64_t hi) {
  return ctx.make(Op::And, {ctx.make(Op::Le, {int_const(ctx, lo), x}), ctx.make(Op::Le, {x, int_const(ctx, hi)})});
}
Expr make_equal(Context& ctx, Expr x, std::int64_t v) { return ctx.make(Op::Eq, {x, int_const(ctx, v)}); }
Expr make_not_equal(Context& ctx, Expr x, std::int64_t v) { return ctx.make(Op::Ne, {x, int_const(ctx, v)}); }
Expr make_mod(Context& ctx, Expr x, std::int64_t modulus) { return ctx.make(Op::Mod, {x, int_const(ctx, modulus)}); }

Expr make_in(Context& ctx, Expr x, std::span<const std::int64_t> values) {
  if (values.size() == 1) return make_equal(ctx, x, values[0]);
  std::vector<Expr> args{x};
  for (const std::int64_t v : values) args.push_back(int_const(ctx, v));
  return ctx.make(Op::In, args);
}

namespace {

constexpr std::uint32_t kMaxSpelled = 20'000;

// lo <= x and x <= hi, which prints as lo <= x <= hi.
bool is_chain(Expr e) {
  return e.is(Op::And) && e.size() == 2 && e[0].is(Op::Le) && e[1].is(Op::Le) && e[0][1] == e[1][0];
}

Expr combine(Context& ctx, Op op, std::span<const Expr> parts) {
  if (parts.empty()) return ctx.boolean(op == Op::And);
  std::vector<Expr> flat;
  for (const Expr p : parts) {
    // A chained range stays together so that it prints as one.
    const bool chain =
        op == Op::And && p.is(Op::And) && p.size() == 2 && p[0].is(Op::Le) && p[1].is(Op::Le) && p[0][1] == p[1][0];
    if (p.is(op) && !chain) {
      for (std::size_t i = 0; i < p.size(); ++i) flat.push_back(p[i]);
    } else {
      flat.push_back(p);
    }
  }
  if (flat.size() == 1) return flat[0];
  return ctx.make(op, flat);
}

std::uint32_t own_cost(Expr e) {
  switch (e.op()) {
    case Op::Symbol:
      return 3;
    case Op::IntConst:
      return static_cast<std::uint32_t>(1 + e.integer().to_string().size());
    case Op::BoolConst:
    case Op::FloatConst:
    case Op::EnumConst:
      return 3;
    case Op::In:
      return 4;
    case Op::And:
      return is_chain(e) ? 0 : static_cast<std::uint32_t>(2 * e.size());
    case Op::Or:
      return static_cast<std::uint32_t>(3 * e.size());
    case Op::Add:
      return static_cast<std::uint32_t>(2 * e.size() - 2);
    case Op::Mul:
      return static_cast<std::uint32_t>(3 * e.size() - 3);
    case Op::Mod:
      return 3;
    case Op::FloorDiv:
      return 5;
    case Op::CeilDiv:
    case Op::Min:
    case Op::Max:
    case Op::Ite:
      return 6;
    default:
      return 2;
  }
}

// What a conjunct is listed under.
int rank_of(Context& ctx, Expr e, std::size_t symbols) {
  if (symbols > 1) return 3;
  if (e.is(Op::Eq) && (e[0].is_symbol() || e[1].is_symbol())) return 0;
  std::vector<Expr> todo{e};
  std::uint32_t steps = 0;
  while (!todo.empty() && ++steps < 1000) {
    const Expr t = todo.back();
    todo.pop_back();
    if (t.is(Op::Mod) || t.is(Op::Divides)) return 2;
    for (std::size_t i = 0; i < t.size(); ++i) todo.push_back(t[i]);
  }
  (void)ctx;
  return 1;
}

}  // namespace

Expr make_and(Context& ctx, std::span<const Expr> parts) { return combine(ctx, Op::And, parts); }
Expr make_or(Context& ctx, std::span<const Expr> parts) { return combine(ctx, Op::Or, parts); }

std::uint32_t reading_cost(Expr e) {
  constexpr std::uint32_t kMost = 1'000'000;
  if (e.node()->weight > kMaxSpelled) return kMost;
  std::uint32_t cost = 0;
  std::vector<Expr> todo{e};
  while (!todo.empty() && cost < kMost) {
    const Expr t = todo.back();
    todo.pop_back();
    cost += own_cost(t);
    if (is_chain(t)) {  // the middle counts once
      todo.insert(todo.end(), {t[0][0], t[0][1], t[1][1]});
      cost += own_cost(t[0]) + own_cost(t[1]);
      continue;
    }
    for (std::size_t i = 0; i < t.size(); ++i) todo.push_back(t[i]);
  }
  return cost;
}

void order_conjuncts(Context& ctx, std::vector<Expr>& conjuncts) {
  struct Keyed {
    int rank;
    std::vector<std::string> names;
    int bound;  // among ranges of one symbol: bounds before the rest
    Expr e;
  };
  std::vector<Keyed> keyed;
  for (const Expr e : conjuncts) {
    if (std::any_of(keyed.begin(), keyed.end(), [e](const Keyed& k) { return k.e == e; })) continue;
    Keyed k{0, {}, is_chain(e) || e.is(Op::Le) || e.is(Op::Ge) ? 0 : 1, e};
    const auto symbols = symbols_of(ctx, e);
    for (const Expr s : symbols) k.names.push_back(ctx.symbol_name(s));
    k.rank = rank_of(ctx, e, symbols.size());
    std::sort(k.names.begin(), k.names.end());
    keyed.push_back(std::move(k));
  }
  std::sort(keyed.begin(), keyed.end(), [&ctx](const Keyed& a, const Keyed& b) {
    if (a.rank != b.rank) return a.rank < b.rank;
    if (a.names != b.names) return a.names < b.names;
    if (a.bound != b.bound) return a.bound < b.bound;
    return ctx.order(a.e, b.e) < 0;
  });
  conjuncts.clear();
  for (const Keyed& k : keyed) conjuncts.push_back(k.e);
}

std::vector<Expr> conjuncts_of(Expr e) {
  std::vector<Expr> out;
  std::vector<Expr> todo{e};
  std::unordered_set<Expr> seen;  // `and` is idempotent, and a shared part may stand in many places
  while (!todo.empty()) {
    const Expr t = todo.back();
    todo.pop_back();
    if (!seen.insert(t).second) continue;
    if (t.is(Op::And)) {
      for (std::size_t i = t.size(); i-- > 0;) todo.push_back(t[i]);
    } else if (!t.is_true()) {
      out.push_back(t);
    }
  }
  return out;
}

std::string claim_text(const Context& ctx, Expr e) {
  if (e.node()->weight > kMaxSpelled) return "(a formula of " + std::to_string(e.node()->weight) + " nodes)";
  return to_text(ctx, e);
}

}  // namespace dimgate::simplify
