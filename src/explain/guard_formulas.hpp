// Guards of PyTorch's logs in the formula language, exactly as they check.
//
// `id(S)` is an object's identity, `type(S)` the name and identity of its type, `S.dim()`, `S.dtype`, … what a tensor
// has, `global_state.grad_mode` a field of the state (docs/reading-logs.md lists all). A check that says nothing of its
// content (`___check_torch_function_mode_stack()`) is one Bool symbol. Tested by tests/explain.
#pragma once

#include <string>
#include <vector>

#include "dimgate/logs.hpp"

namespace dimgate::explain {

/// One for each thing the guard checks. Empty: no guard of its own (a later mention of a relation).
std::vector<std::string> formulas_of(const LoggedGuard& guard);

/// What is true of any objects, in terms of the formulas of one entry, with the reason.
struct LanguageFact {
  std::string formula, origin;
};
/// - an object has its type: where a source's identity and type are both checked;
/// - one object has one size, dtype, …: for sources checked not to alias.
std::vector<LanguageFact> facts_about(const std::vector<std::string>& formulas);

}  // namespace dimgate::explain
