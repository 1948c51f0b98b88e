// Stage 5: differences. The facts `+-x +-y <= c` and bounds, x and y any monomials, are kept as an octagon
// (octagon.hpp: shortest paths with integer tightening); a claim of that shape is read off the tight bounds of its
// form. Chains such as a <= b <= ... <= z cost a path, not a simplex. Cost: O(m log n) a bound. Limits: kFacts facts;
// forms with more than two monomials or unequal coefficients are left to the linear core. Tests:
// tests/prove/stages_test.cpp; the octagon itself: tests/prove/octagon_test.cpp.
#pragma once

#include "prove/index.hpp"

namespace dimgate {

/// Facts among `ids` that suffice for the canonical claim, if this stage sees that it follows from them.
std::optional<FactIndex::Ids> implied_by_differences(const Facts& facts, FactIndex& index, std::span<const FactId> ids,
                                                     Expr claim);

}  // namespace dimgate
