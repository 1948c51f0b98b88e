#include "prove/product_form.hpp"

#include <algorithm>

#include "prove/squares.hpp"

namespace dimgate {

namespace {

constexpr std::size_t kProductTerms = 6;

std::optional<Integer> exact_root(const Integer& d) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 20;
  if (d.sign() <= 0 || !d.is_small() || d.small() > kLargest) return std::nullopt;
  std::int64_t s = 1;
  while (s * s < d.small()) ++s;
  if (s * s != d.small()) return std::nullopt;
  return Integer(s);
}

Integer divide_by_content(const PolyRing& ring, Poly& p) {
  const Integer g = gcd(ring.content(p), ring.constant_of(p));
  for (Term& t : p.terms) t.c = floor_div(t.c, g);
  return g;
}

}  // namespace

std::optional<ProductForm> as_product(PolyRing& ring, const Poly& whole) {
  if (whole.terms.size() > kProductTerms || whole.terms.empty() || whole.terms[0].m->degree != 2) return std::nullopt;
  const auto square = [&](const Term& t) {
    return t.m->op == Op::Mul && t.m->size == 2 && t.m->args()[0] == t.m->args()[1];
  };
  const Term* first = std::find_if(whole.terms.begin(), whole.terms.end(), square);
  if (first == whole.terms.end()) return std::nullopt;
  const Poly p = first->c.sign() > 0 ? whole : ring.scale(whole, -1);
  const Term lead{abs(first->c), first->m};
  const std::optional<Completed> n = complete(ring, p, lead, lead.m->args()[0]);  // 4a*p = n^2 + rest, D = -rest
  if (!n) return std::nullopt;
  const Node* y = nullptr;
  Integer d, e, g;
  for (const Term& t : n->rest.terms) {
    if (t.m == ring.impl().one) {
      g = -t.c;
      continue;
    }
    const Node* atom = t.m->op == Op::Mul ? t.m->args()[0] : t.m;
    if (!(t.m == atom || square(t)) || (y != nullptr && y != atom)) return std::nullopt;
    y = atom;
    (t.m == atom ? e : d) = -t.c;
  }
  const std::optional<Integer> s = y == nullptr ? std::nullopt : exact_root(d);
  if (!s) return std::nullopt;
  const Poly m = ring.add(ring.scale(ring.atom(y), 2 * d), ring.constant(e)), scaled = ring.scale(n->form, 2 * *s);
  ProductForm out{ring.add(scaled, m, -1), ring.add(scaled, m), 4 * d * g - e * e};
  const Integer content = divide_by_content(ring, out.left) * divide_by_content(ring, out.right);
  out.none = !floor_mod(out.value, content).is_zero();
  out.value = floor_div(out.value, content);
  return out;
}

}  // namespace dimgate
