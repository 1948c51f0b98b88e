// Relations of two slots that people write, for clauses that say the same by quotients, remainders or extrema:
// `x < y`, `x <= y`, `x == y`, `x != y`, `x % y == 0`, `x % y != 0`, either way round. Tested by
// tests/simplify/minimise_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate::simplify {

/// The relations of two slots, plainest first.
std::vector<Expr> relations_of(Context& ctx, std::span<const Expr> two);

/// A clause that may be one of them in disguise: it has a quotient or remainder by a term, or an extremum.
bool compares_slots(Expr clause);

}  // namespace dimgate::simplify
