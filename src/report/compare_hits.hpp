// Hits, misses and cost of checks by kind of guard: the calls of a trace, in order; a call that no entry accepts makes
// an entry (`make`), as a miss under the policy `symbolic` does. A hit takes the first entry, in the order they were
// made, all of whose guards hold; a miss is put down to the kinds that fail in the entry with the fewest failing guards
// (the first of them). By the reference evaluator: undefined is no. Cost: calls x guards until a hit, at most kSteps
// evaluations and kMade entries; `calls` says how far that reached. Tested by tests/report/compare_hits_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dimgate/import.hpp"

namespace dimgate::report {

struct KeptGuard {
  std::string kind, text;
  double cost = 0;
};
using KeptGuards = std::vector<KeptGuard>;

struct KindUse {
  std::uint64_t hits = 0;    // calls served by an entry with such a guard
  std::uint64_t misses = 0;  // calls that no entry accepted, where such a guard of the nearest failed
  double cost = 0;           // of such guards over the hits
};
struct HitsByKind {
  std::map<std::string, KindUse> kinds;
  std::uint64_t calls = 0, hits = 0, misses = 0, before_any = 0;  // before_any: no entry was there yet
  std::uint64_t without_guard = 0;                                // hits of an entry that has no guard
};

/// `make`: the guards kept of an entry for a call; nullopt: none can be made (a shape error).
HitsByKind hits_by_kind(const Calls& calls, const std::function<std::optional<KeptGuards>(std::size_t call)>& make);

}  // namespace dimgate::report
