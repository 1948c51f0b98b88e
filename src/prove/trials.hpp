// The facts tried at points near their witness: true at the witness itself (each is evaluated once), and true again
// where a few symbols have moved. Most facts compare a linear form with a number and need no evaluator. A trial costs
// the terms of the facts that mention the moved symbol. Tested by tests/prove/native_test.cpp (refuted near a witness).
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "prove/mentions.hpp"
#include "prove/points.hpp"

namespace dimgate {

struct Moved {
  Expr symbol;
  Integer value;
};

inline constexpr std::size_t kMostMoves = 4;
using Moves = SmallVector<Moved, kMostMoves>;

class FactTrials {
 public:
  /// Every fact is true at the facts' witness, which there is, and sizes are at least 0 there.
  bool witness_holds(const Facts& facts);
  /// Every fact that mentions the symbol is true at `at` with some symbols moved (Int and Bool facts; others count as
  /// not). `formulas`: the canonical facts.
  bool hold_about(Context& ctx, std::span<const Expr> formulas, const Mentions& mentions, Expr symbol,
                  const Assignment& at, std::span<const Moved> moved);

 private:
  struct Trial {
    SmallVector<std::pair<Expr, Integer>, 3> terms;  // symbol, coefficient; empty: `general` decides
    Integer constant;
    std::unique_ptr<PointEvaluator> general;
  };
  static void make(Context& ctx, Expr fact, Trial& t);
  static bool holds(const Trial& trial, Expr fact, const Assignment& at, std::span<const Moved> moved);

  std::vector<Trial> trials_;  // by fact, made when asked
  std::size_t witnessed_ = 0;
  bool sizes_seen_ = false, witness_ok_ = true;
};

}  // namespace dimgate
