// Simplifying a conjunction: flattening, unit resolution, and solving for symbols.
//
// x*1 + rest == c              -> x := c - rest           (x in no other atom of the equation)
// a*x + rest == c, |a| least   -> x := t - sum floor(c_i/a)*x_i, coefficients shrink (Euclid; Knuth 4.5.2, Pugh 1991)
// divides(k, u*x + rest)       -> x := k*t - rest/u       (u invertible mod k)
// Congruences on one symbol so meet by the Chinese remainder theorem, and a//k of a multiple of k disappears.
#include <algorithm>

#include "expr/node_map.hpp"
#include "prove/search.hpp"

namespace dimgate {

Expr Search::fresh(State& s) { return ctx_.symbol("%" + std::to_string(s.fresh++)); }

void Search::replace_in(State& s, const Replacements& with, const Deps& deps) {
  for (Literal& l : s.literals) {
    const Expr f = replace(ctx_, l.f, with);
    if (f == l.f) continue;
    l.f = f;
    l.deps.merge(deps);
  }
  for (Sign& sign : s.signs) {
    const Expr d = replace(ctx_, sign.divisor, with);
    if (d == sign.divisor) continue;
    sign.divisor = d;
    sign.deps.merge(deps);
  }
  steps_ -= std::min<std::uint64_t>(steps_, 4 * s.literals.size());
}

void Search::substitute(State& s, std::size_t literal, Expr symbol, Expr term) {
  const Deps deps = s.literals[literal].deps;
  s.literals.erase(s.literals.begin() + static_cast<std::ptrdiff_t>(literal));
  s.trail.emplace_back(symbol, term);
  replace_in(s, {{symbol, term}}, deps);
}

bool Search::flatten(State& s, Deps& core) {
  std::vector<Literal> out;
  out.reserve(s.literals.size() + 4);
  NodeMap<bool> seen;
  for (Literal& l : s.literals) {
    if (l.f.is_true()) continue;
    if (l.f.is_false()) {
      core = l.deps;
      return false;
    }
    if (l.f.is(Op::And)) {
      for (std::size_t i = 0; i < l.f.size(); ++i)
        if (seen.try_emplace(l.f[i].node()).second) out.push_back({l.f[i], l.deps});
    } else if (seen.try_emplace(l.f.node()).second) {
      out.push_back(std::move(l));
    }
  }
  s.literals = std::move(out);
  return true;
}

// Drops a disjunction that another literal satisfies and disjuncts that another literal refutes.
bool Search::resolve_units(State& s) {
  if (std::none_of(s.literals.begin(), s.literals.end(), [](const Literal& l) { return l.f.is(Op::Or); })) return false;
  NodeMap<const Literal*> known;
  for (const Literal& l : s.literals)
    if (!l.f.is(Op::Or)) known.try_emplace(l.f.node(), &l);
  bool changed = false;
  std::vector<Literal> out;
  for (const Literal& l : s.literals) {
    if (!l.f.is(Op::Or) || l.f.size() > 64) {
      out.push_back(l);
      continue;
    }
    std::vector<Expr> parts;
    Deps deps = l.deps;
    bool satisfied = false;
    for (std::size_t i = 0; i < l.f.size() && !satisfied; ++i) {
      const Expr p = l.f[i];
      if (known.contains(p.node())) satisfied = true;
      if (const auto* refuted = known.find(ctx_.negate(p).node()); refuted != nullptr)
        deps.merge((*refuted)->deps);
      else
        parts.push_back(p);
    }
    if (satisfied) {
      changed = true;
      continue;
    }
    if (parts.size() == l.f.size())
      out.push_back(l);
    else
      out.push_back({ctx_.disj(parts), deps}), changed = true;
  }
  s.literals = std::move(out);
  return changed;
}

// Bool symbols, and names or floats equal to something: substitution.
bool Search::eliminate_name(State& s) {
  for (std::size_t i = 0; i < s.literals.size(); ++i) {
    const Expr f = s.literals[i].f;
    if (f.is_symbol()) return substitute(s, i, f, ctx_.boolean(true)), true;
    if (f.is(Op::Not) && f[0].is_symbol()) return substitute(s, i, f[0], ctx_.boolean(false)), true;
    const bool names = f.is(Op::Eq) && f[0].sort() == Sort::Enum;
    const bool bits = f.is(Op::SameBits);
    if (!names && !bits) continue;
    const Expr a = f[0], b = f[1];
    if (a.is_symbol() && !occurs(ctx_, b, a)) return substitute(s, i, a, b), true;
    if (b.is_symbol() && !occurs(ctx_, a, b)) return substitute(s, i, b, a), true;
  }
  return false;
}

namespace {

struct LinearView {  // terms of a canonical sum: coefficient and monomial, carriers and constant left out
  Terms terms;
  Integer constant;
};

LinearView view(Context& ctx, Expr sum) {
  PolyRing ring(ctx.impl());
  LinearView v;
  for (Term& t : ring.of(sum.node()).terms) {
    if (t.m == ctx.impl().one)
      v.constant = t.c;
    else if (!ring.is_carrier(t.m))
      v.terms.push_back(std::move(t));
  }
  return v;
}

bool alone(Context& ctx, const LinearView& v, std::size_t i) {
  for (std::size_t j = 0; j < v.terms.size(); ++j)
    if (j != i && v.terms[j].m->op != Op::Symbol && occurs(ctx, Expr(v.terms[j].m), Expr(v.terms[i].m))) return false;
  return true;
}

Expr sum_of(Context& ctx, const Terms& terms, const Integer& constant) {
  PolyRing ring(ctx.impl());
  Terms all = terms;
  bool total = true;
  for (const Term& t : all) total = total && t.m->total;
  Poly p = ring.sum(std::move(all), total);
  return Expr(ring.node(ring.add(p, ring.constant(constant))));
}

}  // namespace

bool Search::eliminate_equality(State& s) {
  for (std::size_t i = 0; i < s.literals.size(); ++i) {
    const Expr f = s.literals[i].f;
    if (!f.is(Op::Eq) || f[0].sort() != Sort::Int) continue;
    const LinearView v = view(ctx_, f[0]);
    const Integer rhs = f[1].integer() - v.constant;
    // A symbol with coefficient 1 or -1.
    for (std::size_t j = v.terms.size(); j-- > 0;) {
      const Term& t = v.terms[j];
      if (t.m->op != Op::Symbol || !(t.c.is_one() || t.c == Integer(-1)) || !alone(ctx_, v, j)) continue;
      Terms rest;
      for (std::size_t k = 0; k < v.terms.size(); ++k)
        if (k != j) rest.push_back({-v.terms[k].c * t.c, v.terms[k].m});
      const Expr x(t.m), term = sum_of(ctx_, rest, rhs * t.c);
      substitute(s, i, x, term);
      return true;
    }
    // Symbols only, no unit: one Euclid step on the least coefficient.
    if (v.terms.size() < 2 ||
        !std::all_of(v.terms.begin(), v.terms.end(), [](const Term& t) { return t.m->op == Op::Symbol; }))
      continue;
    std::size_t least = 0;
    for (std::size_t j = 1; j < v.terms.size(); ++j)
      if (abs(v.terms[j].c) < abs(v.terms[least].c)) least = j;
    const Integer a = v.terms[least].c;
    const Expr t = fresh(s);
    Terms rest{{1, t.node()}};
    for (std::size_t j = 0; j < v.terms.size(); ++j)
      if (j != least) rest.push_back({-floor_div(v.terms[j].c, a), v.terms[j].m});
    const Expr x(v.terms[least].m), term = sum_of(ctx_, rest, 0);
    s.trail.emplace_back(x, term);
    replace_in(s, {{x, term}}, {});  // a change of variables: rests on nothing
    return true;
  }
  return false;
}

bool Search::eliminate_divides(State& s) {
  for (std::size_t i = 0; i < s.literals.size(); ++i) {
    const Expr f = s.literals[i].f;
    if (!f.is(Op::Divides) || !f[0].is_int()) continue;
    const Integer k = f[0].integer();
    const LinearView v = view(ctx_, f[1]);
    for (std::size_t j = 0; j < v.terms.size(); ++j) {
      const Term& t = v.terms[j];
      if (t.m->op != Op::Symbol || !alone(ctx_, v, j)) continue;
      Integer g, u, y;
      extended_gcd(t.c, k, g, u, y);  // u inverts t.c mod k
      if (!g.is_one()) continue;
      const auto residue = [&](const Integer& c) {
        Integer r = floor_mod(-c * u, k);
        return r + r > k ? r - k : r;
      };
      const Expr n = fresh(s);
      Terms rest{{k, n.node()}};
      for (std::size_t m = 0; m < v.terms.size(); ++m)
        if (m != j) rest.push_back({residue(v.terms[m].c), v.terms[m].m});
      const Expr x(t.m), term = sum_of(ctx_, rest, floor_mod(-v.constant * u, k));
      substitute(s, i, x, term);
      return true;
    }
  }
  return false;
}

bool Search::simplify(State& s, Deps& core) {
  for (int round = 0; round < 400 && steps_ > 0; ++round) {
    if (!flatten(s, core)) return false;
    if (eliminate_name(s) || eliminate_equality(s) || eliminate_divides(s) || eliminate_exact_quotient(s) ||
        eliminate_factors(s) || (effort_ != Effort::plain && (solve_for_one_unknown(s) || reduce_products(s))))
      continue;
    if (!resolve_units(s)) break;
  }
  if (!flatten(s, core)) return false;
  std::sort(s.literals.begin(), s.literals.end(),
            [&](const Literal& a, const Literal& b) { return ctx_.order(a.f, b.f) < 0; });
  return true;
}

}  // namespace dimgate
