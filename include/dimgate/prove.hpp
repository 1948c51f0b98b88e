// Questions about formulas under facts, answered `proved`, `refuted` or `unknown`, never with a bool.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dimgate/expr.hpp"
#include "dimgate/facts.hpp"

namespace dimgate {

enum class Verdict : std::uint8_t { proved, refuted, unknown };
std::string_view to_string(Verdict v) noexcept;

/// Work allowed for one question, counted in steps of the prover (never in time), so that answers repeat.
struct Budget {
  std::uint64_t steps = 200'000;
  /// Steps of a solver behind the native prover: 0, it is not asked; kAsMany, up to `steps`.
  static constexpr std::uint64_t kAsMany = ~std::uint64_t{0};
  std::uint64_t solver_steps = kAsMany;
  /// false: the verdict is enough; a refutation may come without its point.
  bool counterexample = true;
};

/// A verdict with what it rests on.
struct Proof {
  Verdict verdict = Verdict::unknown;
  /// Which stage decided: "canonical", "refuter", "bounds", "linear", "cases", "z3", ...
  std::string stage;
  /// proved: facts that suffice (not always fewest), ascending. Intrinsic sizes (`size >= 0`) are not listed.
  std::vector<FactId> used;
  /// refuted: values of the symbols of facts and claim under which every fact is true and the claim is not.
  std::vector<std::pair<Expr, Value>> counterexample;
  /// unknown: why ("budget", "nonlinear", "watchdog", "solver: ...").
  std::string reason;
  std::uint64_t steps = 0;         // a solver's included
  std::uint64_t solver_steps = 0;  // a solver's alone

  [[nodiscard]] bool proved() const noexcept { return verdict == Verdict::proved; }
  [[nodiscard]] bool refuted() const noexcept { return verdict == Verdict::refuted; }
};

/// What is known of a term's value where it is defined.
struct Bounds {
  Interval interval;
  Congruence congruence;
  bool empty = false;     // the facts contradict each other, or the term is defined nowhere
  bool tight_lo = false;  // the lower end is reached (a witness was found); without one: values beyond -2^34 are
  bool tight_hi = false;  // the same for the upper end
};

/// Satisfiability of a fact set.
struct SatResult {
  Verdict verdict = Verdict::unknown;         // proved: satisfiable; refuted: unsatisfiable
  std::vector<std::pair<Expr, Value>> model;  // satisfiable
  std::vector<FactId> core;                   // unsatisfiable: facts that contradict, minimal
  std::string reason;                         // unknown
  std::string stage;
  std::uint64_t solver_steps = 0;  // of Budget::solver_steps
};

/// Answers questions. Deterministic: the same facts (in any order) and the same claim give the same verdict,
/// whatever was asked before.
class Prover {
 public:
  virtual ~Prover() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  /// A solver takes part, as far as Budget::solver_steps says.
  [[nodiscard]] virtual bool has_solver() const { return false; }

  /// proved: wherever every fact is true, `claim` is true (hence defined).
  /// refuted: some values make every fact true and the claim false or undefined.
  virtual Proof prove(const Facts& facts, Expr claim, const Budget& budget = {}) = 0;
  /// Values that make every fact true.
  virtual SatResult satisfiable(const Facts& facts, const Budget& budget = {}) = 0;
  /// The tightest interval and congruence found for a term.
  virtual Bounds bound(const Facts& facts, Expr term, const Budget& budget = {}) = 0;

  /// left == right wherever either is defined, and both defined on the same values.
  Proof prove_equal(const Facts& facts, Expr left, Expr right, const Budget& budget = {});
  /// left and right have the same T under the facts.
  Proof prove_same_truth(const Facts& facts, Expr left, Expr right, const Budget& budget = {});
};

/// The native prover: stages in cost order, each budgeted and stack-safe. No solver library.
class NativeProver final : public Prover {
 public:
  NativeProver();
  ~NativeProver() override;
  [[nodiscard]] std::string name() const override { return "native"; }
  Proof prove(const Facts& facts, Expr claim, const Budget& budget = {}) override;
  SatResult satisfiable(const Facts& facts, const Budget& budget = {}) override;
  Bounds bound(const Facts& facts, Expr term, const Budget& budget = {}) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Asks each prover in turn until one does not say unknown. The provers outlive it.
class ChainProver final : public Prover {
 public:
  explicit ChainProver(std::vector<Prover*> provers) : provers_(std::move(provers)) {}
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] bool has_solver() const override;
  Proof prove(const Facts& facts, Expr claim, const Budget& budget = {}) override;
  SatResult satisfiable(const Facts& facts, const Budget& budget = {}) override;
  Bounds bound(const Facts& facts, Expr term, const Budget& budget = {}) override;

 private:
  std::vector<Prover*> provers_;
};

// ---- explanations ------------------------------------------------------------------------------
// Each asks the prover again, so they are for people, not for the hot path. Tests: tests/prove/reasons_test.cpp.

/// A proof that rests on no fact that could be left out (found by leaving out one after the other).
Proof with_fewest_facts(Prover& prover, const Facts& facts, Expr claim, Proof proof, const Budget& budget = {});
/// A refutation whose integers are as near to 0 as trying them one by one brings them.
Proof with_small_values(const Facts& facts, Expr claim, Proof proof);
/// A fact `s >= c`, `s <= c` (the weakest bound), `s % m == r` (m, r from the claim's constants, least m first) or
/// `s == t` that would prove the claim and does not contradict the facts; both were asked.
std::optional<Expr> missing_fact(Prover& prover, const Facts& facts, Expr claim, const Budget& budget = {20'000});

}  // namespace dimgate
