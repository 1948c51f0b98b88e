// Polynomials with Integer coefficients over atoms: the working form of canonical Int terms.
//
// Atoms are canonical nodes that are not sums or products (symbols, quotients, Max, Ite, and sums kept as factors when
// a product would exceed 64 monomials). A monomial is the node `one`, an atom, or Mul(atoms sorted). A Poly is sorted
// by degree (high first), then by atoms; no coefficient is 0.
//
// Definedness. Terms may be undefined, and cancelling must not widen where they are defined: a//b - a//b is 0 only
// where b != 0. An atom that vanishes leaves a *carrier*: an atom of value 0 with the same domain, `0//b` or `0*atom`.
// Tested by tests/expr/canonical_test.cpp (raw against canonical on boxes with zero divisors).
#pragma once

#include "base/small_vector.hpp"
#include "expr/context_impl.hpp"

namespace dimgate {

struct Term {
  Integer c;
  const Node* m = nullptr;
};

using Terms = SmallVector<Term, 6>;
using Nodes = SmallVector<const Node*, 8>;  // a short list of operands

struct Poly {
  Terms terms;
  bool total = true;  // no atom can be undefined
  [[nodiscard]] bool is_zero() const { return terms.empty(); }
};

/// Products are expanded up to this many monomials; above it they stay sorted factors.
inline constexpr std::size_t kExpandLimit = 64;

class PolyRing {
 public:
  explicit PolyRing(Context::Impl& impl) : impl_(impl) {}

  Poly of(const Node* canonical) const;
  const Node* node(const Poly& p) const;
  Poly constant(const Integer& c) const;
  Poly atom(const Node* a) const;

  /// a + k*b.
  Poly add(const Poly& a, const Poly& b, const Integer& k = 1) const;
  Poly scale(const Poly& a, const Integer& k) const;
  /// p += c, in place.
  void shift(Poly& p, const Integer& c) const;
  /// Product, expanded within kExpandLimit.
  Poly mul(const Poly& a, const Poly& b) const;
  /// Sum of many terms in any order; near-linear.
  Poly sum(Terms terms, bool total) const;
  /// Product of many factors at once: the same node however they were nested.
  Poly product(std::span<const Poly* const> factors) const;

  [[nodiscard]] bool is_constant(const Poly& p) const {
    return p.terms.empty() || (p.terms.size() == 1 && p.terms[0].m == impl_.one);
  }
  [[nodiscard]] Integer constant_of(const Poly& p) const;  // the constant term, 0 if none
  /// gcd of the coefficients of non-constant terms; 0 if there are none.
  [[nodiscard]] Integer content(const Poly& p) const;
  /// p without its constant term.
  [[nodiscard]] Poly without_constant(const Poly& p) const;
  /// p without its carriers: the same value where p is defined.
  [[nodiscard]] Poly without_carriers(const Poly& p) const;
  [[nodiscard]] bool has_only_carriers(const Poly& p) const;
  /// Adds carriers for the partial atoms of `from` that p no longer mentions.
  void keep_domain(Poly& p, const Poly& from) const;
  /// Adds what makes p undefined where `divisor` is 0.
  void require_nonzero(Poly& p, const Node* divisor) const;
  /// Carriers that are defined exactly where d != 0: 0//d with d primitive, a product by its factors.
  void divisor_carriers(const Node* d, Nodes& out) const;
  [[nodiscard]] bool is_carrier(const Node* m) const {
    return (m->op == Op::FloorDiv || (m->op == Op::Mul && m->size == 2)) && m->args()[0] == impl_.zero;
  }
  /// Exact monomial quotient a/b, or null.
  const Node* divide_monomial(const Node* a, const Node* b) const;
  const Node* multiply_monomials(const Node* a, const Node* b) const;
  /// Term order: <0 if a comes first.
  int order(const Node* a, const Node* b) const;

  Context::Impl& impl() const { return impl_; }

 private:
  [[nodiscard]] bool has_partial_atoms(const Poly& p) const;
  [[nodiscard]] bool is_plain(const Poly& p) const;
  void normalise_carriers(Poly& p) const;
  [[nodiscard]] bool mentions_all_partial(const Poly& p, const Poly& from) const;
  bool insert_carriers(Poly& p, std::span<const Node* const> carriers) const;
  const Node* scaled(const Integer& c, const Node* monomial) const;
  Context::Impl& impl_;
};

}  // namespace dimgate
