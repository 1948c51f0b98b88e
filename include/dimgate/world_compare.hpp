// What guards on whole worlds cost on a trace: compiles and recompiles by kind of guard that failed, entries, and what
// each kind of guard costs.
//
// Every call is looked up in a Cache, over the slots that the guards of its entries ask for, read lazily; a miss
// compiles for the world as it is, guarding what the trace's header says the front end uses. Policies (PolicySpec):
//   eager           never compiles.
//   static          every used value and size as seen.
//   strict          everything in the world as seen, used or not; a call whose used part was compiled before shares it;
//                   64 entries, then the calls fall back.
//   auto_dynamic:N  a size, stride, offset or integer that came with two values is free from then on (0 and 1 stay
//                   apart), N entries (8, `inf`: none), then the calls fall back.
//   symbolic        sizes, strides, offsets and integers are free; entries are the branches taken. `bakes` stay as
//   seen.
// Where numbers are free, what only branches look at is guarded by the branches alone.
// Tested by tests/replay.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dimgate/guard.hpp"
#include "dimgate/policy.hpp"
#include "dimgate/result.hpp"
#include "dimgate/world_trace.hpp"

namespace dimgate {

/// Recompiles (shared ones too) in whose nearest entry a guard of this kind failed. A call counts under every kind that
/// failed there; calls that fell back at the limit are not looked at.
struct WorldCause {
  GuardKind kind = GuardKind::shape;
  std::uint64_t misses = 0;
  std::uint64_t alone = 0;  // of these, where nothing else failed
  std::string example;      // what was said the first time
  unsigned line = 0;        // where
};

/// What a kind of guard costs over the whole trace.
struct WorldKindCost {
  GuardKind kind = GuardKind::shape;
  std::uint64_t guards = 0;       // over all entries
  std::uint64_t evaluations = 0;  // tests run
  std::uint64_t failures = 0;
  double ns_per_evaluation = 0;  // measured, slots at hand
  [[nodiscard]] double ns() const noexcept { return ns_per_evaluation * static_cast<double>(evaluations); }
};

struct WorldRow {
  std::string policy;
  std::uint64_t calls = 0, hits = 0, traces = 0, compiles = 0, recompiles = 0, shared = 0, fallbacks = 0;
  std::uint64_t entries = 0;
  double guards_per_entry = 0;
  double hit_rate = 0;
  double lookup_ns = 0;                  // measured over a sample of calls, slots at hand
  std::uint64_t reads = 0;               // slots read by all lookups
  std::uint64_t recorded_reads = 0;      // what the recorded order of the same guards would have read
  std::vector<WorldCause> causes;        // most frequent first
  std::vector<WorldKindCost> kinds;      // dearest first
  std::vector<std::size_t> compiled_at;  // calls, from 0
};

struct WorldComparison {
  std::string trace, frame;
  std::uint64_t calls = 0;
  std::vector<WorldRow> rows;
};

struct WorldCompareOptions {
  std::size_t first = SIZE_MAX;  // only so many calls
  bool measure = true;           // times: lookup_ns, ns_per_evaluation
};

/// Reads the trace once for every policy. Errors: the trace's, a branch that does not read or is undefined at a call,
/// a used name that no call has.
Result<WorldComparison> compare_worlds(const std::string& path, std::span<const PolicySpec> policies,
                                       const WorldCompareOptions& options = {});

std::string to_text(const WorldComparison& comparison);
/// {"schema":1,"trace","frame","calls","rows":[{"policy",...,"causes":[...],"kinds":[...]}]}
std::string to_json(const WorldComparison& comparison);

}  // namespace dimgate
