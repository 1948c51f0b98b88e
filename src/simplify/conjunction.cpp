#include "simplify/conjunction.hpp"

#include <algorithm>

#include "simplify/affine.hpp"
#include "simplify/forms.hpp"
#include "simplify/write_boxes.hpp"
#include "simplify/write_set.hpp"

namespace dimgate::simplify {

namespace {
constexpr std::size_t kClauseBoxes = 64;
constexpr int kRounds = 4;
}  // namespace

void Conjunction::add(const GuardItem& item) {
  for (const auto& [x, set] : item.slots) restrict(x, set);
  for (const Expr e : item.rest)
    if (known_.insert(ctx_.canonical(e)).second) clauses_.push_back(e);
}

std::vector<Expr> Conjunction::write() {
  for (int round = 0; round < kRounds; ++round) {
    bool changed = clauses_by_boxes();
    changed = solve_equations() || changed;
    changed = place_known_values() || changed;
    if (!changed) break;
  }
  questions_.refill();
  guesses_ = guess_simpler(questions_, sets_, clauses_, obligations_);
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
  const Form form = write_set(ctx_, x, sets_.at(x), questions_.domain(x));
  out.insert(out.end(), form.conjuncts.begin(), form.conjuncts.end());
  if (obligations_ != nullptr && !form.conjuncts.empty())
    obligations_->push_back(exact_obligation(claim_text(ctx_, make_and(ctx_, form.conjuncts)), "set",
                                             "the same values of " + ctx_.symbol_name(x)));
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
        !canonical.is(Op::In)) {
      next.push_back(clause);
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
  for (const Expr spelled : {spell_atom(ctx_, canonical), spell_remainder(ctx_, canonical)})
    if (spelled && reading_cost(spelled) < reading_cost(best)) best = spelled;
  return best;
}

}  // namespace dimgate::simplify
