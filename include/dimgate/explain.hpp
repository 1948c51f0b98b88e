// Why a front end compiled again, what it cost, and what to change: from the events of its logs (logs.hpp).
//
// PyTorch names the first guard of the entry used last, which often is not what changed. Each recompile has one failed
// guard for each older entry; the entry that got furthest in its checks is nearest to the call, and its guard names
// what changed (`changed`). Recompiles are grouped by cause; each group has the remedy in the front end's own words and
// the number of compiles that would be left, computed by replaying the values seen through dimgate's `symbolic` policy.
// Memory: counts and examples, capped; independent of the length of the log. Tested by tests/explain.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dimgate/logs.hpp"
#include "dimgate/prove.hpp"

namespace dimgate {

/// The reason that tells what changed: that of the entry nearest to the call. Null: none was logged.
const FailedGuard* changed(const Recompile& recompile);

/// The same with what the log said before: what entries were compiled for, what they failed on earlier. Give it every
/// event of the logs in order. Memory is bounded whatever their length.
class ChangeFinder {
 public:
  ChangeFinder();
  ~ChangeFinder();
  /// For a recompile the reason that tells what changed (of the event's own); null: none, or no recompile.
  const FailedGuard* add(const LogEvent& event);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// One event as a row: the columns of `explain --format tsv`.
struct EventRow {
  std::string compile_id, function;
  std::string event;       // "recompile", "limit_hit", "compile_failed:TYPE"
  std::string cause_kind;  // PyTorch's
  std::string failing_guard;
  std::uint64_t count = 0;  // older entries reported failing
  std::string all_cause_kinds;
  std::string our_cause;
};
/// nullopt: not an event of a row. `best`: what ChangeFinder says of the event.
std::optional<EventRow> row_of(const LogEvent& event, const FailedGuard* best);
std::string tsv_header();
/// Tabs and line breaks inside cells become blanks.
std::string to_tsv(const EventRow& row);

/// What changed, in the words of docs/reading-logs.md: size, stride, rank, dtype, device, requires_grad, int, float,
/// bool, string, None, dict keys, length, type, identity, global flag, default dtype, closure, hook, relational shape,
/// divisibility, range, ... Finer than the label where the label lumps together.
std::string_view kind_of_change(const FailedGuard& reason);

/// What to do about a cause.
struct Remedy {
  std::string text;          // in the front end's words; "no remedy known" where the docs list the cause so
  bool avoidable = true;     // false: each value needs its own compile, or nothing is known to help
  std::string without_edit;  // the same by an environment variable (PyTorch 2.6 and later); empty: not possible
};
/// `system`: whose words, "PyTorch" or "dimgate".
Remedy remedy_for(const FailedGuard& reason, std::string_view system = "PyTorch");

/// Recompiles of one function with one cause.
struct CauseGroup {
  std::string function, place;
  std::string cause;   // label
  std::string kind;    // kind_of_change
  std::string source;  // what was looked at: "x", "self.step"
  std::string user_line, user_place;
  std::uint64_t count = 0;
  std::uint64_t blamed = 0;          // how often PyTorch named this cause, too
  std::uint64_t limit_hits = 0;      // of `count`: not compiled, the limit was reached
  std::optional<double> seconds;     // compile time, where the log has it
  std::vector<std::string> changes;  // "size 0: 4 -> 5", the first few
  Remedy remedy;
  std::uint64_t compiles = 0;           // of the function
  std::optional<std::uint64_t> remain;  // at least so many with the remedy; none: unknown from this log
  std::string remain_note;              // what is unknown, or how it was computed
};

/// A guard set of the log, smaller.
struct EntryReport {
  std::string compile_id;
  std::size_t guards = 0, formulas = 0, kept = 0;
  struct Implied {
    std::string guard;
    std::vector<std::string> by;
  };
  std::vector<Implied> implied;
  std::vector<std::string> readable;    // what stays, put as people write it
  std::vector<std::string> not_parsed;  // guards outside the formula language (capped)
};

/// One compile of a function: an entry, or what became of it instead.
struct CompileReport {
  std::string compile_id;                       // "0/3"; empty where the log names none
  std::uint64_t line = 0;                       // LogEvent::line
  double time = -1;                             // LogEvent::time
  std::string outcome;                          // "entry", "limit_hit", "failed: TYPE"
  std::optional<double> seconds;                // compile time, where the log has it
  std::int64_t guards = -1, shape_guards = -1;  // -1: not said
  // Why, for a recompile; all empty for a first compile.
  std::string cause, kind, source, expected, actual, user_line, user_place;
  int index = -1;                // size, stride: the dim
  std::string named_by_pytorch;  // its cause, the first it names
  std::uint64_t entries_failed = 0;
};

/// Numbers that the log shows of a call that was compiled for.
struct SeenCall {
  std::string compile_id;
  std::vector<std::pair<std::string, std::int64_t>> values;  // "x.size()[0]", 4
};

/// One compiled function.
struct FunctionReport {
  std::string function, place;
  std::string rank;   // empty: not said
  std::string limit;  // "recompile_limit", where it was reached
  std::int64_t limit_number = 0;
  std::vector<CompileReport> history;  // in the order of the log, the first 256
  std::uint64_t history_cut = 0;       // compiles beyond these
  std::vector<SeenCall> seen;          // the first 256 calls with values
  std::uint64_t compiles = 0, recompiles = 0, limit_hits = 0, failed = 0;
  std::uint64_t guarded = 0;  // compiles that the log shows to have come to their guards
  std::optional<double> seconds;
  std::vector<std::pair<std::string, double>> stages;  // longest first
  std::vector<EntryReport> entries;
};

struct Explanation {
  LogCounts counts;
  std::uint64_t ranks = 0;
  std::vector<CauseGroup> groups;  // dearest first
  std::vector<FunctionReport> functions;
  std::vector<std::pair<std::string, std::uint64_t>> graph_breaks;  // "reason (place)" and how often
  std::vector<std::pair<std::string, std::uint64_t>> failures;      // "f: TYPE: message", and what to do
  std::vector<std::pair<std::string, std::uint64_t>> notes;         // what else the front end said, and how often
  std::vector<std::string> other_retraces;                          // JAX, TensorFlow: as logged
  std::uint64_t cut = 0;                                            // groups beyond the cap
  [[nodiscard]] bool avoidable() const;
};

struct ExplainOptions {
  bool entries = false;          // also take the guards of entries apart (costs proofs)
  std::size_t entry_limit = 64;  // entries taken apart
};

/// Takes events in; says what they mean. The prover outlives it.
class Explainer {
 public:
  explicit Explainer(Prover& prover, ExplainOptions options = {});
  ~Explainer();
  void add(const LogEvent& event);
  Explanation finish(const LogCounts& counts);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// `top` 0: all groups.
std::string to_text(const Explanation& explanation, std::size_t top = 0);
std::string to_json(const Explanation& explanation, std::size_t top = 0);

/// Which causes of `before` are gone in `after`, which stay, which are new.
struct Against {
  std::vector<std::pair<CauseGroup, std::uint64_t>> gone;     // the second: 0
  std::vector<std::pair<CauseGroup, std::uint64_t>> changed;  // count in `after`
  std::vector<CauseGroup> fresh;
  /// Why AFTER does not show that the changed program ran, compiled: nothing is confirmed then.
  std::vector<std::string> doubts;
};
Against compare_explanations(const Explanation& before, const Explanation& after);
std::string to_text(const Against& against);
std::string to_json(const Against& against);

}  // namespace dimgate
