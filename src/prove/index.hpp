// What a fact set says at a glance: which literal is a fact, the bounds and residue of each linear form that facts
// speak about. Kept beside the facts and extended as they grow (O(fact size) each).
//
// `implies` is the prover's first stage: a literal that is a fact, or that interval x congruence evaluation of its term
// over the known domains settles. O(term size). It never looks at two facts together, so it is independent of order.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "expr/node_map.hpp"
#include "expr/poly.hpp"
#include "prove/domain.hpp"
#include "prove/trials.hpp"

namespace dimgate {

class FactIndex {
 public:
  /// The index of `facts`, brought up to date.
  static FactIndex& of(const Facts& facts);

  using Ids = FactIds;
  struct Known {
    Domain domain;
    Ids why;                           // facts the domain rests on
    SmallVector<Integer, 1> excluded;  // from `form != c`
  };

  /// Facts that suffice for the canonical formula, if this stage sees that it follows.
  std::optional<Ids> implies(Expr canonical);
  /// Domain of a canonical Int term, with the facts it rests on.
  Domain domain(Expr term, Ids& why, int depth = 0);
  /// Every divisor that decides where the canonical term or formula is defined is known not to be 0.
  bool defined(Expr canonical, Ids& why);

  /// Mentions::about and FactTrials of these facts; what they need is made when first asked for.
  std::vector<FactId> about(std::span<const Expr> symbols, bool closure) { return mentions().about(symbols, closure); }
  bool witness_holds(const Facts& facts) { return facts.witness() != nullptr && trials().witness_holds(facts); }
  bool hold_about(Expr symbol, const Assignment& at, std::span<const Moved> moved) {
    return trials().hold_about(*ctx_, formulas(), mentions(), symbol, at, moved);
  }

 private:
  void extend(const Facts& facts);
  [[nodiscard]] std::span<const Expr> formulas() const { return {formulas_.data(), formulas_.size()}; }
  Mentions& mentions();
  FactTrials& trials();
  void add(Expr literal, FactId id);
  Known& known(const detail::Node* form);
  static void cut(Known& k);
  Domain monomial(std::span<const detail::Node* const> atoms, const Integer& coefficient, Ids& why, int depth);
  Domain atom(Expr a, Ids& why, int depth);
  void meet_known(const detail::Node* form, Domain& d, Ids& why) const;
  void meet_sum(Expr sum, Domain& d, Ids& why);
  bool implies_literal(Expr f, Ids& why);
  const Domain& domain_again(Expr term, Ids& why);

  Context* ctx_ = nullptr;
  std::size_t seen_ = 0;
  std::uint64_t generation_ = 0;
  NodeMap<FactId, 8> literals_;
  NodeMap<Known, 3> forms_;
  bool sums_ = false, products_ = false;  // some form is one
  SmallVector<Expr, 8> formulas_;         // canonical, by fact
  struct {                                // the term asked for last: both its bounds are one question
    Expr term;
    Domain domain;
    Ids why;
  } last_;
  std::unique_ptr<Mentions> mentions_;
  std::unique_ptr<FactTrials> trials_;
};

}  // namespace dimgate
