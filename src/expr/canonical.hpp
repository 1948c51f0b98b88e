// The canonical form: equal by the rules below = the same node, whatever the order of building.
//
// Int terms are polynomials (poly.hpp). The rules, each with its side condition:
//   e % d            -> e - d*(e//d)                              (same domain: d != 0)
//   e // -k          -> (-e)//k                                   k > 0
//   (k*e + f)//k     -> e + f//k                                  k != 0; coefficients of f reduced into (-k/2, k/2]
//   (-f)//k          -> -((f + k - 1)//k)                         k > 0; the leading coefficient becomes positive
//   (g*f + c)//(g*k) -> (f + c//g)//k                             g > 0
//   (e//a + c)//b    -> (e + a*c)//(a*b)                          a > 0, b > 0, a*b fits int64
//   (d*e + f)//d     -> e + f//d                                  domain kept: d != 0
//   (g*p)//(g*d)     -> p//d  for a constant g != 0; for a monomial g with g != 0 kept as a carrier
//   ceildiv(a, b)    -> -((-a)//b)
//   min(a, b)        -> -max(-a, -b);  abs(x) -> max(x, -x)
//   max(a + e, b + e)-> max(a, b) + e;  max(g*a, g*b) -> g*max(a, b), g > 0;  max(e, e + c) -> e + max(0, c)
//   max(a, r + max(b, c)) -> max(a, r + b, r + c)                 up to 16 operands
// Atoms over Bool:
//   p >= 0 with p primitive, leading coefficient positive, constant on the right; integer tightening
//   e//k + g >= c    -> e + k*g >= k*c                            k > 0 (and the mirror image)
//   e//k == c        -> k*c <= e and e <= k*c + k - 1             k > 0
//   f - k*(f//k) == r-> divides(k, f - r), 0 <= r < k, else false; also where f = e//a and f//k is e//(a*k)
//                       (written e % k == r: at once, without the polynomial of the remainder)
//   divides(k, e)    -> coefficients reduced mod k, gcd divided out, leading coefficient 1 where invertible
//   negation normal form; and/or flattened, sorted, idempotent; bounds on one term merged
//   divides(k, e + a) and divides(m, e + b) -> false              e total, a - b not 0 mod gcd(k, m); dually for or
//   all k of divides(k, e + c), or'ed        -> true               e total; dually for and
// Derivations for all constants: floor(x/k) is the q with 0 <= x - k*q < k (k > 0; mirrored for k < 0).
//   multiples leave: x = k*e + f, q = e + f//k:  x - k*q = f - k*(f//k), which is in range; the same with d for k.
//   leading sign: floor(-y/k) = -ceil(y/k) and ceil(y/k) = floor((y + k - 1)/k).
//   common factor: g*q <= (g*f + c)/k < g*q + g  <=>  q <= (f + c/g)/k  <=>  q <= (f + c//g)/k, as f, k, q are
//   integers. nested: floor((floor(e/a) + c)/b) = floor(floor((e + a*c)/a)/b) = floor((e + a*c)/(a*b)), a, b > 0.
//   bounds of quotients: e//k >= m <=> e >= k*m;  e//k <= m <=> e <= k*m + k - 1  (k > 0).
//   classes of one term: e = -a (mod k) and e = -b (mod m) have a common solution iff gcd(k, m) divides a - b.
//   congruences: coefficients mod k, and a unit u of Z/k, change neither side of k | e.
// Every rule is proved and has an "applies" and a "does not apply" case in tests/expr/rules_test.cpp.
#pragma once

#include "expr/poly.hpp"

namespace dimgate {

class Canonicalizer {
 public:
  explicit Canonicalizer(Context::Impl& impl) : impl_(impl), ring_(impl) {}

  const Node* canonical(const Node* raw);

  // Over canonical operands.
  const Node* add(const Node* a, const Node* b, const Integer& k) {
    return ring_.node(ring_.add(ring_.of(a), ring_.of(b), k));
  }
  const Node* mul(const Node* a, const Node* b) { return ring_.node(ring_.mul(ring_.of(a), ring_.of(b))); }
  const Node* quotient(const Node* a, const Node* b) { return ring_.node(quotient(ring_.of(a), ring_.of(b))); }
  const Node* remainder(const Node* a, const Node* b) { return ring_.node(remainder(ring_.of(a), ring_.of(b))); }
  const Node* maximum(std::span<const Node* const> args, bool minimum);
  const Node* ite(const Node* c, const Node* x, const Node* y);
  const Node* compare(Op op, const Node* a, const Node* b);
  const Node* junction(Op op, std::span<const Node* const> parts);  // And, Or
  const Node* junction(Op op, std::initializer_list<const Node*> parts) {
    return junction(op, std::span(parts.begin(), parts.size()));
  }
  const Node* negate(const Node* p);
  const Node* iff(const Node* a, const Node* b);
  const Node* divides(const Node* k, const Node* e);
  const Node* distinct(std::span<const Node* const> args);
  const Node* member(std::span<const Node* const> args);

 private:
  // canonical_int.cpp
  Poly quotient(const Poly& p, const Poly& d);
  Poly quotient_by_constant(Poly p, Integer k);
  Poly quotient_by_term(Poly p, Poly d);
  [[nodiscard]] bool divides_out_nothing(const Poly& p, const Poly& d) const;
  Poly remainder(const Poly& p, const Poly& d);
  using Polys = SmallVector<Poly, 4>;
  Poly maximum(Polys args);
  Polys flattened(Polys args) const;
  const Node* maximum_of_symbols(std::span<const Node* const> args);
  // canonical_atoms.cpp
  const Node* at_least_zero(Poly p);
  const Node* equals_zero(Poly p);
  const Node* between(const Poly& e, const Integer& lo, const Integer& hi);
  const Node* compare_symbol(Op op, const Node* symbol, const Integer& c);
  const Node* divides_constant(Integer k, Poly e);
  const Node* residue(Op op, const Node* e, const Node* k, const Node* r);
  const Node* constant_truth(bool value, const Poly& domain);
  [[nodiscard]] bool undefined_everywhere(const Poly& p) const;
  const Node* intern(Op op, std::initializer_list<const Node*> args) {
    return intern(op, std::span(args.begin(), args.size()));
  }
  const Node* intern(Op op, std::span<const Node* const> args, Sort sort = Sort::Bool) {
    const Node* n = impl_.intern(op, sort, args);
    n->canon = n;
    return n;
  }
  // canonical_connectives.cpp
  const Node* negate_step(const Node* p);
  bool merge_bounds(Op op, Nodes& parts);
  const Node* few_atoms(Op op, Nodes& parts);
  bool has_complements(const Nodes& parts);
  // canonical_residues.cpp
  static bool residues_may_meet(const Node* a, const Node* b);
  static bool residues_decide(Op op, const Nodes& parts);
  // canonical.cpp
  struct Pending {
    const Node* node;
    bool opened;  // its operands lie above it on the stack
  };
  using Stack = SmallVector<Pending, 32>;
  void push_operands(const Node* n, Stack& stack);
  const Node* build(const Node* n);
  const Node* build_linear(const Node* n);
  const Node* build_product(const Node* n);
  const Node* build_junction(const Node* n);

  Context::Impl& impl_;
  PolyRing ring_;
};

}  // namespace dimgate
