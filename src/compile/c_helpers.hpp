// The helper functions that emitted C may need, as C11 text.
#pragma once

#include <set>
#include <string>

namespace dimgate::lowering {

/// The named helpers and those they call, in an order in which each is defined before its use.
std::string c_helpers(const std::set<std::string>& names);

}  // namespace dimgate::lowering
