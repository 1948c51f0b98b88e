// Variations of a row of the facts file whose right answer is known from the row's, or from enumeration of a box.
//
//   renamed    other names, in another order of creation; facts shuffled; facts about other symbols added
//   swapped    the sides of every equation and comparison
//   moved      each symbol x replaced by x + c or c - x everywhere: a bijection of Z, so every verdict, interval and
//              congruence stays
//   joined     facts of two rows over symbols of their own; both claims at once
//   constants  every constant beyond 1 replaced by another: the answer is unknown, enumeration must not contradict it
#pragma once

#include <random>
#include <string>
#include <vector>

#include "conformance/rows.hpp"
#include "dimgate/prove.hpp"

namespace dimgate::conformance {

/// A row read into a Context.
struct Question {
  std::vector<Expr> facts;
  Expr claim;  // of prove and sat (true if none); the left side of equiv; the term of bounds and congr
  Expr right;  // of equiv
};

Question read_question(Context& ctx, const Row& row);

enum class Variation { renamed, swapped, moved, constants };

/// The question varied, in another Context whose symbols are made in another order. Symbols get `prefix`.
Question vary(Context& to, Context& from, const Question& q, Variation how, std::mt19937_64& rng,
              const std::string& prefix);

/// As a command line.
std::string to_command(Context& ctx, const Question& q);

}  // namespace dimgate::conformance
