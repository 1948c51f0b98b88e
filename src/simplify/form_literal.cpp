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

std::optional<Expr> unite_forms(Context& ctx, Expr canonical) {
  constexpr std::size_t kParts = 16;
  if (!canonical.is(Op::Or) || canonical.size() > kParts) return std::nullopt;
  Expr form;
  std::vector<Interval> runs;
  for (std::size_t i = 0; i < canonical.size(); ++i) {
    const auto l = form_literal(ctx, canonical[i]);
    if (!l || l->barred || !l->form || l->form.is_symbol() || (form && l->form != form)) return std::nullopt;
    form = l->form;
    if (l->excluded) {
      runs.push_back(Interval::at_most(*l->excluded - 1));
      runs.push_back(Interval::at_least(*l->excluded + 1));
    } else if (l->domain.congruence.is_all() || l->domain.is_point()) {
      runs.push_back(l->domain.interval);
    } else {
      return std::nullopt;
    }
  }
  std::sort(runs.begin(), runs.end(), [](const Interval& a, const Interval& b) {
    if (!a.lo || !b.lo) return !a.lo && b.lo;
    return *a.lo < *b.lo;
  });
  std::vector<Interval> merged;
  for (const Interval& r : runs) {
    if (merged.empty() || (merged.back().hi && r.lo && *merged.back().hi + 1 < *r.lo)) {
      merged.push_back(r);
    } else if (merged.back().hi && (!r.hi || *r.hi > *merged.back().hi)) {
      merged.back().hi = r.hi;
    }
  }
  const Interval& first = merged.front();
  if (merged.size() == 2 && !first.lo && !merged[1].hi && *first.hi + 2 == *merged[1].lo)
    return ctx.compare(Op::Ne, form, ctx.integer(*first.hi + 1));
  if (merged.size() != 1 || (first.lo && first.hi)) return std::nullopt;
  if (first.lo) return ctx.compare(Op::Ge, form, ctx.integer(*first.lo));
  if (first.hi) return ctx.compare(Op::Le, form, ctx.integer(*first.hi));
  return Expr();
}

}  // namespace dimgate::simplify
