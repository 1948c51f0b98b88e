// One policy over all calls.
#pragma once

#include <cstdint>
#include <vector>

#include "dimgate/replay.hpp"

namespace dimgate {

/// What happened to one call, and how much larger than it the shape was that ran.
struct CallRecord {
  enum class Kind : std::uint8_t { hit, compiled, shared, fallback, rejected } kind = Kind::hit;
  double stretch = 1;  // padded / real elements of a served call
};

/// The parts of a comparison that all policies share.
struct ReplayInput {
  const Calls* calls;
  const Subject* subject;
  std::vector<bool> allowed;  // the precondition holds
  EagerCheck* eager;
  std::string trace;
};

/// Fills the counts of `row` and says what each call did.
Result<std::vector<CallRecord>> run_policy(const ReplayInput& input, const PolicySpec& spec,
                                           const ReplayOptions& options, PolicyRow& row);

/// Seconds of every call under the costs; nullopt where a cost that is needed was not given.
std::optional<std::vector<double>> call_seconds(const std::vector<CallRecord>& calls, const Costs& costs,
                                                std::string_view policy, double lookup_s);
/// Fills estimated total, longest stall, p99 and break-even of `row` (counts and lookup_ns are there).
void account(const std::vector<CallRecord>& calls, const Costs& costs, PolicyRow& row);

}  // namespace dimgate
