#include "prover.hpp"

#include <algorithm>

#include "bound_search.hpp"
#include "expr/evaluate.hpp"

namespace dimgate {

namespace z3 {

namespace {

constexpr std::size_t kMaxCached = 1U << 16U;
// A question is given five resource units of Z3 for each step. What it cost is counted higher, in steps that take as
// long (a step takes half a microsecond, a unit up to ten times that in nonlinear questions): a unit as one step, a
// session as 5,000.
constexpr std::uint64_t kUnitsGiven = 5;
constexpr std::uint64_t kSessionSteps = 5'000;

const char* sort_mark(Sort sort) {
  switch (sort) {
    case Sort::Int:
      return "i";
    case Sort::Bool:
      return "b";
    case Sort::Float:
      return "f";
    case Sort::Enum:
      return "e";
  }
  return "?";
}

// Everything the answer depends on. Text alone does not show a symbol's sort.
std::string question_text(Context& ctx, const Component& component, Expr claim, std::uint64_t rlimit) {
  std::string out = std::to_string(rlimit);
  std::vector<Expr> symbols;
  const auto add = [&](Expr e) {
    out += '\n';
    out += to_text(ctx, e);
    for (const Expr s : symbols_of(ctx, e)) symbols.push_back(s);
  };
  for (const Expr fact : component.formulas) add(fact);
  out += "\n|-";
  if (claim) add(claim);
  out += '\n';
  for (const Expr s : symbols) out += sort_mark(s.sort());
  return out;
}

// Sets what the answer says; false if a name is gone (never, for an answer of this Context's own question).
bool assign(const Context& ctx, const Answer& answer, Assignment& at, Values& values) {
  for (const auto& [name, value] : answer.values) {
    const Expr s = ctx.find_symbol(name);
    if (!s) return false;
    at.set(s, value);
    values.emplace_back(s, value);
  }
  return true;
}

bool all_true(const Facts& facts, const Assignment& at) {
  return std::all_of(facts.all().begin(), facts.all().end(),
                     [&](const Fact& f) { return value_at(facts.context(), f.formula, at).is_true(); });
}

bool nature_holds(const Context& ctx, const Values& values) {
  return std::all_of(values.begin(), values.end(), [&](const auto& v) {
    return v.first.sort() != Sort::Int || !ctx.is_size(v.first) || v.second.integer.sign() >= 0;
  });
}

// A formula whose canonical form lost a symbol still reads it in its raw form: any value will do.
void fill(Context& ctx, Expr formula, Assignment& at, Values& values) {
  for (const Expr s : symbols_of(ctx, formula)) {
    if (!at.get(s).is_undefined()) continue;
    Value any = Value::of_enum("other0");
    if (s.sort() == Sort::Int) any = Value::of(0);
    if (s.sort() == Sort::Bool) any = Value::of(false);
    if (s.sort() == Sort::Float) any = Value::of_float_bits(0);
    at.set(s, any);
    values.emplace_back(s, any);
  }
}

void sort_by_name(const Context& ctx, Values& values) {
  std::sort(values.begin(), values.end(),
            [&](const auto& a, const auto& b) { return ctx.symbol_name(a.first) < ctx.symbol_name(b.first); });
  values.erase(
      std::unique(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
      values.end());
}

constexpr const char* kRejected = "solver: the reference evaluator does not confirm its model";

}  // namespace

std::uint64_t Z3Prover::rlimit(const Budget& budget) const {
  const std::uint64_t steps = budget.solver_steps == Budget::kAsMany ? budget.steps : budget.solver_steps;
  return std::min<std::uint64_t>(options_.rlimit, std::min<std::uint64_t>(steps, 1U << 30U) * kUnitsGiven);
}

Answer Z3Prover::ask_afresh(Context& ctx, const Component& component, Expr claim, std::uint64_t limit) {
  Answer answer;
  const std::span<const Expr> asked(&claim, claim ? 1 : 0);
  // Literals under the facts give a core but can cost strength, so an open question is asked again without.
  for (const auto tracking : {Question::Tracking::facts, Question::Tracking::none}) {
    Question q(ctx, component, asked, tracking, limit, options_.watchdog_ms);
    Denotation d;
    if (q.failure().empty() && claim) d = q.denote(claim);
    if (!q.failure().empty()) {
      answer.reason = q.failure();
      return answer;
    }
    if (claim) q.session().add(Z3_mk_not(q.session().context(), d.first));
    answer.outcome = q.check();
    if (answer.outcome == Outcome::unsat) {
      if (tracking == Question::Tracking::facts) {
        answer.core = q.minimal_core();
      } else {
        for (std::size_t i = 0; i < component.formulas.size(); ++i) answer.core.push_back(i);
      }
    }
    answer.steps += kSessionSteps + q.session().spent();
    if (answer.outcome == Outcome::unsat) return answer;
    if (answer.outcome == Outcome::sat) {
      const auto values = q.values();
      if (!values) {
        answer.outcome = Outcome::unknown;
        answer.reason = "solver: no values in its model";
        return answer;
      }
      for (const auto& [symbol, value] : *values) answer.values.emplace_back(ctx.symbol_name(symbol), value);
      return answer;
    }
    answer.reason = q.session().reason();
    answer.timed_out = q.session().watchdog();
    if (answer.timed_out || component.formulas.empty()) return answer;
  }
  return answer;
}

Answer Z3Prover::ask(Context& ctx, const Component& component, Expr claim, const Budget& budget) {
  const std::uint64_t limit = rlimit(budget);
  if (limit == 0) {
    Answer none;
    none.reason = "budget";
    return none;
  }
  if (!options_.cache) return ask_afresh(ctx, component, claim, limit);
  std::string key = question_text(ctx, component, claim, limit);
  if (const auto it = cache_.find(key); it != cache_.end()) return it->second;
  Answer answer = ask_afresh(ctx, component, claim, limit);
  if (!answer.timed_out) {
    if (cache_.size() >= kMaxCached) cache_.clear();
    cache_.emplace(std::move(key), answer);
  }
  return answer;
}

Proof Z3Prover::prove(const Facts& facts, Expr claim, const Budget& budget) {
  Context& ctx = facts.context();
  Proof proof;
  proof.stage = "z3";
  const Expr canonical = ctx.canonical(claim);
  if (canonical.is_true()) {
    proof.verdict = Verdict::proved;
    return proof;
  }
  const auto used = [&](const Component& c, const Answer& a) {
    proof.verdict = Verdict::proved;
    for (const std::size_t i : a.core) proof.used.push_back(c.ids[i]);
    std::sort(proof.used.begin(), proof.used.end());
    return proof;
  };
  const std::vector<Component> groups = components(facts, canonical);
  Assignment at;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Answer answer = ask(ctx, groups[g], g == 0 ? canonical : Expr{}, budget);
    proof.steps = proof.solver_steps += answer.steps;
    if (answer.outcome == Outcome::unsat) return used(groups[g], answer);  // for g > 0: the facts contradict each other
    if (answer.outcome == Outcome::unknown) {
      proof.reason = answer.reason;
      return proof;
    }
    if (!assign(ctx, answer, at, proof.counterexample)) proof.reason = kRejected;
  }
  fill(ctx, claim, at, proof.counterexample);
  for (const Fact& f : facts.all()) fill(ctx, f.formula, at, proof.counterexample);
  if (!proof.reason.empty() || !all_true(facts, at) || !nature_holds(ctx, proof.counterexample) ||
      value_at(ctx, claim, at).is_true()) {
    proof.counterexample.clear();
    proof.reason = kRejected;
    return proof;
  }
  sort_by_name(ctx, proof.counterexample);
  proof.verdict = Verdict::refuted;
  return proof;
}

SatResult Z3Prover::satisfiable(const Facts& facts, const Budget& budget) {
  Context& ctx = facts.context();
  SatResult result;
  result.stage = "z3";
  Assignment at;
  std::string open;  // why a component stayed unknown: another may still be unsatisfiable
  for (const Component& group : components(facts)) {
    const Answer answer = ask(ctx, group, {}, budget);
    result.solver_steps += answer.steps;
    if (answer.outcome == Outcome::unsat) {
      result.verdict = Verdict::refuted;
      result.model.clear();
      for (const std::size_t i : answer.core) result.core.push_back(group.ids[i]);
      std::sort(result.core.begin(), result.core.end());
      return result;
    }
    if (answer.outcome == Outcome::unknown && open.empty()) open = answer.reason;
    if (!assign(ctx, answer, at, result.model) && open.empty()) open = kRejected;
  }
  for (const Fact& f : facts.all()) fill(ctx, f.formula, at, result.model);
  if (open.empty() && !(all_true(facts, at) && nature_holds(ctx, result.model))) open = kRejected;
  if (!open.empty()) {
    result.model.clear();
    result.reason = open;
    return result;
  }
  sort_by_name(ctx, result.model);
  result.verdict = Verdict::proved;
  return result;
}

Bounds Z3Prover::bound(const Facts& facts, Expr term, const Budget& budget) {
  Context& ctx = facts.context();
  const Expr canonical = ctx.canonical(term);
  const std::vector<Component> groups = components(facts, canonical);
  bool others_satisfiable = true;
  for (std::size_t g = 1; g < groups.size(); ++g) {
    const Outcome outcome = ask(ctx, groups[g], {}, budget).outcome;
    if (outcome == Outcome::unsat) {
      Bounds none;
      none.empty = true;
      return none;
    }
    others_satisfiable = others_satisfiable && outcome == Outcome::sat;
  }
  Bounds out = BoundSearch(ctx, groups[0], canonical, rlimit(budget), options_.watchdog_ms).run();
  if (!others_satisfiable) out.tight_lo = out.tight_hi = false;
  return out;
}

}  // namespace z3

std::unique_ptr<Prover> make_z3_prover(Z3Options options) { return std::make_unique<z3::Z3Prover>(options); }

std::string z3_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned build = 0;
  unsigned revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(build);
}

}  // namespace dimgate
