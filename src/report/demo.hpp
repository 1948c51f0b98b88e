// The mechanism of guards as five scenes one steps through (`dimgate demo --html`). Every number, verdict and text of a
// guard comes from the library at the moment the page is made. Tested by tests/report.
#pragma once

#include <string>

#include "dimgate/prove.hpp"
#include "report/entries.hpp"

namespace dimgate::report {

std::string demo_html(Prover& prover);

/// Each scene: {"id", "title", "text", "kind", ...}; page/demo.js draws the kinds.
Json tracing_scene(Prover& prover, FormulaTable& formulas);
Json checking_scene(FormulaTable& formulas);
Json stream_scene(FormulaTable& formulas);
Json families_scene(FormulaTable& formulas);
Json training_scene();

}  // namespace dimgate::report
