// Small texts and look-ups that guard kinds, builder and messages share. Private to src/guard.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dimgate/guard.hpp"

namespace dimgate::detail {

/// (2, 3), (2,), (*, 3) where a size may be anything.
std::string tuple_text(std::span<const std::optional<std::int64_t>> values);
/// The kind of a guard on a slot of the global state; `flag` for others.
GuardKind kind_of_global(std::string_view slot) noexcept;

}  // namespace dimgate::detail
