// Inequalities of products by the signs of their factors.
//
// a*b >= 1   ->  both >= 1 or both <= -1;   a*b >= 0  ->  both >= 0 or both <= 0;   a*b >= c > 1 says the first as well
// p >= 0 with an equality q == 0: p + q and p - q are products where p may be none, as x - y >= 1 is with
// x % d == y % d. Cost: pairs of an inequality and an equality, at most kMostSums.
// Tested by tests/prove/polynomials_test.cpp; lemmas: tests/prove/lemmas_test.cpp.
#include <algorithm>

#include "prove/factor.hpp"
#include "prove/polynomial_literal.hpp"
#include "prove/search.hpp"

namespace dimgate {

namespace {
constexpr std::size_t kMostSums = 64;  // of an inequality and an equality, tried for factors
}

std::vector<Search::Branch> Search::split_product(const Poly& p, const Deps& deps, bool& whole) {
  PolyRing ring(ctx_.impl());
  const auto split = [&](const Poly& product, int least) {
    std::vector<Branch> out;
    const std::optional<FactorPair> f = factor(ring, product);
    if (!f) return out;
    const Expr a(ring.node(f->linear)), b(ring.node(f->rest));
    out.resize(2);
    const Expr lower = ctx_.integer(least), upper = ctx_.integer(-least);
    out[0].assume = {{ctx_.compare(Op::Ge, a, lower), deps}, {ctx_.compare(Op::Ge, b, lower), deps}};
    out[1].assume = {{ctx_.compare(Op::Le, a, upper), deps}, {ctx_.compare(Op::Le, b, upper), deps}};
    return out;
  };
  whole = true;
  for (const int least : {1, 0})  // p >= 0 is p + 1 >= 1
    if (std::vector<Branch> out = split(ring.add(p, ring.constant(least)), least); !out.empty()) return out;
  whole = false;
  const Integer constant = ring.constant_of(p);
  if (effort_ == Effort::plain || !(constant < Integer(-1))) return {};
  return split(ring.add(p, ring.constant(-constant)), 1);  // at least 2 is at least 1
}

std::vector<Search::Branch> Search::split_inequality(const State& s) {
  PolyRing ring(ctx_.impl());
  const auto at_least_zero = [&](Expr f) {
    const Poly p = zero_form(ring, f);
    return f.is(Op::Le) ? ring.scale(p, -1) : p;
  };
  const auto known = [&](const Branch& b) {  // to split on it again would not end
    return std::all_of(b.assume.begin(), b.assume.end(), [&](const Literal& a) {
      return a.f.is_false() || a.f.is_true() ||
             std::any_of(s.literals.begin(), s.literals.end(), [&](const Literal& l) { return l.f == a.f; });
    });
  };
  const auto useful = [&](const std::vector<Branch>& out) { return !out.empty() && !known(out[0]) && !known(out[1]); };
  bool whole = false;  // the branches say all that the inequality says
  for (const Literal& l : s.literals) {
    if ((!l.f.is(Op::Ge) && !l.f.is(Op::Le)) || !is_polynomial(l.f)) continue;
    std::vector<Branch> out = split_product(at_least_zero(l.f), l.deps, whole);
    for (Branch& each : out)
      if (whole) each.replace = {{l.f, ctx_.boolean(true)}};
    if (whole ? !out.empty() : useful(out)) return out;
  }
  if (effort_ == Effort::plain) return {};
  // With an equality added: x - y >= 1 and x - y == d*u - d*v say d*(u - v) >= 1.
  std::size_t tries = 0;
  for (const Literal& e : s.literals) {
    if (!e.f.is(Op::Eq) || e.f[0].sort() != Sort::Int || !is_polynomial(e.f)) continue;
    const Poly zero = zero_form(ring, e.f);
    for (const Literal& l : s.literals) {
      if ((!l.f.is(Op::Ge) && !l.f.is(Op::Le)) || l.f[0].size() > kPolynomialTerms) continue;
      for (const int sign : {1, -1}) {
        if (++tries > kMostSums) return {};
        Deps deps = l.deps;
        deps.merge(e.deps);
        std::vector<Branch> out = split_product(ring.add(at_least_zero(l.f), zero, sign), deps, whole);
        if (useful(out)) return out;
      }
    }
  }
  return {};
}

}  // namespace dimgate
