// What the search does about products: shifting bounded symbols to 0, splitting factors, residues of factors.
//
// x >= lo, x in a product: x := lo + t, t >= 0 (x <= hi alone: x := hi - t). Expanded over variables that are >= 0, a
// sum of monomials shows its sign by its coefficients (as in Handelman's and Bernstein forms).
// k | x*y + ...: x := k*t + r for each r; what k divides then leaves the congruence. The same for a factor x with k not
// dividing x + c.
#include <algorithm>
#include <array>

#include "expr/node_map.hpp"
#include "prove/factor.hpp"
#include "prove/polynomial_literal.hpp"
#include "prove/search.hpp"

namespace dimgate {

namespace {

constexpr std::int64_t kProductResidues = 12;

// Symbols that are a factor of some product with another one.
NodeMap<bool> multiplied_symbols(Context& ctx, const std::vector<Literal>& literals) {
  NodeMap<bool> out;
  const std::uint32_t mark = ctx.next_mark();
  SmallVector<const Node*, 32> stack;
  for (const Literal& l : literals) {
    stack.push_back(l.f.node());
    while (!stack.empty()) {
      const Node* n = stack.back();
      stack.pop_back();
      if (n->mark == mark) continue;
      n->mark = mark;
      const bool product = n->op == Op::Mul && n->degree >= 2;
      for (std::uint32_t i = 0; i < n->size; ++i) {
        if (product && n->args()[i]->op == Op::Symbol) out.try_emplace(n->args()[i], true);
        stack.push_back(n->args()[i]);
      }
    }
  }
  return out;
}

}  // namespace

void Search::shift_bounded(State& s) {
  const NodeMap<bool> multiplied = multiplied_symbols(ctx_, s.literals);
  if (multiplied.empty()) return;
  NodeMap<Interval> bounds;
  const auto note = [&](Expr f) {
    if (f.size() != 2 || !f[0].is_symbol() || !f[1].is_int() || !multiplied.contains(f[0].node())) return;
    Interval& i = bounds[f[0].node()];
    if (f.is(Op::Ge)) i = i.intersect(Interval::at_least(f[1].integer()));
    if (f.is(Op::Le)) i = i.intersect(Interval::at_most(f[1].integer()));
  };
  for (const Literal& l : s.literals) {
    note(l.f);
    for (std::size_t i = 0; l.f.is(Op::And) && i < l.f.size(); ++i) note(l.f[i]);
  }
  std::vector<Expr> candidates = symbols_;  // in canonical order
  candidates.insert(candidates.end(), symbols_of_shift_.begin(), symbols_of_shift_.end());
  for (const Expr x : candidates) {
    const Interval* i = bounds.find(x.node());
    if (i == nullptr || (!i->lo && !i->hi)) continue;
    if (i->lo && (i->lo->is_zero() || (i->lo->is_one() && effort_ != Effort::distances)))
      continue;  // as good as shifted
    const Expr t = fresh(s);
    const Expr term = i->lo ? ctx_.add(t, ctx_.integer(*i->lo)) : ctx_.sub(ctx_.integer(*i->hi), t);
    s.trail.emplace_back(x, term);
    replace_in(s, {{x, term}}, {});  // a change of variables rests on nothing
  }
}

// x - y >= c, x in a product: x := y + c + t with t >= 0, so that what the order of x and y decides shows in signs.
void Search::shift_ordered(State& s) {
  for (int round = 0; round < 8; ++round) {
    const NodeMap<bool> multiplied = multiplied_symbols(ctx_, s.literals);
    Expr larger, smaller;
    Integer least;
    const auto look = [&](Expr f) {
      if (larger || f.size() != 2 || !(f.is(Op::Ge) || f.is(Op::Le)) || !f[0].is(Op::Add) || f[0].size() != 2) return;
      const Expr x = f[0][0], y = f[0][1];  // x + -1*y
      if (!x.is_symbol() || !y.is(Op::Mul) || y.size() != 2 || !y[0].is_int() || !(y[0].integer() == Integer(-1)) ||
          !y[1].is_symbol())
        return;
      larger = f.is(Op::Ge) ? x : y[1];
      smaller = f.is(Op::Ge) ? y[1] : x;
      least = f.is(Op::Ge) ? f[1].integer() : -f[1].integer();
      if (!multiplied.contains(larger.node())) larger = Expr();
    };
    for (const Literal& l : s.literals) {
      look(l.f);
      for (std::size_t i = 0; l.f.is(Op::And) && i < l.f.size(); ++i) look(l.f[i]);
    }
    if (!larger) return;
    const Expr t = fresh(s);
    const Expr term = ctx_.add(ctx_.add(smaller, ctx_.integer(least)), t);
    s.trail.emplace_back(larger, term);
    replace_in(s, {{larger, term}}, {});
    symbols_of_shift_.push_back(t);
  }
}

// e == d*(e//d) + r with a constant r: the quotient is a number t of its own, e is d*t + r. For r != 0 the divisor is
// further from 0 than r, or it is 0 and the quotient arbitrary.
bool Search::eliminate_exact_quotient(State& s) {
  PolyRing ring(ctx_.impl());
  for (const Literal& l : s.literals) {
    if (!l.f.is(Op::Eq) || l.f[0].sort() != Sort::Int || !is_polynomial(l.f)) continue;
    const Poly p = ring.without_carriers(zero_form(ring, l.f));
    for (const Term& term : p.terms) {
      const Node* quotient = nullptr;
      const auto note = [&](const Node* a) {
        if (a->op == Op::FloorDiv && a->args()[1]->op != Op::IntConst) quotient = a;
      };
      for (std::uint32_t i = 0; term.m->op == Op::Mul && i < term.m->size; ++i) note(term.m->args()[i]);
      if (quotient == nullptr) continue;
      const Poly e = ring.of(quotient->args()[0]), d = ring.of(quotient->args()[1]);
      const Poly exact = ring.without_carriers(ring.add(e, ring.mul(d, ring.atom(quotient)), -1));
      Poly rest = ring.without_carriers(ring.add(exact, p, -1));
      if (!ring.is_constant(rest)) rest = ring.without_carriers(ring.add(exact, p));
      if (!ring.is_constant(rest)) continue;
      const Integer r = ring.constant_of(rest);
      if (!r.is_zero()) {
        if (effort_ == Effort::plain) continue;
        const Expr divisor(quotient->args()[1]);
        const Expr large = r.sign() > 0 ? ctx_.compare(Op::Ge, divisor, ctx_.integer(r + 1))
                                        : ctx_.compare(Op::Le, divisor, ctx_.integer(r - 1));
        const std::array<Expr, 2> either{large, ctx_.compare(Op::Eq, divisor, ctx_.integer(0))};
        s.literals.push_back({ctx_.disj(either), l.deps});
      }
      replace_in(s, {{Expr(quotient), fresh(s)}}, {});  // a name for it rests on nothing
      return true;
    }
  }
  return false;
}

bool Search::eliminate_factors(State& s) {
  PolyRing ring(ctx_.impl());
  for (Literal& l : s.literals) {
    if (!l.f.is(Op::Eq) || l.f[0].sort() != Sort::Int || !is_polynomial(l.f)) continue;
    const Poly p = zero_form(ring, l.f);
    std::vector<Expr> parts;
    if (const std::optional<Roots> roots = integer_roots(ring, p)) {
      for (const Integer& r : roots->values) parts.push_back(ctx_.compare(Op::Eq, Expr(roots->atom), ctx_.integer(r)));
    } else if (const std::optional<FactorPair> f = factor(ring, p)) {
      const Expr zero = ctx_.integer(0);
      parts = {ctx_.compare(Op::Eq, Expr(ring.node(f->linear)), zero),
               ctx_.compare(Op::Eq, Expr(ring.node(f->rest)), zero)};
    } else {
      continue;
    }
    l.f = ctx_.disj(parts);
    steps_ -= std::min<std::uint64_t>(steps_, p.terms.size());
    return true;
  }
  return false;
}

std::vector<Search::Branch> Search::split_residues(const System& system) {
  const auto multiplied = [&](std::uint32_t symbol) {
    return std::any_of(system.columns.begin(), system.columns.end(), [&](const Column& c) {
      return std::find(c.factors.begin(), c.factors.end(), symbol) != c.factors.end();
    });
  };
  const auto each_residue = [&](const DividesRow& d, Expr x) {
    std::vector<Branch> out;
    for (Integer r = 0; r < d.modulus; r += 1) {
      const Expr rest = ctx_.sub(x, ctx_.integer(r));
      out.emplace_back().assume = {{ctx_.canonical(ctx_.make(Op::Divides, {ctx_.integer(d.modulus), rest})), {}}};
    }
    return out;
  };
  for (const DividesRow& d : system.divides) {
    if (d.modulus > Integer(kProductResidues)) continue;
    if (d.negated && d.terms.size() == 1 && system.columns[d.terms[0].var].kind == Column::Kind::symbol &&
        multiplied(d.terms[0].var))
      return each_residue(d, system.columns[d.terms[0].var].atom);
    for (const LinearTerm& t : d.terms) {
      const Column& product = system.columns[t.var];
      if (product.kind != Column::Kind::product) continue;
      for (const std::uint32_t f : product.factors) {
        const Column& x = system.columns[f];
        if (x.kind != Column::Kind::symbol || floor_mod(x.domain.congruence.modulus, d.modulus).is_zero()) continue;
        return each_residue(d, x.atom);
      }
    }
  }
  return {};
}

}  // namespace dimgate
