#include "policy/front_end.hpp"

#include <algorithm>

#include "dimgate/compile.hpp"

namespace dimgate {

TraceRun::TraceRun(const Subject& subject, std::span<const DimPlan> plan, bool declare_facts, const Step& prepare,
                   const Step& finish)
    : tracer(context, *subject.prover), subject_(&subject) {
  outcome = tracer.run([&] {
    const auto names = subject.model->dims();
    for (std::size_t i = 0; i < plan.size(); ++i) {
      switch (plan[i].kind) {
        case DimPlan::Kind::constant:
          dims.emplace_back(plan[i].value);
          break;
        case DimPlan::Kind::symbol:
          dims.push_back(tracer.size(names[i].name, Integer(plan[i].value)));
          break;
        case DimPlan::Kind::same:
          dims.push_back(dims[plan[i].same_as]);
          break;
      }
    }
    if (declare_facts)
      for (const std::string& text : subject.facts) {
        const auto fact = tracer.formula(text);
        if (!fact) throw TraceError(fact.error().to_string(), {});
        tracer.declare(*fact, Standing::checked, text);
      }
    if (prepare) prepare(*this);
    subject.model->trace(tracer, dims);
    if (finish) finish(*this);
  });
}

Expr TraceRun::symbol(std::size_t dim) { return context.symbol(subject_->model->dims()[dim].name); }

std::vector<Expr> TraceRun::pins(std::span<const std::int64_t> values) {
  std::vector<Expr> out;
  for (std::size_t i = 0; i < values.size(); ++i)
    out.push_back(context.make(Op::Eq, {symbol(i), context.integer(values[i])}));
  return out;
}

std::vector<Expr> TraceRun::guard_formulas() const {
  std::vector<Expr> out;
  for (const Guard& g : tracer.guards().all())
    if (!g.runtime_assert) out.push_back(g.formula);
  return out;
}

MissAnswer TraceRun::failure() const {
  return outcome.kind == TraceOutcome::Kind::rejected ? MissAnswer::reject(outcome.error.to_string())
                                                      : MissAnswer::fail(outcome.error.to_string());
}

Result<NewEntry> TraceRun::entry(std::span<const Expr> guards, ArtifactRef artifact, std::string label) {
  auto program = compile(context, guards, subject_->layout());
  if (!program) return program.error();
  NewEntry entry;
  entry.program = std::move(*program);
  entry.artifact = std::move(artifact);
  entry.label = std::move(label);
  for (const Expr g : guards) {
    entry.guard_texts.push_back(to_pretty(context, g));
    entry.guard_kinds.emplace_back(to_string(kind_of(context, g)));
  }
  return entry;
}

bool holds_artifact(const EntrySet& entries, const ArtifactRef& artifact) {
  return std::ranges::any_of(entries.entries, [&](const EntryRef& e) { return e->artifact == artifact; });
}

std::vector<std::int64_t> values_of(const Subject& subject, SnapshotView at) {
  std::vector<std::int64_t> values;
  for (SlotIndex i = 0; i < subject.model->dims().size(); ++i) values.push_back(at.raw(i));
  return values;
}

std::vector<DimPlan> constants(std::span<const std::int64_t> values) {
  std::vector<DimPlan> plan;
  for (const std::int64_t v : values) plan.push_back({DimPlan::Kind::constant, v, 0});
  return plan;
}

std::vector<DimPlan> symbols(std::span<const std::int64_t> values) {
  std::vector<DimPlan> plan;
  for (const std::int64_t v : values) plan.push_back({DimPlan::Kind::symbol, v, 0});
  return plan;
}

}  // namespace dimgate
