// Clauses by what facts and the rest of the conjunction settle in them: an extremum or a branch that is decided, a slot
// that a fact says in terms of others.
#include <algorithm>

#include "simplify/conjunction.hpp"
#include "simplify/forms.hpp"
#include "simplify/spell.hpp"

namespace dimgate::simplify {

namespace {

constexpr std::size_t kQuestions = 48;  // about choices, for one conjunction and round
constexpr std::size_t kMostClauses = 256;
constexpr std::uint32_t kMostWeight = 200;
constexpr std::uint64_t kSteps = 2'000;
constexpr std::size_t kMaxFacts = 64;

// Distinct subterms, inner ones first.
std::vector<Expr> subterms(Expr e) {
  std::vector<Expr> out, todo{e};
  std::unordered_set<Expr> seen;
  while (!todo.empty()) {
    const Expr t = todo.back();
    todo.pop_back();
    if (!seen.insert(t).second) continue;
    out.push_back(t);
    for (std::size_t i = 0; i < t.size(); ++i) todo.push_back(t[i]);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

bool is_choice(Expr e) { return e.is(Op::Max) || e.is(Op::Min) || e.is(Op::Abs) || e.is(Op::Ite); }

Expr replace(Context& ctx, Expr whole, Expr part, Expr by) {
  std::unordered_map<Expr, Expr> done{{part, by}};
  std::vector<Expr> todo{whole};
  while (!todo.empty()) {
    const Expr t = todo.back();
    if (done.contains(t)) {
      todo.pop_back();
      continue;
    }
    std::vector<Expr> args;
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (const auto it = done.find(t[i]); it != done.end())
        args.push_back(it->second);
      else
        todo.push_back(t[i]);
    }
    if (args.size() < t.size()) continue;
    todo.pop_back();
    done.emplace(t, t.size() == 0 ? t : ctx.make(t.op(), args));
  }
  return done.at(whole);
}

}  // namespace

// The rest of the conjunction about these slots, without the clause at `without`.
std::vector<Expr> Conjunction::rest_about(std::span<const Expr> symbols, std::size_t without) {
  constexpr std::size_t kMost = 16;
  std::vector<Expr> out;
  for (const Expr s : symbols) {
    if (s.sort() != Sort::Int || !sets_.contains(s)) continue;
    const Form f = write_set(ctx_, s, sets_.at(s), questions_.domain(s));
    out.insert(out.end(), f.conjuncts.begin(), f.conjuncts.end());
  }
  for (std::size_t i = 0; i < clauses_.size() && out.size() < kMost; ++i) {
    if (i == without || clauses_[i].node()->weight > kMostWeight) continue;
    const auto own = symbols_of(ctx_, clauses_[i]);
    if (std::any_of(own.begin(), own.end(),
                    [&](Expr s) { return std::find(symbols.begin(), symbols.end(), s) != symbols.end(); }))
      out.push_back(clauses_[i]);
  }
  return out;
}

// What the choice is wherever the premises hold; null: they leave it open.
Expr Conjunction::decided(Expr choice, std::span<const Expr> premises, std::size_t& questions) {
  const auto holds = [&](Expr claim) {
    if (questions == 0) return false;
    --questions;
    return questions_.implied(premises, claim, kSteps).proved();
  };
  if (choice.is(Op::Ite)) {
    if (holds(choice[0])) return choice[1];
    return holds(ctx_.make(Op::Not, {choice[0]})) ? choice[2] : Expr{};
  }
  if (choice.is(Op::Abs)) {
    if (holds(make_at_least(ctx_, choice[0], 0))) return choice[0];
    return holds(make_at_most(ctx_, choice[0], 0)) ? ctx_.make(Op::Neg, {choice[0]}) : Expr{};
  }
  if (choice.size() > 4) return {};
  for (std::size_t i = 0; i < choice.size(); ++i)
    for (std::size_t j = 0; j < choice.size(); ++j) {
      if (i == j || !holds(ctx_.make(choice.is(Op::Max) ? Op::Le : Op::Ge, {choice[j], choice[i]}))) continue;
      if (choice.size() == 2) return choice[i];  // j stands back
      std::vector<Expr> left;
      for (std::size_t k = 0; k < choice.size(); ++k)
        if (k != j) left.push_back(choice[k]);
      return ctx_.make(choice.op(), left);
    }
  return {};
}

// max(1, w) is w where w >= 1.
bool Conjunction::decide_choices() {
  if (clauses_.size() > kMostClauses) return false;
  std::size_t questions = kQuestions;
  bool changed = false;
  for (std::size_t i = 0; i < clauses_.size(); ++i) {
    if (clauses_[i].node()->weight > kMostWeight) continue;
    const std::vector<Expr> premises = rest_about(symbols_of(ctx_, clauses_[i]), i);
    for (bool again = true; again;) {
      again = false;
      for (const Expr part : subterms(clauses_[i])) {
        if (!is_choice(part) || part.sort() != Sort::Int) continue;
        const Expr by = decided(part, premises, questions);
        if (!by) continue;
        const Expr with = replace(ctx_, clauses_[i], part, by);
        note_clause(clauses_[i], {with});
        known_.erase(ctx_.canonical(clauses_[i]));
        clauses_[i] = with;
        again = changed = true;
        break;
      }
    }
  }
  if (changed) read_clauses_again();
  return changed;
}

// Clauses that were rewritten may be about one slot by now, or said already.
void Conjunction::read_clauses_again() {
  std::vector<Expr> all = std::move(clauses_);
  clauses_.clear();
  for (const Expr e : all) known_.erase(ctx_.canonical(e));
  for (const Expr e : all) add(read_guard(ctx_, e));
}

// Under the fact n == b, 2*n + b == 9 is 3*n == 9: a slot that a fact says in terms of others is that in a clause, if
// the clause gets shorter.
bool Conjunction::place_by_facts() {
  if (clauses_.size() > kMostClauses) return false;
  bool changed = false;
  for (Expr& clause : clauses_) {
    if (clause.node()->weight > kMostWeight) continue;
    const auto best = shorter_by_facts(clause);
    if (!best) continue;
    note_clause(clause, {best});
    known_.erase(ctx_.canonical(clause));
    clause = best;
    changed = true;
  }
  if (changed) read_clauses_again();
  return changed;
}

Expr Conjunction::shorter_by_facts(Expr clause) {
  Expr best;
  std::uint32_t cost = reading_cost(spell_clause(clause));
  std::size_t looked_at = 0;
  std::vector<Expr> symbols = symbols_of(ctx_, clause);  // of equally short ones, the last name is kept
  std::sort(symbols.begin(), symbols.end(), [&](Expr a, Expr b) { return ctx_.order(a, b) < 0; });
  for (const Expr s : symbols)
    for (const FactId id : questions_.facts_about(s)) {
      if (++looked_at > kMaxFacts) return best;
      const auto equation = linear_equation(questions_.facts()[id].canonical);
      if (!equation) continue;
      for (const auto& [c, x] : equation->terms) {
        if (x != s || (c != Integer(1) && c != Integer(-1))) continue;
        std::vector<Expr> sum{ctx_.integer(c * equation->constant)};
        for (const auto& [d, y] : equation->terms)
          if (y != x) sum.push_back(ctx_.make(Op::Mul, {ctx_.integer(-c * d), y}));
        const Expr value = ctx_.canonical(ctx_.make(Op::Add, sum));
        const Expr with = ctx_.canonical(substitute(ctx_, clause, [&](Expr e) { return e == s ? value : e; }));
        if (with.node()->weight > kMostWeight || with.is_false()) continue;
        const Expr spelled = spell_clause(with);
        if (reading_cost(spelled) >= cost) continue;
        best = spelled;
        cost = reading_cost(spelled);
      }
    }
  return best;
}

}  // namespace dimgate::simplify
