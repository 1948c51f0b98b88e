// Guard kinds of a log: how many guards, and how often one of them failed. Checked by tests/report/report_test.cpp.
#include <algorithm>
#include <cmath>

#include "report/log_parts.hpp"

namespace dimgate::report {

namespace {

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

}  // namespace

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

}  // namespace dimgate::report
