// PyTorch's automatic dynamic shapes, as it behaves (2.13; counts and the very calls at which it compiled are
// reproduced by tests/replay/torch_counts_test.cpp).
//
// For each input dim the frame remembers one value, or that the dim is dynamic. This state changes at compiles only:
//   - The first compile takes every dim as a constant.
//   - At a later compile a dim whose value differs from the remembered one becomes dynamic, for good.
//   - A dynamic dim is a symbol in [2, inf), unless its value at this compile is 0 or 1: then it is a constant of
//     this entry (0/1 specialisation).
//   - Dynamic dims with equal values share one symbol, and a guard says that they are equal (duck sizing).
//   - Every dim of every intermediate result that has symbols decides `== 1` and `== 0` (broadcasting and contiguity
//     ask for it), which adds guards of its own.
// At the limit of entries further misses run eagerly, while earlier entries still hit. Nothing is shared or joined.
#include "policy/policies.hpp"

namespace dimgate {

namespace {

/// Decides 0 and 1 for the dims of all results.
void specialise_results(TraceRun& run) {
  Tracer& tracer = run.tracer;
  for (const ProgramValue& value : tracer.program().values())
    for (const Expr dim : value.dims) {
      if (dim.is_int()) continue;
      const SymInt size(tracer, dim);
      if (size.is_const()) continue;
      tracer.decide(size == 1, "0/1 specialisation");
      tracer.decide(size == 0, "0/1 specialisation");
    }
}

}  // namespace

MissAnswer AutoDynamicPolicy::miss(const Miss& miss) {
  if (limit_ != 0 && miss.entries.entries.size() >= limit_) return MissAnswer::fall_back("limit of entries reached");
  const std::vector<std::int64_t> values = values_of(subject_, miss.inputs);
  if (state_.empty())
    for (const std::int64_t v : values) state_.push_back({v, false});
  else
    for (std::size_t i = 0; i < values.size(); ++i) state_[i].dynamic |= values[i] != state_[i].value;

  std::vector<DimPlan> plan = constants(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!state_[i].dynamic || values[i] == 0 || values[i] == 1) continue;
    plan[i].kind = DimPlan::Kind::symbol;
    for (std::size_t j = 0; j < i; ++j)
      if (plan[j].kind == DimPlan::Kind::symbol && values[j] == values[i])
        plan[i] = {DimPlan::Kind::same, values[i], j};
  }

  ++traces_;
  TraceRun run(
      subject_, plan, false,
      [&](TraceRun& r) {
        for (std::size_t i = 0; i < plan.size(); ++i)
          if (plan[i].kind == DimPlan::Kind::symbol)
            r.tracer.declare_range(r.dims[i], Integer(2), std::nullopt, Standing::assumed);
      },
      specialise_results);
  if (!run.outcome.ok()) return run.failure();

  Context& ctx = run.context;
  std::vector<Expr> guards;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const Expr dim = run.symbol(i);
    switch (plan[i].kind) {
      case DimPlan::Kind::constant:
        guards.push_back(ctx.make(Op::Eq, {dim, ctx.integer(values[i])}));
        break;
      case DimPlan::Kind::symbol:
        guards.push_back(ctx.make(Op::Ge, {dim, ctx.integer(2)}));
        break;
      case DimPlan::Kind::same:
        guards.push_back(ctx.make(Op::Eq, {dim, run.symbol(plan[i].same_as)}));
        break;
    }
  }
  for (const Expr g : run.recorded()) guards.push_back(g);
  auto entry = run.entry(guards, std::make_shared<Artifact>(), {});
  return entry ? MissAnswer::compile(std::move(*entry)) : MissAnswer::fail(entry.error().to_string());
}

}  // namespace dimgate
