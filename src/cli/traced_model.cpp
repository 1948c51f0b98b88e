// Traces a model once with symbols and minimises its guards. Checked by tests/cli/trace_test.cpp.
#include "cli/traced_model.hpp"

#include <chrono>

namespace dimgate::cli {

void TracedModel::trace(const std::vector<std::int64_t>& values, const std::vector<std::string>& facts) {
  const auto start = std::chrono::steady_clock::now();
  const auto dims = model->dims();
  run([&] {
    std::vector<SymInt> symbols;
    for (std::size_t i = 0; i < dims.size(); ++i) symbols.push_back(tracer.size(dims[i].name, Integer(values[i])));
    // Facts come from the command line: errors about them have no place in a source.
    std::optional<Tracer::Scope> outside(std::in_place, tracer, "", Location{});
    std::vector<std::string> all = model->facts();
    all.insert(all.end(), facts.begin(), facts.end());
    for (const std::string& text : all) {
      const Result<SymBool> fact = tracer.formula(text);
      if (!fact.ok()) throw TraceError("fact `" + text + "`: " + fact.error().to_string(), {});
      tracer.declare(*fact, Standing::checked, text);
    }
    outside.reset();
    model->trace(tracer, symbols);
  });
  if (outcome.ok()) minimal = TracedCall::minimal();
  seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Expr TracedModel::guard() {
  if (minimal.readable.empty()) return context.boolean(true);
  if (minimal.readable.size() == 1) return minimal.readable.front();
  return context.make(Op::And, minimal.readable);
}

std::string TracedModel::guard_text() { return to_text(context, guard()); }

std::string values_text(const Model& model, const std::vector<std::int64_t>& values) {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i)
    out += (i == 0 ? "" : ", ") + model.dims()[i].name + "=" + std::to_string(values[i]);
  return out;
}

}  // namespace dimgate::cli
