// What a fact set says at a glance: which literal is a fact, the bounds and residue of each linear form that facts
// speak about, and which facts mention a symbol. Kept beside the facts and extended as they grow (O(fact size) each).
//
// `implies` is the prover's first stage: a literal that is a fact, or that interval x congruence evaluation of its term
// over the known domains settles. O(term size). It never looks at two facts together, so it is independent of order.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "prove/domain.hpp"
#include "prove/points.hpp"

namespace dimgate {

class FactIndex {
 public:
  /// The index of `facts`, brought up to date.
  static FactIndex& of(const Facts& facts);

  struct Known {
    Domain domain;
    std::vector<FactId> why;        // facts the domain rests on
    std::vector<Integer> excluded;  // from `form != c`
  };

  /// Facts that suffice for the canonical formula, if this stage sees that it follows.
  std::optional<std::vector<FactId>> implies(Expr canonical);
  /// Domain of a canonical Int term, with the facts it rests on.
  Domain domain(Expr term, std::vector<FactId>& why, int depth = 0);

  /// Facts whose symbols are all among `symbols`, or (closure) all facts connected with them, ascending.
  std::vector<FactId> about(std::span<const Expr> symbols, bool closure);

  /// Every fact is true at the facts' witness. Each fact is evaluated once.
  bool witness_holds(const Facts& facts);
  /// Every fact that mentions the symbol is true at `at` (Int and Bool facts; others count as not).
  bool holds_about(Expr symbol, const Assignment& at);

 private:
  void extend(const Facts& facts);
  void add(Expr literal, FactId id);
  Known& known(Expr form);
  void cut(Known& k, FactId id);

  Context* ctx_ = nullptr;
  std::size_t seen_ = 0;
  std::uint64_t generation_ = 0;
  std::unordered_map<Expr, FactId> literals_;
  std::unordered_map<Expr, Known> forms_;
  std::unordered_map<Expr, std::vector<FactId>> by_symbol_;
  std::vector<std::vector<Expr>> symbols_;               // by fact
  std::vector<Expr> formulas_;                           // canonical, by fact
  std::vector<std::unique_ptr<PointEvaluator>> points_;  // by fact, made when asked
  std::size_t witnessed_ = 0;
  bool witness_ok_ = true;
};

}  // namespace dimgate
