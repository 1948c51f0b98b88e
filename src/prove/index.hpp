// What a fact set says at a glance: which literal is a fact, the bounds and residue of each linear form that facts
// speak about, and which facts mention a symbol. Kept beside the facts and extended as they grow (O(fact size) each).
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
#include "prove/points.hpp"

namespace dimgate {

class FactIndex {
 public:
  /// The index of `facts`, brought up to date.
  static FactIndex& of(const Facts& facts);

  using Ids = SmallVector<FactId, 6>;
  struct Known {
    Domain domain;
    Ids why;                           // facts the domain rests on
    SmallVector<Integer, 2> excluded;  // from `form != c`
  };

  /// Facts that suffice for the canonical formula, if this stage sees that it follows.
  std::optional<Ids> implies(Expr canonical);
  /// Domain of a canonical Int term, with the facts it rests on.
  Domain domain(Expr term, Ids& why, int depth = 0);
  /// Every divisor that decides where the canonical term or formula is defined is known not to be 0.
  bool defined(Expr canonical, Ids& why);

  /// Facts whose symbols are all among `symbols`, or (closure) all facts connected with them, ascending.
  std::vector<FactId> about(std::span<const Expr> symbols, bool closure);

  /// Every fact is true at the facts' witness. Each fact is evaluated once.
  bool witness_holds(const Facts& facts);
  struct Moved {
    Expr symbol;
    Integer value;
  };
  /// Every fact that mentions the symbol is true at `at` with some symbols moved (Int and Bool facts; others count as
  /// not).
  bool holds_about(Expr symbol, const Assignment& at, std::span<const Moved> moved);

 private:
  /// A fact to be tried at points: most are a comparison of a linear form, which needs no evaluator.
  struct Trial {
    SmallVector<std::pair<Expr, Integer>, 3> terms;  // symbol, coefficient; empty: `general` decides
    Integer constant;
    std::unique_ptr<PointEvaluator> general;
  };
  void make_trial(Expr fact, Trial& t);
  void extend(const Facts& facts);
  void note_symbols();
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
  NodeMap<Known, 4> forms_;
  NodeMap<Ids, 4> by_symbol_;
  bool sums_ = false;                          // some form is a sum
  SmallVector<Expr, 16> symbols_;              // of fact 0, then of fact 1, ...
  SmallVector<std::uint32_t, 8> symbols_end_;  // by fact: where its symbols end; made when asked, as by_symbol_ is
  Ids constants_;                              // facts about nothing (a plain `False`) concern everyone
  SmallVector<Expr, 8> formulas_;              // canonical, by fact
  struct {                                     // the term asked for last: both its bounds are one question
    Expr term;
    Domain domain;
    Ids why;
  } last_;
  std::vector<Trial> trials_;  // by fact, made when asked
  std::size_t witnessed_ = 0;
  bool witness_ok_ = true;
};

}  // namespace dimgate
