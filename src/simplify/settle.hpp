// The readable form of a guard set, minimised again until it no longer changes.
//
// Minimising is a function of the set, so repeating it ends in one form or goes round a few: the shortest of these is
// the answer, and it is the answer to itself as well, since it leads round the same ones. What is written of one clause
// may imply another, narrow a slot or open a rule that the guards as given did not. Cost: mostly one more run, over
// what is left; at most kSettleRounds. Tested by tests/simplify/settle_test.cpp.
#pragma once

#include "dimgate/simplify.hpp"

namespace dimgate::simplify {

/// One run of the stages; `minimise` without the repetition.
Minimised minimise_once(Prover& prover, const Facts& facts, std::span<const Expr> guards,
                        const SimplifyOptions& options);

/// `guards`: what `out` was made of.
void settle(Prover& prover, const Facts& facts, std::span<const Expr> guards, const SimplifyOptions& options,
            Minimised& out);

}  // namespace dimgate::simplify
