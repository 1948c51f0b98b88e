// The page of what `explain` finds in logs.
#include <algorithm>
#include <cmath>
#include <set>

#include "dimgate/report.hpp"
#include "explain/values.hpp"
#include "report/against.hpp"
#include "report/log_entries.hpp"
#include "report/log_kept.hpp"

namespace dimgate {

using namespace report;

namespace {

constexpr std::size_t kRows = 32;  // functions on the timeline

/// The symbols of a guard; none where it does not read.
std::set<std::string> symbols_in(const std::string& guard) {
  Context ctx;
  std::set<std::string> out;
  if (const auto formula = parse(ctx, guard))
    for (const Expr s : symbols_of(ctx, *formula)) out.insert(ctx.symbol_name(s));
  return out;
}
std::set<std::string> symbols_in(const std::vector<std::pair<std::string, std::vector<std::string>>>& entries) {
  std::set<std::string> out;
  for (const auto& [title, guards] : entries)
    for (const std::string& g : guards) out.merge(symbols_in(g));
  return out;
}
bool reads_any(const std::string& guard, const std::vector<std::string>& dims) {
  const std::set<std::string> symbols = symbols_in(guard);
  return std::any_of(dims.begin(), dims.end(), [&](const std::string& dim) { return symbols.count(dim) != 0; });
}
/// `x.size()[0]` as the guards write it: so, or `L['x'].size()[0]`.
std::string as_spelled(const std::string& slot, const std::set<std::string>& spelled) {
  const std::size_t end = slot.find_first_of(".[");
  const std::string local =
      "L['" + slot.substr(0, end) + "']" + (end == std::string::npos ? std::string() : slot.substr(end));
  return spelled.count(slot) == 0 && spelled.count(local) != 0 ? local : slot;
}

}  // namespace

struct LogReport::Impl : LogKept {
  Prover* prover;

  Impl(Prover& with, LogReportOptions how) : LogKept{how}, prover(&with) {}
  Json timeline() const;
  Json causes(const Explanation& e) const;
  Json cause_cost(const Explanation& e) const;
  Json stages(const Explanation& e) const;
  Json value_blocks(const EntriesShown& shown_entries) const;
};

Json LogReport::Impl::timeline() const {
  std::map<std::string, std::size_t> counts;
  for (const Mark& m : marks) ++counts[m.function];
  std::vector<std::string> order;
  for (const Mark& m : marks)
    if (std::find(order.begin(), order.end(), m.function) == order.end()) order.push_back(m.function);
  if (order.size() > kRows) {
    std::stable_sort(order.begin(), order.end(),
                     [&](const auto& a, const auto& b) { return counts.at(a) > counts.at(b); });
    order.resize(kRows);
  }
  Chart chart{
      "timeline", "What was compiled when", "", "compile, in the order of the log", "function", false, true, {}, {},
      {}};
  // Where every line has a time, the axis is time; else the order of the log.
  const bool timed = std::all_of(marks.begin(), marks.end(), [](const Mark& m) { return m.time >= 0; });
  double start = 0;
  if (timed) {
    start = std::min_element(marks.begin(), marks.end(), [](const auto& a, const auto& b) {
              return a.time < b.time;
            })->time;
    chart.x = "seconds since the first compile";
  }
  const auto since = [&](const Mark& m) { return std::round((m.time - start) * 1000) / 1000; };
  chart.about = "One mark for each compile, recompile, failure and limit reached, one row for each function";
  for (const std::string& of : order) chart.labels.push_back(shown(name(of)));
  Json rows = Json::array();
  for (const char* what : {"compile", "recompile", "failed", "limit hit"}) {
    Chart::Series series{what, Json::array()};
    for (const Mark& m : marks) {
      const auto row = std::find(order.begin(), order.end(), m.function);
      if (m.what != what || row == order.end()) continue;
      series.points.push_back(
          {timed ? Json(since(m)) : Json(m.number), row - order.begin(),
           shown(m.compile_id + " " + name(m.function) + ": " + m.what + (m.cause.empty() ? "" : ", " + m.cause) +
                 (m.seconds < 0 ? "" : ", " + duration(m.seconds)))});
    }
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  for (const Mark& m : marks) {
    if (rows.size() >= 1000) break;
    rows.push_back({m.number, timed ? Json(since(m)) : Json(""), m.line, m.compile_id, shown(name(m.function)), m.what,
                    shown(m.cause), m.seconds < 0 ? std::string() : duration(m.seconds)});
  }
  chart.table = table("Compiles in the order of the log" +
                          (marks_cut > 0 ? ", " + std::to_string(marks_cut) + " more left out" : std::string()),
                      {"#no.", "#seconds", "#log line", "id", "function", "what", "cause", "#took"}, rows);
  return to_json(chart);
}

Json LogReport::Impl::causes(const Explanation& e) const {
  Json items = Json::array();
  for (const CauseGroup& g : e.groups) {
    if (items.size() >= 200) break;
    Json lines = Json::array();
    const auto line = [&](const char* label, const std::string& text) {
      if (!text.empty()) lines.push_back({label, shown(text)});
    };
    std::string changes;
    for (const std::string& c : g.changes) changes += (changes.empty() ? "" : "; ") + c;
    line("Change", changes);
    line("Your line", g.user_line + (g.user_place.empty() ? "" : (g.user_line.empty() ? "" : "   # ") + g.user_place));
    line(g.remedy.avoidable ? "Do" : "Note", g.remedy.text);
    if (g.remain)
      line("Left then", "at least " + std::to_string(*g.remain) + " of " + counted(g.compiles, "compile") +
                            (g.remain_note.empty() ? "" : " (" + g.remain_note + ")"));
    else
      line("Left then", g.remain_note);
    if (!own)
      line("PyTorch", g.blamed == g.count
                          ? "names the same cause"
                          : "names this cause for " + std::to_string(g.blamed) + " of " + std::to_string(g.count));
    std::string title = g.cause + (g.source.empty() ? "" : " of " + g.source) + " in " +
                        (g.function.empty() ? "a function not named" : g.function);
    std::string note = counted(g.count, "recompile");
    if (g.seconds) note += ", " + duration(*g.seconds);
    if (!g.place.empty()) note += ", " + g.place;
    items.push_back({{"title", shown(title)},
                     {"note", shown(note)},
                     {"badge", !g.remedy.avoidable                   ? "no remedy"
                               : g.remain && *g.remain >= g.compiles ? "not alone"
                                                                     : "avoidable"},
                     {"lines", lines}});
  }
  return {{"type", "cards"}, {"items", items}, {"left_out", e.groups.size() - items.size() + e.cut}};
}

Json LogReport::Impl::cause_cost(const Explanation& e) const {
  std::map<std::string, std::pair<std::uint64_t, double>> kinds;
  bool timed = false;
  for (const CauseGroup& g : e.groups) {
    auto& [count, seconds] = kinds[g.cause];
    count += g.count;
    seconds += g.seconds.value_or(0);
    timed = timed || g.seconds.has_value();
  }
  std::vector<std::pair<std::string, std::pair<std::uint64_t, double>>> order(kinds.begin(), kinds.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.second.second != b.second.second ? a.second.second > b.second.second : a.second.first > b.second.first;
  });
  Chart chart{"bar", timed ? "Compile time by kind of cause" : "Recompiles by kind of cause",
              "",    timed ? "seconds" : "recompiles",
              "",    false,
              false, {},
              {},    {}};
  chart.about = "What recompiles cost, by the kind of guard that failed";
  Chart::Series series{chart.x, Json::array()};
  Json rows = Json::array();
  for (const auto& [kind, what] : order) {
    if (chart.labels.size() < 24) {
      chart.labels.push_back(shown(kind));
      series.points.push_back(timed ? Json(std::round(what.second * 1e6) / 1e6) : Json(what.first));
    }
    rows.push_back({shown(kind), what.first, timed ? duration(what.second) : std::string("not in this log")});
  }
  chart.series.push_back(std::move(series));
  chart.table = table(chart.title, {"kind of guard that failed", "#recompiles", "#compile time"}, rows);
  return to_json(chart);
}

Json LogReport::Impl::stages(const Explanation& e) const {
  Json rows = Json::array();
  for (const FunctionReport& f : e.functions) {
    std::string stages;
    for (std::size_t i = 0; i < f.stages.size() && i < 4; ++i)
      stages += (i == 0 ? "" : ", ") + f.stages[i].first + " " + duration(f.stages[i].second);
    rows.push_back({shown(f.function.empty() ? "(not named)" : f.function), shown(f.place), f.compiles, f.recompiles,
                    f.limit_hits, f.failed, f.seconds ? duration(*f.seconds) : std::string(), shown(stages)});
    if (rows.size() >= 500) break;
  }
  return table(
      "Functions",
      {"function", "place", "#compiles", "#recompiles", "#limit hits", "#failed", "#compile time", "longest stages"},
      rows);
}

/// Values of sizes and ints as the log shows them; regions where entries' guards were logged too.
Json LogReport::Impl::value_blocks(const EntriesShown& shown_entries) const {
  Json out = Json::array();
  Json drawn = Json::array();
  for (const auto& [of, slots] : values) {
    std::vector<std::string> dims;
    Chart chart{
        "line", "Values in " + shown(name(of)), "", "compile, in the order of the log", "value", false, false, {}, {},
        {}};
    chart.about = "The values of sizes and ints at compiles of this function, as the log shows them";
    Json rows = Json::array();
    for (const auto& [slot, seen] : slots) {
      std::set<std::int64_t> different;
      for (const auto& [at, v] : seen) different.insert(v);
      if (different.size() < 2) continue;
      if (dims.size() < 12) dims.push_back(slot);
      Chart::Series series{shown(slot), Json::array()};
      std::string list;
      for (const auto& [at, v] : seen) {
        series.points.push_back({at, v});
        if (list.size() < 200) list += (list.empty() ? "" : ", ") + std::to_string(v);
      }
      if (chart.series.size() < 8) chart.series.push_back(std::move(series));
      rows.push_back({shown(slot), different.size(), list});
    }
    if (rows.empty() || out.size() >= 24) continue;
    chart.table = table(chart.title, {"slot", "#different values", "in the order of the log"}, rows);
    out.push_back(to_json(chart));
    const auto found = shown_entries.readable.find(of);
    if (found == shown_entries.readable.end()) continue;
    const std::set<std::string> spelled = symbols_in(found->second);
    const std::vector<std::string> slots_drawn = dims;
    for (std::string& dim : dims) dim = as_spelled(dim, spelled);
    Regions regions(dims);
    std::vector<std::int64_t> now(dims.size(), 0);
    std::map<std::uint64_t, std::vector<std::pair<std::size_t, std::int64_t>>> by_compile;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const auto& seen = slots.at(slots_drawn[d]);
      now[d] = seen.front().second;
      for (const auto& [at, v] : seen) by_compile[at].emplace_back(d, v);
    }
    for (const auto& [at, changes] : by_compile) {
      for (const auto& [d, v] : changes) now[d] = v;
      regions.point(now);
    }
    const std::size_t set = regions.set(name(of));
    for (const auto& [title, readable] : found->second) {
      std::vector<std::string> mine;  // only what speaks of these dims alone can be drawn
      for (const std::string& g : readable)
        if (reads_any(g, dims)) mine.push_back(g);
      regions.entry(set, title, mine);
    }
    drawn.push_back(regions.json("Regions of the entries of " + shown(name(of)), !drawn.empty()));
  }
  for (Json& region : drawn) out.push_back(std::move(region));
  return out;
}

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

Json kinds_table(const EntriesShown& entries) {
  Chart chart{"bar",
              "Guards by kind",
              "Estimated cost of checking the guards logged, by kind",
              "estimated cost",
              "",
              false,
              false,
              {},
              {},
              {}};
  std::vector<std::pair<std::string, KindWeight>> order(entries.kinds.begin(), entries.kinds.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second.cost > b.second.cost; });
  Chart::Series series{"estimated cost", Json::array()};
  Json rows = Json::array();
  for (const auto& [kind, n] : order) {
    if (chart.labels.size() < 24) {
      chart.labels.push_back(shown(kind));
      series.points.push_back(std::round(n.cost * 10) / 10);
    }
    rows.push_back({shown(kind), n.logged, n.kept, n.implied, n.outside, std::round(n.cost * 10) / 10});
  }
  chart.series.push_back(std::move(series));
  chart.table =
      table("Guards of the entries shown, by kind",
            {"kind", "#logged", "#kept", "#implied by others", "#outside the language", "#estimated cost"}, rows);
  return to_json(chart);
}

/// What kinds of guards cost; for dimgate's own caches also what they let through and stopped.
Json kinds_section(const OwnUse& use, const EntriesShown& entries) {
  constexpr const char* units = "Costs are estimates in units of one simple test.";
  if (use.empty()) return section("kinds", "Cost by guard kind", units, Json::array({kinds_table(entries)}));
  std::uint64_t apart = 0;
  const HitsByKind counts = use.by_kind(apart);
  std::string text = "What each entry served, and the guards that failed in the entry nearest to each call missed. ";
  if (apart > 0)
    text +=
        "Of " + counted(apart, "more hit") + " the trace does not tell the entry (it was not closed, or is older). ";
  return section("kinds", "Hits, misses and cost by guard kind", text + units,
                 Json::array({hits_chart(counts, counted(counts.calls, "call")), kinds_table(entries)}));
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
                               Json::array({in.cause_cost(e), in.causes(e)})));
  if (!in.marks.empty())
    sections.push_back(section("when", "What was compiled when", "", Json::array({in.timeline(), in.stages(e)})));
  if (Json values = in.value_blocks(entries); !values.empty())
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
