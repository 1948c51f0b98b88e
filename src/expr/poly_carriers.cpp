// Carriers: terms of value 0 that keep where a polynomial is defined (poly.hpp).
#include <algorithm>

#include "expr/monomials.hpp"
#include "expr/poly.hpp"

namespace dimgate {

namespace {

const Node* carrier(Context::Impl& impl, Op op, const Node* a, const Node* b) {
  const Node* const args[] = {a, b};
  const Node* n = impl.intern(op, Sort::Int, args);
  n->canon = n;
  return n;
}

// The carriers with the domain of a partial atom.
void carriers_of(const PolyRing& ring, const Node* a, Nodes& out) {
  Context::Impl& impl = ring.impl();
  if (ring.is_carrier(a))
    out.push_back(a);
  else if (a->op == Op::FloorDiv && a->args()[0]->total && a->args()[1]->total)
    ring.divisor_carriers(a->args()[1], out);
  else
    out.push_back(carrier(impl, Op::Mul, impl.zero, a));
}

}  // namespace

void PolyRing::divisor_carriers(const Node* d, Nodes& out) const {
  const Poly p = of(d);
  if (!p.total || p.terms.empty()) {
    out.push_back(carrier(impl_, Op::FloorDiv, impl_.zero, d));
    return;
  }
  if (p.terms.size() == 1) {  // c*x*y != 0 where x != 0 and y != 0
    const Factors f = factors(impl_, p.terms[0].m);
    for (std::size_t i = 0; i < f.size; ++i)
      if (i == 0 || f.begin[i] != f.begin[i - 1]) out.push_back(carrier(impl_, Op::FloorDiv, impl_.zero, f.begin[i]));
    return;
  }
  Integer g = gcd(content(p), constant_of(p));
  if (p.terms[0].c.sign() < 0) g = -g;
  Poly primitive = p;
  for (Term& t : primitive.terms) t.c = floor_div(t.c, g);
  out.push_back(carrier(impl_, Op::FloorDiv, impl_.zero, node(primitive)));
}

namespace {

// Calls f on each partial atom of p, carriers included.
template <class F>
void partial_atoms(const PolyRing& ring, const Poly& p, F f) {
  if (p.total) return;
  for (const Term& t : p.terms) {
    const Factors fs = factors(ring.impl(), t.m);
    for (std::size_t i = 0; i < fs.size; ++i)
      if (!fs.begin[i]->total) f(fs.begin[i]);
  }
}

}  // namespace

bool PolyRing::has_partial_atoms(const Poly& p) const {
  return std::any_of(p.terms.begin(), p.terms.end(), [](const Term& t) { return !t.m->total; });
}

// No term is or holds a carrier, and nothing divides by a plain 0.
bool PolyRing::is_plain(const Poly& p) const {
  bool plain = std::none_of(p.terms.begin(), p.terms.end(), [&](const Term& t) { return is_carrier(t.m); });
  partial_atoms(*this, p, [&](const Node* a) {
    plain = plain && !is_carrier(a) && !(a->op == Op::FloorDiv && a->args()[1] == impl_.zero);
  });
  return plain;
}

void PolyRing::normalise_carriers(Poly& p) const {
  if (p.total) return;
  if (is_plain(p)) {
    p.total = !has_partial_atoms(p);
    return;
  }
  // A carrier counts once, and not at all beside an atom with the same domain.
  Nodes covered, carriers;
  Terms rest;
  partial_atoms(*this, p, [&](const Node* a) {
    if (!is_carrier(a)) carriers_of(*this, a, covered);
  });
  for (Term& t : p.terms) {
    if (t.m != impl_.one && is_carrier(t.m))
      carriers.push_back(t.m);
    else
      rest.push_back(std::move(t));
  }
  p.terms = std::move(rest);
  const auto in = [](const Nodes& v, const Node* n) { return std::find(v.begin(), v.end(), n) != v.end(); };
  Nodes kept;
  bool nowhere = false;
  for (const Node* c : carriers) {
    nowhere = nowhere || (c->op == Op::FloorDiv && c->args()[1] == impl_.zero);
    if (!in(covered, c) && !in(kept, c)) kept.push_back(c);
  }
  for (const Node* c : covered) nowhere = nowhere || (c->op == Op::FloorDiv && c->args()[1] == impl_.zero);
  if (nowhere) {  // undefined everywhere
    p.terms.clear();
    kept = Nodes{carrier(impl_, Op::FloorDiv, impl_.zero, impl_.zero)};
  }
  for (const Node* c : kept) p.terms.push_back({1, c});
  std::sort(p.terms.begin(), p.terms.end(), [&](const Term& a, const Term& b) { return order(a.m, b.m) < 0; });
  p.total = !has_partial_atoms(p);
}

// No carrier anywhere, and p has every partial atom of `from`: then p has its domain as it stands.
bool PolyRing::mentions_all_partial(const Poly& p, const Poly& from) const {
  for (const Poly* each : {&p, &from})
    for (const Term& t : each->terms)
      if (t.m != impl_.one && is_carrier(t.m)) return false;
  bool all = true, any = false;
  partial_atoms(*this, from, [&](const Node* a) {
    any = true;
    bool found = is_carrier(a);  // inside a product: left to the general way
    if (found) all = false;
    for (std::size_t i = 0; all && !found && i < p.terms.size(); ++i) {
      const Factors f = factors(impl_, p.terms[i].m);
      found = std::find(f.begin, f.begin + f.size, a) != f.begin + f.size;
    }
    all = all && found;
  });
  return all && any;
}

// Where p's only partial atoms are carriers: each of them once, the new ones put where they belong. false: p is not so,
// or undefined everywhere; then p is as it was.
bool PolyRing::insert_carriers(Poly& p, std::span<const Node* const> carriers) const {
  const auto nowhere = [&](const Node* c) { return c->op == Op::FloorDiv && c->args()[1] == impl_.zero; };
  for (const Term& t : p.terms)
    if (is_carrier(t.m) ? nowhere(t.m) : !t.m->total) return false;
  if (std::any_of(carriers.begin(), carriers.end(), nowhere)) return false;
  for (Term& t : p.terms)
    if (is_carrier(t.m)) t.c = 1;
  for (const Node* c : carriers) {
    std::size_t at = 0;
    while (at < p.terms.size() && p.terms[at].m != c && order(p.terms[at].m, c) < 0) ++at;
    if (at < p.terms.size() && p.terms[at].m == c) continue;
    p.terms.emplace_back(1, c);
    std::rotate(p.terms.begin() + at, p.terms.end() - 1, p.terms.end());
  }
  p.total = std::none_of(p.terms.begin(), p.terms.end(), [&](const Term& t) { return is_carrier(t.m); });
  return true;
}

void PolyRing::keep_domain(Poly& p, const Poly& from) const {
  if (from.total) return;
  if (mentions_all_partial(p, from)) {
    p.total = false;
    return;
  }
  Nodes carriers;
  partial_atoms(*this, from, [&](const Node* a) { carriers_of(*this, a, carriers); });
  if (carriers.size() <= 8 && insert_carriers(p, carriers)) return;
  for (const Node* c : carriers) p.terms.push_back({1, c});
  p.total = false;
  normalise_carriers(p);
}

void PolyRing::require_nonzero(Poly& p, const Node* divisor) const {
  Nodes carriers;
  divisor_carriers(divisor, carriers);
  if (insert_carriers(p, carriers)) return;
  for (const Node* c : carriers) p.terms.push_back({1, c});
  p.total = false;
  normalise_carriers(p);
}

Poly PolyRing::without_carriers(const Poly& p) const {
  if (p.total) return p;
  Poly r;
  for (const Term& t : p.terms) {
    if (t.m != impl_.one && is_carrier(t.m)) continue;
    r.terms.push_back(t);
    r.total = r.total && t.m->total;
  }
  return r;
}

bool PolyRing::has_only_carriers(const Poly& p) const {
  return std::all_of(p.terms.begin(), p.terms.end(),
                     [&](const Term& t) { return t.m == impl_.one || is_carrier(t.m); });
}

}  // namespace dimgate
