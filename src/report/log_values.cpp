// The values that recompiling slots had, beside the guards that named them. Checked by tests/report/report_test.cpp.
#include <algorithm>
#include <set>

#include "report/log_parts.hpp"

namespace dimgate::report {

namespace {

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

Json value_blocks(const LogKept& kept, const EntriesShown& shown_entries) {
  Json out = Json::array();
  Json drawn = Json::array();
  for (const auto& [of, slots] : kept.values) {
    std::vector<std::string> dims;
    Chart chart{"line",  "Values in " + shown(kept.name(of)),
                "",      "compile, in the order of the log",
                "value", false,
                false,   {},
                {},      {}};
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
    const std::size_t set = regions.set(kept.name(of));
    for (const auto& [title, readable] : found->second) {
      std::vector<std::string> mine;  // only what speaks of these dims alone can be drawn
      for (const std::string& g : readable)
        if (reads_any(g, dims)) mine.push_back(g);
      regions.entry(set, title, mine);
    }
    drawn.push_back(regions.json("Regions of the entries of " + shown(kept.name(of)), !drawn.empty()));
  }
  for (Json& region : drawn) out.push_back(std::move(region));
  return out;
}

}  // namespace dimgate::report
