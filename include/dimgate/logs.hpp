// What the logs of PyTorch, and dimgate's own, say, one event at a time.
//
// Read: TORCH_LOGS text (`recompiles`, `recompiles_verbose`, `guards`, `dynamic`, `graph_breaks`; PyTorch 2.0 to 2.13,
// under any host prefix, quoted, or bare as notebooks print it), TORCH_TRACE structured lines with their payloads, and
// what DIMGATE_TRACE writes (docs/trace-format.md).
// Streaming: memory is bounded by the longest block, whatever the length of the log. Ranks, processes and threads may
// be interleaved. Every line is counted once: parsed, or unknown with a kind; nothing is fatal, nothing is guessed.
// Formats: docs/reading-logs.md. Tested by tests/import/log_*_test.cpp and tests/fuzz/fuzz_logs.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "dimgate/result.hpp"

namespace dimgate {

/// What a failed guard looked at.
enum class CauseKind : std::uint8_t {
  tensor_size,
  tensor_stride,
  tensor_rank,
  tensor_dtype,
  tensor_device,
  tensor_dispatch_keys,
  tensor_python_type,
  tensor_aliasing,
  requires_grad,
  shape_guard,
  shape_guard_int,
  shape_guard_duck,
  int_value,
  float_value,
  bool_value,
  str_value,
  none_ness,
  constant_value,
  python_type,
  object_identity,
  container_length,
  dict_keys,
  dict_key_presence,
  missing,
  hooks,
  dim_marking,
  weakref,
  backend,
  torch_function_mode,
  default_device,
  global_state,
  broken_guard,
  unrecognised,
};
/// "tensor size", "None-ness", ...: the labels people see.
std::string_view to_string(CauseKind kind) noexcept;

/// A failed guard, taken apart. Texts are as logged.
struct Cause {
  CauseKind kind = CauseKind::unrecognised;
  std::string source;              // `L['x']` or `x`: what was looked at; empty if the text names nothing
  int index = -1;                  // size, stride: the dim
  std::string expected;            // what the entry was compiled for
  std::string actual;              // what came; empty where the log does not say
  std::vector<std::string> flags;  // global_state: the names, as logged
  /// The label; for global_state "global state: NAME,NAME".
  [[nodiscard]] std::string label() const;
};

/// A guard of an entry that said no.
struct FailedGuard {
  std::string entry;      // "0/3"; empty where the log names none
  std::string text;       // the first line as logged, without entry and bullet
  Cause cause;            // of the first guard, if several stand in one line
  std::string user_line;  // the program's own line, from the comment
  std::string place;      // "model.py:12 in forward", from the comment
  std::string stack;      // further lines, as logged (capped)
  bool branch = false;    // a shape guard of the user's own branch, not the framework's
};
/// Takes the text of a guard apart: `tensor 'x' size mismatch at index 0. expected 4, actual 5`, `k == 1   # line  #
/// f:1`.
FailedGuard parse_failed_guard(std::string_view text);
/// The cause alone; `guard` without its comment.
Cause classify_guard(std::string_view guard);

// ---- events ------------------------------------------------------------------------------------

/// A function is compiled again.
struct Recompile {
  std::string function, place;       // place: "model.py:12"
  std::vector<FailedGuard> reasons;  // first: the one PyTorch blames; one for each older entry
  bool verbose = false;              // every failing guard was logged
  bool limit_hit = false;            // nothing was compiled: the limit was reached
  bool last_only = false;            // from the warning that the limit was reached: it names the last reason alone
  bool nearest_first = false;        // the reasons of the entry nearest to the call come first (dimgate's own traces)
  std::string system = "PyTorch";    // whose cache: its words are those of the remedy
};
/// The limit of entries was reached; the function runs eagerly from here on.
struct LimitHit {
  std::string limit;  // "recompile_limit"
  std::int64_t number = 0;
  std::string function, place;
  FailedGuard last_reason;
};
/// A compile that ended in an error.
struct CompileFailed {
  std::string type;     // "ConstraintViolationError"
  std::string message;  // its first line
  std::string function;
  std::vector<std::string> details;  // lines `- …` under it, suggested fixes (capped)
};
/// A compile began.
struct CompileStart {
  std::string function, place;
  bool again = false;  // `create_env`: may come more than once in a compile
};
/// `produce_guards`: a compile came so far that it has guards.
struct GuardsProduced {};
/// What a compile cost.
struct CompileMetrics {
  std::string function, place;
  double seconds = -1;                                 // the whole frame; -1: the log does not say
  std::vector<std::pair<std::string, double>> stages;  // "backend_compile" -> seconds
  std::int64_t guards = -1, shape_guards = -1;
  std::string fail_type, fail_reason;
};
/// A guard as printed.
struct LoggedGuard {
  std::string kind;  // "TENSOR_MATCH"; empty in flat lists
  std::string text;  // without its comment
  std::string user_line, place;
};
/// All guards of an entry.
struct EntryGuards {
  std::vector<LoggedGuard> guards;  // empty where ReadOptions::guards is false
  std::size_t count = 0;            // guards logged
  double latency_us = -1;
  bool tree = false;
};
/// `create_symbol s0 = 4 for L['x'].size()[0] [2, int_oo] …`
struct SymbolCreated {
  std::string symbol, value, source, range, place;
  bool backed = true;
};
/// A decision: `eval Eq(s0, 4) [guard added] …`, `runtime_assert …`.
struct GuardAdded {
  std::string expr;
  bool runtime_assert = false;
  std::string user_line, place;
  bool branch = false;  // the user's own branch decided it, not the framework
};
/// `set_replacement s1 = s0 (solve) …`
struct Replacement {
  std::string symbol, by, reason;
};
/// A tensor the front end saw while compiling (structured logs).
struct TensorSeen {
  std::string source, dtype, device;
  std::vector<std::string> size, stride;  // numbers, or symbols
};
/// `marking L['x'] as dynamic (from …)`, `automatic dynamic L['x'] size(0) 5 != 4`.
struct MarkedDynamic {
  std::string source, why;
  int dim = -1;
};
struct GraphBreak {
  std::string reason, place;
  std::string explanation, link;   // from 2.7 on
  std::vector<std::string> hints;  // what the front end itself advises
};
/// A dimgate cache: what an entry has served so far (`compile_id` names it). Later ones of an entry replace earlier
/// ones.
struct EntryHits {
  std::uint64_t hits = 0;
  bool whole = false;  // the entry, or its cache, is gone: nothing comes after
};
/// A dimgate cache: a call that no entry served.
struct CallMissed {
  std::string function, outcome;
  bool first = false;              // no entry had ever been there
  std::uint64_t hits = 0;          // of the cache until then
  std::vector<std::string> kinds;  // of the guards that failed in the nearest entry, each once
};
/// Something else of note, as it stands: a guard that was ignored, sizes recorded as CUDA graphs.
struct LogNote {
  std::string text;
};
/// Another system's retrace message (JAX, TensorFlow), as it stands.
struct OtherRetrace {
  std::string system, text;
};
using LogEventBody = std::variant<Recompile, LimitHit, CompileFailed, CompileStart, GuardsProduced, CompileMetrics,
                                  EntryGuards, SymbolCreated, GuardAdded, Replacement, TensorSeen, MarkedDynamic,
                                  GraphBreak, EntryHits, CallMissed, LogNote, OtherRetrace>;
struct LogEvent {
  std::uint64_t line = 0;  // where it begins in the log, from 1
  /// Seconds, for differences: since 1970 where the head has a year, else since the year began; -1: not said.
  double time = -1;
  std::string rank;        // "6"; empty if not said
  std::string process;     // pid or thread, as logged
  std::string compile_id;  // "0/1", "0/1_1", "!0/0/0"; empty if not said
  LogEventBody body;
  /// "0" of "0/1": the compiled function.
  [[nodiscard]] std::string_view frame() const noexcept;
};

// ---- reading -----------------------------------------------------------------------------------

/// What was read: parsed + unknown = lines.
struct LogCounts {
  struct Kind {
    std::uint64_t count = 0;
    std::uint64_t first_line = 0;
    std::string sample;  // the first such line (capped)
  };
  std::uint64_t bytes = 0, lines = 0, parsed = 0, unknown = 0;
  std::map<std::string, std::uint64_t> parsed_kinds;
  std::map<std::string, Kind> unknown_kinds;  // at most 256 and "other"
  /// Damage that is not a line: payloads whose md5 is wrong, a file that ends inside a line or a compressed block.
  std::map<std::string, Kind> damage;
  /// "TypeError: …": the exception that ended the program; empty: none, or more of the log came after it.
  std::string ended_by;
};

struct ReadOptions {
  bool guards = true;  // false: EntryGuards counts its guards and keeps those on tensors alone (faster)
};

/// Feed bytes in pieces of any size, then finish().
class LogReader {
 public:
  using Sink = std::function<void(const LogEvent&)>;
  explicit LogReader(Sink sink, ReadOptions options = {});
  ~LogReader();
  LogReader(LogReader&&) noexcept;
  LogReader& operator=(LogReader&&) noexcept;
  void feed(std::string_view bytes);
  /// The end of a file: closes what is open. More may be fed after it (line numbers begin again).
  void finish();
  /// Notes damage found by the caller (a compressed file that breaks off).
  void damaged(const std::string& kind, const std::string& sample);
  [[nodiscard]] const LogCounts& counts() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The whole of a text, for short ones.
std::vector<LogEvent> read_log_text(std::string_view text, LogCounts* counts = nullptr);

/// Reads a file (plain, gzip or zstd, told by its first bytes) or all files of a directory in the order of their names.
/// `progress` gets bytes read and bytes there are, some times a second. Errors: cannot be opened, an empty directory.
Status read_log_path(const std::string& path, LogReader& reader,
                     const std::function<void(std::uint64_t done, std::uint64_t all)>& progress = {});

}  // namespace dimgate
