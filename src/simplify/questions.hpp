// Facts as the simplifier needs them: per slot as a set, by symbol for finding the relevant ones, and questions put to
// the prover with the relevant facts and premises only, inside a budget of steps.
//
// Leaving facts out can only weaken an answer of `proved` to `unknown`, and `refuted` is not used as more than
// "not proved": so scoping is sound. Tested through minimise and join.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "dimgate/simplify.hpp"
#include "simplify/box.hpp"

namespace dimgate::simplify {

class Questions {
 public:
  Questions(Prover& prover, const Facts& facts, const SimplifyOptions& options);

  [[nodiscard]] Context& context() const { return facts_.context(); }
  [[nodiscard]] const Facts& facts() const { return facts_; }

  /// What the facts about x alone allow (sizes are >= 0 by nature).
  [[nodiscard]] const IntSet& domain(Expr x);
  /// The facts behind it, each with the set it allows.
  [[nodiscard]] std::span<const std::pair<FactId, IntSet>> domain_facts(Expr x);
  /// The domains of all variables met so far, as a box.
  [[nodiscard]] Box domain_box(const Variables& vars);
  /// Facts that mention the symbol.
  [[nodiscard]] std::span<const FactId> facts_about(Expr symbol) const;
  [[nodiscard]] std::span<const Expr> symbols_of_fact(FactId id) const { return fact_symbols_[id]; }

  struct Answer {
    Verdict verdict = Verdict::unknown;
    std::string stage;
    std::string reason;
    std::vector<std::size_t> premises;  // positions in the premises that were used
    std::vector<FactId> facts;          // facts that were used
    [[nodiscard]] bool proved() const noexcept { return verdict == Verdict::proved; }
  };
  /// facts and premises imply claim? `cap`: at most that many steps.
  Answer implied(std::span<const Expr> premises, Expr claim, std::uint64_t cap = ~std::uint64_t{0});
  /// facts and premises hold somewhere?
  SatResult satisfiable(std::span<const Expr> premises);

  /// Whether a solver is asked what the native prover leaves open. Then all that it is asked has a budget of its own
  /// (SimplifyOptions::solver_steps), so that it takes nothing from the native questions.
  void use_solver(bool on) noexcept { solver_on_ = on; }
  [[nodiscard]] bool has_solver() const { return prover_.has_solver(); }
  /// Questions left open that no solver was asked.
  [[nodiscard]] std::uint64_t left_open() const noexcept { return left_open_; }
  /// The same two questions, put to the solver alone.
  Answer implied_by_solver(std::span<const Expr> premises, Expr claim, std::uint64_t cap);
  SatResult satisfiable_by_solver(std::span<const Expr> premises);
  [[nodiscard]] bool solver_exhausted() const noexcept { return solver_left_ == 0; }
  /// Steps left for the current component; questions answer unknown("component budget") when they are used up. There
  /// is room for a cheap question about each of its guards.
  static constexpr std::uint64_t kCheap = 128;
  void refill(std::size_t guards = 0) { left_ = options_.component_steps * (1 + guards / 20'000) + kCheap * guards; }
  [[nodiscard]] bool exhausted() const noexcept { return left_ == 0; }
  [[nodiscard]] const SimplifyOptions& options() const { return options_; }

 private:
  Answer ask(std::span<const Expr> premises, Expr claim, const Budget& budget);
  SatResult ask_satisfiable(std::span<const Expr> premises, const Budget& budget);
  Facts scoped(std::span<const Expr> premises, Expr claim, std::vector<FactId>& origin);

  Prover& prover_;
  const Facts& facts_;
  const SimplifyOptions& options_;
  std::uint64_t left_, solver_left_;
  std::uint64_t left_open_ = 0;
  bool solver_on_ = true;
  std::unordered_map<Expr, std::vector<FactId>> about_;
  std::vector<std::vector<Expr>> fact_symbols_;
  std::vector<FactId> constant_facts_;
  std::vector<FactId> fact_order_;  // canonical: what is asked depends on no one's order
  struct Domain {
    IntSet set = IntSet::all();
    std::vector<std::pair<FactId, IntSet>> facts;
  };
  std::unordered_map<Expr, Domain> domains_;
  Domain& domain_of(Expr x);
};

/// A note of one question for people.
Obligation obligation(const Context& ctx, Expr claim, const Questions::Answer& answer, std::string note);
Obligation exact_obligation(std::string text, std::string stage, std::string note);

}  // namespace dimgate::simplify
