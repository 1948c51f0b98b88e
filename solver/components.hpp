// Facts that share symbols, directly or through others, belong together; a claim about x needs only x's group.
// Cost: linear in the formulas' DAGs. Tested by tests/solver/differential_test.cpp.
#pragma once

#include <vector>

#include "dimgate/facts.hpp"

namespace dimgate::z3 {

/// One group: facts in canonical order, duplicates and `true` left out.
struct Component {
  std::vector<Expr> formulas;  // canonical
  std::vector<FactId> ids;     // where each was declared first
  std::vector<Expr> symbols;   // of the formulas, unordered
};

/// The groups, ordered by their first fact. A fact without symbols is a group of its own. If `focus` is given, its
/// group comes first, even if empty.
std::vector<Component> components(const Facts& facts, Expr focus = {});

}  // namespace dimgate::z3
