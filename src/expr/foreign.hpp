// Reading formulas that others wrote: a guard in a log, which cannot be corrected.
#pragma once

#include <string_view>

#include "dimgate/expr.hpp"

namespace dimgate {

/// As `parse`, but what the language does not know (a call, float arithmetic) is no error: the smallest formula around
/// it becomes *opaque*, a Bool symbol named by its text, of which nothing is known but that it equals itself. A
/// fraction is read only of what is an integer by its name (`s0`, `x.size()[0]`): `L['scale']/2` may be a float.
Result<Expr> parse_foreign(Context& ctx, std::string_view text);

}  // namespace dimgate
