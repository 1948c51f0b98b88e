// The page of a comparison.
#include <algorithm>
#include <cmath>
#include <functional>

#include "dimgate/report.hpp"
#include "report/compare_parts.hpp"
#include "report/regions.hpp"

namespace dimgate {

namespace report {

namespace {

constexpr std::size_t kLinePoints = 600;  // of a line

std::string percent(double part) {
  auto parts = std::llround(part * 10000);
  if (part < 1 && parts == 10000) parts = 9999;  // never rounded up to all
  const std::string cents = std::to_string(parts % 100);
  return std::to_string(parts / 100) + "." + (cents.size() < 2 ? "0" : "") + cents + "%";
}

Json rounded(double value, double unit) { return std::round(value / unit) * unit; }

Json rows_table(const Comparison& c) {
  Json rows = Json::array();
  for (const PolicyRow& r : c.rows)
    rows.push_back({r.policy, r.compiles, r.hits, percent(r.hit_rate), r.traces, r.shared, r.fallbacks, r.rejected,
                    r.entries, r.evictions, rounded(r.guards_per_entry, 0.1), r.bytes, rounded(r.lookup_ns, 1),
                    rounded(r.solver_ms, 0.1), percent(r.padding_waste)});
  return table("One row a policy",
               {"policy", "#compiles", "#hits", "#hit rate", "#traces", "#shared", "#fallbacks", "#rejected",
                "#entries", "#evictions", "#guards/entry", "#bytes", "#lookup ns", "#solver ms", "#padding waste"},
               rows);
}

Json cost_table(const Comparison& c) {
  Json rows = Json::array();
  for (const PolicyRow& r : c.rows) {
    if (!r.estimated_total_s) continue;
    rows.push_back({r.policy, duration(*r.estimated_total_s),
                    r.break_even ? std::to_string(*r.break_even) : std::string("never"),
                    r.longest_stall_s ? duration(*r.longest_stall_s) : std::string(),
                    r.p99_s ? duration(*r.p99_s) : std::string()});
  }
  return rows.empty() ? Json()
                      : table("Time estimated from the costs given",
                              {"policy", "#total", "#break-even at call", "#longest stall", "#p99 of a call"}, rows);
}

Json bars(const Comparison& c, const std::string& title, const std::string& about, const std::string& unit, bool log,
          const std::function<double(const PolicyRow&)>& value) {
  Chart chart{"bar", title, about, unit, "", log, false, {}, {}, {}};
  Chart::Series series{unit, Json::array()};
  Json rows = Json::array();
  for (const PolicyRow& r : c.rows) {
    chart.labels.push_back(r.policy);
    series.points.push_back(rounded(value(r), 0.01));
    rows.push_back({r.policy, rounded(value(r), 0.01)});
  }
  chart.series.push_back(std::move(series));
  chart.table = table(title, {"policy", "#" + unit}, rows);
  return to_json(chart);
}

/// Every n-th of a long list, first and last always.
std::vector<std::size_t> thinned(const std::vector<std::size_t>& all) {
  if (all.size() <= kLinePoints) return all;
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < kLinePoints; ++i) out.push_back(all[i * (all.size() - 1) / (kLinePoints - 1)]);
  return out;
}

Json timeline(const Comparison& c) {
  Chart chart{"timeline", "What was compiled when", "", "call", "policy", false, true, {}, {}, {}};
  chart.about = "One mark for each call that built an artifact, one row for each policy";
  Json rows = Json::array();
  Chart::Series series{"compile", Json::array()};
  for (std::size_t p = 0; p < c.rows.size(); ++p) {
    const PolicyRow& r = c.rows[p];
    chart.labels.push_back(r.policy);
    for (const std::size_t call : thinned(r.compiled_at))
      series.points.push_back({call + 1, p, r.policy + ": compile at call " + std::to_string(call + 1)});
    std::string first;
    for (std::size_t i = 0; i < r.compiled_at.size() && i < 12; ++i)
      first += (i == 0 ? "" : ", ") + std::to_string(r.compiled_at[i] + 1);
    if (r.compiled_at.size() > 12) first += ", …";
    rows.push_back({r.policy, r.compiles, first, r.compiled_at.empty() ? Json("") : Json(r.compiled_at.back() + 1)});
  }
  chart.series.push_back(std::move(series));
  chart.table = table("Calls that built an artifact", {"policy", "#compiles", "at calls", "#last at"}, rows);
  return to_json(chart);
}

Json growth(const Comparison& c) {
  Chart chart{"line", "Compiles so far", "", "call", "compiles", true, true, {}, {}, {}};
  chart.about = "How the number of compiles grows with the calls, one line for each policy";
  Json rows = Json::array();
  for (const PolicyRow& r : c.rows) {
    if (r.compiled_at.empty()) continue;
    Chart::Series series{r.policy, Json::array()};
    const std::size_t n = r.compiled_at.size();
    const std::size_t step = n <= kLinePoints ? 1 : n / kLinePoints + 1;
    for (std::size_t i = 0; i < n; i += step) series.points.push_back({r.compiled_at[i] + 1, i + 1});
    series.points.push_back({c.calls, n});
    chart.series.push_back(std::move(series));
    Json row{r.policy};
    for (const std::size_t part : {10U, 4U, 2U, 1U}) {
      const std::size_t until = c.calls / part;
      row.push_back(std::lower_bound(r.compiled_at.begin(), r.compiled_at.end(), until) - r.compiled_at.begin());
    }
    rows.push_back(std::move(row));
  }
  const auto head = [&](std::size_t part) { return "#by call " + std::to_string(c.calls / part); };
  chart.table = table("Compiles so far", {"policy", head(10), head(4), head(2), head(1)}, rows);
  return to_json(chart);
}

Json regions_block(const Comparison& c, const ComparedRun& run) {
  Regions regions(run.calls->dims());
  for (std::size_t i = 0; i < run.calls->size(); ++i) {
    const auto call = (*run.calls)[i];
    regions.point({call.begin(), call.end()});
  }
  for (const PolicyRow& r : c.rows) {
    if (r.shown.empty()) continue;
    const std::size_t set = regions.set(r.policy);
    for (std::size_t i = 0; i < r.shown.size(); ++i)
      regions.entry(set, "entry " + std::to_string(i + 1), r.shown[i].guards);
  }
  return regions.json("Shapes seen, and the regions that entries cover");
}

Json tiles(const Comparison& c) {
  Json out = Json::array({tile("calls", std::to_string(c.calls), c.model)});
  if (c.limit) out.push_back(tile("most entries", std::to_string(c.limit->entries), "--entries " + c.limit->text()));
  const auto most = std::max_element(c.rows.begin(), c.rows.end(),
                                     [](const auto& a, const auto& b) { return a.compiles < b.compiles; });
  const PolicyRow* least = nullptr;
  for (const PolicyRow& r : c.rows)
    if (r.compiles > 0 && (least == nullptr || r.compiles <= least->compiles)) least = &r;
  if (least != nullptr && most != c.rows.end()) {
    out.push_back(tile("compiles", std::to_string(most->compiles), "most: " + most->policy));
    out.push_back(tile("compiles", std::to_string(least->compiles), "fewest: " + least->policy));
    out.push_back(tile("hit rate", percent(least->hit_rate), least->policy));
    out.push_back(tile("lookup", std::to_string(std::llround(least->lookup_ns)) + " ns", least->policy + ", measured"));
  }
  return out;
}

}  // namespace

}  // namespace report

std::string report_html(const Comparison& c, const ComparedRun& run, Prover& prover) {
  using namespace report;
  FormulaTable formulas;
  Json sections = Json::array();
  Json side = Json::array({rows_table(c)});
  if (Json costs = cost_table(c); !costs.is_null()) side.push_back(std::move(costs));
  side.push_back(bars(c, "Compiles", "Artifacts built, by policy", "compiles", true,
                      [](const PolicyRow& r) { return static_cast<double>(r.compiles); }));
  side.push_back(bars(c, "Entries kept", "Entries in the cache at the end, by policy", "entries", true,
                      [](const PolicyRow& r) { return static_cast<double>(r.entries); }));
  side.push_back(bars(c, "Misses", "Calls that were not hits, by policy", "calls", true,
                      [](const PolicyRow& r) { return static_cast<double>(r.calls - r.hits); }));
  side.push_back(bars(c, "Lookup, as measured", "Nanoseconds for a lookup, by policy", "ns", false,
                      [](const PolicyRow& r) { return r.lookup_ns; }));
  sections.push_back(
      section("policies", "Policies side by side",
              "The same calls under each policy. A compile is an artifact built; shared: traced, but the "
              "artifact was known; a fallback runs eagerly; rejected: eager would raise as well.",
              std::move(side)));
  sections.push_back(section("when", "What was compiled when", "Calls are numbered from 1, in the order of the trace.",
                             Json::array({timeline(c), growth(c)})));
  sections.push_back(
      section("shapes", "Shapes and regions",
              "Each point is a shape that was called; colours are the entries whose guards hold there. "
              "Every cell is an exact evaluation at one integer shape. Choose two dims and a policy; the "
              "other dims stay at the values given.",
              Json::array({regions_block(c, run)})));
  for (Json& one : entry_sections(c, run, prover, formulas)) sections.push_back(std::move(one));
  const std::string title = c.model + " on " + c.trace;
  const Json data{{"schema", 1},
                  {"title", shown(title)},
                  {"lead", shown(run.command.empty() ? "dimgate compare" : run.command)},
                  {"tiles", tiles(c)},
                  {"formulas", formulas.json()},
                  {"sections", sections}};
  return page_html(title, data);
}

}  // namespace dimgate
