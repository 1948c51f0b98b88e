// Canonical atoms; connectives: canonical_connectives.cpp. Rules and side conditions: canonical.hpp.
#include <algorithm>
#include <bit>

#include "expr/canonical.hpp"
#include "expr/comparisons.hpp"

namespace dimgate {

namespace {
constexpr int kQuotientSteps = 32;
constexpr std::size_t kPairLimit = 4;  // distinct(...) of so many total terms becomes pairs

bool is_constant_quotient(const Node* m) {
  return m->op == Op::FloorDiv && m->args()[1]->op == Op::IntConst && m->args()[1]->integer->sign() > 0;
}
}  // namespace

bool Canonicalizer::undefined_everywhere(const Poly& p) const {
  return p.terms.size() == 1 && p.terms[0].m->op == Op::FloorDiv && p.terms[0].m->args()[1] == impl_.zero;
}

// `value` where `domain` is defined: an equation between carriers, or a plain constant.
const Node* Canonicalizer::constant_truth(bool value, const Poly& domain) {
  if (domain.total) return value ? impl_.yes : impl_.no;
  const Poly zero = ring_.scale(domain, 0);
  if (zero.total) return value ? impl_.yes : impl_.no;
  if (undefined_everywhere(zero)) value = true;  // both truths are never
  return intern(Op::Eq, {ring_.node(zero), value ? impl_.zero : impl_.one});
}

const Node* Canonicalizer::at_least_zero(Poly p) {
  // e//k + g >= 0 <=> e + k*g >= 0;  g - e//k >= 0 <=> k*g + k - 1 - e >= 0.
  for (int step = 0; step < kQuotientSteps; ++step) {
    const Term* quotient = nullptr;
    for (const Term& t : p.terms)
      if (is_constant_quotient(t.m) && (t.c.is_one() || t.c == Integer(-1))) {
        quotient = &t;
        break;
      }
    if (quotient == nullptr) break;
    const Node* q = quotient->m;
    const Integer k = *q->args()[1]->integer, c = quotient->c;
    Poly g = ring_.add(p, ring_.atom(q), -c);
    g = ring_.add(ring_.scale(g, k), ring_.of(q->args()[0]), c);
    if (c.sign() < 0) ring_.shift(g, k - 1);
    ring_.keep_domain(g, p);
    p = std::move(g);
  }
  const Integer c0 = ring_.constant_of(p);
  if (ring_.has_only_carriers(p)) return constant_truth(c0.sign() >= 0, p);
  const Integer g = ring_.content(p);
  Poly lin = std::move(p);
  ring_.shift(lin, -c0);
  if (!g.is_one())
    for (Term& t : lin.terms) t.c = ring_.is_carrier(t.m) ? t.c : floor_div(t.c, g);
  const Term* lead = nullptr;
  for (const Term& t : lin.terms)
    if (!ring_.is_carrier(t.m)) {
      lead = &t;
      break;
    }
  const Integer bound = floor_div(c0, g);  // lin + bound >= 0
  if (lead->c.sign() > 0) return intern(Op::Ge, {ring_.node(lin), impl_.intern_integer(-bound)});
  return intern(Op::Le, {ring_.node(ring_.scale(lin, -1)), impl_.intern_integer(bound)});
}

// lo <= e and e <= hi.
const Node* Canonicalizer::between(const Poly& e, const Integer& lo, const Integer& hi) {
  const bool plain =
      e.total && !e.terms.empty() && e.terms[0].m != impl_.one && e.terms[0].c.sign() > 0 &&
      std::none_of(e.terms.begin(), e.terms.end(), [](const Term& t) { return is_constant_quotient(t.m); });
  if (!plain) {
    Poly above = e, below = ring_.scale(e, -1);
    ring_.shift(above, -lo);
    ring_.shift(below, hi);
    const Node* lower = at_least_zero(std::move(above));
    return junction(Op::And, {lower, at_least_zero(std::move(below))});
  }
  // As at_least_zero would for either, with the common left side made once.
  const Integer c = ring_.constant_of(e), g = ring_.content(e);
  Poly lin = ring_.without_constant(e);
  if (!g.is_one())
    for (Term& t : lin.terms) t.c = floor_div(t.c, g);
  const Node* left = ring_.node(lin);
  const Node* lower = intern(Op::Ge, {left, impl_.intern_integer(ceil_div(lo - c, g))});
  return junction(Op::And, {lower, intern(Op::Le, {left, impl_.intern_integer(floor_div(hi - c, g))})});
}

const Node* Canonicalizer::equals_zero(Poly p) {
  const Integer c0 = ring_.constant_of(p);
  if (ring_.has_only_carriers(p)) return constant_truth(c0.is_zero(), p);
  const Integer g = ring_.content(p);
  if (!floor_mod(c0, g).is_zero()) return constant_truth(false, p);
  Poly lin = ring_.without_constant(p);
  const Term* lead = nullptr;
  for (const Term& t : lin.terms)
    if (!ring_.is_carrier(t.m)) {
      lead = &t;
      break;
    }
  const Integer scale = lead->c.sign() < 0 ? -g : g;
  for (Term& t : lin.terms) t.c = ring_.is_carrier(t.m) ? t.c : floor_div(t.c, scale);
  const Integer rhs = -floor_div(c0, scale);  // lin == rhs
  if (lin.terms.size() == 1 && is_constant_quotient(lin.terms[0].m)) {
    const Node* q = lin.terms[0].m;
    const Poly e = ring_.of(q->args()[0]);
    const Integer k = *q->args()[1]->integer;
    return between(e, k * rhs, k * rhs + k - 1);
  }
  // A remainder: f - k*(f//k) == r, where f//k may be written e//(a*k) with f = e//a.
  for (const Term& t : lin.terms) {
    if (!is_constant_quotient(t.m)) continue;
    const Integer k = abs(t.c), whole = *t.m->args()[1]->integer;
    if (k.is_one() || !floor_mod(whole, k).is_zero()) continue;
    const Integer s = t.c.sign() < 0 ? 1 : -1;  // s*lin = f' - k*q with f' the other terms
    Poly f = quotient_by_constant(ring_.of(t.m->args()[0]), floor_div(whole, k));
    Poly others = ring_.scale(ring_.add(lin, ring_.atom(t.m), -t.c), s);
    Poly difference = ring_.add(others, f, -1);
    if (!difference.total || !ring_.is_constant(difference)) continue;
    // f + difference - k*(f//k) == s*rhs
    const Integer r = s * rhs - ring_.constant_of(difference);
    if (r.sign() < 0 || r >= k) return constant_truth(false, p);
    ring_.shift(f, -r);
    return divides_constant(k, std::move(f));
  }
  return intern(Op::Eq, {ring_.node(lin), impl_.intern_integer(rhs)});
}

const Node* Canonicalizer::divides_constant(Integer k, Poly e) {
  k = abs(k);
  for (int round = 0; round < 3; ++round) {
    Poly f;
    f.total = e.total;
    for (const Term& t : e.terms) {
      Integer r = floor_mod(t.c, k);
      if (t.m != impl_.one && r + r > k) r -= k;
      if (!r.is_zero()) f.terms.push_back({std::move(r), t.m});
    }
    if (!e.total) ring_.keep_domain(f, e);
    e = std::move(f);
    const Integer c0 = ring_.constant_of(e);
    if (ring_.has_only_carriers(e)) return constant_truth(c0.is_zero(), e);
    const Integer g = gcd(ring_.content(e), k);
    if (!floor_mod(c0, g).is_zero()) return constant_truth(false, e);
    if (!g.is_one()) {
      for (Term& t : e.terms) t.c = ring_.is_carrier(t.m) ? t.c : floor_div(t.c, g);
      k = floor_div(k, g);
    }
    if (k.is_one()) return constant_truth(true, e);
    const Term* lead = nullptr;
    for (const Term& t : e.terms)
      if (!ring_.is_carrier(t.m)) {
        lead = &t;
        break;
      }
    if (lead->c.is_one()) break;
    Integer d, x, y;
    extended_gcd(lead->c, k, d, x, y);
    if (d.is_one()) {
      e = ring_.scale(e, x);  // x is a unit mod k
    } else if (lead->c.sign() < 0) {
      e = ring_.scale(e, -1);
    } else {
      break;
    }
  }
  return intern(Op::Divides, {impl_.intern_integer(k), ring_.node(e)});
}

// e % k == r for constants k > 0 and r.
const Node* Canonicalizer::residue(Op op, const Node* e, const Node* k, const Node* r) {
  Poly p = ring_.of(e);
  if (!p.total) return compare(op, remainder(e, k), r);
  const Node* same = impl_.no;
  if (r->integer->sign() >= 0 && *r->integer < *k->integer) {
    ring_.shift(p, -*r->integer);
    same = divides_constant(*k->integer, std::move(p));
  }
  return op == Op::Eq ? same : negate(same);
}

const Node* Canonicalizer::divides(const Node* k, const Node* e) {
  const Poly d = ring_.of(k);
  if (d.total && ring_.is_constant(d) && !d.is_zero()) return divides_constant(ring_.constant_of(d), ring_.of(e));
  return equals_zero(remainder(ring_.of(e), d));
}

// A symbol and a constant need no polynomial: what most declarations are.
const Node* Canonicalizer::compare_symbol(Op op, const Node* symbol, const Integer& c) {
  switch (op) {
    case Op::Ge:
      return intern(Op::Ge, {symbol, impl_.intern_integer(c)});
    case Op::Gt:
      return intern(Op::Ge, {symbol, impl_.intern_integer(c + 1)});
    case Op::Le:
      return intern(Op::Le, {symbol, impl_.intern_integer(c)});
    case Op::Lt:
      return intern(Op::Le, {symbol, impl_.intern_integer(c - 1)});
    default: {
      const Node* same = intern(Op::Eq, {symbol, impl_.intern_integer(c)});
      return op == Op::Eq ? same : negate(same);
    }
  }
}

const Node* Canonicalizer::compare(Op op, const Node* a, const Node* b) {
  if (a->sort == Sort::Int) {
    if (a->op == Op::Symbol && b->op == Op::IntConst) return compare_symbol(op, a, *b->integer);
    if (b->op == Op::Symbol && a->op == Op::IntConst) return compare_symbol(mirrored(op), b, *a->integer);
    const bool less = op == Op::Le || op == Op::Lt;
    Poly d = less ? ring_.add(ring_.of(b), ring_.of(a), -1) : ring_.add(ring_.of(a), ring_.of(b), -1);
    switch (op) {
      case Op::Ge:
      case Op::Le:
        return at_least_zero(std::move(d));
      case Op::Gt:
      case Op::Lt:
        ring_.shift(d, -1);
        return at_least_zero(std::move(d));
      case Op::Eq:
        return equals_zero(std::move(d));
      default:
        return negate(equals_zero(std::move(d)));
    }
  }
  if (a->sort == Sort::Bool) {
    const Node* same = iff(a, b);
    return op == Op::Eq ? same : negate(same);
  }
  const Node* same = nullptr;
  if (a->op == Op::FloatConst && b->op == Op::FloatConst)
    same = std::bit_cast<double>(a->bits) == std::bit_cast<double>(b->bits) ? impl_.yes : impl_.no;
  else if (a->sort == Sort::Enum && a == b && a->total)
    same = impl_.yes;
  else if (a->op == Op::EnumConst && b->op == Op::EnumConst)
    same = impl_.no;
  else if (order_nodes(impl_, a, b) < 0)
    same = intern(Op::Eq, {a, b});
  else
    same = intern(Op::Eq, {b, a});
  return op == Op::Eq ? same : negate(same);
}

const Node* Canonicalizer::iff(const Node* a, const Node* b) {
  if (a == impl_.yes) return b;
  if (b == impl_.yes) return a;
  if (a == impl_.no) return negate(b);
  if (b == impl_.no) return negate(a);
  if (a == b && a->total) return impl_.yes;
  const Node* na = negate(a);
  if (na == b && a->total) return impl_.no;
  if (order_nodes(impl_, na, a) < 0) {
    a = na;
    b = negate(b);
  }
  if (order_nodes(impl_, b, a) < 0) {
    std::swap(a, b);
    if (const Node* n = negate(a); order_nodes(impl_, n, a) < 0) {
      a = n;
      b = negate(b);
    }
  }
  return intern(Op::Iff, {a, b});
}

const Node* Canonicalizer::distinct(std::span<const Node* const> args) {
  Nodes v;
  v.append(args.begin(), args.end());
  const bool total = std::all_of(v.begin(), v.end(), [](const Node* n) { return n->total; });
  std::sort(v.begin(), v.end(), [&](const Node* a, const Node* b) { return order_nodes(impl_, a, b) < 0; });
  if (total) {
    if (v.size() < 2) return impl_.yes;
    if (v[0]->sort != Sort::Float && std::adjacent_find(v.begin(), v.end()) != v.end()) return impl_.no;
  }
  if (v.size() == 2) return compare(Op::Ne, v[0], v[1]);
  if (total &&
      (v.size() <= kPairLimit || std::all_of(v.begin(), v.end(), [](const Node* n) { return n->op < Op::Symbol; }))) {
    Nodes pairs;
    for (std::size_t i = 0; i < v.size(); ++i)
      for (std::size_t j = i + 1; j < v.size(); ++j) pairs.push_back(compare(Op::Ne, v[i], v[j]));
    return junction(Op::And, pairs);
  }
  return intern(Op::Distinct, v);
}

const Node* Canonicalizer::member(std::span<const Node* const> args) {
  const Node* e = args[0];
  Nodes v;
  v.append(args.begin() + 1, args.end());
  std::sort(v.begin(), v.end(), [&](const Node* a, const Node* b) { return order_nodes(impl_, a, b) < 0; });
  v.erase_from(std::unique(v.begin(), v.end()));
  const bool constants = std::all_of(v.begin(), v.end(), [](const Node* n) { return n->op < Op::Symbol; });
  const bool total = e->total && std::all_of(v.begin(), v.end(), [](const Node* n) { return n->total; });
  if (v.size() == 1) return compare(Op::Eq, e, v[0]);
  if (v.empty())
    return e->total ? impl_.no : (e->sort == Sort::Int ? constant_truth(false, ring_.of(e)) : intern(Op::In, {e}));
  if (total && (!constants || e->op < Op::Symbol)) {
    Nodes each;
    each.reserve(v.size());
    for (const Node* c : v) each.push_back(compare(Op::Eq, e, c));
    return junction(Op::Or, each);
  }
  if (constants && e->sort == Sort::Int &&
      *v.back()->integer - *v.front()->integer == Integer(static_cast<std::int64_t>(v.size() - 1))) {
    const Poly p = ring_.of(e);
    const Node* lower = at_least_zero(ring_.add(p, ring_.of(v.front()), -1));
    const Node* upper = at_least_zero(ring_.add(ring_.of(v.back()), p, -1));
    return junction(Op::And, {lower, upper});
  }
  Nodes operands{e};
  operands.append(v.begin(), v.end());
  return intern(Op::In, operands);
}

}  // namespace dimgate
