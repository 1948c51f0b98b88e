// The guards of a comparison's symbolic entries.
#pragma once

#include "dimgate/report.hpp"
#include "report/entries.hpp"

namespace dimgate::report {

/// Sections "guards" and "kinds": each symbolic entry traced again at the call that made it.
Json entry_sections(const Comparison& comparison, const ComparedRun& run, Prover& prover, FormulaTable& formulas);

}  // namespace dimgate::report
