#include "simplify/questions.hpp"

#include <algorithm>

#include "simplify/forms.hpp"
#include "simplify/unary.hpp"

namespace dimgate::simplify {

namespace {

constexpr std::uint64_t kSolverQuestion = 10'000;  // steps of a solver for one question

}  // namespace

Questions::Questions(Prover& prover, const Facts& facts, const SimplifyOptions& options)
    : prover_(prover),
      facts_(facts),
      options_(options),
      left_(options.component_steps),
      solver_left_(options.solver_steps) {
  Context& ctx = facts.context();
  fact_symbols_.resize(facts.size());
  for (FactId id = 0; id < facts.size(); ++id) {
    fact_symbols_[id] = symbols_of(ctx, facts[id].canonical);
    if (fact_symbols_[id].empty()) constant_facts_.push_back(id);
    for (const Expr s : fact_symbols_[id]) about_[s].push_back(id);
    fact_order_.push_back(id);
  }
  std::sort(fact_order_.begin(), fact_order_.end(), [&](FactId a, FactId b) {
    if (const int by = ctx.order(facts[a].canonical, facts[b].canonical); by != 0) return by < 0;
    if (const int by = ctx.order(facts[a].formula, facts[b].formula); by != 0) return by < 0;
    return a < b;
  });
}

Questions::Domain& Questions::domain_of(Expr x) {
  const auto [it, fresh] = domains_.try_emplace(x);
  Domain& d = it->second;
  if (!fresh || x.sort() != Sort::Int) return d;
  if (context().is_size(x)) d.set = IntSet::range(0, IntSet::kPlusInf);
  for (const FactId id : facts_about(x)) {
    IntSet allowed = IntSet::all();
    bool says_something = false;
    for (const Expr part : conjuncts_of(facts_[id].canonical)) {
      const auto symbols = symbols_of(context(), part);
      if (symbols.size() != 1 || symbols[0] != x) continue;
      const auto truth = unary_truth(part, x);
      if (!truth) continue;
      auto both = intersect(allowed, truth->is_true);
      if (!both) continue;
      allowed = std::move(*both);
      says_something = true;
    }
    if (!says_something) continue;
    auto both = intersect(d.set, allowed);
    if (!both) continue;
    d.set = std::move(*both);
    d.facts.emplace_back(id, std::move(allowed));
  }
  return d;
}

const IntSet& Questions::domain(Expr x) { return domain_of(x).set; }
std::span<const std::pair<FactId, IntSet>> Questions::domain_facts(Expr x) { return domain_of(x).facts; }

Box Questions::domain_box(const Variables& vars) {
  Box box;
  for (VarId v = 0; v < vars.size(); ++v) {
    if (vars.is_literal(v) || vars.symbol(v).sort() != Sort::Int) continue;
    const IntSet& d = domain(vars.symbol(v));
    if (!d.is_all()) box.emplace(v, d);
  }
  return box;
}

std::span<const FactId> Questions::facts_about(Expr symbol) const {
  const auto it = about_.find(symbol);
  if (it == about_.end()) return {};
  return it->second;
}

// The facts connected to premises and claim by shared symbols, then the premises as assumed facts.
Facts Questions::scoped(std::span<const Expr> premises, Expr claim, std::vector<FactId>& origin) {
  Context& ctx = context();
  std::vector<char> taken(facts_.size(), 0);
  std::vector<Expr> todo;
  std::unordered_map<Expr, bool> seen;
  const auto visit = [&](Expr e) {
    for (const Expr s : symbols_of(ctx, e))
      if (seen.try_emplace(s, true).second) todo.push_back(s);
  };
  if (facts_.size() > 0) {
    for (const Expr p : premises) visit(p);
    if (claim) visit(claim);
  }
  for (const FactId id : constant_facts_) taken[id] = 1;
  while (!todo.empty()) {
    const Expr s = todo.back();
    todo.pop_back();
    for (const FactId id : facts_about(s)) {
      if (taken[id] != 0) continue;
      taken[id] = 1;
      for (const Expr t : fact_symbols_[id])
        if (seen.try_emplace(t, true).second) todo.push_back(t);
    }
  }
  Facts out(ctx);
  for (const FactId id : fact_order_) {
    if (taken[id] == 0) continue;
    out.assume(facts_[id].formula, facts_[id].standing);
    origin.push_back(id);
  }
  for (const Expr p : premises) out.assume(p, Standing::assumed);
  return out;
}

Questions::Answer Questions::implied(std::span<const Expr> premises, Expr claim, std::uint64_t cap) {
  Answer answer;
  if (left_ == 0) {
    answer.reason = "component budget";
    return answer;
  }
  Budget budget = options_.question;
  budget.steps = std::min({budget.steps, left_, cap});
  budget.solver_steps = solver_on_ ? std::min({budget.solver_steps, kSolverQuestion, solver_left_}) : 0;
  return ask(premises, claim, budget);
}

Questions::Answer Questions::implied_by_solver(std::span<const Expr> premises, Expr claim, std::uint64_t cap) {
  return ask(premises, claim, {.steps = 0, .solver_steps = std::min(cap, solver_left_)});
}

Questions::Answer Questions::ask(std::span<const Expr> premises, Expr claim, const Budget& budget) {
  Answer answer;
  std::vector<FactId> origin;
  const Facts scope = scoped(premises, claim, origin);
  const Proof proof = prover_.prove(scope, claim, budget);
  left_ -= std::min(left_, proof.steps - proof.solver_steps + 1);
  solver_left_ -= std::min(solver_left_, proof.solver_steps);
  if (budget.solver_steps == 0 && proof.verdict == Verdict::unknown) ++left_open_;
  answer.verdict = proof.verdict;
  answer.stage = proof.stage;
  answer.reason = proof.reason;
  for (const FactId id : proof.used) {
    if (id < origin.size())
      answer.facts.push_back(origin[id]);
    else
      answer.premises.push_back(id - origin.size());
  }
  return answer;
}

SatResult Questions::satisfiable(std::span<const Expr> premises) {
  Budget budget = options_.question;
  budget.steps = std::min(budget.steps, std::max<std::uint64_t>(left_, 1));
  budget.solver_steps = solver_on_ ? std::min({budget.solver_steps, kSolverQuestion, solver_left_}) : 0;
  SatResult result = ask_satisfiable(premises, budget);
  left_ -= std::min<std::uint64_t>(left_, 1000);
  return result;
}

SatResult Questions::satisfiable_by_solver(std::span<const Expr> premises) {
  return ask_satisfiable(premises, {.steps = 0, .solver_steps = std::min(kSolverQuestion, solver_left_)});
}

SatResult Questions::ask_satisfiable(std::span<const Expr> premises, const Budget& budget) {
  std::vector<FactId> origin;
  const Facts scope = scoped(premises, {}, origin);
  SatResult result = prover_.satisfiable(scope, budget);
  solver_left_ -= std::min(solver_left_, result.solver_steps);
  if (budget.solver_steps == 0 && result.verdict == Verdict::unknown) ++left_open_;
  // Positions of premises follow the facts: core ids are facts first, then facts_.size() + position.
  for (FactId& id : result.core)
    id = id < origin.size() ? origin[id] : static_cast<FactId>(facts_.size() + (id - origin.size()));
  return result;
}

Obligation obligation(const Context& ctx, Expr claim, const Questions::Answer& answer, std::string note) {
  return {claim_text(ctx, claim), answer.verdict, answer.stage, std::move(note)};
}

Obligation exact_obligation(std::string text, std::string stage, std::string note) {
  return {std::move(text), Verdict::proved, std::move(stage), std::move(note)};
}

}  // namespace dimgate::simplify
