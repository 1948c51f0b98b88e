// The page of what `explain` finds in logs.
#include "dimgate/report.hpp"
#include "report/against.hpp"
#include "report/log_parts.hpp"

namespace dimgate {

using namespace report;

struct LogReport::Impl : LogKept {
  Prover* prover;

  Impl(Prover& with, LogReportOptions how) : LogKept{how}, prover(&with) {}
};

LogReport::LogReport(Prover& prover, LogReportOptions options) : impl_(new Impl(prover, options)) {}
LogReport::~LogReport() = default;
LogReport::LogReport(LogReport&&) noexcept = default;
LogReport& LogReport::operator=(LogReport&&) noexcept = default;
void LogReport::add(const LogEvent& event) { impl_->add(event); }

namespace {

Json list_table(const std::string& caption, const std::string& what,
                const std::vector<std::pair<std::string, std::uint64_t>>& counts) {
  Json rows = Json::array();
  for (const auto& [text, count] : counts) rows.push_back({shown(text), count});
  return table(caption, {what, "#times"}, rows);
}

Json lines_table(const LogCounts& counts) {
  Json rows = Json::array();
  for (const auto& [kind, n] : counts.parsed_kinds) rows.push_back({"read", shown(kind), n, "", ""});
  for (const auto& [kind, n] : counts.unknown_kinds)
    rows.push_back({"unknown", shown(kind), n.count, n.first_line, shown(n.sample)});
  for (const auto& [kind, n] : counts.damage)
    rows.push_back({"damage", shown(kind), n.count, n.first_line, shown(n.sample)});
  return table("Lines of the log: " + std::to_string(counts.parsed) + " read and " + std::to_string(counts.unknown) +
                   " unknown are all " + std::to_string(counts.lines),
               {"state", "kind", "#lines", "#first at", "such a line"}, rows);
}

Json tiles(const Explanation& e) {
  std::uint64_t recompiles = 0;
  std::uint64_t compiles = 0;
  std::uint64_t limits = 0;
  std::uint64_t avoidable = 0;
  double seconds = 0;
  for (const FunctionReport& f : e.functions) {
    recompiles += f.recompiles;
    compiles += f.compiles;
    limits += f.limit_hits;
    seconds += f.seconds.value_or(0);
  }
  for (const CauseGroup& g : e.groups)
    if (g.remedy.avoidable && (!g.remain || *g.remain < g.compiles)) ++avoidable;
  Json out = Json::array({tile("compiles", std::to_string(compiles), counted(e.functions.size(), "function")),
                          tile("recompiles", std::to_string(recompiles), counted(e.groups.size(), "cause")),
                          tile("avoidable causes", std::to_string(avoidable), "of " + std::to_string(e.groups.size())),
                          tile("limit hits", std::to_string(limits), "then eager")});
  if (seconds > 0) out.push_back(tile("compile time", duration(seconds), "as logged"));
  out.push_back(tile("lines read", std::to_string(e.counts.lines), std::to_string(e.counts.unknown) + " unknown"));
  return out;
}

}  // namespace

std::string LogReport::html(const Explanation& e, const std::string& name, const BeforeChange& before) const {
  const Impl& in = *impl_;
  FormulaTable formulas;
  const EntriesShown entries = show_entries(in.entries, in.names, *in.prover, formulas);
  Json sections = Json::array();
  if (before.explanation != nullptr) sections.push_back(against_section(*before.explanation, e, before.name, name));
  if (e.groups.empty())
    sections.push_back(section("causes", "Causes", "No recompiles in this log.", Json::array()));
  else
    sections.push_back(section("causes", "Causes, and what to change",
                               "Recompiles grouped by what changed, dearest first. The number left is computed by "
                               "replaying the values that the log shows.",
                               Json::array({cause_cost(e), causes(e, in.own)})));
  if (!in.marks.empty())
    sections.push_back(section("when", "What was compiled when", "", Json::array({timeline(in), functions_table(e)})));
  if (Json values = value_blocks(in, entries); !values.empty())
    sections.push_back(section("shapes", "Shapes and values seen",
                               "What the log shows at compiles and failures; calls that hit leave no trace in a log. "
                               "Guards on other slots than those drawn are not part of a region.",
                               std::move(values)));
  if (!entries.entries.empty()) {
    sections.push_back(
        section("guards", "Guards of each entry",
                "As logged, and what is left once guards implied by others are out. Open a guard for its "
                "source line, its proof, or what would remove it.",
                Json::array({entries_block(entries.entries, in.entries_cut)})));
    sections.push_back(kinds_section(in.use, entries));
  }
  Json rest = Json::array();
  if (!e.graph_breaks.empty()) rest.push_back(list_table("Graph breaks", "reason", e.graph_breaks));
  if (!e.failures.empty()) rest.push_back(list_table("Compiles that failed", "error", e.failures));
  if (!e.notes.empty()) rest.push_back(list_table("Also said", "message", e.notes));
  if (!e.other_retraces.empty()) {
    Json rows = Json::array();
    for (const std::string& text : e.other_retraces) rows.push_back({shown(text)});
    rest.push_back(table("Other systems", {"message"}, rows));
  }
  rest.push_back(lines_table(e.counts));
  sections.push_back(section("log", "The log itself", "", std::move(rest)));
  const std::string title = "Recompiles in " + name;
  const std::string lead = before.explanation == nullptr
                               ? "dimgate report " + shown(name)
                               : "dimgate report " + shown(before.name) + " --against " + shown(name);
  const Json data{{"schema", 1},       {"title", shown(title)},       {"lead", lead},
                  {"tiles", tiles(e)}, {"formulas", formulas.json()}, {"sections", sections}};
  return page_html(shown(title), data);
}

}  // namespace dimgate
