// Canonical formulas as people write them: `a + -1*b >= -3` is `a + 3 >= b`, `divides(8, L)` is `L % 8 == 0`.
//
// The result is a raw tree with the same canonical form (tests/trace checks it on random formulas); nothing is proved
// and no facts are used. Linear in the DAG, with an explicit stack. What facts can simplify is the room simplify's.
#pragma once

#include "dimgate/expr.hpp"

namespace dimgate {

Expr spelled(Context& ctx, Expr canonical);
/// Its text.
std::string spelled_text(Context& ctx, Expr canonical);

}  // namespace dimgate
