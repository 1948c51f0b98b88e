// Readable form: per slot the cheapest spelling of its set; clauses over several slots as unions of boxes; what that
// cannot see (products, quotients by slots, relations) is guessed from values and adopted only if proved.
#include "simplify/readable.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "simplify/affine.hpp"
#include "simplify/forms.hpp"
#include "simplify/guess.hpp"
#include "simplify/write_boxes.hpp"
#include "simplify/write_set.hpp"

namespace dimgate::simplify {

namespace {

constexpr std::size_t kClauseBoxes = 64;
constexpr int kRounds = 4;

class Conjunction {
 public:
  Conjunction(Questions& questions, std::vector<Obligation>* obligations)
      : questions_(questions), ctx_(questions.context()), obligations_(obligations) {}

  void add(const GuardItem& item) {
    for (const auto& [x, set] : item.slots) restrict(x, set);
    for (const Expr e : item.rest)
      if (known_.insert(ctx_.canonical(e)).second) clauses_.push_back(e);
  }

  std::vector<Expr> write() {
    for (int round = 0; round < kRounds; ++round)
      if (!clauses_by_boxes()) break;
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

 private:
  // x is in set as well; a set that does not fit the others is spelled on its own.
  void restrict(Expr x, const IntSet& set) {
    const auto it = sets_.try_emplace(x, questions_.domain(x)).first;
    if (auto both = intersect(it->second, set)) {
      it->second = std::move(*both);
      return;
    }
    for (const Expr e : write_set(ctx_, x, set, questions_.domain(x)).conjuncts) unset_.push_back(e);
  }

  std::vector<Expr> slots_in_order() {
    std::vector<Expr> out;
    for (const auto& [x, set] : sets_) out.push_back(x);
    std::sort(out.begin(), out.end(), [this](Expr a, Expr b) { return ctx_.symbol_name(a) < ctx_.symbol_name(b); });
    return out;
  }

  void write_slot(Expr x, std::vector<Expr>& out) {
    const Form form = write_set(ctx_, x, sets_.at(x), questions_.domain(x));
    out.insert(out.end(), form.conjuncts.begin(), form.conjuncts.end());
    if (obligations_ != nullptr && !form.conjuncts.empty())
      obligations_->push_back(exact_obligation(claim_text(ctx_, make_and(ctx_, form.conjuncts)), "set",
                                               "the same values of " + ctx_.symbol_name(x)));
  }

  [[nodiscard]] Box domain_with_sets(const Variables& vars) {
    Box box = questions_.domain_box(vars);
    for (VarId v = 0; v < vars.size(); ++v) {
      if (vars.is_literal(v)) continue;
      if (const auto it = sets_.find(vars.symbol(v)); it != sets_.end()) box.insert_or_assign(v, it->second);
    }
    return box;
  }

  // Rewrites clauses that have a boolean structure; true if a slot's set or a clause changed.
  bool clauses_by_boxes() {
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

  void note_clause(Expr clause, const std::vector<Expr>& parts) {
    if (obligations_ == nullptr || parts == std::vector<Expr>{clause}) return;
    obligations_->push_back(
        exact_obligation(claim_text(ctx_, make_and(ctx_, parts)), "box", "same as " + claim_text(ctx_, clause)));
  }

  // The shorter of the clause as written and its canonical atom spelled out.
  Expr spell_clause(Expr clause) {
    const Expr spelled = spell_atom(ctx_, ctx_.canonical(clause));
    if (spelled && reading_cost(spelled) < reading_cost(clause)) return spelled;
    return clause;
  }

  Questions& questions_;
  Context& ctx_;
  std::vector<Obligation>* obligations_;
  std::unordered_map<Expr, IntSet> sets_;
  std::vector<Expr> clauses_;
  std::vector<Expr> unset_;
  std::unordered_set<Expr> known_;
  Guesses guesses_;
};

}  // namespace

std::vector<Expr> readable_form(Questions& questions, std::span<const GuardItem* const> items,
                                std::vector<Obligation>* obligations) {
  Conjunction conjunction(questions, obligations);
  for (const GuardItem* item : items) {
    if (item->canonical.is_false()) return {questions.context().boolean(false)};
    conjunction.add(*item);
  }
  return conjunction.write();
}

}  // namespace dimgate::simplify

namespace dimgate {

std::vector<Expr> readable_conjuncts(Prover& prover, const Facts& facts, Expr formula,
                                     std::vector<Obligation>* obligations) {
  Context& ctx = facts.context();
  std::vector<Expr> parts = simplify::conjuncts_of(formula);
  // A formula that is no conjunction as written may be one in canonical form (`not (a or b)`).
  if (parts.size() == 1 && ctx.canonical(formula).is(Op::And) && !simplify::read_guard(ctx, formula).rest.empty())
    parts = simplify::conjuncts_of(ctx.canonical(formula));
  Minimised m = minimise(prover, facts, parts);
  if (obligations != nullptr) {
    for (const DroppedGuard& d : m.dropped) obligations->push_back(d.obligation);
    obligations->insert(obligations->end(), m.obligations.begin(), m.obligations.end());
  }
  return m.readable;
}

Expr readable(Prover& prover, const Facts& facts, Expr formula, std::vector<Obligation>* obligations) {
  return simplify::make_and(facts.context(), readable_conjuncts(prover, facts, formula, obligations));
}

}  // namespace dimgate
