#include "expr/poly.hpp"

#include <algorithm>

#include "expr/monomials.hpp"

namespace dimgate {

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
