// Canonical quotients, remainders and maxima. Rules and side conditions: canonical.hpp.
#include <algorithm>

#include "expr/canonical.hpp"

namespace dimgate {

namespace {
constexpr int kDivisionSteps = 64;  // polynomial long division gives up (and changes nothing) beyond
constexpr std::size_t kMaxOperands = 16;
}  // namespace

Poly Canonicalizer::quotient(const Poly& p, const Poly& d) {
  if (!p.total || !d.total) {  // carriers only matter for where the quotient is defined
    const Poly dividend = ring_.without_carriers(p), divisor = ring_.without_carriers(d);
    if (dividend.terms.size() != p.terms.size() || divisor.terms.size() != d.terms.size()) {
      Poly r = quotient(dividend, divisor);
      ring_.keep_domain(r, p);
      ring_.keep_domain(r, d);
      return r;
    }
  }
  if (ring_.is_constant(d)) {
    const Integer k = ring_.constant_of(d);
    if (k.is_zero()) {
      Poly r;
      ring_.require_nonzero(r, impl_.zero);
      return r;
    }
    return k.sign() < 0 ? quotient_by_constant(ring_.scale(p, -1), -k) : quotient_by_constant(p, k);
  }
  return quotient_by_term(p, d);
}

Poly Canonicalizer::quotient_by_constant(Poly p, Integer k) {
  Poly whole;  // accumulated outside the quotient
  Integer sign = 1;
  Poly domain;  // a carrier inside the quotient would only say where it is defined
  if (!p.total) ring_.keep_domain(domain, p);
  const auto finish = [&](const Poly& rest, const Integer& times) {
    Poly r = whole.is_zero() && times.is_one() ? rest : ring_.add(whole, rest, times);
    ring_.keep_domain(r, domain);
    return r;
  };
  for (;;) {
    if (k.is_one()) return finish(p, sign);
    Poly q, f;
    if (!p.total) p = ring_.without_carriers(p);
    for (const Term& t : p.terms) {
      Integer r = floor_mod(t.c, k);
      if (t.m != impl_.one && r > k - r) r -= k;
      if (r != t.c) {
        q.terms.emplace_back(floor_div(t.c - r, k), t.m);
        q.total = q.total && t.m->total;
      }
      if (!r.is_zero()) {
        f.total = f.total && t.m->total;
        f.terms.emplace_back(std::move(r), t.m);
      }
    }
    if (whole.is_zero() && sign.is_one() && q.total)
      whole = std::move(q);
    else if (!q.terms.empty())
      whole = ring_.add(whole, q, sign);
    if (ring_.is_constant(f)) return finish({}, 1);  // 0 <= f < k
    if (f.terms[0].c.sign() < 0) {
      p = ring_.scale(f, -1);
      ring_.shift(p, k - 1);
      sign = -sign;
      continue;
    }
    Integer g = gcd(ring_.content(f), k);
    if (!g.is_one()) {
      for (Term& t : f.terms) t.c = floor_div(t.c, g);
      f.terms.remove_if([](const Term& t) { return t.c.is_zero(); });
      k = floor_div(k, g);
    }
    // (e//a + c)//k -> (e + a*c)//(a*k)
    const Node* inner = f.terms[0].m;
    if (f.terms[0].c.is_one() && inner->op == Op::FloorDiv && inner->args()[1]->op == Op::IntConst &&
        (f.terms.size() == 1 || (f.terms.size() == 2 && f.terms[1].m == impl_.one))) {
      const Integer a = *inner->args()[1]->integer;
      if (a.sign() > 0 && (a * k).is_small()) {
        p = ring_.of(inner->args()[0]);
        ring_.shift(p, a * ring_.constant_of(f));
        k = a * k;
        continue;
      }
    }
    const Node* const args[] = {ring_.node(f), impl_.intern_integer(k)};
    const Node* atom = intern(Op::FloorDiv, args, Sort::Int);
    return finish(ring_.atom(atom), sign);
  }
}

// A symbol that the dividend does not mention: nothing divides out, and the quotient is defined where the symbol is
// not 0, which is all that the general way below would add.
bool Canonicalizer::divides_out_nothing(const Poly& p, const Poly& d) const {
  if (!p.total || p.is_zero() || d.terms.size() != 1 || !d.terms[0].c.is_one() || d.terms[0].m->op != Op::Symbol)
    return false;
  const Node* symbol = d.terms[0].m;
  return std::none_of(p.terms.begin(), p.terms.end(), [&](const Term& t) {
    return t.m == symbol ||
           (t.m->op == Op::Mul && std::find(t.m->args(), t.m->args() + t.m->size, symbol) != t.m->args() + t.m->size);
  });
}

Poly Canonicalizer::quotient_by_term(Poly p, Poly d) {
  if (divides_out_nothing(p, d)) {
    const Node* const args[] = {ring_.node(p), d.terms[0].m};
    return ring_.atom(intern(Op::FloorDiv, args, Sort::Int));
  }
  Poly domain;  // everything the quotient must stay defined with
  domain.total = false;
  ring_.keep_domain(domain, p);
  ring_.keep_domain(domain, d);
  domain.total = false;
  if (d.terms[0].c.sign() < 0) {
    p = ring_.scale(p, -1);
    d = ring_.scale(d, -1);
  }
  const Node* divisor = ring_.node(d);
  ring_.require_nonzero(domain, divisor);
  // p = d*e + f by long division on leading terms, kept only if it removes every multiple of d's leading term.
  Poly whole, rest = p;
  for (int step = 0; step < kDivisionSteps; ++step) {
    bool reduced = false;
    for (const Term& t : rest.terms) {
      const Node* m = ring_.divide_monomial(t.m, d.terms[0].m);
      if (m == nullptr) continue;
      // Coefficients: take out the floor quotient so that what stays is in [0, lead).
      const Integer c = floor_div(t.c, d.terms[0].c);
      if (c.is_zero()) continue;
      const Poly e{{{c, m}}, m->total};
      whole = ring_.add(whole, e);
      rest = ring_.add(rest, ring_.mul(d, e), -1);
      reduced = true;
      break;
    }
    if (!reduced) break;
    if (step == kDivisionSteps - 1) whole = Poly{}, rest = p;
  }
  rest = ring_.without_carriers(rest);  // their domain is in `domain`
  Poly result;
  if (rest.is_zero()) {
    result = whole;
  } else {
    // Common constant and monomial factors of rest and divisor.
    const Integer g =
        gcd(gcd(ring_.content(rest), ring_.constant_of(rest)), gcd(ring_.content(d), ring_.constant_of(d)));
    const Node* common = rest.terms[0].m;
    const auto shrink = [&](const Poly& q) {
      for (const Term& t : q.terms) {
        // The largest monomial dividing both, atom by atom.
        const Node* next = impl_.one;
        const Node* left = t.m;
        const Node* scan = common;
        const auto each = [&](const Node* a) {
          if (const Node* m = ring_.divide_monomial(left, a); m != nullptr) {
            left = m;
            next = ring_.multiply_monomials(next, a);
          }
        };
        if (scan != impl_.one) {
          if (scan->op == Op::Mul && scan->args()[0] != impl_.zero)
            for (std::uint32_t i = 0; i < scan->size; ++i) each(scan->args()[i]);
          else
            each(scan);
        }
        common = next;
      }
    };
    shrink(rest);
    shrink(d);
    const auto reduce = [&](Poly& q) {
      for (Term& t : q.terms) {
        t.c = floor_div(t.c, g);
        t.m = ring_.divide_monomial(t.m, common);
      }
      std::sort(q.terms.begin(), q.terms.end(),
                [&](const Term& a, const Term& b) { return ring_.order(a.m, b.m) < 0; });
    };
    if (rest.total && d.total && (!g.is_one() || common != impl_.one)) {
      reduce(rest);
      reduce(d);
    }
    if (ring_.is_constant(d) && d.total) {
      result = ring_.add(whole, quotient(rest, d));
    } else {
      const Node* const args[] = {ring_.node(rest), ring_.node(d)};
      const Node* atom = intern(Op::FloorDiv, args, Sort::Int);
      result = ring_.add(whole, ring_.atom(atom));
    }
  }
  ring_.keep_domain(result, domain);
  return result;
}

Poly Canonicalizer::remainder(const Poly& p, const Poly& d) {
  const Poly q = quotient(p, d);
  if (q.total && d.terms.size() == 1 && ring_.is_constant(d)) return ring_.add(p, q, -d.terms[0].c);
  return ring_.add(p, ring_.mul(d, q), -1);
}

// r + max(u, v) becomes r + u, r + v, all operands at once and again, as long as that leaves few.
Canonicalizer::Polys Canonicalizer::flattened(Polys args) const {
  const auto inner = [](const Poly& p) -> const Node* {
    for (const Term& t : p.terms)
      if (t.m->op == Op::Max && t.c.is_one()) return t.m;
    return nullptr;
  };
  for (;;) {
    std::size_t count = 0;
    bool any = false;
    for (const Poly& p : args) {
      const Node* m = inner(p);
      count += m == nullptr ? 1 : m->size;
      any = any || m != nullptr;
    }
    if (!any || count > kMaxOperands) return args;
    Polys flat;
    for (Poly& p : args) {
      const Node* m = inner(p);
      if (m == nullptr) {
        flat.push_back(std::move(p));
        continue;
      }
      const Poly rest = ring_.add(p, ring_.atom(m), -1);
      for (std::uint32_t i = 0; i < m->size; ++i) {
        Poly q = ring_.add(rest, ring_.of(m->args()[i]));
        ring_.keep_domain(q, p);
        flat.push_back(std::move(q));
      }
    }
    args = std::move(flat);
  }
}

Poly Canonicalizer::maximum(Polys args) {
  Polys flat = flattened(std::move(args));
  bool total = true;
  Poly domain;
  for (Poly& p : flat) {
    total = total && p.total;
    if (p.total) continue;
    ring_.keep_domain(domain, p);
    p = ring_.without_carriers(p);
  }
  // Operands that differ by a constant: the larger stays.
  Polys kept;
  for (Poly& p : flat) {
    bool absorbed = false;
    for (Poly& q : kept) {
      if (p.terms.size() > q.terms.size() + 1 || q.terms.size() > p.terms.size() + 1) continue;
      const Poly d = ring_.add(p, q, -1);
      if (!ring_.is_constant(d) && !ring_.has_only_carriers(d)) continue;
      if (ring_.constant_of(d).sign() > 0) std::swap(p, q);
      absorbed = true;
      break;
    }
    if (!absorbed) kept.push_back(std::move(p));
  }
  Poly result;
  if (kept.size() == 1) {
    result = kept[0];
  } else {
    // Terms that every operand has alike, and the least constant, move out.
    Poly common = kept[0];
    Integer least = ring_.constant_of(kept[0]);
    common = ring_.without_constant(common);
    for (const Poly& p : kept) {
      least = std::min(least, ring_.constant_of(p));
      common.terms.remove_if([&](const Term& t) {
        return std::none_of(p.terms.begin(), p.terms.end(), [&](const Term& u) { return u.m == t.m && u.c == t.c; });
      });
    }
    common = ring_.add(common, ring_.constant(least));
    Integer g = 0;
    for (Poly& p : kept) {
      p = ring_.without_carriers(ring_.add(p, common, -1));
      g = gcd(g, gcd(ring_.content(p), ring_.constant_of(p)));
    }
    if (!g.is_zero() && !g.is_one())
      for (Poly& p : kept)
        for (Term& t : p.terms) t.c = floor_div(t.c, g);
    const bool nested =
        g > 1 && std::any_of(kept.begin(), kept.end(), [](const Poly& p) {
          return std::any_of(p.terms.begin(), p.terms.end(), [](const Term& t) { return t.m->op == Op::Max; });
        });
    Nodes nodes;
    if (nested)  // a maximum of coefficient 1 now, which flattens
      nodes.push_back(ring_.node(maximum(std::move(kept))));
    else
      for (const Poly& p : kept) nodes.push_back(ring_.node(p));
    std::sort(nodes.begin(), nodes.end(), [&](const Node* a, const Node* b) { return order_nodes(impl_, a, b) < 0; });
    nodes.erase_from(std::unique(nodes.begin(), nodes.end()));
    if (nodes.size() == 1)
      result = ring_.add(common, ring_.of(nodes[0]), g > 1 ? g : Integer(1));
    else
      result = ring_.add(common, ring_.atom(intern(Op::Max, nodes, Sort::Int)), g > 1 ? g : Integer(1));
  }
  if (!total) ring_.keep_domain(result, domain);
  return result;
}

// The greatest of symbols, flattened: nothing absorbs or moves out. Null where an operand is anything else.
const Node* Canonicalizer::maximum_of_symbols(std::span<const Node* const> args) {
  Nodes symbols;
  for (const Node* a : args) {
    if (a->op == Op::Symbol) {
      symbols.push_back(a);
    } else if (a->op == Op::Max &&
               std::all_of(a->args(), a->args() + a->size, [](const Node* each) { return each->op == Op::Symbol; })) {
      symbols.append(a->args(), a->args() + a->size);
    } else {
      return nullptr;
    }
  }
  if (symbols.size() > kMaxOperands) return nullptr;
  std::sort(symbols.begin(), symbols.end(), [&](const Node* a, const Node* b) { return order_nodes(impl_, a, b) < 0; });
  symbols.erase_from(std::unique(symbols.begin(), symbols.end()));
  return symbols.size() == 1 ? symbols[0] : intern(Op::Max, symbols, Sort::Int);
}

const Node* Canonicalizer::maximum(std::span<const Node* const> args, bool minimum) {
  if (!minimum)
    if (const Node* n = maximum_of_symbols(args)) return n;
  Polys polys;
  polys.reserve(args.size());
  for (const Node* a : args) polys.push_back(minimum ? ring_.scale(ring_.of(a), -1) : ring_.of(a));
  const Poly m = maximum(std::move(polys));
  return ring_.node(minimum ? ring_.scale(m, -1) : m);
}

const Node* Canonicalizer::ite(const Node* c, const Node* x, const Node* y) {
  if (c == impl_.yes) return x;
  if (c == impl_.no) return y;
  if (x == y && c->total) return x;
  if (const Node* n = negate(c); order_nodes(impl_, n, c) < 0) {
    c = n;
    std::swap(x, y);
  }
  if (x->sort == Sort::Bool && c->total) {
    return junction(Op::Or, {junction(Op::And, {c, x}), junction(Op::And, {negate(c), y})});
  }
  const Node* const args[] = {c, x, y};
  return intern(Op::Ite, args, x->sort);
}

}  // namespace dimgate
