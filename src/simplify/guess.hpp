// Simpler forms of clauses over several slots, guessed from values and adopted only if proved equal.
//
// Two guesses: a clause is the same as a range or residue of each of its slots (`x*y >= 1` with sizes: x >= 1 and
// y >= 1); the clauses over the same few slots imply linear equations (`s1 == 2*s0`) that make other clauses redundant.
// Work is bounded: few slots, few clauses, the component's budget of prover steps.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "simplify/questions.hpp"

namespace dimgate::simplify {

struct Guesses {
  /// Slots whose own set need not be spelled: an equation that was found implies it.
  std::unordered_set<Expr> implied_slots;
};

/// Rewrites `sets` and `clauses`; together they keep their T under the facts.
Guesses guess_simpler(Questions& questions, std::unordered_map<Expr, IntSet>& sets, std::vector<Expr>& clauses,
                      std::vector<Obligation>* obligations);

}  // namespace dimgate::simplify
