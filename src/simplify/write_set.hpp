// The cheapest conjunction found that says "x is in this set", given that x is in a domain anyway.
//
// Tried: nothing, False, one value, a range, a range with residues (`x % m == r`, `!= r`, `in {...}`, products of
// small moduli), a few holes (`x != c`), a value list, and unions of these. Every candidate is built as a set and
// compared with the wanted one on the domain, so the answer is exact by construction. Deterministic.
// Tested by tests/simplify/write_set_test.cpp.
#pragma once

#include <vector>

#include "dimgate/expr.hpp"
#include "simplify/int_set.hpp"

namespace dimgate::simplify {

struct Form {
  std::vector<Expr> conjuncts;  // empty: True
  std::uint32_t cost = 0;
};

/// conjuncts hold exactly on set, as far as x is in domain (elements of set outside the domain do not matter).
Form write_set(Context& ctx, Expr x, const IntSet& set, const IntSet& domain);

}  // namespace dimgate::simplify
