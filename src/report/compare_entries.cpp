// The entries of a comparison: each policy's guards, their kinds, which call made each, and what would have avoided it.
// Capped at 24 entries a policy. Checked by tests/report/report_test.cpp.
#include <cmath>

#include "policy/front_end.hpp"
#include "report/compare_hits.hpp"
#include "report/compare_parts.hpp"
#include "report/source_line.hpp"

namespace dimgate::report {

namespace {

constexpr std::size_t kShownEntries = 24;

struct KindCount {
  std::uint64_t recorded = 0, kept = 0;
  double cost = 0, cost_kept = 0;
};

const PolicyRow* symbolic_row(const Comparison& c) {
  for (const char* name : {"symbolic", "symbolic+merge"})
    for (const PolicyRow& r : c.rows)
      if (r.policy == name && !r.compiled_at.empty()) return &r;
  return nullptr;
}

std::string values_text(const Model& model, std::span<const std::int64_t> values) {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i)
    out += (i == 0 ? "" : ", ") + model.dims()[i].name + "=" + std::to_string(values[i]);
  return out;
}

/// What would remove a guard, checked: traced again under the fact, it is not recorded.
std::string remedy(const Subject& subject, std::span<const std::int64_t> values, const std::string& guard) {
  Subject with = subject;
  with.facts.push_back(guard);
  const TraceRun run(with, symbols(values), true);
  if (!run.outcome.ok()) return {};
  for (const Expr e : run.recorded())
    if (to_text(run.context, e) == guard) return {};
  return "declare it: --assume '" + guard +
         "' (traced again under that fact, the guard is gone; calls that break the "
         "fact then run the fallback)";
}

struct Traced {
  Json json;
  std::map<std::string, KindCount> kinds;
};

Traced traced(const Subject& subject, std::span<const std::int64_t> values, std::size_t call, FormulaTable& formulas,
              SourceLines& sources) {
  TraceRun run(subject, symbols(values), true);
  Traced out;
  if (!run.outcome.ok()) return out;
  std::vector<GuardShown> guards;
  for (const Guard* recorded : run.lookup()) {
    const Guard& g = *recorded;
    GuardShown one{g.formula,
                   to_text(run.context, g.formula),
                   std::string(to_string(g.kind)),
                   g.where.to_string(),
                   {},
                   g.reason,
                   {},
                   estimated_cost(run.context, g.formula)};
    one.line = sources.line(g.where);
    guards.push_back(std::move(one));
  }
  const Minimised minimal = run.minimal();
  for (const std::size_t k : minimal.kept)
    if (minimal.kept.size() <= 12) guards[k].remove = remedy(subject, values, guards[k].text);
  std::vector<bool> kept(guards.size());
  for (const std::size_t k : minimal.kept) kept[k] = true;
  for (std::size_t i = 0; i < guards.size(); ++i) {
    KindCount& kind = out.kinds[guards[i].kind];
    ++kind.recorded;
    kind.cost += guards[i].cost;
    if (!kept[i]) continue;
    ++kind.kept;
    kind.cost_kept += guards[i].cost;
  }
  const TraceStatistics& s = run.tracer.statistics();
  const std::string note = counted(s.decisions, "decision") + ": " + std::to_string(s.repeated) + " met before, " +
                           std::to_string(s.known) + " implied by facts and earlier guards, " +
                           std::to_string(s.recorded) + " recorded";
  out.json = entry_json(run.context, run.tracer.facts(),
                        "Call " + std::to_string(call + 1) + ": " + values_text(*subject.model, values), note, guards,
                        minimal, formulas);
  return out;
}

Json kinds_chart(const std::map<std::string, KindCount>& kinds) {
  Chart chart{"bar",
              "Cost of a check by guard kind",
              "Estimated cost of the guards recorded and of those kept, by kind",
              "estimated cost",
              "",
              false,
              false,
              {},
              {},
              {}};
  Chart::Series before{"recorded", Json::array()};
  Chart::Series after{"kept", Json::array()};
  Json rows = Json::array();
  for (const auto& [kind, n] : kinds) {
    chart.labels.push_back(kind);
    before.points.push_back(std::round(n.cost * 10) / 10);
    after.points.push_back(std::round(n.cost_kept * 10) / 10);
    rows.push_back({kind, n.recorded, n.kept, std::round(n.cost * 10) / 10, std::round(n.cost_kept * 10) / 10});
  }
  chart.series = {std::move(before), std::move(after)};
  chart.table =
      table("Guards of these entries by kind", {"kind", "#recorded", "#kept", "#cost recorded", "#cost kept"}, rows);
  return to_json(chart);
}

/// The guards kept of an entry traced at these values; nullopt: tracing raises a shape error.
std::optional<KeptGuards> kept_guards(const Subject& subject, std::span<const std::int64_t> values) {
  TraceRun run(subject, symbols(values), true);
  if (!run.outcome.ok()) return std::nullopt;
  const std::vector<const Guard*> guards = run.lookup();
  KeptGuards out;
  for (const std::size_t k : run.minimal().kept) {
    const Guard& g = *guards[k];
    out.push_back(
        {std::string(to_string(g.kind)), to_text(run.context, g.formula), estimated_cost(run.context, g.formula)});
  }
  return out;
}

}  // namespace

Json entry_sections(const Comparison& c, const ComparedRun& run, Prover& prover, FormulaTable& formulas) {
  Json out = Json::array();
  const PolicyRow* row = symbolic_row(c);
  if (row == nullptr || run.model == nullptr) return out;
  Subject subject;
  subject.model = run.model;
  for (std::size_t i = 0; i < run.calls->dims().size(); ++i) subject.free.push_back(!run.calls->is_constant(i));
  subject.facts = run.model->facts();
  subject.facts.insert(subject.facts.end(), run.facts.begin(), run.facts.end());
  subject.prover = &prover;
  Json entries = Json::array();
  SourceLines sources;
  std::map<std::string, KindCount> kinds;
  for (const std::size_t call : row->compiled_at) {
    if (entries.size() >= kShownEntries) break;
    Traced one = traced(subject, (*run.calls)[call], call, formulas, sources);
    if (one.json.is_null()) continue;
    entries.push_back(std::move(one.json));
    for (const auto& [kind, n] : one.kinds) {
      KindCount& into = kinds[kind];
      into.recorded += n.recorded;
      into.kept += n.kept;
      into.cost += n.cost;
      into.cost_kept += n.cost_kept;
    }
  }
  const std::uint64_t left_out = row->compiled_at.size() - entries.size();
  out.push_back(section("guards", "Guards of the policy " + row->policy,
                        "What each trace recorded, and what is left of it. Open a guard for its place in the source, "
                        "its proof, or what would remove it.",
                        Json::array({entries_block(std::move(entries), left_out)})));
  if (kinds.empty()) return out;
  Json charts = Json::array();
  if (const HitsByKind use =
          hits_by_kind(*run.calls, [&](std::size_t call) { return kept_guards(subject, (*run.calls)[call]); });
      use.calls > 0)
    charts.push_back(hits_chart(use, "The first " + counted(use.calls, "call") + " under the policy symbolic" +
                                         (c.limit ? ", without a limit of entries" : "")));
  charts.push_back(kinds_chart(kinds));
  out.push_back(section("kinds", "Hits, misses and cost by guard kind",
                        "Each call against the guards kept of the entries made before it, the first that accepts "
                        "serves; a miss is put down to what "
                        "fails in the nearest entry. Costs are estimates in units of one simple test: slots read, "
                        "operations, divisions weighed.",
                        std::move(charts)));
  return out;
}

}  // namespace dimgate::report
