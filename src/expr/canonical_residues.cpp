// Congruences of one term that decide a conjunction or disjunction together. Rules: canonical.hpp.
#include <algorithm>

#include "expr/canonical.hpp"

namespace dimgate {

namespace {

// p: divides(k, terms + c) or its negation.
struct Residue {
  const Node* p;
  bool negated;
  const Integer* modulus;
  std::span<const Node* const> terms;
  Integer c;
};

std::optional<Residue> residue_of(const Node* p) {
  const bool negated = p->op == Op::Not;
  const Node* d = negated ? p->args()[0] : p;
  if (d->op != Op::Divides || d->args()[0]->op != Op::IntConst || !d->total) return std::nullopt;
  const Node* e = d->args()[1];
  std::span<const Node* const> terms(d->args() + 1, 1);
  if (e->op != Op::Add) return Residue{p, negated, d->args()[0]->integer, terms, 0};
  terms = {e->args(), e->size};
  const Node* last = terms.back();
  if (last->op != Op::IntConst) return Residue{p, negated, d->args()[0]->integer, terms, 0};
  return Residue{p, negated, d->args()[0]->integer, terms.first(terms.size() - 1), *last->integer};
}

bool same_terms(const Residue& a, const Residue& b) {
  return std::equal(a.terms.begin(), a.terms.end(), b.terms.begin(), b.terms.end());
}

// No integer is in both classes.
bool disjoint(const Residue& a, const Residue& b) {
  return !floor_mod(a.c - b.c, gcd(*a.modulus, *b.modulus)).is_zero();
}

using Residues = SmallVector<Residue, 6>;

// The classes of `a`'s modulus among those from `a` on, of one term, are all there are.
bool covers(const Residues& all, std::size_t first) {
  const Residue& a = all[first];
  std::size_t count = 0;
  for (std::size_t i = first; i < all.size(); ++i)
    count += all[i].negated == a.negated && *all[i].modulus == *a.modulus && same_terms(all[i], a) ? 1 : 0;
  return *a.modulus == Integer::from_u64(count);
}

}  // namespace

bool Canonicalizer::residues_may_meet(const Node* a, const Node* b) {
  const std::optional<Residue> x = residue_of(a), y = residue_of(b);
  return x && y && same_terms(*x, *y);
}

// The parts are sorted and each is there once, so one class is not counted twice.
bool Canonicalizer::residues_decide(Op op, const Nodes& parts) {
  Residues all;
  for (const Node* p : parts)
    if (p->op == Op::Divides || p->op == Op::Not)
      if (const std::optional<Residue> r = residue_of(p)) all.push_back(*r);
  const bool conjunction = op == Op::And;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const bool both = all[i].negated != conjunction && all[j].negated != conjunction;
      if (both && same_terms(all[i], all[j]) && disjoint(all[i], all[j])) return true;
    }
    if (all[i].negated == conjunction && covers(all, i)) return true;
  }
  return false;
}

}  // namespace dimgate
