// What a log says of one compiled function so far: its compiles in order, their causes, what they cost.
//
// A compile id that begins or recompiles a second time begins a new run of the program (logs joined into one file): its
// entries are counted anew. Memory: 256 compiles (65536 of all functions together, texts of 512 bytes), 4096 ids, 64
// stages, the values of SeenValues. Tested by tests/explain.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dimgate/explain.hpp"
#include "explain/dynamic_seen.hpp"
#include "explain/values.hpp"

namespace dimgate::explain {

/// Compiles that may still be told one by one, of all functions together.
struct HistoryLeft {
  std::size_t compiles = 65536;
};

/// The front of a text: what is shown of it.
std::string shown_part(std::string_view text);

class FunctionLog {
 public:
  explicit FunctionLog(HistoryLeft& left) : left_(&left) {}
  FunctionReport report;
  SeenValues values;
  DynamicSeen dynamic;

  /// A compile is there, whatever said so.
  void seen(const std::string& id, const LogEvent& event);
  /// A compile begins; one that began before begins a new run.
  void start(const std::string& id, const LogEvent& event);
  /// `best`: the reason that tells what changed, or null.
  void add(const std::string& id, const LogEvent& event, const Recompile& recompile, const FailedGuard* best);
  void add(const std::string& id, const LogEvent& event, const CompileMetrics& metrics);
  void add(const std::string& id, const LogEvent& event, const CompileFailed& failed);
  void add(const LogEvent& event, const LimitHit& hit);
  /// The compile came to its guards.
  void guarded(const std::string& id, const LogEvent& event);
  void guards(const std::string& id, const LogEvent& event, std::size_t count);
  FunctionReport finish();

 private:
  CompileReport* at(const std::string& id);
  CompileReport* begin(const std::string& id, const LogEvent& event);
  static std::string next_id(const Recompile& recompile);
  void older_entry(const FailedGuard& reason);
  void new_run();

  HistoryLeft* left_;
  std::set<std::string> ids_, started_, recompiled_, guarded_;  // of this run
  std::map<std::string, std::size_t> position_;                 // id -> history, of this run
  std::map<std::string, double> stages_;
};

}  // namespace dimgate::explain
