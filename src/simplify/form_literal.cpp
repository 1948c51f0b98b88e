#include "simplify/form_literal.hpp"

#include <algorithm>

#include "expr/poly.hpp"

namespace dimgate::simplify {

std::optional<FormLiteral> form_literal(Context& ctx, Expr f) {
  if (!f.is_total()) return std::nullopt;
  const bool negated = f.is(Op::Not);
  const Expr a = negated ? f[0] : f;
  FormLiteral l;
  if (a.is(Op::Divides) && a[0].is_int()) {
    PolyRing ring(ctx.impl());
    const Poly e = ring.of(a[1].node());
    l.form = Expr(ring.node(ring.without_constant(e)));
    const Congruence c = Congruence::of(a[0].integer(), -ring.constant_of(e));
    if (negated)
      l.barred = c;
    else
      l.domain.congruence = c;
    return l;
  }
  if (negated || a.size() != 2 || a[0].sort() != Sort::Int || !a[1].is_int()) return std::nullopt;
  l.form = a[0];
  switch (a.op()) {
    case Op::Ge:
      l.domain.interval.lo = a[1].integer();
      return l;
    case Op::Le:
      l.domain.interval.hi = a[1].integer();
      return l;
    case Op::Eq:
      l.domain = Domain::point(a[1].integer());
      return l;
    case Op::Ne:
      l.excluded = a[1].integer();
      return l;
    default:
      return std::nullopt;
  }
}

bool implied_by(const FormLiteral& l, const Domain& values, std::span<const Integer> excluded) {
  if (values.empty) return false;  // a contradiction is for the prover to name
  if (l.excluded)
    return !values.contains(*l.excluded) || std::find(excluded.begin(), excluded.end(), *l.excluded) != excluded.end();
  if (l.barred) return !values.congruence.intersect(*l.barred).has_value();
  Domain meet = values;
  return !meet.meet(l.domain);
}

}  // namespace dimgate::simplify
