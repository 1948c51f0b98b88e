#include "prove/difference_stage.hpp"

#include <algorithm>

#include "prove/literals.hpp"
#include "prove/octagon.hpp"

namespace dimgate {

namespace {

constexpr std::size_t kDifferenceFacts = 64;

bool is_comparison(Expr l) {
  return l.size() == 2 && l[0].sort() == Sort::Int && l[1].is_int() &&
         (l.is(Op::Ge) || l.is(Op::Le) || l.is(Op::Eq) || l.is(Op::Ne));
}

// Two monomials: bounds of one are the index's business.
bool is_difference(Expr l) { return is_comparison(l) && l[0].is(Op::Add) && l[0].size() == 2; }

bool asks_for_differences(Expr claim) {
  if (!claim.is(Op::And) && !claim.is(Op::Or)) return is_difference(claim);
  for (std::size_t i = 0; i < claim.size(); ++i)
    if (is_difference(claim[i])) return true;
  return false;
}

// The fact may bound a difference or sum of two; one with divisors is rewritten first, so it may as well.
bool may_relate_two(Expr fact) {
  if (!fact.is_total()) return true;
  if (!fact.is(Op::And)) return is_difference(fact) && !fact.is(Op::Ne);
  for (std::size_t i = 0; i < fact.size(); ++i)
    if (is_difference(fact[i]) && !fact[i].is(Op::Ne)) return true;
  return false;
}

class Differences {
 public:
  Differences(const Facts& facts, FactIndex& index, std::span<const FactId> ids)
      : index_(index), columns_(facts.context()) {
    each_fact_literal(facts, ids, order_, [&](Expr l, std::uint32_t tag) {
      if (!is_comparison(l) || l.is(Op::Ne)) return;
      if (!is_difference(l) && l[0].is(Op::Add)) return;
      const Columns::Form f = *columns_.form(l[0], false);
      while (octagon_.variables() < columns_.size()) octagon_.new_variable();
      const Integer bound = l[1].integer() - f.constant;
      Octagon::Added added;
      if (l.is(Op::Ge))
        added = octagon_.at_least(f.terms, bound, tag);
      else if (l.is(Op::Le))
        added = octagon_.at_most(f.terms, bound, tag);
      else
        added = octagon_.equals(f.terms, bound, tag);
      two_ = two_ || (added != Octagon::Added::other_shape && f.terms.size() == 2);
    });
  }
  [[nodiscard]] bool useful() const { return two_; }
  [[nodiscard]] std::optional<FactIndex::Ids> contradiction() const {
    if (octagon_.consistent()) return std::nullopt;
    return facts_named(order_, octagon_.core());
  }

  std::optional<FactIndex::Ids> implies(Expr l) {
    if (!is_comparison(l)) return std::nullopt;
    FactIndex::Ids why;
    if (!index_.defined(l, why)) return std::nullopt;
    const std::optional<Columns::Form> f = columns_.form(l[0], true);
    if (!f || f->terms.empty() || !Octagon::has_shape(f->terms)) return std::nullopt;
    const Integer c = l[1].integer() - f->constant;
    const auto at_least = [&](const Integer& v) { return take(octagon_.lower(f->terms), v, false, why); };
    const auto at_most = [&](const Integer& v) { return take(octagon_.upper(f->terms), v, true, why); };
    bool holds = false;
    if (l.is(Op::Ge))
      holds = at_least(c);
    else if (l.is(Op::Le))
      holds = at_most(c);
    else if (l.is(Op::Eq))
      holds = at_least(c) && at_most(c);
    else
      holds = at_least(c + 1) || at_most(c - 1);
    if (!holds) return std::nullopt;
    return why;
  }

 private:
  bool take(const std::optional<Integer>& end, const Integer& needed, bool upper, FactIndex::Ids& why) {
    if (!end || (upper ? *end > needed : *end < needed)) return false;
    const FactIndex::Ids used = facts_named(order_, octagon_.core());
    why.append(used.begin(), used.end());
    return true;
  }

  FactIndex& index_;
  Columns columns_;
  Octagon octagon_;
  std::vector<FactId> order_;
  bool two_ = false;
};

}  // namespace

std::optional<FactIndex::Ids> implied_by_differences(const Facts& facts, FactIndex& index, std::span<const FactId> ids,
                                                     Expr claim) {
  if (ids.empty() || ids.size() > kDifferenceFacts || !asks_for_differences(claim)) return std::nullopt;
  if (std::none_of(ids.begin(), ids.end(), [&](FactId f) { return may_relate_two(facts[f].canonical); }))
    return std::nullopt;
  Differences differences(facts, index, ids);
  if (!differences.useful()) return std::nullopt;
  if (auto core = differences.contradiction()) return core;
  return implied_by_literals(claim, [&](Expr l) { return differences.implies(l); });
}

}  // namespace dimgate
