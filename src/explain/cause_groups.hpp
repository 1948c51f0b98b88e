// Recompiles of a function with one cause, counted, timed and advised on: what changed, the remedy, and how many
// compiles it would leave. Memory: 16384 groups, the newest 4096 compiles whose time is not known yet. Tested by
// tests/explain.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "explain/checked_remedy.hpp"
#include "explain/function_table.hpp"

namespace dimgate::explain {

class CauseGroups {
 public:
  /// `best`: the reason that tells what changed; `f` the function, `key` its key.
  void add(const LogEvent& event, const Recompile& recompile, const FailedGuard& best, const FunctionLog& f,
           const std::string& key);
  /// What a compile cost, told after it.
  void add(const LogEvent& event, const CompileMetrics& metrics);
  /// Dearest first; the same function on several ranks or processes with the same cause is one group.
  std::vector<CauseGroup> finish(FunctionTable& functions, Prover& prover);
  /// Recompiles of groups beyond the cap.
  [[nodiscard]] std::uint64_t cut() const { return cut_; }

 private:
  struct Group {
    CauseGroup shown;
    std::string function_key;
    std::set<std::string> slots;
    std::string system;
    FailedGuard sample;  // the first; sources without L[...]
    bool shape = false;
    GroupFacts facts;
    std::uint64_t last_only = 0;  // of the count: from the warning that the limit was reached
  };
  void settle(Group& group, FunctionLog& f, Prover& prover) const;
  void remaining(Group& group, FunctionLog& f, Prover& prover) const;
  /// Recompiles of the function that the remedy of the group may bear on.
  [[nodiscard]] std::uint64_t affected(const Group& group) const;

  std::map<std::string, Group> groups_;                      // function, cause, source
  std::deque<std::pair<std::string, std::string>> untimed_;  // compile -> group
  std::set<std::string> named_;                              // function and source of every group
  std::uint64_t cut_ = 0;
};

}  // namespace dimgate::explain
