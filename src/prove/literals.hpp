// What the stages that decide one literal at a time share: the literals of facts with small numbers for monomials, and
// the walk over a claim that is a combination of literals.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "expr/node_map.hpp"
#include "prove/index.hpp"
#include "prove/linear.hpp"
#include "prove/rewrite.hpp"

namespace dimgate {

/// Linear forms over numbered monomials. A monomial is an unknown of its own here.
class Columns {
 public:
  struct Form {
    std::vector<LinearTerm> terms;
    Integer constant;
  };
  explicit Columns(Context& ctx) : ring_(ctx.impl()) {}
  /// `known_only`: nullopt if a monomial has no number yet.
  std::optional<Form> form(Expr term, bool known_only);
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(numbers_.size()); }

 private:
  PolyRing ring_;
  NodeMap<std::uint32_t> numbers_;
};

/// Calls f(literal, tag) for each literal that is implied by a fact of `ids`; facts in canonical order, tag: position
/// of the fact in `order`.
template <class F>
void each_fact_literal(const Facts& facts, std::span<const FactId> ids, std::vector<FactId>& order, F f) {
  Context& ctx = facts.context();
  order.assign(ids.begin(), ids.end());
  std::sort(order.begin(), order.end(), [&](FactId a, FactId b) {
    const int o = ctx.order(facts[a].canonical, facts[b].canonical);
    return o != 0 ? o < 0 : a < b;
  });
  for (std::uint32_t tag = 0; tag < order.size(); ++tag) {
    const Expr truth = necessary_if_true(ctx, facts[order[tag]].canonical);
    if (!truth.is(Op::And)) f(truth, tag);
    for (std::size_t i = 0; truth.is(Op::And) && i < truth.size(); ++i) f(truth[i], tag);
  }
}

/// The facts behind the tags that each_fact_literal gave, ascending.
inline FactIndex::Ids facts_named(std::span<const FactId> order, std::span<const std::uint32_t> tags) {
  FactIndex::Ids out;
  for (const std::uint32_t t : tags) out.push_back(order[t]);
  std::sort(out.begin(), out.end());
  return out;
}

/// Facts that suffice for a claim, from those that suffice for its literals: all of a conjunction, one of a
/// disjunction.
template <class Literal>
std::optional<FactIndex::Ids> implied_by_literals(Expr f, Literal literal) {
  if (f.is(Op::Or) && f.size() <= 16) {
    for (std::size_t i = 0; i < f.size(); ++i)
      if (auto why = literal(f[i])) return why;
    return std::nullopt;
  }
  if (!f.is(Op::And)) return literal(f);
  FactIndex::Ids all;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const auto why = literal(f[i]);
    if (!why) return std::nullopt;
    all.append(why->begin(), why->end());
  }
  std::sort(all.begin(), all.end());
  all.erase_from(std::unique(all.begin(), all.end()));
  return all;
}

inline std::optional<Columns::Form> Columns::form(Expr term, bool known_only) {
  Form out;
  for (const Term& t : ring_.of(term.node()).terms) {
    if (t.m == ring_.impl().one) {
      out.constant = t.c;
      continue;
    }
    if (ring_.is_carrier(t.m)) continue;
    if (known_only && !numbers_.contains(t.m)) return std::nullopt;
    out.terms.push_back({numbers_.try_emplace(t.m, size()).first, t.c});
  }
  return out;
}

}  // namespace dimgate
