// Readable form: per slot the cheapest spelling of its set; clauses over several slots as unions of boxes; what that
// cannot see (products, quotients by slots, relations) is guessed from values and adopted only if proved.
#include "simplify/readable.hpp"

#include "simplify/conjunction.hpp"
#include "simplify/forms.hpp"

namespace dimgate::simplify {

std::vector<Expr> readable_form(Questions& questions, std::span<const GuardItem* const> items,
                                std::vector<Obligation>* obligations) {
  Conjunction conjunction(questions, obligations);
  for (const GuardItem* item : items) {
    if (item->canonical.is_false()) return {questions.context().boolean(false)};
    conjunction.add(*item);
  }
  return conjunction.write();
}

}  // namespace dimgate::simplify

namespace dimgate {

std::vector<Expr> readable_conjuncts(Prover& prover, const Facts& facts, Expr formula,
                                     std::vector<Obligation>* obligations) {
  Context& ctx = facts.context();
  std::vector<Expr> parts = simplify::conjuncts_of(formula);
  // A formula that is no conjunction as written may be one in canonical form (`not (a or b)`).
  if (parts.size() == 1 && ctx.canonical(formula).is(Op::And) && !simplify::read_guard(ctx, formula).rest.empty())
    parts = simplify::conjuncts_of(ctx.canonical(formula));
  Minimised m = minimise(prover, facts, parts);
  if (obligations != nullptr) {
    for (const DroppedGuard& d : m.dropped) obligations->push_back(d.obligation);
    obligations->insert(obligations->end(), m.obligations.begin(), m.obligations.end());
  }
  return m.readable;
}

Expr readable(Prover& prover, const Facts& facts, Expr formula, std::vector<Obligation>* obligations) {
  return simplify::make_and(facts.context(), readable_conjuncts(prover, facts, formula, obligations));
}

}  // namespace dimgate
