// Patterns in the values of one slot over the recorded worlds of a frame, and the advice that fits, replayed.
#pragma once

#include <optional>
#include <vector>

#include "dimgate/thrash.hpp"

namespace dimgate::detail {

/// Recorded inputs, in order: the slots that guards read.
struct Worlds {
  std::vector<SlotIndex> slots;
  std::vector<std::vector<std::optional<std::int64_t>>> calls;  // by column: an index into `slots`
};

/// How many different worlds there are; `column`'s values replaced where it is given.
using Replace = std::optional<std::int64_t> (*)(std::optional<std::int64_t>);
std::size_t distinct(const Worlds& worlds, std::optional<std::size_t> column = {}, Replace replace = nullptr);

/// nullopt: the column has one value, or none. `kind`: of the guards that failed on it, where known.
std::optional<Finding> find_pattern(const Worlds& worlds, std::size_t column, const Layout& layout,
                                    const std::string& kind);

}  // namespace dimgate::detail
