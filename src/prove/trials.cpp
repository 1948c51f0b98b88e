#include "prove/trials.hpp"

#include <algorithm>

#include "expr/evaluate.hpp"
#include "expr/poly.hpp"

namespace dimgate {

namespace {

bool sizes_natural(const Facts& facts) {
  return std::ranges::none_of(facts.witness_symbols(), [&](Expr s) {
    const Value& v = facts.witness()->get(s);
    return facts.context().is_size(s) && v.kind == Value::Kind::integer && v.integer.sign() < 0;
  });
}

}  // namespace

bool FactTrials::witness_holds(const Facts& facts) {
  if (!std::exchange(sizes_seen_, true)) witness_ok_ = sizes_natural(facts);
  for (; witnessed_ < facts.size() && witness_ok_; ++witnessed_)
    witness_ok_ = value_at(facts.context(), facts[static_cast<FactId>(witnessed_)].formula, *facts.witness()).is_true();
  return witness_ok_;
}

void FactTrials::make(Context& ctx, Expr fact, Trial& t) {
  const bool compares = fact.is(Op::Ge) || fact.is(Op::Le) || fact.is(Op::Eq) || fact.is(Op::Ne);
  if (compares && fact[0].sort() == Sort::Int && fact[1].is_int()) {
    for (const Term& each : PolyRing(ctx.impl()).of(fact[0].node()).terms) {
      if (each.m == ctx.impl().one) {
        t.constant = each.c;
      } else if (each.m->op == Op::Symbol) {
        t.terms.push_back({Expr(each.m), each.c});
      } else {
        t.terms.clear();
        break;
      }
    }
  }
  if (t.terms.empty()) t.general = std::make_unique<PointEvaluator>(ctx, std::span(&fact, 1));
}

namespace {

bool compares_so(Op op, const Integer& left, const Integer& right) {
  switch (op) {
    case Op::Ge:
      return left >= right;
    case Op::Le:
      return left <= right;
    case Op::Ne:
      return !(left == right);
    default:
      return left == right;
  }
}

// Where a symbol has moved to, else its value; null if that is no integer.
const Integer* value_of(Expr symbol, const Assignment& at, std::span<const Moved> moved) {
  for (const Moved& m : moved)
    if (m.symbol == symbol) return &m.value;
  const Value& v = at.get(symbol);
  return v.kind == Value::Kind::integer ? &v.integer : nullptr;
}

}  // namespace

bool FactTrials::holds(const Trial& trial, Expr fact, const Assignment& at, std::span<const Moved> moved) {
  if (!trial.general) {
    Integer left = trial.constant;
    for (const auto& [s, coefficient] : trial.terms) {
      const Integer* v = value_of(s, at, moved);
      if (v == nullptr) return false;
      left += coefficient * *v;
    }
    return compares_so(fact.op(), left, fact[1].integer());
  }
  PointEvaluator& p = *trial.general;
  if (!p.supported()) return false;
  for (std::size_t i = 0; i < p.symbols().size(); ++i) {
    const Integer* v = value_of(p.symbols()[i], at, moved);
    if (v == nullptr) return false;
    p.set(i, *v);
  }
  return p.all_true();
}

bool FactTrials::hold_about(Context& ctx, std::span<const Expr> formulas, const Mentions& mentions, Expr symbol,
                            const Assignment& at, std::span<const Moved> moved) {
  const FactIds* mention = mentions.of(symbol);
  if (mention == nullptr) return true;
  if (trials_.size() < formulas.size()) trials_.resize(formulas.size());
  return std::all_of(mention->begin(), mention->end(), [&](FactId f) {
    Trial& trial = trials_[f];
    if (trial.terms.empty() && !trial.general) make(ctx, formulas[f], trial);
    return holds(trial, formulas[f], at, moved);
  });
}

}  // namespace dimgate
