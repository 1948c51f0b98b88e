// a*b == 2*c, the product of greatest degree alone with coefficient 1 or -1: a*b inside any other monomial becomes what
// it equals, in every other literal and inside quotients. One reduction by a polynomial (as in a Groebner basis:
// Buchberger 1965); no S-polynomials are formed. Degrees fall with each step, and an equality whose product comes again
// inside its own value is none, so it ends; what is rewritten rests on the premises of the equality. Cost: one pass
// over the nodes for each equality that rewrites something. Tested by tests/prove/families_test.cpp.
#include "prove/search.hpp"

namespace dimgate {

namespace {

struct Rule {
  const Node* product = nullptr;  // monomial
  Poly value;
};

/// The rule that an equality is, if it is one.
Rule rule_of(PolyRing& ring, Expr f) {
  if (!f.is(Op::Eq) || f[0].sort() != Sort::Int || !f[1].is_int()) return {};
  Poly p = ring.without_carriers(ring.add(ring.of(f[0].node()), ring.constant(f[1].integer()), -1));
  if (p.terms.empty()) return {};
  const Term lead = p.terms[0];
  if (lead.m->degree < 2 || lead.m->op != Op::Mul || !(lead.c.is_one() || lead.c == Integer(-1))) return {};
  for (std::size_t i = 1; i < p.terms.size(); ++i)
    if (p.terms[i].m->degree >= lead.m->degree) return {};
  Poly monomial;
  monomial.terms.push_back({1, lead.m});
  monomial.total = lead.m->total;
  // lead*m + rest == 0: m == -lead*rest.
  return {lead.m, ring.scale(ring.add(p, monomial, -lead.c), -lead.c)};
}

/// The monomials inside f that the rule's product divides, with what they are then.
void find_uses(PolyRing& ring, const Rule& rule, Expr f, std::uint32_t mark, Replacements& out) {
  SmallVector<Expr, 32> stack{f};
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    if (e.node()->mark == mark) continue;
    e.node()->mark = mark;
    if (e.is(Op::Mul) && !ring.is_carrier(e.node())) {
      const Poly p = ring.of(e.node());
      const Node* rest = p.terms.size() == 1 ? ring.divide_monomial(p.terms[0].m, rule.product) : nullptr;
      if (rest != nullptr) {
        Poly factor;
        factor.terms.push_back({p.terms[0].c, rest});
        factor.total = rest->total;
        out.emplace_back(e, Expr(ring.node(ring.mul(factor, rule.value))));
        continue;
      }
    }
    for (std::size_t i = 0; i < e.size(); ++i) stack.push_back(e[i]);
  }
}

}  // namespace

bool Search::reduce_products(State& s) {
  PolyRing ring(ctx_.impl());
  for (std::size_t i = 0; i < s.literals.size(); ++i) {
    const Rule rule = rule_of(ring, s.literals[i].f);
    if (rule.product == nullptr) continue;
    Replacements own;  // inside its own value it would come back with each step
    find_uses(ring, rule, Expr(ring.node(rule.value)), ctx_.next_mark(), own);
    if (!own.empty()) continue;
    const std::uint32_t mark = ctx_.next_mark();
    Replacements uses;
    for (std::size_t j = 0; j < s.literals.size(); ++j)
      if (j != i) find_uses(ring, rule, s.literals[j].f, mark, uses);
    if (uses.empty()) continue;
    Literal equality = std::move(s.literals[i]);
    s.literals.erase(s.literals.begin() + static_cast<std::ptrdiff_t>(i));
    replace_in(s, uses, equality.deps);
    s.literals.push_back(std::move(equality));
    return true;
  }
  return false;
}

}  // namespace dimgate
