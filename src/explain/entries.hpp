// An entry's guards as formulas, and which of them the others imply.
#pragma once

#include "dimgate/explain.hpp"

namespace dimgate::explain {

/// The formulas of one logged guard: itself, or for `check_tensor(…)` one for each part. Empty: outside the language.
std::vector<std::string> formulas_of(const LoggedGuard& guard);
EntryReport take_apart(const std::string& compile_id, const EntryGuards& entry, Prover& prover);

}  // namespace dimgate::explain
