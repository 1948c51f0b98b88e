// Guard sets of any size for measuring minimise: independent, chained in small components, one dense component.
//
// Each set has redundant guards of the usual kinds (weaker bounds, implied residues, sums of others), is satisfiable,
// and is a function of (count, seed). Every symbol is a size.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate::test {

/// One slot each: about four guards a slot (range, weaker range, residue, implied residue).
std::vector<Expr> independent_guards(Context& ctx, std::size_t count, std::uint64_t seed = 1);
/// Components of at most 16 guards over 6 slots each: a[i] <= a[i+1] chains, their consequences, sums, products,
/// residues.
std::vector<Expr> chained_guards(Context& ctx, std::size_t count, std::uint64_t seed = 1);
/// One component: comparisons between random pairs of about count/8 slots, all true at one hidden point.
/// `point`, if asked for, receives that point: what a tracer knows as hints.
std::vector<Expr> dense_guards(Context& ctx, std::size_t count, std::uint64_t seed = 1,
                               std::vector<std::pair<Expr, Value>>* point = nullptr);

/// One giant component: 1,000 sizes, each guard draws 1 to 3 of them uniformly; a third ranges of sums, a third
/// residues of sums, a third products. A third of all are implied by an earlier guard of the set, by construction.
struct MixedGuards {
  std::vector<Expr> guards;
  std::vector<bool> implied;
};
MixedGuards mixed_guards(Context& ctx, std::size_t count, std::uint64_t seed = 1);

}  // namespace dimgate::test
