#include "prove/factor.hpp"

#include <algorithm>

#include "prove/runs.hpp"

namespace dimgate {

namespace {

constexpr std::size_t kMostTerms = 16, kMostSquared = 4;  // split_by_ratio

// The atoms of a monomial.
template <class F>
void each_atom(PolyRing& ring, const Node* m, F f) {
  if (m == ring.impl().one) return;
  if (m->op != Op::Mul) return f(m);
  for (std::uint32_t i = 0; i < m->size; ++i) f(m->args()[i]);
}

// p = (a*x + b) * rest, if it is.
std::optional<FactorPair> split(PolyRing& ring, const Poly& p, const Node* x) {
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
  return FactorPair{std::move(linear), std::move(rest)};
}

// Coefficients of p by power of x: polynomials free of x.
std::vector<Poly> by_power(PolyRing& ring, const Poly& p, const Node* x) {
  std::vector<Terms> parts(1);
  for (const Term& t : p.terms) {
    std::size_t power = 0;
    const Node* m = t.m;
    for (const Node* q = ring.divide_monomial(m, x); q != nullptr; q = ring.divide_monomial(m, x)) m = q, ++power;
    if (parts.size() <= power) parts.resize(power + 1);
    parts[power].push_back({t.c, m});
  }
  std::vector<Poly> out;
  for (Terms& terms : parts) out.push_back(ring.sum(std::move(terms), p.total));
  return out;
}

// p = (x - r) * rest by Horner's scheme, if it is.
std::optional<FactorPair> divide(PolyRing& ring, const std::vector<Poly>& powers, const Node* x, const Poly& r) {
  Terms rest;
  Poly carry = powers.back();
  for (std::size_t i = powers.size() - 1; i-- > 0;) {
    const Node* power = ring.impl().one;
    for (std::size_t k = 0; k < i; ++k) power = ring.multiply_monomials(power, x);
    for (const Term& t : carry.terms) rest.push_back({t.c, ring.multiply_monomials(t.m, power)});
    carry = ring.add(powers[i], ring.mul(carry, r));
  }
  if (!carry.is_zero()) return std::nullopt;
  return FactorPair{ring.add(ring.atom(x), r, -1), ring.sum(std::move(rest), powers.back().total)};
}

// (x - k*y) * rest for two atoms that have squares in p and a small k.
std::optional<FactorPair> split_by_ratio(PolyRing& ring, const Poly& p) {
  if (p.terms.size() > kMostTerms) return std::nullopt;
  Nodes squared;
  for (const Term& t : p.terms)
    for (std::uint32_t i = 1; t.m->op == Op::Mul && i < t.m->size; ++i) {
      const Node* a = t.m->args()[i];
      if (a == t.m->args()[i - 1] && std::find(squared.begin(), squared.end(), a) == squared.end())
        squared.push_back(a);
    }
  for (std::size_t i = 0; i < squared.size() && squared.size() <= kMostSquared; ++i)
    for (std::size_t j = i + 1; j < squared.size(); ++j) {
      const std::vector<Poly> powers = by_power(ring, p, squared[i]);
      for (const int k : {1, -1, 2, -2, 3, -3, 4, -4})
        if (auto found = divide(ring, powers, squared[i], ring.scale(ring.atom(squared[j]), k))) return found;
    }
  return std::nullopt;
}

}  // namespace

std::optional<FactorPair> factor(PolyRing& ring, const Poly& whole) {
  const Poly p = ring.without_carriers(whole);
  Nodes tried;
  for (const Term& t : p.terms) {
    if (t.m->op != Op::Mul) continue;  // some monomial of degree 2 or more has an atom of each factor
    std::optional<FactorPair> found;
    each_atom(ring, t.m, [&](const Node* x) {
      if (found || std::find(tried.begin(), tried.end(), x) != tried.end()) return;
      tried.push_back(x);
      found = split(ring, p, x);
    });
    if (found) return found;
  }
  return split_by_ratio(ring, p);
}

std::optional<Roots> integer_roots(PolyRing& ring, const Poly& whole) {
  const std::optional<OneUnknown> p = in_one_unknown(ring, ring.without_carriers(whole));
  if (!p || p->coefficients[0].is_zero()) return std::nullopt;
  return Roots{p->atom, integer_zeros(p->coefficients)};
}

}  // namespace dimgate
