// The cheap refuter: evaluates claim and facts at corner points. Each symbol gets a few candidates (the ends of what is
// known of it, values beside the constants of claim and facts, small numbers; all in its known residue class); tried
// are all first, all second, ... candidates, then each symbol alone over its own. At most kTries points of a few tens
// of nanoseconds each; it never splits and never proves. Small box instances of what a fuller search would find: the
// counterexamples it gives are small. Limits: Int and Bool formulas. Tested by tests/prove/native_test.cpp.
#pragma once

#include <functional>

#include "prove/index.hpp"

namespace dimgate {

/// Values of the symbols at which the facts `ids` are true and the canonical claim is not, if a corner is such a point.
/// `proved` is asked after the first few points (all first candidates, all second, ...), which refute most of what is
/// refuted here, and ends the search where it says yes; it is asked once unless those points refuted.
std::optional<Assignment> refute_at_corners(const Facts& facts, FactIndex& index, std::span<const FactId> ids,
                                            Expr claim, std::uint64_t& steps, const std::function<bool()>& proved);

}  // namespace dimgate
