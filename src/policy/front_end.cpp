#include "policy/front_end.hpp"

namespace dimgate {

void declare_facts(Tracer& tracer, const Subject& subject) {
  for (const std::string& text : subject.facts) {
    const auto fact = tracer.formula(text);
    if (!fact) throw TraceError(fact.error().to_string(), {});
    tracer.declare(*fact, Standing::checked, text);
  }
}

TraceRun::TraceRun(const Subject& subject, std::span<const DimPlan> plan, bool with_facts, const Step& prepare,
                   const Step& finish)
    : TracedCall(*subject.prover), subject_(&subject) {
  run([&] {
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
    if (with_facts) declare_facts(tracer, subject);
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
