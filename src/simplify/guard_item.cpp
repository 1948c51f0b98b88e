#include "simplify/guard_item.hpp"

#include <algorithm>

#include "simplify/forms.hpp"
#include "simplify/unary.hpp"

namespace dimgate::simplify {

namespace {

// Adds one conjunct; false if it is none about a single Int slot that fits a set.
bool add_slot(Context& ctx, Expr part, GuardItem& item) {
  const auto symbols = symbols_of(ctx, part);
  if (symbols.size() != 1 || symbols[0].sort() != Sort::Int) return false;
  auto truth = unary_truth(part, symbols[0]);
  if (!truth) truth = unary_truth(ctx.canonical(part), symbols[0]);
  if (!truth) return false;
  for (auto& [s, set] : item.slots) {
    if (s != symbols[0]) continue;
    auto both = intersect(set, truth->is_true);
    if (!both) return false;
    set = std::move(*both);
    return true;
  }
  item.slots.emplace_back(symbols[0], std::move(truth->is_true));
  return true;
}

}  // namespace

GuardItem read_guard(Context& ctx, Expr guard) {
  GuardItem item;
  item.raw = guard;
  item.canonical = ctx.canonical(guard);
  item.symbols = symbols_of(ctx, item.canonical);
  for (const Expr part : conjuncts_of(guard)) {
    if (add_slot(ctx, part, item)) continue;
    const Expr c = ctx.canonical(part);
    if (!c.is(Op::And)) {
      if (!c.is_true()) item.rest.push_back(part);
      continue;
    }
    for (std::size_t i = 0; i < c.size(); ++i)
      if (!add_slot(ctx, c[i], item)) item.rest.push_back(c[i]);
  }
  return item;
}

double default_cost(Context& ctx, Expr guard) {
  double cost = 0;
  std::uint32_t nodes = 0;
  std::vector<Expr> todo{guard};
  while (!todo.empty() && ++nodes < 10'000) {
    const Expr t = todo.back();
    todo.pop_back();
    switch (t.op()) {
      case Op::FloorDiv:
      case Op::Mod:
      case Op::CeilDiv:
      case Op::Divides:
        cost += 8;
        break;
      case Op::Mul:
      case Op::Pow:
        cost += 2;
        break;
      default:
        cost += 1;
        break;
    }
    for (std::size_t i = 0; i < t.size(); ++i) todo.push_back(t[i]);
  }
  return cost + 4.0 * static_cast<double>(symbols_of(ctx, guard).size());
}

}  // namespace dimgate::simplify
