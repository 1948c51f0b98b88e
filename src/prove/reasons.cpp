#include <algorithm>

#include "dimgate/prove.hpp"
#include "expr/evaluate.hpp"

namespace dimgate {

namespace {

Facts subset(const Facts& facts, const std::vector<FactId>& ids) {
  Facts out(facts.context());
  for (const FactId id : ids) out.assume(facts[id].formula, facts[id].standing, facts[id].origin);
  return out;
}

bool sizes_natural(const Context& ctx, Expr symbol, const Value& v) {
  return symbol.sort() != Sort::Int || !ctx.is_size(symbol) || v.integer.sign() >= 0;
}

}  // namespace

Proof with_fewest_facts(Prover& prover, const Facts& facts, Expr claim, Proof proof, const Budget& budget) {
  if (!proof.proved()) return proof;
  Context& ctx = facts.context();
  // Last in canonical order first, so that the order of declaration does not show.
  std::vector<FactId> order = proof.used;
  std::sort(order.begin(), order.end(), [&](FactId a, FactId b) {
    const int c = ctx.order(facts[a].canonical, facts[b].canonical);
    return c != 0 ? c > 0 : a > b;
  });
  for (const FactId drop : order) {
    std::vector<FactId> fewer;
    std::copy_if(proof.used.begin(), proof.used.end(), std::back_inserter(fewer), [&](FactId f) { return f != drop; });
    if (prover.prove(subset(facts, fewer), claim, budget).proved()) proof.used = std::move(fewer);
  }
  return proof;
}

Proof with_small_values(const Facts& facts, Expr claim, Proof proof) {
  if (!proof.refuted()) return proof;
  const Context& ctx = facts.context();
  Assignment at;
  for (const auto& [symbol, value] : proof.counterexample) at.set(symbol, value);
  const auto refutes = [&] {
    return !value_at(ctx, claim, at).is_true() &&
           std::all_of(facts.all().begin(), facts.all().end(),
                       [&](const Fact& f) { return value_at(ctx, f.formula, at).is_true(); });
  };
  std::sort(proof.counterexample.begin(), proof.counterexample.end(),
            [&](const auto& a, const auto& b) { return ctx.symbol_name(a.first) < ctx.symbol_name(b.first); });
  const auto adopt = [&](Expr symbol, Value& value, const Integer& smaller) {
    const Value old = value;
    value = Value::of(smaller);
    at.set(symbol, value);
    if (sizes_natural(ctx, symbol, value) && refutes()) return true;
    value = old;
    at.set(symbol, value);
    return false;
  };
  for (bool again = true; again;) {
    again = false;
    for (auto& [symbol, value] : proof.counterexample) {
      if (value.kind != Value::Kind::integer) continue;
      for (std::int64_t near = 0; near <= 16; ++near) {  // 0, 1, -1, 2, ...
        if (abs(value.integer) < Integer(near) || value.integer == Integer(near)) break;
        if (adopt(symbol, value, near)) {
          again = true;
          break;
        }
        if (value.integer == Integer(-near)) break;
        if (near != 0 && adopt(symbol, value, -near)) {
          again = true;
          break;
        }
      }
      while (
          abs(value.integer) > Integer(16) &&
          adopt(symbol, value, value.integer.sign() < 0 ? -floor_div(-value.integer, 2) : floor_div(value.integer, 2)))
        again = true;
    }
  }
  return proof;
}

}  // namespace dimgate
