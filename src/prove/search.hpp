// Satisfiability of a conjunction of canonical formulas over the integers: simplification by solving equalities and
// congruences, propagation, the linear relaxation, enumeration of small boxes, and case splits, in that order.
//
// Sound both ways: `unsat` names premises that suffice; `sat` comes with a model that the caller's check accepted.
// The invariant: at a model of the formulas that were given, every literal of some open state is *true* in the three
// values of the language, not merely true for some values of undefined quotients. So
//   - a case split covers every model only if its condition is total or is reached: all that evaluating the literal
//     needs (reached.hpp); where the condition is partial the split rests on that literal;
//   - a subterm that is undefined at a model may be replaced by anything, since a literal that is true without it stays
//     true (and, or and if-then-else are monotone);
//   - what is asserted anew must be defined wherever the literals that say it are true.
// The lemmas are tests in tests/prove/conditionals_test.cpp.
// Deterministic: literals are brought into canonical order first and every choice is by that order. Work is counted in
// steps, depth is limited, nothing recurses on the size of a formula.
// Tested by tests/prove/native_test.cpp against enumeration and Z3.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "prove/relax.hpp"
#include "prove/rewrite.hpp"
#include "prove/stage.hpp"

namespace dimgate {

struct SearchResult {
  enum class Status : std::uint8_t { unsat, sat, unknown } status = Status::unknown;
  Deps core;                                 // unsat
  Assignment model;                          // sat
  ProofStage stage = ProofStage::cases;      // unsat, sat: what decided
  OpenReason open = OpenReason::incomplete;  // unknown

  [[nodiscard]] bool is_incomplete() const { return status == Status::unknown && open == OpenReason::incomplete; }
};

class Search {
 public:
  /// Says whether a candidate model is one; called with values for every symbol of the formulas.
  using Accept = std::function<bool(const Assignment&)>;

  /// What costs more and decides little else. `rewriting`: quotients by terms are brought into one form, and products
  /// that equal something smaller are replaced (no product or such quotient: unknown at once). `distances`: symbols are
  /// replaced by their distance from a smaller one, and quotients are multiplied with each other's divisors.
  enum class Effort : std::uint8_t { plain, rewriting, distances };
  static constexpr Effort kEfforts[] = {Effort::plain, Effort::rewriting, Effort::distances};  // in order of cost
  Search(Context& ctx, std::uint64_t& steps, Accept accept, Effort effort = Effort::plain)
      : ctx_(ctx), steps_(steps), accept_(std::move(accept)), effort_(effort) {}

  /// `also`: symbols that a model must give a value as well.
  SearchResult run(std::vector<Literal> formulas, std::span<const Expr> also = {});

 private:
  /// A divisor that a case split assumes positive, or negative. As a literal it may be simplified to what no longer
  /// shows the sign of the sum.
  struct Sign {
    Expr divisor;
    bool positive;
    Deps deps;  // of what was put into the divisor since
  };
  struct State {
    std::vector<Literal> literals;
    std::vector<Sign> signs;
    std::vector<std::pair<Expr, Expr>> trail;  // symbol := term, in order of elimination
    int depth = 0;
    int fresh = 0;
    int rewrites = 0;  // of quotients, and what polynomials say by themselves
  };
  struct Branch {
    std::vector<Literal> assume;
    Replacements replace;
    std::vector<Sign> signs = {};
    Deps basis = {};       // what the replacement rests on
    bool reaches = false;  // the replacement is a branch that is reached now
  };

  SearchResult solve(State s);
  // simplify.cpp
  bool simplify(State& s, Deps& core);  // false: contradiction
  bool flatten(State& s, Deps& core);
  bool resolve_units(State& s);
  bool eliminate_name(State& s);
  bool eliminate_equality(State& s);
  bool eliminate_divides(State& s);
  void substitute(State& s, std::size_t literal, Expr symbol, Expr term);
  void replace_in(State& s, const Replacements& with, const Deps& deps);
  Expr fresh(State& s);
  // products.cpp
  void shift_ordered(State& s);
  void shift_bounded(State& s);
  bool eliminate_exact_quotient(State& s);
  bool eliminate_factors(State& s);
  std::vector<Branch> split_residues(const System& system);
  // signs.cpp
  /// p >= 0 by the signs of its two factors. `whole`: the branches say all of it.
  std::vector<Branch> split_product(const Poly& p, const Deps& deps, bool& whole);
  std::vector<Branch> split_inequality(const State& s);
  // strips.cpp
  std::vector<Branch> split_strip(const System& system);
  // monomials.cpp
  bool reduce_products(State& s);
  // quotients.cpp
  bool rewrite_quotient(State& s, System& system);
  // polynomials.cpp
  enum class Settled : std::uint8_t { nothing, changed, contradiction };
  bool solve_for_one_unknown(State& s);
  bool split_hyperbola(State& s);
  Settled settle_squares(State& s, const System& system, Deps& core);
  Settled settle_residues(State& s, const System& system, Deps& core);
  // models.cpp
  bool try_point(const State& s, const Assignment& point, SearchResult& out);
  /// Tries up to `most` points.
  bool sample(const State& s, const System& system, const Relaxation* relaxation, std::size_t most, SearchResult& out);
  /// nullopt: box too large. Otherwise whether a model was found (false: there is none).
  std::optional<bool> enumerate(const State& s, const System& system, std::uint64_t limit, SearchResult& out);
  // branch.cpp
  std::vector<Branch> choose_branches(const State& s, const System& system, const Relaxation* relaxation);
  std::vector<Branch> split_formula(const Literal& l);
  std::vector<Branch> split_choice(const State& s);
  std::vector<Branch> split_maximum(const State& s);
  std::vector<Branch> split_sign(const State& s, Expr e);
  std::vector<Branch> split_disequality(const DisequalityRow& d);

  Context& ctx_;
  std::uint64_t& steps_;
  Accept accept_;
  Effort effort_;
  std::vector<Expr> symbols_;           // of the input
  std::vector<Expr> symbols_of_shift_;  // made by shift_ordered, in order
};

}  // namespace dimgate
