// Linear equations of a conjunction, and the values that they give its slots.
#include <algorithm>
#include <map>

#include "simplify/affine.hpp"
#include "simplify/conjunction.hpp"
#include "simplify/forms.hpp"
#include "simplify/minimise_state.hpp"

namespace dimgate::simplify {

// The linear equations in solved form, group by group of those that share slots.
bool Conjunction::solve_equations() {
  std::vector<Equation> equations;
  std::vector<Expr> rest;
  for (const Expr clause : clauses_) {
    if (std::optional<LinearEquation> e = linear_equation(ctx_.canonical(clause)))
      equations.push_back({clause, *std::move(e)});
    else
      rest.push_back(clause);
  }
  if (equations.empty()) return false;
  SymbolGroups slots;
  for (const Equation& e : equations) slots.link(symbols_of(ctx_, e.clause));
  std::map<std::uint32_t, std::vector<Equation>> groups;
  for (Equation& e : equations) groups[slots.group(e.linear.terms[0].second)].push_back(std::move(e));
  bool changed = false;
  for (const auto& [id, group] : groups) changed = solve_group(group, rest) || changed;
  clauses_ = std::move(rest);
  return changed;
}

// Solved, if that is no longer to read. A slot that has one value then gets it as its set, and what is known of a
// slot that equals an earlier one is said of that one. What is written of the group goes to `clauses`.
bool Conjunction::solve_group(const std::vector<Equation>& group, std::vector<Expr>& clauses) {
  std::vector<LinearEquation> equations;
  std::vector<Expr> from, written;
  for (const Equation& e : group) {
    equations.push_back(e.linear);
    from.push_back(e.clause);
  }
  const auto solved = group.size() > kMostEquations ? std::nullopt : solved_form(ctx_, equations);
  std::uint64_t before = 0, after = 0;
  for (const Expr e : from) before += reading_cost(spell_clause(e)) + 2;
  if (solved)
    for (const LinearEquation& e : *solved) written.push_back(spell_equation(ctx_, e));
  if (written.size() == 1 && from.size() == 1 && ctx_.canonical(written[0]) == ctx_.canonical(from[0]))
    written = from;  // one by itself keeps its spelling
  for (const Expr e : written) after += reading_cost(e) + 2;
  if (!solved || after > before) {
    clauses.insert(clauses.end(), from.begin(), from.end());
    return false;
  }
  bool changed = false;
  for (std::size_t i = 0; i < solved->size(); ++i) {
    const LinearEquation& e = (*solved)[i];
    if (e.terms.size() == 1 && e.constant.is_small() && restrict_to(e.terms[0].second, e.constant.small())) {
      changed = true;
      continue;
    }
    clauses.push_back(written[i]);
    known_.insert(ctx_.canonical(written[i]));
    if (e.terms.size() == 2 && e.constant.is_zero() && e.terms[0].first.is_one() && e.terms[1].first == Integer(-1))
      changed = move_set(e.terms[0].second, e.terms[1].second) || changed;
  }
  if (obligations_ != nullptr && (changed || written != from))
    obligations_->push_back(
        exact_obligation(claim_text(ctx_, make_and(ctx_, written)), "equations", "the same equations, solved"));
  return changed;
}

// x is v as well, if that leaves x a value.
bool Conjunction::restrict_to(Expr x, std::int64_t v) {
  if (guesses_.implied_slots.contains(x)) return false;  // not spelled by itself
  const auto it = sets_.try_emplace(x, questions_.domain(x)).first;
  if (!it->second.contains(v)) return false;
  it->second = IntSet::point(v);
  return true;
}

// Under later == earlier.
bool Conjunction::move_set(Expr later, Expr earlier) {
  if (guesses_.implied_slots.contains(later) || guesses_.implied_slots.contains(earlier)) return false;
  const auto own = sets_.find(later);
  if (own == sets_.end() || same_set(own->second, questions_.domain(later)).value_or(false)) return false;
  const auto both = intersect(sets_.try_emplace(earlier, questions_.domain(earlier)).first->second, own->second);
  if (!both || both->is_empty()) return false;
  sets_.insert_or_assign(earlier, *both);
  sets_.insert_or_assign(later, questions_.domain(later));
  return true;
}

// Slots that have one value are that value in the clauses.
bool Conjunction::place_known_values() {
  bool changed = false;
  std::vector<Expr> next;
  for (const Expr clause : clauses_) {
    const Expr canonical = ctx_.canonical(clause);
    const std::vector<Expr> symbols = symbols_of(ctx_, canonical);  // others are written, but make no difference
    const bool placed = std::any_of(symbols.begin(), symbols.end(), [&](Expr s) {
      const auto it = sets_.find(s);
      return it != sets_.end() && it->second.is_point();
    });
    if (!placed) {
      next.push_back(clause);
      continue;
    }
    const Expr with = substitute(ctx_, clause, [&](Expr s) {
      const auto it = sets_.find(s);
      return it == sets_.end() || !it->second.is_point() ? s : int_const(ctx_, it->second.lo());
    });
    const GuardItem item = read_guard(ctx_, with);
    const bool fits = std::all_of(item.slots.begin(), item.slots.end(), [&](const auto& slot) {
      const auto both =
          intersect(sets_.try_emplace(slot.first, questions_.domain(slot.first)).first->second, slot.second);
      return both && !both->is_empty();
    });
    if (item.canonical.is_false() || !fits) {
      next.push_back(clause);
      continue;
    }
    changed = true;
    note_clause(clause, {with});
    known_.erase(canonical);  // no longer there
    for (const auto& [x, set] : item.slots) restrict(x, set);
    for (const Expr r : item.rest)
      if (known_.insert(ctx_.canonical(r)).second) next.push_back(r);
  }
  clauses_ = std::move(next);
  return changed;
}

}  // namespace dimgate::simplify
