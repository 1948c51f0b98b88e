// What guard checks cost: evaluations and time by kind of guard, and a run with the checks on and off.
//
// Measured by replaying given calls over a cache's entries, off the hot path; nothing is served unchecked to anybody.
// Evaluations are those of trying the entries one after the other in their order, each up to its first guard that is
// not true (dispatch by hashing tries fewer). Times differ from run to run. Tested by
// tests/policy/guard_costs_test.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "dimgate/cache.hpp"

namespace dimgate {

struct KindCost {
  std::string kind;
  std::size_t guards = 0;         // of that kind, over all entries
  std::uint64_t evaluations = 0;  // over all calls
  std::uint64_t failures = 0;     // of them
  double nanoseconds = 0;         // each, measured on programs of this kind's guards alone
  [[nodiscard]] double total() const noexcept { return nanoseconds * static_cast<double>(evaluations); }
};

/// Dearest in total first. Errors: a guard's text that does not compile over the layout.
Result<std::vector<KindCost>> guard_costs(const EntrySet& entries, const Layout& layout,
                                          std::span<const Snapshot> calls, std::size_t rounds = 16);

struct CheckCost {
  std::size_t calls = 0, hits = 0;
  double with_checks = 0;     // nanoseconds a lookup
  double without_checks = 0;  // the same calls, each given the entry that its checked lookup found
  [[nodiscard]] double checks() const noexcept { return with_checks - without_checks; }
};
CheckCost measure_checks(Cache& cache, std::span<const Snapshot> calls, std::size_t rounds = 16);

}  // namespace dimgate
