// A remedy checked against everything the log shows of a function before it is printed.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "dimgate/explain.hpp"
#include "explain/dynamic_seen.hpp"

namespace dimgate::explain {

/// What the log shows of a group of recompiles with one cause.
struct GroupFacts {
  std::set<std::string> compiles;                // of the group, and the entries they failed on
  std::map<int, std::set<std::int64_t>> values;  // dim -> sizes seen
  std::string system;
};
/// `sample`: the first reason of the group. The remedy that holds for all of it.
Remedy checked_remedy(const FailedGuard& sample, const GroupFacts& facts, const DynamicSeen& seen);

}  // namespace dimgate::explain
