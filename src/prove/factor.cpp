#include "prove/factor.hpp"

#include <algorithm>

namespace dimgate {

namespace {

constexpr std::int64_t kLargestConstant = 1 << 20;
constexpr std::uint32_t kDegree = 8;

// The atoms of a monomial.
template <class F>
void each_atom(PolyRing& ring, const Node* m, F f) {
  if (m == ring.impl().one) return;
  if (m->op != Op::Mul) return f(m);
  for (std::uint32_t i = 0; i < m->size; ++i) f(m->args()[i]);
}

// p = (a*x + b) * rest, if it is.
std::optional<Factors> split(PolyRing& ring, const Poly& p, const Node* x) {
  Terms with, without;
  for (const Term& t : p.terms) {
    const Node* quotient = ring.divide_monomial(t.m, x);
    if (quotient == nullptr)
      without.push_back(t);
    else if (ring.divide_monomial(quotient, x) != nullptr)
      return std::nullopt;
    else
      with.push_back({t.c, quotient});
  }
  Poly rest = ring.sum(std::move(with), p.total);
  if (ring.is_constant(rest)) return std::nullopt;
  const Integer a = gcd(ring.content(rest), ring.constant_of(rest));
  for (Term& t : rest.terms) t.c = floor_div(t.c, a);
  Integer b = 0;
  if (!without.empty()) {
    if (without.size() != rest.terms.size()) return std::nullopt;
    const Poly other = ring.sum(std::move(without), p.total);
    b = floor_div(other.terms[0].c, rest.terms[0].c);
    for (std::size_t i = 0; i < rest.terms.size(); ++i)
      if (other.terms[i].m != rest.terms[i].m || !(other.terms[i].c == b * rest.terms[i].c)) return std::nullopt;
  }
  Poly linear = ring.add(ring.scale(ring.atom(x), a), ring.constant(b));
  return Factors{std::move(linear), std::move(rest)};
}

}  // namespace

std::optional<Factors> factor(PolyRing& ring, const Poly& whole) {
  const Poly p = ring.without_carriers(whole);
  Nodes tried;
  for (const Term& t : p.terms) {
    if (t.m->op != Op::Mul) continue;  // some monomial of degree 2 or more has an atom of each factor
    std::optional<Factors> found;
    each_atom(ring, t.m, [&](const Node* x) {
      if (found || std::find(tried.begin(), tried.end(), x) != tried.end()) return;
      tried.push_back(x);
      found = split(ring, p, x);
    });
    if (found) return found;
  }
  return std::nullopt;
}

std::optional<Roots> integer_roots(PolyRing& ring, const Poly& whole) {
  const Poly p = ring.without_carriers(whole);
  Roots roots;
  std::vector<Integer> coefficients;
  for (const Term& t : p.terms) {
    std::uint32_t degree = 0;
    bool one_symbol = true;
    each_atom(ring, t.m, [&](const Node* x) {
      ++degree;
      one_symbol = one_symbol && x->op == Op::Symbol && (roots.symbol == nullptr || roots.symbol == x);
      roots.symbol = x;
    });
    if (!one_symbol || degree > kDegree) return std::nullopt;
    if (coefficients.size() <= degree) coefficients.resize(degree + 1);
    coefficients[degree] = t.c;
  }
  if (coefficients.size() < 3 || coefficients[0].is_zero() || abs(coefficients[0]) > Integer(kLargestConstant))
    return std::nullopt;
  const auto vanishes = [&](const Integer& x) {
    Integer v = 0;
    for (std::size_t i = coefficients.size(); i-- > 0;) v = v * x + coefficients[i];
    return v.is_zero();
  };
  const std::int64_t constant = abs(coefficients[0]).small();
  for (std::int64_t d = 1; d * d <= constant; ++d) {
    if (constant % d != 0) continue;
    for (const std::int64_t r : {d, -d, constant / d, -(constant / d)})
      if (vanishes(r)) roots.values.emplace_back(r);
  }
  std::sort(roots.values.begin(), roots.values.end());
  roots.values.erase(std::unique(roots.values.begin(), roots.values.end()), roots.values.end());
  return roots;
}

}  // namespace dimgate
