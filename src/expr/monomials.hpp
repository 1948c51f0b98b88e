// Monomials as nodes: `one`, an atom, or Mul(atoms sorted). Private to the polynomials (poly.hpp).
#pragma once

#include <span>

#include "expr/context_impl.hpp"

namespace dimgate {

/// The atoms of a monomial, without copying; none of `one`.
struct Factors {
  const Node* const* begin;
  std::size_t size;
};

inline Factors factors(const Context::Impl& impl, const Node* const& m) {
  if (m == impl.one) return {nullptr, 0};
  if (m->op == Op::Mul && !(m->size > 0 && m->args()[0] == impl.zero)) return {m->args(), m->size};
  return {&m, 1};
}

inline const Node* monomial(Context::Impl& impl, std::span<const Node* const> atoms) {
  if (atoms.empty()) return impl.one;
  if (atoms.size() == 1) return atoms[0];
  return impl.intern(Op::Mul, Sort::Int, atoms);
}

}  // namespace dimgate
