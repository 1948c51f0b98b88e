// One question to the native prover, to Z3 and to brute force over a box: where do they contradict each other?
#pragma once

#include <optional>
#include <string>

#include "dimgate/solver.hpp"
#include "support/shrink.hpp"

namespace dimgate::test {

/// What is wrong with the answers to a claim, or nullopt: a verdict against another's, a counterexample the reference
/// evaluator does not confirm, a proof whose facts do not suffice, a point of the box where what is proved fails.
/// `z3` may be null.
std::optional<std::string> claim_contradiction(Context& ctx, const Question& question, Prover* z3);
/// The same for bounds of a term: an interval or class that leaves out a value of the box, or a tight end that Z3
/// proves out of reach.
std::optional<std::string> bound_contradiction(Context& ctx, const Question& question, Prover* z3);

/// The message with the smallest failing question and the line that reproduces it.
std::string shrunk_report(Context& ctx, const Question& question, Prover* z3, bool is_claim);

}  // namespace dimgate::test
