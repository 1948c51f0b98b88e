// An entry's guards as formulas, and which of them the others imply.
#pragma once

#include "dimgate/explain.hpp"

namespace dimgate::explain {

EntryReport take_apart(const std::string& compile_id, const EntryGuards& entry, Prover& prover);

}  // namespace dimgate::explain
