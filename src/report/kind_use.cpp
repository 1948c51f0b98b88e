// A chart of hits, misses and costs by guard kind. Checked by tests/report/compare_hits_test.cpp.
#include "report/kind_use.hpp"

#include <cmath>

namespace dimgate::report {

Json hits_chart(const HitsByKind& use, const std::string& whose) {
  Chart chart{"bar", "Hits and misses by guard kind", "", "calls", "", false, false, {}, {}, {}};
  chart.about = "Calls served by entries with a guard of the kind, and calls missed where such a guard failed";
  Chart::Series hits{"hits", Json::array()};
  Chart::Series misses{"misses", Json::array()};
  Json rows = Json::array();
  for (const auto& [kind, n] : use.kinds) {
    if (chart.labels.size() < 24) {
      chart.labels.push_back(shown(kind));
      hits.points.push_back(n.hits);
      misses.points.push_back(n.misses);
    }
    rows.push_back({shown(kind), n.hits, n.misses, std::round(n.cost)});
  }
  if (use.without_guard > 0) rows.push_back({"(an entry without guards)", use.without_guard, 0, 0});
  chart.series = {std::move(hits), std::move(misses)};
  chart.table = table(whose + ": " + counted(use.hits, "hit") + ", " + counted(use.misses, "miss", "misses") + ", " +
                          std::to_string(use.before_any) + " before any entry",
                      {"kind", "#hits", "#misses", "#cost over the hits"}, rows);
  return to_json(chart);
}

}  // namespace dimgate::report
