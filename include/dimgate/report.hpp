// One self-contained HTML page of what `explain` finds in logs, or of a comparison of policies.
//
// The page needs no network and forbids itself any; its charts (Chart.js) are inside: about 0.25 MB plus data. Text
// from logs is data: long ones are cut with their length beside them, and none is ever read as markup.
// Memory is capped (events, guards, shapes); what was left out is said in the page. Deterministic but for measured
// times. Tested by tests/report, in headless Chromium as well.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dimgate/explain.hpp"
#include "dimgate/replay.hpp"

namespace dimgate {

struct LogReportOptions {
  std::size_t events = 5000;   // on the timeline
  std::size_t entries = 48;    // whose guards are shown
  std::size_t guards = 20000;  // formulas in all
};

/// What a log said before the program was changed.
struct BeforeChange {
  const Explanation* explanation = nullptr;
  std::string name;
};

/// Takes the events of logs, as Explainer does; then makes the page. The prover outlives it.
class LogReport {
 public:
  explicit LogReport(Prover& prover, LogReportOptions options = {});
  ~LogReport();
  LogReport(LogReport&&) noexcept;
  LogReport& operator=(LogReport&&) noexcept;
  void add(const LogEvent& event);
  /// `explanation` of the same events; `name` of the logs, for the title. With `before` the page begins with what
  /// changed since: causes gone, staying and new, numbers side by side.
  [[nodiscard]] std::string html(const Explanation& explanation, const std::string& name,
                                 const BeforeChange& before = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What a comparison ran on.
struct ComparedRun {
  const Model* model = nullptr;
  const Calls* calls = nullptr;
  std::vector<std::string> facts;  // beside the model's own
  std::string command;             // that prints the same table; shown
};

/// The page of a comparison: its rows side by side, when each policy compiled, the shapes seen and the regions that
/// entries cover, and the guards of the symbolic entries, traced again at the calls that made them.
std::string report_html(const Comparison& comparison, const ComparedRun& run, Prover& prover);

}  // namespace dimgate
