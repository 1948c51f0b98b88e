// A canonical formula as people write it.
//
// The canonical form knows neither remainders nor minima: `x % 8` is x - 8*(x//8), and min(a, b) is -max(-a, -b). This
// goes the other way, term by term, wherever that is shorter. What it writes has the same canonical form, or it is not
// written. Cost: a few canonical forms for each sum; not tried above kMaxSpelledWeight nodes.
// Tested by tests/simplify/write_set_test.cpp.
#pragma once

#include "dimgate/expr.hpp"

namespace dimgate::simplify {

inline constexpr std::uint32_t kMaxSpelledWeight = 300;

/// Null: too large, or it does not read back as the same.
Expr spell(Context& ctx, Expr canonical);

}  // namespace dimgate::simplify
