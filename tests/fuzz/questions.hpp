// Whole questions of every verb (prove, satisfiable, bound, prove_equal, minimise, merge), built of conditionals in
// every place and asked inside a small box, so that the reference can say what is right by enumeration. An answer is
// wrong if one point of the box contradicts it; `unknown` is never wrong. Cost: points of the box (at most 7^3 * 4)
// times formulas, by the reference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dimgate/prove.hpp"
#include "support/random_formula.hpp"

namespace dimgate::test {

struct QuestionCount {
  std::uint64_t asked = 0, decided = 0, wrong = 0;
};

struct QuestionTally {
  QuestionCount prove, satisfiable, bound, equal, minimise, merge;
  [[nodiscard]] std::uint64_t asked() const;
  [[nodiscard]] std::uint64_t wrong() const;
  [[nodiscard]] std::string to_string() const;  // a line a verb
};

/// What is asked: `depth` of conditionals inside conditionals.
struct QuestionOptions {
  int depth = 3;
  std::uint64_t steps = 20'000;
  bool simplify = true;  // minimise and merge as well
};

/// Builds a question from the generator's choices and asks it. A wrong answer comes back as command lines that show it.
std::optional<std::string> ask(Prover& prover, Context& ctx, RandomFormulas& random, const QuestionOptions& options,
                               QuestionTally& tally);

/// The same from a seed: names, box and depth (0 to `deepest`) are chosen by it.
std::optional<std::string> ask_seed(Prover& prover, std::uint64_t seed, int deepest, bool simplify,
                                    QuestionTally& tally);
/// The same from a fuzzer's bytes.
std::optional<std::string> ask_bytes(Prover& prover, std::span<const std::uint8_t> bytes);

}  // namespace dimgate::test
