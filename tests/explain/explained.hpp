// Small logs put together for tests, and what `explain` makes of them.
#pragma once

#include <string>
#include <vector>

#include "dimgate/explain.hpp"

namespace dimgate::testing {

inline Explanation explained(const std::string& text, ExplainOptions options = {}) {
  NativeProver prover;
  Explainer explainer(prover, options);
  LogReader reader([&](const LogEvent& event) { explainer.add(event); });
  reader.feed(text);
  reader.finish();
  return explainer.finish(reader.counts());
}

/// A recompile as `TORCH_LOGS=recompiles` of 2.4 and later writes it.
inline std::string recompile(const std::string& id, const std::vector<std::string>& reasons,
                             const std::string& function = "f") {
  std::string out;
  const auto line = [&](const std::string& text) {
    out += "V0703 10:34:13.273000 1 torch/_dynamo/guards.py:2590] [" + id + "] [__recompiles] " + text + "\n";
  };
  line("Recompiling function " + function + " in b.py:3");
  line("    triggered by the following guard failure(s):");
  for (const std::string& reason : reasons) line("    - " + reason);
  return out;
}

inline std::string size(const std::string& entry, int expected, int actual) {
  return entry + ": tensor 'x' size mismatch at index 0. expected " + std::to_string(expected) + ", actual " +
         std::to_string(actual);
}

}  // namespace dimgate::testing
