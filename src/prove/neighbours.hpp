// Refuting from a witness: the recorded inputs make every fact true, so a point near them that breaks the claim and
// keeps the facts about the symbols it moves is a counterexample, and the other facts need not be looked at. Moves one
// symbol, then two: to ends of its domain, nearby values, and the values that solve the claim's equation. Cost: at most
// kTries points, each checked against the facts that mention a moved symbol. Never says more than "here is a
// counterexample". Tested by tests/prove/native_test.cpp.
#pragma once

#include <optional>

#include "prove/index.hpp"

namespace dimgate {

/// Where all facts hold and the claim (canonical) is not true: the facts' witness with these symbols moved; nullopt if
/// no such point was found.
std::optional<Moves> refute_near_witness(const Facts& facts, FactIndex& index, Expr claim, std::uint64_t& steps);

}  // namespace dimgate
