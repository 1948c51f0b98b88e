// One symbolic trace of a model, minimised: what `dimgate trace` and the formula pages show.
// Tested by tests/cli.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dimgate/model.hpp"
#include "dimgate/simplify.hpp"

namespace dimgate::cli {

/// Owns the Context of a trace and all that came of it.
struct TracedModel {
  TracedModel(const Model& m, Prover& p) : model(&m), prover(&p), tracer(context, p) {}
  TracedModel(const TracedModel&) = delete;
  TracedModel& operator=(const TracedModel&) = delete;

  const Model* model;
  Prover* prover;
  Context context;
  Tracer tracer;
  TraceOutcome outcome;
  Minimised minimal;                // of the lookup guards; indices are those of `lookup`
  std::vector<std::size_t> lookup;  // indices of tracer.guards() that are no run-time asserts
  double seconds = 0;               // tracing and minimising

  /// Traces with every dim a symbol hinted at its value. `facts` and the model's own are declared first.
  void run(const std::vector<std::int64_t>& values, const std::vector<std::string>& facts);
  /// The minimal guards as one formula; True if there are none.
  Expr guard();
  std::string guard_text();
};

/// "B=2, L=374"
std::string values_text(const Model& model, const std::vector<std::int64_t>& values);

}  // namespace dimgate::cli
