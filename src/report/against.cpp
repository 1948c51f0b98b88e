// Tables of before and after; numbers that a log does not hold are left out. Checked by tests/report/against_test.cpp.
#include "report/against.hpp"

#include <map>
#include <optional>

namespace dimgate::report {

namespace {

constexpr std::size_t kChanges = 500;

struct Totals {
  std::uint64_t compiles = 0, recompiles = 0, limit_hits = 0, failed = 0;
  std::optional<double> seconds;
  void add(const FunctionReport& f) {
    compiles += f.compiles;
    recompiles += f.recompiles;
    limit_hits += f.limit_hits;
    failed += f.failed;
    if (f.seconds) seconds = seconds.value_or(0) + *f.seconds;
  }
};

Totals totals(const Explanation& e) {
  Totals out;
  for (const FunctionReport& f : e.functions) out.add(f);
  return out;
}

std::string change(std::uint64_t before, std::uint64_t after) {
  return after >= before ? "+" + std::to_string(after - before) : "-" + std::to_string(before - after);
}

std::string named_function(const std::string& function) { return function.empty() ? "(not named)" : function; }

Json numbers(const Explanation& before, const Explanation& after) {
  const Totals was = totals(before);
  const Totals is = totals(after);
  Chart chart{"bar", "Before and after", "", "number", "", false, false, {}, {}, {}};
  chart.about = "Compiles, recompiles, limits reached and failures, before the change and after it";
  Chart::Series old{"before"};
  Chart::Series now{"after"};
  Json rows = Json::array();
  const auto row = [&](const char* what, std::uint64_t a, std::uint64_t b) {
    chart.labels.emplace_back(what);
    old.points.push_back(a);
    now.points.push_back(b);
    rows.push_back({what, a, b, change(a, b)});
  };
  row("compiles", was.compiles, is.compiles);
  row("recompiles", was.recompiles, is.recompiles);
  row("causes", before.groups.size(), after.groups.size());
  row("limits reached", was.limit_hits, is.limit_hits);
  row("failed", was.failed, is.failed);
  if (was.seconds || is.seconds)
    rows.push_back({"compile time", was.seconds ? duration(*was.seconds) : std::string("not in this log"),
                    is.seconds ? duration(*is.seconds) : std::string("not in this log"),
                    was.seconds && is.seconds ? (*is.seconds < *was.seconds ? "less" : "not less") : ""});
  chart.series = {std::move(old), std::move(now)};
  chart.table = table(chart.title, {"what", "#before", "#after", "#change"}, std::move(rows));
  return to_json(chart);
}

Json causes(const Against& against) {
  Json rows = Json::array();
  std::size_t left_out = 0;
  const auto row = [&](const char* state, const CauseGroup& g, std::uint64_t was, std::uint64_t is) {
    if (rows.size() >= kChanges) {
      ++left_out;
      return;
    }
    rows.push_back({state, shown(named_function(g.function)), shown(g.cause), shown(g.source), was, is,
                    std::string(state) == "gone" ? std::string() : shown(g.remedy.text)});
  };
  for (const CauseGroup& g : against.fresh) row("new", g, 0, g.count);
  for (const auto& [g, now] : against.changed) row("stays", g, g.count, now);
  for (const auto& [g, now] : against.gone) row("gone", g, g.count, 0);
  return table("Causes: " + std::to_string(against.gone.size()) + " gone, " + std::to_string(against.changed.size()) +
                   " stay, " + std::to_string(against.fresh.size()) + " new" +
                   (left_out > 0 ? ", " + std::to_string(left_out) + " left out here" : ""),
               {"state", "function", "cause", "of", "#before", "#after", "what to do"}, std::move(rows));
}

/// By name: places move with edits.
Json functions(const Explanation& before, const Explanation& after) {
  std::map<std::string, std::pair<Totals, Totals>> by_name;
  for (const FunctionReport& f : before.functions) by_name[f.function].first.add(f);
  for (const FunctionReport& f : after.functions) by_name[f.function].second.add(f);
  Json rows = Json::array();
  for (const auto& [name, two] : by_name) {
    if (rows.size() >= kChanges) break;
    const auto& [was, is] = two;
    rows.push_back({shown(named_function(name)), was.compiles, is.compiles, change(was.compiles, is.compiles),
                    was.recompiles, is.recompiles, was.seconds ? duration(*was.seconds) : std::string(),
                    is.seconds ? duration(*is.seconds) : std::string()});
  }
  return table("Functions, before and after",
               {"function", "#compiles before", "#after", "#change", "#recompiles before", "#after", "#time before",
                "#time after"},
               std::move(rows));
}

}  // namespace

Json against_section(const Explanation& before, const Explanation& after, const std::string& before_name,
                     const std::string& after_name) {
  std::string text = shown("Before: " + before_name + ". After: " + after_name + ".") +
                     " A cause is the same where function, kind and value looked at are. All below this section is of "
                     "the log after.";
  if (after.functions.empty())
    text += " The log after shows no compile at all: either nothing was compiled again, or nothing was logged.";
  const Against against = compare_explanations(before, after);
  for (const std::string& doubt : against.doubts) text += " Not confirmed: " + shown(doubt) + ".";
  return section("against", "Before and after", text,
                 Json::array({numbers(before, after), causes(against), functions(before, after)}));
}

}  // namespace dimgate::report
