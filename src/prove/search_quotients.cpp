// Quotients inside other atoms, brought into one form where the sign of their divisors is known.
//
// d >= 1, e with a negative leading coefficient:  e//d        ->  -((-e + d - 1)//d)        (a ceiling as a floor)
// d >= 1, y != 0:                                 (e + x//y)//d  ->  (e*y + x)//(y*d)
//                                                 (Graham, Knuth, Patashnik: Concrete Mathematics, 3.2)
// e//d with one value v left, inside other atoms  ->  v, and 0 <= e - v*d <= d - 1 (mirrored for d < 0)
// Where two spellings of one quotient met as different columns, the linear view could only compare them; now they are
// one. Each step names the premises that the signs rest on. Cost: one pass over the columns of a system.
// Tested by tests/prove/families_test.cpp.
#include <algorithm>

#include "prove/search.hpp"

namespace dimgate {

namespace {

bool is_quotient(const Column& c) {
  return c.kind == Column::Kind::quotient || c.kind == Column::Kind::quotient_by_term;
}

bool inside_another(Context& ctx, const System& system, const Column& c, bool or_product) {
  return std::any_of(system.columns.begin(), system.columns.end(), [&](const Column& other) {
    return other.atom != c.atom && other.kind != Column::Kind::symbol &&
           (or_product || other.kind != Column::Kind::product) && occurs(ctx, other.atom, c.atom);
  });
}

// The ceiling as a floor; null: e//d is in that form.
Expr turned(Context& ctx, Expr quotient) {
  PolyRing ring(ctx.impl());
  const Poly e = ring.of(quotient[0].node());
  if (e.terms.empty() || e.terms[0].c.sign() >= 0) return {};
  const Expr d = quotient[1];
  const Expr numerator = ctx.sub(ctx.sub(d, ctx.integer(1)), quotient[0]);
  const Poly turned = ring.of(numerator.node());
  if (turned.terms.empty() || turned.terms[0].c.sign() < 0) return {};  // would turn back
  return ctx.canonical(ctx.make(Op::Neg, {ctx.make(Op::FloorDiv, {numerator, d})}));
}

// (e + x//y)//d as one quotient, for the first y that is not 0; null: there is none.
template <class NotZero>
Expr joined(Context& ctx, Expr quotient, NotZero not_zero) {
  PolyRing ring(ctx.impl());
  const Poly whole = ring.of(quotient[0].node());
  for (const Term& t : whole.terms) {
    if (!t.c.is_one() || t.m->op != Op::FloorDiv) continue;
    const Expr inner(t.m);
    if (!not_zero(inner[1])) continue;
    const Expr e = ctx.sub(quotient[0], inner);
    const Expr numerator = ctx.add(ctx.mul(e, inner[1]), inner[0]);
    return ctx.canonical(ctx.make(Op::FloorDiv, {numerator, ctx.mul(inner[1], quotient[1])}));
  }
  return {};
}

}  // namespace

bool Search::rewrite_quotient(State& s, System& system) {
  const std::size_t n = system.columns.size();  // asking for domains may add some
  for (std::size_t i = 0; i < n; ++i) {
    const Column& c = system.columns[i];
    if (!is_quotient(c)) continue;
    const Expr quotient = c.atom;
    Deps deps = c.deps;
    const auto domain = [&](Expr e) { return system.domain_by_rows(system.affine(e), &deps); };
    if (c.domain.is_point() && inside_another(ctx_, system, c, c.kind == Column::Kind::quotient || c.defined)) {
      const Expr v = ctx_.integer(*c.domain.interval.lo), d = quotient[1];
      const bool by_number = c.kind == Column::Kind::quotient;
      const Deps of_value = c.deps;
      const bool signed_divisor = by_number || domain(d).positive() || domain(d).negative();
      const bool positive = by_number ? d.integer().sign() > 0 : signed_divisor && domain(d).positive();
      replace_in(s, {{quotient, v}}, of_value);
      if (signed_divisor) {  // what e//d == v says of e and d
        const Expr r = ctx_.sub(quotient[0], ctx_.mul(d, v)), one = ctx_.integer(1);
        s.literals.push_back({ctx_.compare(positive ? Op::Ge : Op::Le, r, ctx_.integer(0)), deps});
        s.literals.push_back(
            {ctx_.compare(positive ? Op::Le : Op::Ge, r, positive ? ctx_.sub(d, one) : ctx_.add(d, one)), deps});
      }
      return true;
    }
    if (c.kind != Column::Kind::quotient_by_term || !c.defined) continue;
    deps = {};
    if (!domain(quotient[1]).positive()) continue;
    Expr other = joined(ctx_, quotient, [&](Expr y) {
      const Domain d = domain(y);
      return d.positive() || d.negative();
    });
    if (!other) other = turned(ctx_, quotient);
    if (!other || other == quotient) continue;
    replace_in(s, {{quotient, other}}, deps);
    return true;
  }
  return false;
}

}  // namespace dimgate
