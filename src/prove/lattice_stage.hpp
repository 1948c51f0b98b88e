// Stage 4: equalities and congruences together. The facts `p == c` and `k | p`, p linear in monomials, are solved over
// the integers (hermite.hpp: Hermite normal form; the Chinese remainder theorem comes out of it); a claim `k | q`,
// `q == c` or its negation is read off the residue of q over all solutions.
// Cost: O(n^2) Integer operations a fact for n monomials tied together. Limits: kFacts facts; a monomial is an unknown
// of its own (x*y and x are not tied), inequalities say nothing here.
// Tests: tests/prove/stages_test.cpp; the lattice itself: tests/prove/hermite_test.cpp.
#pragma once

#include "prove/index.hpp"

namespace dimgate {

/// Facts among `ids` that suffice for the canonical claim, if this stage sees that it follows from them.
std::optional<FactIndex::Ids> implied_by_lattice(const Facts& facts, FactIndex& index, std::span<const FactId> ids,
                                                 Expr claim);

}  // namespace dimgate
