#include "simplify/conjunction.hpp"

#include <algorithm>
#include <map>

#include "simplify/affine.hpp"
#include "simplify/form_literal.hpp"
#include "simplify/forms.hpp"
#include "simplify/spell.hpp"
#include "simplify/unary.hpp"
#include "simplify/write_boxes.hpp"

namespace dimgate::simplify {

namespace {
constexpr std::size_t kClauseBoxes = 64;
constexpr int kRounds = 4;
}  // namespace

void Conjunction::add(const GuardItem& item) {
  for (const auto& [x, set] : item.slots) restrict(x, set);
  for (const auto& [x, part] : item.parts) said_[x].push_back(part);
  for (const Expr e : item.rest)
    if (known_.insert(ctx_.canonical(e)).second) clauses_.push_back(e);
}

// Clauses with a boolean structure over the same few slots are one clause: `a or b`, `a or not b`.
void Conjunction::join_clauses() {
  constexpr std::size_t kSlots = 3, kTogether = 4;
  std::map<std::vector<std::string>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < clauses_.size(); ++i) {
    const Expr canonical = ctx_.canonical(clauses_[i]);
    if (!canonical.is(Op::Or) && !canonical.is(Op::Iff)) continue;
    const std::vector<Expr> symbols = symbols_of(ctx_, canonical);
    if (symbols.size() < 2 || symbols.size() > kSlots) continue;
    std::vector<std::string> key;
    for (const Expr s : symbols) key.push_back(ctx_.symbol_name(s));
    std::sort(key.begin(), key.end());
    groups[key].push_back(i);
  }
  std::vector<char> joined(clauses_.size(), 0);
  std::vector<Expr> made;
  for (const auto& [key, group] : groups) {
    if (group.size() < 2 || group.size() > kTogether) continue;
    std::vector<Expr> parts;
    std::uint64_t before = 0, after = 0;
    for (const std::size_t i : group) {
      parts.push_back(clauses_[i]);
      before += reading_cost(clauses_[i]) + 2;
    }
    const Expr both = make_and(ctx_, parts);
    Variables vars(ctx_);
    auto boxes = to_boxes(vars, both, kClauseBoxes);
    if (!boxes) continue;
    const Box domain = domain_with_sets(vars);
    const std::vector<Expr> written = write_boxes(vars, minimise_boxes(vars, std::move(*boxes), domain), domain);
    for (const Expr e : written) after += reading_cost(e) + 2;
    if (after >= before) continue;
    note_clause(both, written);
    for (const std::size_t i : group) {
      joined[i] = 1;
      known_.erase(ctx_.canonical(clauses_[i]));  // one of them may be what is written
    }
    made.insert(made.end(), written.begin(), written.end());
  }
  if (std::count(joined.begin(), joined.end(), 1) == 0) return;
  std::vector<Expr> next;
  for (std::size_t i = 0; i < clauses_.size(); ++i)
    if (joined[i] == 0) next.push_back(clauses_[i]);
  clauses_ = std::move(next);
  for (const Expr e : made) add(read_guard(ctx_, e));
}

std::vector<Expr> Conjunction::write() {
  join_clauses();
  for (int round = 0; round < kRounds; ++round) {
    bool changed = clauses_by_boxes();
    changed = solve_equations() || changed;
    changed = place_known_values() || changed;
    changed = place_by_facts() || changed;
    changed = decide_choices() || changed;
    if (!changed) break;
  }
  questions_.refill();
  guesses_ = guess_simpler(questions_, sets_, clauses_, obligations_);
  solve_equations();  // those that were guessed
  place_known_values();
  std::vector<Expr> out;
  for (const Expr x : slots_in_order()) {  // guesses may have added slots
    if (guesses_.implied_slots.contains(x)) continue;
    write_slot(x, out);
  }
  for (const Expr e : unset_) out.push_back(e);
  for (const Expr e : clauses_) out.push_back(spell_clause(e));
  order_conjuncts(ctx_, out);
  return out;
}

// x is in set as well; a set that does not fit the others is spelled on its own.
void Conjunction::restrict(Expr x, const IntSet& set) {
  const auto it = sets_.try_emplace(x, questions_.domain(x)).first;
  if (auto both = intersect(it->second, set)) {
    if (!same_set(it->second, *both).value_or(false)) guesses_.implied_slots.erase(x);  // it says more now
    it->second = std::move(*both);
    return;
  }
  for (const Expr e : write_set(ctx_, x, set, questions_.domain(x)).conjuncts) unset_.push_back(e);
}

std::vector<Expr> Conjunction::slots_in_order() {
  std::vector<Expr> out;
  for (const auto& [x, set] : sets_) out.push_back(x);
  std::sort(out.begin(), out.end(), [this](Expr a, Expr b) { return ctx_.symbol_name(a) < ctx_.symbol_name(b); });
  return out;
}

void Conjunction::write_slot(Expr x, std::vector<Expr>& out) {
  const Form form = as_said(x, write_set(ctx_, x, sets_.at(x), questions_.domain(x)));
  out.insert(out.end(), form.conjuncts.begin(), form.conjuncts.end());
  if (obligations_ != nullptr && !form.conjuncts.empty())
    obligations_->push_back(exact_obligation(claim_text(ctx_, make_and(ctx_, form.conjuncts)), "set",
                                             "the same values of " + ctx_.symbol_name(x)));
}

// A long set of values, as one or more of the guards that it came from where these are shorter, and the rest of it.
Form Conjunction::as_said(Expr x, Form form) {
  constexpr std::uint32_t kLong = 60;
  constexpr std::size_t kMostSaid = 32;
  const auto said = said_.find(x);
  if (form.cost <= kLong || said == said_.end() || said->second.size() > kMostSaid) return form;
  IntSet domain = questions_.domain(x);
  std::vector<Expr> chosen;
  std::uint32_t spent = 0;
  for (bool better = true; better;) {
    better = false;
    std::optional<std::pair<Expr, IntSet>> next;
    for (const Expr clause : said->second) {
      const Expr spelled = spell_clause(clause);
      const auto truth = unary_truth(spelled, x);
      const auto within = truth ? intersect(domain, truth->is_true) : std::nullopt;
      if (!within || !is_subset(sets_.at(x), truth->is_true).value_or(false)) continue;
      const Form rest = write_set(ctx_, x, sets_.at(x), *within);
      std::uint32_t cost = spent + reading_cost(spelled) + 2 + rest.cost;
      if (cost >= form.cost) continue;
      next.emplace(spelled, *within);
      form = {chosen, cost};
      form.conjuncts.push_back(spelled);
      form.conjuncts.insert(form.conjuncts.end(), rest.conjuncts.begin(), rest.conjuncts.end());
    }
    if (!next) continue;
    chosen.push_back(next->first);
    spent += reading_cost(next->first) + 2;
    domain = std::move(next->second);
    better = form.conjuncts.size() > chosen.size() && chosen.size() < 4;
  }
  return form;
}

Box Conjunction::domain_with_sets(const Variables& vars) {
  Box box = questions_.domain_box(vars);
  for (VarId v = 0; v < vars.size(); ++v) {
    if (vars.is_literal(v)) continue;
    if (const auto it = sets_.find(vars.symbol(v)); it != sets_.end()) box.insert_or_assign(v, it->second);
  }
  return box;
}

// Rewrites clauses that have a boolean structure; true if a slot's set or a clause changed.
bool Conjunction::clauses_by_boxes() {
  bool changed = false;
  std::vector<Expr> next;
  for (const Expr clause : clauses_) {
    const Expr canonical = ctx_.canonical(clause);
    if (!canonical.is(Op::Or) && !canonical.is(Op::And) && !canonical.is(Op::Eq) && !canonical.is(Op::Ne) &&
        !canonical.is(Op::In) && !canonical.is(Op::Iff)) {
      next.push_back(clause);
      continue;
    }
    if (const auto united = unite_forms(ctx_, canonical)) {  // s0 < s1 or s0 == s1
      changed = true;
      const std::vector<Expr> parts = *united ? std::vector<Expr>{*united} : std::vector<Expr>{};
      note_clause(clause, parts);
      for (const Expr e : parts)
        if (known_.insert(ctx_.canonical(e)).second) next.push_back(e);
      continue;
    }
    Variables vars(ctx_);
    auto boxes = to_boxes(vars, clause, kClauseBoxes);
    if (!boxes) {
      next.push_back(clause);
      continue;
    }
    const Box domain = domain_with_sets(vars);
    std::vector<Expr> parts = write_boxes(vars, minimise_boxes(vars, std::move(*boxes), domain), domain);
    std::uint64_t before = reading_cost(clause);
    std::uint64_t after = 0;
    for (const Expr e : parts) after += reading_cost(e) + 2;
    const bool slots_only = std::all_of(parts.begin(), parts.end(), [this](Expr e) {
      const auto s = symbols_of(ctx_, e);
      return s.size() <= 1;
    });
    if (after >= before + 2 && !slots_only) {
      next.push_back(clause);
      continue;
    }
    note_clause(clause, parts);
    for (const Expr e : parts) {
      const GuardItem item = read_guard(ctx_, e);
      for (const auto& [x, set] : item.slots) {
        restrict(x, set);
        changed = true;
      }
      for (const Expr r : item.rest) {
        if (ctx_.canonical(r) == canonical) {
          next.push_back(r);
        } else if (known_.insert(ctx_.canonical(r)).second) {
          next.push_back(r);
          changed = true;
        }
      }
      if (item.slots.empty() && item.rest.empty() && item.canonical.is_false()) next.push_back(e);
    }
  }
  clauses_ = std::move(next);
  return changed;
}

void Conjunction::note_clause(Expr clause, const std::vector<Expr>& parts) {
  if (obligations_ == nullptr || parts == std::vector<Expr>{clause}) return;
  obligations_->push_back(
      exact_obligation(claim_text(ctx_, make_and(ctx_, parts)), "box", "same as " + claim_text(ctx_, clause)));
}

// The shorter of the clause as written and its canonical atom spelled out.
Expr Conjunction::spell_clause(Expr clause) {
  const Expr canonical = ctx_.canonical(clause);
  Expr best = clause;
  for (const Expr spelled : {spell_atom(ctx_, canonical), spell_remainder(ctx_, canonical), spell(ctx_, canonical)})
    if (spelled && reading_cost(spelled) < reading_cost(best)) best = spelled;
  return best;
}

}  // namespace dimgate::simplify
