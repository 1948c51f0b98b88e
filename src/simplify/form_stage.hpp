// Minimise, linear form by linear form: guards about the same form (`a + b >= 3`, `a + b != 7`, `8 | a + b`) are
// compared by the values they leave to it, without a prover. Groups above kMaxFormGroup guards are left to the
// components.
#pragma once

#include "simplify/minimise_state.hpp"

namespace dimgate::simplify {

void drop_by_forms(Context& ctx, MinimiseState& state);

}  // namespace dimgate::simplify
