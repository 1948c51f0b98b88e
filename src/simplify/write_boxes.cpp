#include "simplify/write_boxes.hpp"

#include <algorithm>

#include "simplify/forms.hpp"
#include "simplify/write_set.hpp"

namespace dimgate::simplify {

namespace {

Expr name_list(Context& ctx, Expr symbol, const NameSet& names) {
  std::vector<Expr> args{symbol};
  for (const std::string& n : names.names) args.push_back(ctx.enumeration(n));
  if (args.size() == 2) return ctx.make(names.all_but ? Op::Ne : Op::Eq, args);
  const Expr in = ctx.make(Op::In, args);
  return names.all_but ? ctx.make(Op::Not, {in}) : in;
}

// v is in set, given that it is in domain.
std::vector<Expr> write_value(const Variables& vars, VarId v, const ValueSet& set, const ValueSet& domain) {
  Context& ctx = vars.context();
  if (is_empty(set)) return {ctx.boolean(false)};
  if (const auto* ints = std::get_if<IntSet>(&set))
    return write_set(ctx, vars.symbol(v), *ints, std::get<IntSet>(domain)).conjuncts;
  if (const auto all = is_subset(domain, set); all && *all) return {};
  if (const auto* names = std::get_if<NameSet>(&set)) return {name_list(ctx, vars.symbol(v), *names)};
  switch (std::get<Mask>(set).bits & std::get<Mask>(vars.full(v)).bits) {
    case 1:
      return {vars.literal(v, false)};
    case 2:
      return {vars.literal(v, true)};
    case 3:
      return {ctx.canonical(definedness(ctx, vars.literal(v, false)))};
    default:
      break;
  }
  return {};  // everything; "undefined" alone is never asked for
}

// Which variables are pulled out of the disjunction: none; those that some box says nothing more about; all that every
// box mentions.
enum class Pull : std::uint8_t { none, freeing, all };

std::vector<Expr> write_pulling(const Variables& vars, const std::vector<Box>& boxes, const Box& domain,
                                const std::vector<VarId>& order, Pull pull) {
  Context& ctx = vars.context();
  const auto within = [&](const Box& d, VarId v) {
    const ValueSet* set = find(d, v);
    return set != nullptr ? *set : vars.full(v);
  };
  std::vector<Expr> out;
  Box inner = domain;  // the domain cut down to what the shared conjuncts allow
  for (const VarId v : order) {
    if (pull == Pull::none) break;
    std::optional<ValueSet> shared;
    bool everywhere = true;
    for (const Box& b : boxes) {
      const ValueSet* set = find(b, v);
      if (set == nullptr) {
        everywhere = false;
        break;
      }
      shared = shared ? unite(*shared, *set) : std::optional<ValueSet>(*set);
      if (!shared) break;
    }
    if (!everywhere || !shared) continue;
    const ValueSet around = within(domain, v);
    auto cut = intersect(*shared, around);
    if (!cut) continue;
    const bool frees = std::any_of(boxes.begin(), boxes.end(), [&](const Box& b) {
      const auto free = is_subset(*cut, b.at(v));
      return free && *free;
    });
    if (pull == Pull::freeing && !frees) continue;
    for (const Expr e : write_value(vars, v, *cut, around)) out.push_back(e);
    inner.insert_or_assign(v, std::move(*cut));
  }
  std::vector<Expr> any;
  for (const Box& b : boxes) {
    std::vector<Expr> all;
    for (const VarId v : order) {
      const ValueSet* set = find(b, v);
      if (set == nullptr) continue;
      const ValueSet around = within(inner, v);
      if (const auto free = is_subset(around, *set); free && *free) continue;
      for (const Expr e : write_value(vars, v, *set, around)) all.push_back(e);
    }
    order_conjuncts(ctx, all);
    if (all.empty()) return order_conjuncts(ctx, out), out;  // the shared conjuncts already say everything
    if (boxes.size() == 1)
      out.insert(out.end(), all.begin(), all.end());
    else
      any.push_back(make_and(ctx, all));
  }
  order_conjuncts(ctx, any);
  if (!any.empty()) out.push_back(make_or(ctx, any));
  order_conjuncts(ctx, out);
  return out;
}

}  // namespace

std::vector<Expr> write_boxes(const Variables& vars, std::vector<Box> boxes, const Box& domain) {
  Context& ctx = vars.context();
  if (boxes.empty()) return {ctx.boolean(false)};
  std::vector<VarId> order;
  for (VarId v = 0; v < vars.size(); ++v) order.push_back(v);
  std::sort(order.begin(), order.end(), [&](VarId a, VarId b) { return vars.before(a, b); });
  std::vector<Expr> best;
  std::uint64_t best_cost = ~std::uint64_t{0};
  for (const Pull pull : {Pull::freeing, Pull::all, Pull::none}) {
    std::vector<Expr> out = write_pulling(vars, boxes, domain, order, pull);
    std::uint64_t cost = 0;
    for (const Expr e : out) cost += reading_cost(e) + 2;
    if (cost < best_cost) {
      best = std::move(out);
      best_cost = cost;
    }
  }
  return best;
}

}  // namespace dimgate::simplify
