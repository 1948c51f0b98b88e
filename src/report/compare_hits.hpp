// Hits, misses and cost of checks by kind of guard: the calls of a trace, in order; a call that no entry accepts makes
// an entry (`make`), as a miss under the policy `symbolic` does. A hit takes the first entry, in the order they were
// made, all of whose guards hold; a miss is put down to the kinds that fail in the entry with the fewest failing guards
// (the first of them). By the reference evaluator: undefined is no. Cost: calls x guards until a hit, at most kSteps
// evaluations and kMade entries; `calls` says how far that reached. Tested by tests/report/compare_hits_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dimgate/import.hpp"
#include "report/kind_use.hpp"

namespace dimgate::report {

struct KeptGuard {
  std::string kind, text;
  double cost = 0;
};
using KeptGuards = std::vector<KeptGuard>;

/// `make`: the guards kept of an entry for a call; nullopt: none can be made (a shape error).
HitsByKind hits_by_kind(const Calls& calls, const std::function<std::optional<KeptGuards>(std::size_t call)>& make);

}  // namespace dimgate::report
