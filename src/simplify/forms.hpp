// Spelling formulas as people write them: small builders over raw nodes, how dear a formula is to read, and the order
// in which conjuncts are listed.
//
// Cost counts symbols, digits and operators (a chained range counts its middle once). Order: equalities, ranges,
// residues, relations; within these by symbol names, then by structure. Both depend on structure and names only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate::simplify {

Expr int_const(Context& ctx, std::int64_t v);
Expr make_range(Context& ctx, Expr x, std::int64_t lo, std::int64_t hi);  // lo <= x <= hi, both finite
Expr make_at_least(Context& ctx, Expr x, std::int64_t lo);                // x >= lo
Expr make_at_most(Context& ctx, Expr x, std::int64_t hi);                 // x <= hi
Expr make_equal(Context& ctx, Expr x, std::int64_t v);
Expr make_not_equal(Context& ctx, Expr x, std::int64_t v);
Expr make_in(Context& ctx, Expr x, std::span<const std::int64_t> values);  // Eq for one value
Expr make_mod(Context& ctx, Expr x, std::int64_t modulus);
/// The parts themselves where there is one; True / False where there is none. Nested And/Or are flattened one level.
Expr make_and(Context& ctx, std::span<const Expr> parts);
Expr make_or(Context& ctx, std::span<const Expr> parts);

/// Saturates; linear in the tree, capped.
std::uint32_t reading_cost(Expr e);

/// Sorts conjuncts into the order of the house and removes repetitions.
void order_conjuncts(Context& ctx, std::vector<Expr>& conjuncts);

/// The parts of a conjunction, nested ones flattened, each once, in order. Linear in the DAG, stack-safe.
std::vector<Expr> conjuncts_of(Expr e);

/// Text for an obligation; a huge formula is only named by its size.
std::string claim_text(const Context& ctx, Expr e);

}  // namespace dimgate::simplify
