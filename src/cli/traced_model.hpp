// One symbolic trace of a model, minimised: what `dimgate trace` and the formula pages show.
// Tested by tests/cli.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dimgate/frontend.hpp"
#include "dimgate/model.hpp"

namespace dimgate::cli {

/// A model's trace, minimised.
struct TracedModel : TracedCall {
  TracedModel(const Model& m, Prover& p) : TracedCall(p), model(&m) {}

  const Model* model;
  Minimised minimal;   // of the lookup guards; indices are those of `lookup()`
  double seconds = 0;  // tracing and minimising

  /// Traces with every dim a symbol hinted at its value. `facts` and the model's own are declared first.
  void trace(const std::vector<std::int64_t>& values, const std::vector<std::string>& facts);
  /// The minimal guards as one formula; True if there are none.
  Expr guard();
  std::string guard_text();
};

/// "B=2, L=374"
std::string values_text(const Model& model, const std::vector<std::int64_t>& values);

}  // namespace dimgate::cli
