#include "expr/poly.hpp"

#include <algorithm>

namespace dimgate {

namespace {

struct Factors {  // the atoms of a monomial, without copying
  const Node* const* begin;
  std::size_t size;
};

Factors factors(const Context::Impl& impl, const Node* const& m) {
  if (m == impl.one) return {nullptr, 0};
  if (m->op == Op::Mul && !(m->size > 0 && m->args()[0] == impl.zero)) return {m->args(), m->size};
  return {&m, 1};
}

const Node* monomial(Context::Impl& impl, std::span<const Node* const> atoms) {
  if (atoms.empty()) return impl.one;
  if (atoms.size() == 1) return atoms[0];
  return impl.intern(Op::Mul, Sort::Int, atoms);
}

}  // namespace

int PolyRing::order(const Node* a, const Node* b) const {
  if (a == b) return 0;
  const Factors fa = factors(impl_, a), fb = factors(impl_, b);
  if (fa.size != fb.size) return fa.size > fb.size ? -1 : 1;
  for (std::size_t i = 0; i < fa.size; ++i)
    if (fa.begin[i] != fb.begin[i]) return order_nodes(impl_, fa.begin[i], fb.begin[i]);
  return 0;
}

Poly PolyRing::constant(const Integer& c) const {
  Poly p;
  if (!c.is_zero()) p.terms.push_back({c, impl_.one});
  return p;
}

Poly PolyRing::atom(const Node* a) const {
  Poly p;
  p.terms.push_back({1, a});
  p.total = a->total;
  return p;
}

Poly PolyRing::of(const Node* n) const {
  Poly p;
  p.total = n->total;
  const auto push = [&](const Node* t) {
    if (t->op == Op::IntConst) {
      if (t != impl_.zero) p.terms.emplace_back(*t->integer, impl_.one);
    } else if (t->op == Op::Mul && t->args()[0]->op == Op::IntConst && t->args()[0] != impl_.zero) {
      p.terms.emplace_back(*t->args()[0]->integer, monomial(impl_, {t->args() + 1, t->size - 1}));
    } else {
      p.terms.emplace_back(1, t);
    }
  };
  if (n->op != Op::Add) {
    push(n);
    return p;
  }
  p.terms.reserve(n->size);
  for (std::uint32_t i = 0; i < n->size; ++i) push(n->args()[i]);
  return p;
}

const Node* PolyRing::scaled(const Integer& c, const Node* m) const {
  if (m == impl_.one) return impl_.intern_integer(c);
  if (c.is_one()) return m;
  const Node* k = impl_.intern_integer(c);
  const Factors f = factors(impl_, m);
  if (f.size == 1) {
    const Node* const args[] = {k, m};
    return impl_.intern(Op::Mul, Sort::Int, args);
  }
  Nodes args{k};
  args.append(f.begin, f.begin + f.size);
  return impl_.intern(Op::Mul, Sort::Int, args);
}

const Node* PolyRing::node(const Poly& p) const {
  if (p.terms.empty()) return impl_.zero;
  const Node* n = nullptr;
  if (p.terms.size() == 1) {
    n = scaled(p.terms[0].c, p.terms[0].m);
  } else {
    Nodes args;
    args.reserve(p.terms.size());
    for (const Term& t : p.terms) args.push_back(scaled(t.c, t.m));
    n = impl_.intern(Op::Add, Sort::Int, args);
  }
  n->canon = n;
  return n;
}

bool PolyRing::is_carrier(const Node* m) const {
  return (m->op == Op::FloorDiv || (m->op == Op::Mul && m->size == 2)) && m->args()[0] == impl_.zero;
}

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

Poly PolyRing::add(const Poly& a, const Poly& b, const Integer& k) const {
  if (a.total && b.total && is_constant(b)) {  // the commonest sum
    Poly r = a;
    if (!b.terms.empty()) shift(r, b.terms[0].c * k);
    return r;
  }
  Poly r;
  if (const std::size_t most = a.terms.size() + b.terms.size(); most > 8) r.terms.reserve(most);
  std::size_t i = 0, j = 0;
  while (i < a.terms.size() || j < b.terms.size()) {
    int o = 0;
    if (i == a.terms.size())
      o = 1;
    else if (j == b.terms.size())
      o = -1;
    else
      o = order(a.terms[i].m, b.terms[j].m);
    if (o < 0) {
      r.terms.emplace_back(a.terms[i++]);
    } else if (o > 0) {
      r.terms.emplace_back(b.terms[j].c * k, b.terms[j].m);
      ++j;
      if (r.terms.back().c.is_zero()) r.terms.pop_back();
    } else {
      r.terms.emplace_back(a.terms[i].c + k * b.terms[j].c, a.terms[i].m);
      ++i, ++j;
      if (r.terms.back().c.is_zero()) r.terms.pop_back();
    }
  }
  r.total = a.total && b.total;
  if (!r.total) {
    keep_domain(r, a);
    keep_domain(r, b);
  }
  return r;
}

void PolyRing::shift(Poly& p, const Integer& c) const {  // the constant is the last term
  if (c.is_zero()) return;
  if (p.terms.empty() || p.terms.back().m != impl_.one) {
    p.terms.push_back({c, impl_.one});
    return;
  }
  p.terms.back().c += c;
  if (p.terms.back().c.is_zero()) p.terms.pop_back();
}

Poly PolyRing::scale(const Poly& a, const Integer& k) const {
  if (k.is_one()) return a;
  Poly r;
  r.total = a.total;
  if (!k.is_zero()) {
    r.terms.reserve(a.terms.size());
    for (const Term& t : a.terms) r.terms.emplace_back(t.c * k, t.m);
  }
  if (!a.total) keep_domain(r, a);
  return r;
}

Poly PolyRing::sum(Terms terms, bool total) const {
  Poly r;
  Poly all;
  if (!total) all = Poly{terms, false};
  const auto before = [&](const Term& a, const Term& b) { return order(a.m, b.m) < 0; };
  const auto after = [&](const Term& a, const Term& b) { return order(b.m, a.m) < 0; };
  if (std::is_sorted(terms.begin(), terms.end(), after))  // long sums mostly come sorted, one way or the other
    std::reverse(terms.begin(), terms.end());
  else if (!std::is_sorted(terms.begin(), terms.end(), before))
    std::sort(terms.begin(), terms.end(), before);
  for (Term& t : terms) {
    if (!r.terms.empty() && r.terms.back().m == t.m)
      r.terms.back().c += t.c;
    else
      r.terms.push_back(std::move(t));
  }
  r.terms.remove_if([](const Term& t) { return t.c.is_zero(); });
  r.total = total;
  if (!total) keep_domain(r, all);
  return r;
}

const Node* PolyRing::multiply_monomials(const Node* a, const Node* b) const {
  if (a == impl_.one) return b;
  if (b == impl_.one) return a;
  const Factors fa = factors(impl_, a), fb = factors(impl_, b);
  Nodes atoms;
  atoms.reserve(fa.size + fb.size);
  std::merge(fa.begin, fa.begin + fa.size, fb.begin, fb.begin + fb.size, std::back_inserter(atoms),
             [&](const Node* x, const Node* y) { return order_nodes(impl_, x, y) < 0; });
  return monomial(impl_, atoms);
}

const Node* PolyRing::divide_monomial(const Node* a, const Node* b) const {
  if (b == impl_.one) return a;
  const Factors fa = factors(impl_, a), fb = factors(impl_, b);
  if (fa.size < fb.size) return nullptr;
  Nodes atoms;
  std::size_t j = 0;
  for (std::size_t i = 0; i < fa.size; ++i) {
    if (j < fb.size && fa.begin[i] == fb.begin[j])
      ++j;
    else
      atoms.push_back(fa.begin[i]);
  }
  return j == fb.size ? monomial(impl_, atoms) : nullptr;
}

Poly PolyRing::mul(const Poly& a, const Poly& b) const {
  if (is_constant(a) && !a.terms.empty()) return scale(b, a.terms[0].c);
  if (is_constant(b) && !b.terms.empty()) return scale(a, b.terms[0].c);
  const Poly &lone = a.terms.size() == 1 ? a : b, &other = a.terms.size() == 1 ? b : a;
  if (a.total && b.total && lone.terms.size() == 1 && other.terms.size() <= kExpandLimit) {
    Terms terms;
    for (const Term& t : other.terms)
      terms.emplace_back(lone.terms[0].c * t.c, multiply_monomials(lone.terms[0].m, t.m));
    return sum(std::move(terms), true);
  }
  const Poly* const both[] = {&a, &b};
  return product(both);
}

Poly PolyRing::product(std::span<const Poly* const> fs) const {
  // Single-term factors (and the content of long ones) gather in one term; the rest is expanded if small.
  Poly lone = constant(1);
  SmallVector<const Poly*, 8> sums;
  bool total = true, zero = false;
  std::size_t monomials = 1;
  for (const Poly* each : fs) {
    const Poly& f = *each;
    total = total && f.total;
    if (content(f).is_zero() && constant_of(f).is_zero()) zero = true;  // empty, or carriers only
    if (f.terms.size() <= 1) {
      if (!f.terms.empty() && !zero)
        lone = Poly{{{lone.terms[0].c * f.terms[0].c, multiply_monomials(lone.terms[0].m, f.terms[0].m)}}, true};
    } else {
      monomials = std::min<std::size_t>(monomials * f.terms.size(), kExpandLimit + 1);
      sums.push_back(each);
    }
  }
  Poly r;
  if (zero) {
    r = Poly{};
  } else if (monomials <= kExpandLimit) {
    r = lone;
    for (const Poly* f : sums) {
      Terms terms;
      terms.reserve(r.terms.size() * f->terms.size());
      for (const Term& x : r.terms)
        for (const Term& y : f->terms) terms.push_back({x.c * y.c, multiply_monomials(x.m, y.m)});
      r = sum(std::move(terms), true);
    }
  } else {
    Integer c = lone.terms[0].c;
    const Node* m = lone.terms[0].m;
    for (const Poly* each : sums) {  // primitive, leading coefficient positive
      const Poly& f = *each;
      Integer g = gcd(content(f), constant_of(f));
      if (f.terms[0].c.sign() < 0) g = -g;
      Poly p;
      p.total = f.total;
      for (const Term& t : f.terms) p.terms.push_back({is_carrier(t.m) ? t.c : floor_div(t.c, g), t.m});
      c *= g;
      m = multiply_monomials(m, node(p));
    }
    r = Poly{{{c, m}}, true};
  }
  if (!total) {
    r.total = false;
    // Multiplying by a carrier gives value 0: drop such products, their domains come back below.
    r.terms.remove_if([&](const Term& t) {
      const Factors f = factors(impl_, t.m);
      return std::any_of(f.begin, f.begin + f.size, [&](const Node* a) { return is_carrier(a); });
    });
    for (const Poly* f : fs) keep_domain(r, *f);
    normalise_carriers(r);
  }
  return r;
}

Integer PolyRing::constant_of(const Poly& p) const {
  return !p.terms.empty() && p.terms.back().m == impl_.one ? p.terms.back().c : Integer(0);
}

Integer PolyRing::content(const Poly& p) const {
  Integer g = 0;
  for (const Term& t : p.terms)
    if (t.m != impl_.one && !is_carrier(t.m)) {
      g = gcd(g, t.c);
      if (g.is_one()) break;
    }
  return g;
}

Poly PolyRing::without_constant(const Poly& p) const {
  Poly r = p;
  if (!r.terms.empty() && r.terms.back().m == impl_.one) r.terms.pop_back();
  return r;
}

}  // namespace dimgate
