// The Prover over Z3: splits facts into components, asks one Question each, checks every model with the reference
// evaluator before it counts, and remembers verdicts by the whole canonical text of what was asked.
// Cost: one or two sessions (2 to 4 ms each) and the search for every question not in the cache.
// Tested by tests/solver/prover_test.cpp.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "question.hpp"

namespace dimgate::z3 {

/// An answer about one component, free of handles so that it outlives its Context. Symbols go by name, facts by
/// position in the component.
struct Answer {
  Outcome outcome = Outcome::unknown;
  std::vector<std::size_t> core;                      // unsat
  std::vector<std::pair<std::string, Value>> values;  // sat
  std::string reason;                                 // unknown
  bool timed_out = false;                             // unknown by the watchdog, on this machine at this moment
  std::uint64_t steps = 0;                            // the same when it is remembered
};

class Z3Prover final : public Prover {
 public:
  explicit Z3Prover(const Z3Options& options) : options_(options) {}
  [[nodiscard]] std::string name() const override { return "z3"; }
  [[nodiscard]] bool has_solver() const override { return true; }
  Proof prove(const Facts& facts, Expr claim, const Budget& budget) override;
  SatResult satisfiable(const Facts& facts, const Budget& budget) override;
  Bounds bound(const Facts& facts, Expr term, const Budget& budget) override;

 private:
  /// Is the component satisfiable, with `claim` (canonical, may be null) not true?
  Answer ask(Context& ctx, const Component& component, Expr claim, const Budget& budget);
  Answer ask_afresh(Context& ctx, const Component& component, Expr claim, std::uint64_t rlimit);
  std::uint64_t rlimit(const Budget& budget) const;

  Z3Options options_;
  std::unordered_map<std::string, Answer> cache_;
};

}  // namespace dimgate::z3
