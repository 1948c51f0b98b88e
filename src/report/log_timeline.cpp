// Compiles and recompiles over time, one row a function. Checked by tests/report/report_test.cpp.
#include <algorithm>
#include <cmath>

#include "report/log_parts.hpp"

namespace dimgate::report {

namespace {

constexpr std::size_t kTimelineRows = 32;  // functions on the timeline

}  // namespace

Json timeline(const LogKept& kept) {
  std::map<std::string, std::size_t> counts;
  for (const Mark& m : kept.marks) ++counts[m.function];
  std::vector<std::string> order;
  for (const Mark& m : kept.marks)
    if (std::find(order.begin(), order.end(), m.function) == order.end()) order.push_back(m.function);
  if (order.size() > kTimelineRows) {
    std::stable_sort(order.begin(), order.end(),
                     [&](const auto& a, const auto& b) { return counts.at(a) > counts.at(b); });
    order.resize(kTimelineRows);
  }
  Chart chart{
      "timeline", "What was compiled when", "", "compile, in the order of the log", "function", false, true, {}, {},
      {}};
  // Where every line has a time, the axis is time; else the order of the log.
  const bool timed = std::all_of(kept.marks.begin(), kept.marks.end(), [](const Mark& m) { return m.time >= 0; });
  double start = 0;
  if (timed) {
    start = std::min_element(kept.marks.begin(), kept.marks.end(), [](const auto& a, const auto& b) {
              return a.time < b.time;
            })->time;
    chart.x = "seconds since the first compile";
  }
  const auto since = [&](const Mark& m) { return std::round((m.time - start) * 1000) / 1000; };
  chart.about = "One mark for each compile, recompile, failure and limit reached, one row for each function";
  for (const std::string& of : order) chart.labels.push_back(shown(kept.name(of)));
  Json rows = Json::array();
  for (const char* what : {"compile", "recompile", "failed", "limit hit"}) {
    Chart::Series series{what, Json::array()};
    for (const Mark& m : kept.marks) {
      const auto row = std::find(order.begin(), order.end(), m.function);
      if (m.what != what || row == order.end()) continue;
      series.points.push_back(
          {timed ? Json(since(m)) : Json(m.number), row - order.begin(),
           shown(m.compile_id + " " + kept.name(m.function) + ": " + m.what + (m.cause.empty() ? "" : ", " + m.cause) +
                 (m.seconds < 0 ? "" : ", " + duration(m.seconds)))});
    }
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  for (const Mark& m : kept.marks) {
    if (rows.size() >= 1000) break;
    rows.push_back({m.number, timed ? Json(since(m)) : Json(""), m.line, m.compile_id, shown(kept.name(m.function)),
                    m.what, shown(m.cause), m.seconds < 0 ? std::string() : duration(m.seconds)});
  }
  chart.table =
      table("Compiles in the order of the log" +
                (kept.marks_cut > 0 ? ", " + std::to_string(kept.marks_cut) + " more left out" : std::string()),
            {"#no.", "#seconds", "#log line", "id", "function", "what", "cause", "#took"}, rows);
  return to_json(chart);
}

Json functions_table(const Explanation& e) {
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

}  // namespace dimgate::report
