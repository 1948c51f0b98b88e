// Facts as text: read, checked against the dims and against each other, compiled into the precondition.
#include "dimgate/facts.hpp"

#include <algorithm>

#include "dimgate/compile.hpp"
#include "policy/front_end.hpp"

namespace dimgate {

Layout Subject::layout() const {
  Layout layout;
  for (const ModelDim& dim : model->dims()) {
    const SlotIndex slot = layout.add(dim.name, SlotSort::integer);
    layout[slot].at_least = 0;
  }
  return layout;
}

Result<Program> compile_facts(const Subject& subject) {
  Context ctx;
  for (const ModelDim& dim : subject.model->dims()) ctx.symbol(dim.name);  // whatever the text does with them
  std::vector<FormulaText> texts;
  for (const std::string& fact : subject.facts) {
    FormulaText text;
    text.text = fact;
    text.options.sort = Sort::Bool;
    texts.push_back(text);
  }
  auto formulas = parse_together(ctx, texts);
  if (!formulas) {
    Error e = formulas.error();
    e.message = "--assume: " + e.message;
    return e;
  }
  const auto dims = subject.model->dims();
  Facts facts(ctx);
  for (std::size_t i = 0; i < formulas->size(); ++i) {
    for (const Expr symbol : symbols_of(ctx, (*formulas)[i])) {
      const std::string& name = ctx.symbol_name(symbol);
      if (std::any_of(dims.begin(), dims.end(), [&](const ModelDim& d) { return d.name == name; })) continue;
      std::string known;
      for (const ModelDim& d : dims) known += (known.empty() ? "" : ", ") + d.name;
      return Error{"--assume " + subject.facts[i] + ": no dim '" + name + "'; the dims of " +
                   std::string(subject.model->name()) + " are " + known};
    }
    facts.assume((*formulas)[i], Standing::checked, subject.facts[i]);
  }
  for (const ModelDim& dim : dims)
    facts.assume(ctx.make(Op::Ge, {ctx.symbol(dim.name), ctx.integer(0)}), Standing::intrinsic,
                 dim.name + " >= 0 (a size)");
  const SatResult sat = subject.prover->satisfiable(facts);
  if (sat.verdict == Verdict::refuted) {
    std::string core;
    for (const FactId id : sat.core) core += (core.empty() ? "" : " and ") + facts[id].origin;
    return Error{"--assume: the facts contradict each other: " + core + "; leave one out"};
  }
  return compile(ctx, *formulas, subject.layout());
}

std::size_t EagerCheck::Hash::operator()(std::span<const std::int64_t> shape) const noexcept {
  std::uint64_t h = shape.size();
  for (const std::int64_t v : shape) {
    h = (h ^ static_cast<std::uint64_t>(v)) * 0x9E3779B97F4A7C15U;
    h ^= h >> 32U;
  }
  return h;
}

const std::string* EagerCheck::error(std::span<const std::int64_t> call) {
  auto it = seen_.find(call);
  if (it == seen_.end()) {
    const TraceRun run(*subject_, constants(call), false);
    std::string said = run.outcome.kind == TraceOutcome::Kind::rejected ? run.outcome.error.to_string() : std::string();
    it = seen_.emplace(Shape(call.begin(), call.end()), std::move(said)).first;
  }
  return it->second.empty() ? nullptr : &it->second;
}

}  // namespace dimgate
