// What a polynomial literal says by itself, when the linear view of its monomials did not decide:
//
// p(x) >= 0, one unknown             ->  x in one of the runs where it is (runs.hpp)
// p <= b, p a sum of squares >= m    ->  contradiction where m > b; each square 0 where m == b (squares.hpp)
// p == 0, a product of two forms + k ->  each divisor of k (product_form.hpp)
// p == b, m | p                      ->  some residues (mod m) make it so: none, contradiction; those of x all r
//                                        (mod k), k | x - r
//                                        (m among small numbers and the coefficients: those leave terms out)
// Cost: a pass over the literals; residues: at most kCombinations evaluations for each of a few moduli.
// Tested by tests/prove/polynomials_test.cpp.
#include <algorithm>
#include <array>
#include <numeric>

#include "prove/factor.hpp"
#include "prove/polynomial_literal.hpp"
#include "prove/product_form.hpp"
#include "prove/runs.hpp"
#include "prove/search.hpp"
#include "prove/squares.hpp"

namespace dimgate {

namespace {

constexpr std::uint64_t kCombinations = 4096;
constexpr std::int64_t kLargestModulus = 24;
constexpr std::size_t kUnknowns = 3;

Poly difference(PolyRing& ring, Expr f) { return ring.without_carriers(zero_form(ring, f)); }

// p modulo m: its terms over numbered unknowns.
struct Residual {
  struct Monomial {
    std::int64_t c;
    SmallVector<std::uint8_t, 6> unknowns;
  };
  std::vector<Monomial> terms;
  Nodes unknowns;
  bool nonlinear = false;

  [[nodiscard]] bool vanishes(std::span<const std::int64_t> at, std::int64_t m) const {
    std::int64_t sum = 0;
    for (const Monomial& t : terms) {
      std::int64_t v = t.c;
      for (const std::uint8_t u : t.unknowns) v = v * at[u] % m;
      sum += v;
    }
    return sum % m == 0;
  }
};

std::optional<Residual> reduced(const PolyRing& ring, const Poly& p, std::int64_t m) {
  Residual out;
  for (const Term& t : p.terms) {
    const std::int64_t c = floor_mod(t.c, m).small();
    if (c == 0) continue;
    Residual::Monomial made{c, {}};
    const auto note = [&](const Node* a) {
      const auto* at = std::find(out.unknowns.begin(), out.unknowns.end(), a);
      made.unknowns.push_back(static_cast<std::uint8_t>(at - out.unknowns.begin()));
      if (at == out.unknowns.end()) out.unknowns.push_back(a);
    };
    if (t.m->op == Op::Mul)
      for (std::uint32_t i = 0; i < t.m->size; ++i) note(t.m->args()[i]);
    else if (t.m != ring.impl().one)
      note(t.m);
    if (out.unknowns.size() > kUnknowns) return std::nullopt;
    out.nonlinear = out.nonlinear || made.unknowns.size() > 1;
    out.terms.push_back(std::move(made));
  }
  std::uint64_t combinations = 1;
  for (std::size_t i = 0; i < out.unknowns.size(); ++i) combinations *= static_cast<std::uint64_t>(m);
  if (!out.nonlinear || combinations > kCombinations) return std::nullopt;
  return out;
}

std::vector<std::int64_t> moduli(const Poly& p) {
  std::vector<std::int64_t> out{3, 4, 5, 7, 8};
  for (const Term& t : p.terms)
    if (t.c.is_small() && abs(t.c) <= Integer(kLargestModulus) && abs(t.c) > Integer(1))
      out.push_back(abs(t.c).small());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

bool Search::solve_for_one_unknown(State& s) {
  PolyRing ring(ctx_.impl());
  for (Literal& l : s.literals) {
    if ((!l.f.is(Op::Ge) && !l.f.is(Op::Le)) || !is_polynomial(l.f)) continue;
    Poly p = difference(ring, l.f);
    if (l.f.is(Op::Le)) p = ring.scale(p, -1);
    const std::optional<OneUnknown> q = in_one_unknown(ring, p);
    if (!q) continue;
    const Expr x(q->atom);
    std::vector<Expr> parts;
    for (const Interval& run : runs_at_least_zero(q->coefficients)) {
      std::vector<Expr> ends;
      if (run.lo) ends.push_back(ctx_.compare(Op::Ge, x, ctx_.integer(*run.lo)));
      if (run.hi) ends.push_back(ctx_.compare(Op::Le, x, ctx_.integer(*run.hi)));
      parts.push_back(ctx_.conj(ends));
    }
    l.f = ctx_.disj(parts);
    steps_ -= std::min<std::uint64_t>(steps_, 4 * p.terms.size());
    return true;
  }
  return false;
}

Search::Settled Search::settle_squares(State& s, const System& system, Deps& core) {
  PolyRing ring(ctx_.impl());
  for (std::size_t i = 0; i < s.literals.size(); ++i) {
    const Expr f = s.literals[i].f;
    if ((!f.is(Op::Ge) && !f.is(Op::Le) && !f.is(Op::Eq)) || !is_polynomial(f)) continue;
    const Poly p = difference(ring, f);
    for (const int sign : {1, -1}) {  // sign*p <= 0
      if (sign == 1 ? f.is(Op::Ge) : f.is(Op::Le)) continue;
      Deps deps = s.literals[i].deps;
      const LeastTerm least = [&](const Node* m, const Integer& c) -> std::optional<Integer> {
        const std::uint32_t* column = system.index().find(m);
        if (column == nullptr) return std::nullopt;
        const Column& known = system.columns[*column];
        const std::optional<Integer>& end = c.sign() > 0 ? known.domain.interval.lo : known.domain.interval.hi;
        if (!end) return std::nullopt;
        deps.merge(known.deps);
        return c * *end;
      };
      steps_ -= std::min<std::uint64_t>(steps_, p.terms.size());
      const std::optional<LeastOfSquares> found = least_of_squares(ring, ring.scale(p, sign), least);
      if (!found || found->value.sign() < 0) continue;
      if (found->value.sign() > 0) {
        core = deps;
        return Settled::contradiction;
      }
      if (!found->exact) continue;
      std::vector<Expr> zeros;
      for (const Poly& form : found->forms)
        zeros.push_back(ctx_.compare(Op::Eq, Expr(ring.node(form)), ctx_.integer(0)));
      s.literals[i].f = ctx_.conj(zeros);
      return Settled::changed;
    }
  }
  return Settled::nothing;
}

// left*right == k: each divisor of k for the one, the rest for the other.
bool Search::split_hyperbola(State& s) {
  constexpr std::int64_t kLargest = 4096;
  constexpr std::size_t kMostParts = 64;  // longer disjunctions are not split
  PolyRing ring(ctx_.impl());
  for (Literal& l : s.literals) {
    if (!l.f.is(Op::Eq) || !is_polynomial(l.f)) continue;
    const Poly p = difference(ring, l.f);
    std::optional<ProductForm> form = as_product(ring, p);
    const Integer constant = ring.constant_of(p);
    if (!form && !constant.is_zero())
      if (std::optional<FactorPair> f = factor(ring, ring.without_constant(p)))
        form = ProductForm{std::move(f->linear), std::move(f->rest), -constant};
    if (!form || (!form->none && abs(form->value) > Integer(kLargest))) continue;
    std::vector<Expr> parts;
    const Expr left(ring.node(form->left)), right(ring.node(form->right));
    const auto both = [&](const Integer& a, const Integer& b) {
      parts.push_back(ctx_.conj(
          std::array{ctx_.compare(Op::Eq, left, ctx_.integer(a)), ctx_.compare(Op::Eq, right, ctx_.integer(b))}));
    };
    const std::int64_t k = form->none ? 1 : form->value.small();
    for (std::int64_t t = 1; !form->none && t <= std::abs(k); ++t)
      if (k % t == 0) both(t, k / t), both(-t, -(k / t));
    if (k == 0)
      for (const Expr f : {left, right}) parts.push_back(ctx_.compare(Op::Eq, f, ctx_.integer(0)));
    if (parts.size() > kMostParts) continue;
    l.f = ctx_.disj(parts);
    steps_ -= std::min<std::uint64_t>(steps_, 4 * (parts.size() + 1));
    return true;
  }
  return false;
}

Search::Settled Search::settle_residues(State& s, const System& system, Deps& core) {
  PolyRing ring(ctx_.impl());
  for (const Literal& l : s.literals) {
    const bool divides = l.f.is(Op::Divides) && l.f[0].is_int() && l.f[0].integer() <= Integer(kLargestModulus);
    if (!divides && (!l.f.is(Op::Eq) || !is_polynomial(l.f))) continue;
    const Poly p = divides ? ring.without_carriers(ring.of(l.f[1].node())) : difference(ring, l.f);
    for (const std::int64_t m : divides ? std::vector{l.f[0].integer().small()} : moduli(p)) {
      const std::optional<Residual> q = reduced(ring, p, m);
      if (!q) continue;
      const std::size_t n = q->unknowns.size();
      std::array<std::int64_t, kUnknowns> at{}, first{}, step{};  // x is first (mod step); step 0: only that
      bool some = false;
      for (bool more = true; more && steps_ > 0;) {
        steps_ -= 1;
        if (q->vanishes(at, m)) {
          if (!some) first = at, some = true;
          for (std::size_t u = 0; u < n; ++u) step[u] = std::gcd(step[u], at[u] - first[u]);
        }
        more = false;  // the next combination
        for (std::size_t u = 0; u < n && !more; ++u) {
          at[u] = (at[u] + 1) % m;
          more = at[u] != 0;
        }
      }
      if (steps_ == 0) return Settled::nothing;
      if (!some) {
        core = l.deps;
        return Settled::contradiction;
      }
      for (std::size_t u = 0; u < n; ++u) {
        const Node* x = q->unknowns[u];
        const std::int64_t k = std::gcd(step[u], m);
        if (k == 1 || x->op != Op::Symbol) continue;
        const std::uint32_t* column = system.index().find(x);
        if (column != nullptr && floor_mod(system.columns[*column].domain.congruence.modulus, k).is_zero()) continue;
        const Expr rest = ctx_.sub(Expr(x), ctx_.integer(first[u]));
        s.literals.push_back({ctx_.canonical(ctx_.make(Op::Divides, {ctx_.integer(k), rest})), l.deps});
        return Settled::changed;
      }
    }
  }
  return Settled::nothing;
}

}  // namespace dimgate
