// Causes of recompiles as a table and a chart, the most expensive first. Checked by tests/report/report_test.cpp.
#include <algorithm>
#include <cmath>

#include "report/log_parts.hpp"

namespace dimgate::report {

Json causes(const Explanation& e, bool own) {
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
    line(g.user_line.empty() ? "At" : "Your line",
         g.user_line + (g.user_place.empty() ? "" : (g.user_line.empty() ? "" : "   # ") + g.user_place));
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

Json cause_cost(const Explanation& e) {
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
  chart.wide = true;
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

}  // namespace dimgate::report
