#include "simplify/affine.hpp"

#include <algorithm>

#include "expr/comparisons.hpp"
#include "expr/poly.hpp"

namespace dimgate::simplify {

AffineHull::Fraction AffineHull::make(Integer n, Integer d) {
  if (d.sign() < 0) {
    n = -n;
    d = -d;
  }
  const Integer g = gcd(n, d);
  if (!g.is_one() && !g.is_zero()) {
    n = floor_div(n, g);
    d = floor_div(d, g);
  }
  return {std::move(n), std::move(d)};
}

AffineHull::Fraction AffineHull::sub_mul(const Fraction& a, const Fraction& f, const Fraction& b) {
  if (f.is_zero() || b.is_zero()) return a;
  const Integer n = f.n * b.n;
  const Integer d = f.d * b.d;
  return make(a.n * d - n * a.d, a.d * d);
}

AffineHull::Fraction AffineHull::divide(const Fraction& a, const Fraction& b) { return make(a.n * b.d, a.d * b.n); }

void AffineHull::add(std::span<const Integer> row) {
  if (!any_) {
    any_ = true;
    first_.assign(row.begin(), row.end());
    return;
  }
  std::vector<Fraction> r(columns_);
  for (std::size_t i = 0; i < columns_; ++i) r[i] = make(row[i] - first_[i], 1);
  for (std::size_t k = 0; k < echelon_.size(); ++k) {
    const Fraction f = r[pivots_[k]];
    if (f.is_zero()) continue;
    for (std::size_t i = 0; i < columns_; ++i) r[i] = sub_mul(r[i], f, echelon_[k][i]);
  }
  std::size_t pivot = 0;
  while (pivot < columns_ && r[pivot].is_zero()) ++pivot;
  if (pivot == columns_) return;
  const Fraction lead = r[pivot];
  for (Fraction& f : r) f = divide(f, lead);
  for (std::vector<Fraction>& other : echelon_) {
    const Fraction f = other[pivot];
    if (f.is_zero()) continue;
    for (std::size_t i = 0; i < columns_; ++i) other[i] = sub_mul(other[i], f, r[i]);
  }
  echelon_.push_back(std::move(r));
  pivots_.push_back(pivot);
}

std::vector<LinearEquation> AffineHull::equations(std::span<const Expr> symbols) const {
  std::vector<LinearEquation> out;
  if (!any_) return out;
  for (std::size_t f = 0; f < columns_; ++f) {
    if (std::find(pivots_.begin(), pivots_.end(), f) != pivots_.end()) continue;
    // x_f = sum over pivots of echelon[k][f] * x_pivot + constant
    Integer scale = 1;
    for (const auto& row : echelon_) scale = lcm(scale, row[f].d);
    LinearEquation e;
    e.terms.emplace_back(scale, symbols[f]);
    e.constant = scale * first_[f];
    for (std::size_t k = 0; k < echelon_.size(); ++k) {
      const Fraction& c = echelon_[k][f];
      if (c.is_zero()) continue;
      const Integer coefficient = -(c.n * floor_div(scale, c.d));
      e.terms.emplace_back(coefficient, symbols[pivots_[k]]);
      e.constant += coefficient * first_[pivots_[k]];
    }
    out.push_back(std::move(e));
  }
  return out;
}

namespace {

using Terms = std::vector<std::pair<Integer, Expr>>;

Expr product(Context& ctx, const Integer& c, Expr x) { return c.is_one() ? x : ctx.make(Op::Mul, {ctx.integer(c), x}); }

// Sum of terms plus a constant; "0" if there is nothing.
Expr sum(Context& ctx, const Terms& terms, const Integer& constant) {
  std::vector<Expr> parts;
  for (const auto& [c, x] : terms) parts.push_back(product(ctx, c, x));
  if (!constant.is_zero() || parts.empty()) parts.push_back(ctx.integer(constant));
  return parts.size() == 1 ? parts[0] : ctx.make(Op::Add, parts);
}

// e + constant, or e - 3.
Expr offset(Context& ctx, Expr e, const Integer& constant) {
  if (constant.is_zero()) return e;
  if (constant.sign() < 0) return ctx.make(Op::Sub, {e, ctx.integer(-constant)});
  std::vector<Expr> parts;
  for (std::size_t i = 0; e.is(Op::Add) && i < e.size(); ++i) parts.push_back(e[i]);
  if (parts.empty()) parts.push_back(e);
  parts.push_back(ctx.integer(constant));
  return ctx.make(Op::Add, parts);
}

void by_name(Context& ctx, Terms& terms) {
  std::sort(terms.begin(), terms.end(),
            [&ctx](const auto& a, const auto& b) { return ctx.order(a.second, b.second) < 0; });
}

}  // namespace

Expr spell_relation(Context& ctx, Op op, std::span<const std::pair<Integer, Expr>> terms, const Integer& constant) {
  Terms left;
  Terms right;
  for (const auto& [c, x] : terms) {
    if (c.sign() > 0)
      left.emplace_back(c, x);
    else if (c.sign() < 0)
      right.emplace_back(-c, x);
  }
  by_name(ctx, left);
  by_name(ctx, right);
  Integer k = constant;  // left op right + k
  const bool lone_left = left.size() == 1 && left[0].first.is_one();
  const bool lone_right = right.size() == 1 && right[0].first.is_one();
  const bool swap = left.empty() || (!lone_left && lone_right);
  if (swap) {
    std::swap(left, right);
    k = -k;
    op = mirrored(op);
  }
  if (op == Op::Ge && k.is_one() && !right.empty()) {
    op = Op::Gt;
    k = 0;
  } else if (op == Op::Le && k == Integer(-1) && !right.empty()) {
    op = Op::Lt;
    k = 0;
  }
  if (right.empty()) return ctx.make(op, {sum(ctx, left, 0), ctx.integer(k)});
  return ctx.make(op, {sum(ctx, left, 0), offset(ctx, sum(ctx, right, 0), k)});
}

Expr spell_equation(Context& ctx, const LinearEquation& equation) {
  // The dependent column comes first; alone on its side it is what people write.
  const Integer& lead = equation.terms[0].first;
  if (!lead.is_one()) return spell_relation(ctx, Op::Eq, equation.terms, equation.constant);
  Terms rest;
  for (std::size_t i = 1; i < equation.terms.size(); ++i) {
    if (equation.terms[i].first.sign() > 0) return spell_relation(ctx, Op::Eq, equation.terms, equation.constant);
    rest.emplace_back(-equation.terms[i].first, equation.terms[i].second);
  }
  by_name(ctx, rest);
  if (rest.size() == 1 && rest[0].first.is_one() && equation.constant.is_zero())
    return ctx.make(Op::Eq, {rest[0].second, equation.terms[0].second});  // x == y, by name
  return ctx.make(Op::Eq, {equation.terms[0].second, offset(ctx, sum(ctx, rest, 0), equation.constant)});
}

Expr spell_atom(Context& ctx, Expr canonical) {
  if (!canonical.is(Op::Eq) && !canonical.is(Op::Ne) && !canonical.is(Op::Le) && !canonical.is(Op::Ge)) return {};
  if (canonical[0].sort() != Sort::Int || !canonical[1].is_int()) return {};
  Terms terms;
  const auto add = [&](Expr t) {
    if (t.is(Op::Mul) && t.size() >= 2 && t[0].is_int()) {
      std::vector<Expr> rest;
      for (std::size_t i = 1; i < t.size(); ++i) rest.push_back(t[i]);
      terms.emplace_back(t[0].integer(), rest.size() == 1 ? rest[0] : ctx.make(Op::Mul, rest));
    } else {
      terms.emplace_back(Integer(1), t);
    }
  };
  if (canonical[0].is(Op::Add))
    for (std::size_t i = 0; i < canonical[0].size(); ++i) add(canonical[0][i]);
  else
    add(canonical[0]);
  const Expr out = spell_relation(ctx, canonical.op(), terms, canonical[1].integer());
  return ctx.canonical(out) == canonical ? out : Expr{};
}

Expr spell_remainder(Context& ctx, Expr f) {
  if (!f.is(Op::Eq) && !f.is(Op::Ne) && !f.is(Op::Le) && !f.is(Op::Ge)) return {};
  if (f[0].sort() != Sort::Int || !f[1].is_int() || f[0].size() > 16) return {};
  PolyRing ring(ctx.impl());
  const Poly p = ring.of(f[0].node());
  for (const Term& t : p.terms)
    for (std::uint32_t i = 0; t.m->op == Op::Mul && i < t.m->size; ++i) {
      const Expr quotient(t.m->args()[i]);
      if (!quotient.is(Op::FloorDiv) || quotient[1].is_int()) continue;
      const Expr remainder = ctx.make(Op::Mod, {quotient[0], quotient[1]});
      for (const int sign : {1, -1}) {
        const Op op = sign == 1 || f.is(Op::Eq) || f.is(Op::Ne) ? f.op() : f.is(Op::Le) ? Op::Ge : Op::Le;
        const Expr out = ctx.make(op, {remainder, ctx.integer(sign * f[1].integer())});
        if (ctx.canonical(out) == f) return out;
      }
    }
  return {};
}

}  // namespace dimgate::simplify
