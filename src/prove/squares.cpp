#include "prove/squares.hpp"

#include <algorithm>

namespace dimgate {

namespace {

constexpr std::size_t kSquareTerms = 24;  // longer polynomials are left alone
constexpr std::size_t kPivots = 6;
constexpr std::size_t kOrders = 4;  // first pivots tried

// z with z*z == m, or null.
const Node* root_of(PolyRing& ring, const Node* m) {
  if (m->op != Op::Mul || m->size % 2 != 0) return nullptr;
  const Node* z = ring.impl().one;
  for (std::uint32_t i = 0; i < m->size; i += 2) {
    if (m->args()[i] != m->args()[i + 1]) return nullptr;
    z = ring.multiply_monomials(z, m->args()[i]);
  }
  return z;
}

Integer least_square(const PolyRing& ring, const Poly& form) {
  const Integer g = ring.content(form), r = floor_mod(ring.constant_of(form), g);
  const Integer away = std::min(r, g - r);
  return away * away;
}

// A lower end of p term by term.
std::optional<Integer> least_by_terms(const PolyRing& ring, const Poly& p, const LeastTerm& least) {
  Integer sum = 0;
  for (const Term& t : p.terms) {
    const std::optional<Integer> end = t.m == ring.impl().one ? t.c : least(t.m, t.c);
    if (!end) return std::nullopt;
    sum += *end;
  }
  return sum;
}

std::optional<LeastOfSquares> try_order(PolyRing& ring, Poly p, std::size_t first, const LeastTerm& least) {
  LeastOfSquares out;
  SmallVector<Integer, 6> divisors, squares;
  while (out.forms.size() < kPivots && p.terms.size() <= kSquareTerms) {
    std::size_t skip = out.forms.empty() ? first : 0;
    std::optional<Completed> next;
    for (const Term& t : p.terms) {
      const Node* z = t.c.sign() > 0 ? root_of(ring, t.m) : nullptr;
      if (z == nullptr || skip-- > 0) continue;
      next = complete(ring, p, t, z);
      break;
    }
    if (!next) break;
    divisors.push_back(4 * next->d);
    squares.push_back(least_square(ring, next->form));
    out.forms.push_back(std::move(next->form));
    p = std::move(next->rest);
  }
  if (out.forms.empty()) return std::nullopt;
  std::optional<Integer> end = least_by_terms(ring, p, least);
  if (!end) return std::nullopt;
  out.exact = ring.is_constant(p);
  for (std::size_t i = divisors.size(); i-- > 0;) {
    const Integer whole = squares[i] + *end;
    end = ceil_div(whole, divisors[i]);
    out.exact = out.exact && squares[i].is_zero() && *end * divisors[i] == whole;
  }
  out.value = *end;
  return out;
}

}  // namespace

std::optional<Completed> complete(PolyRing& ring, const Poly& p, const Term& square, const Node* z) {
  Terms linear, others;
  for (const Term& t : p.terms) {
    if (t.m == square.m) continue;
    const Node* w = ring.divide_monomial(t.m, z);
    if (w == nullptr)
      others.push_back(t);
    else if (ring.divide_monomial(w, z) == nullptr)
      linear.push_back({t.c, w});
    else
      return std::nullopt;
  }
  const Poly b = ring.sum(std::move(linear), p.total), c = ring.sum(std::move(others), p.total);
  Poly form = ring.add(b, ring.atom(z), 2 * square.c);
  return Completed{square.c, std::move(form), ring.add(ring.scale(c, 4 * square.c), ring.mul(b, b), -1)};
}

std::optional<LeastOfSquares> least_of_squares(PolyRing& ring, const Poly& p, const LeastTerm& least) {
  std::optional<LeastOfSquares> best;
  for (std::size_t first = 0; first < kOrders; ++first) {
    std::optional<LeastOfSquares> found = try_order(ring, p, first, least);
    if (found && (!best || found->value > best->value)) best = std::move(found);
  }
  return best;
}

}  // namespace dimgate
