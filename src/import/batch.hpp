// Windows of time: which consecutive rows form one call.
#pragma once

#include "dimgate/import.hpp"

namespace dimgate {

/// First row of every batch, and rows() at the end. Without a batch every row is its own.
/// Stops after `most` batches.
Result<std::vector<std::size_t>> batch_starts(const Table& table, const std::optional<Batch>& batch, std::size_t most);

/// Nanoseconds since 1970 of `2023-11-16 18:17:03.9799600` (a `T` between, `Z` or `+02:00` at the end are fine too);
/// of a bare number, that many seconds. nullopt for other text and for times that int64 nanoseconds cannot hold.
std::optional<std::int64_t> parse_time(std::string_view text);

}  // namespace dimgate
