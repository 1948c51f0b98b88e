#include "dimgate/solver.hpp"
#include "expr/evaluate.hpp"
#include "question.hpp"

namespace dimgate {

namespace {

using z3::Denotation;
using z3::Outcome;
using z3::Question;

// Where the meanings differ.
Z3_ast difference(Z3_context z3, Sort sort, const Denotation& a, const Denotation& b) {
  const auto differ = [&](Z3_ast x, Z3_ast y) { return Z3_mk_not(z3, Z3_mk_eq(z3, x, y)); };
  const auto condition = [&](Z3_ast c) { return c == nullptr ? Z3_mk_true(z3) : c; };
  Z3_ast parts[2];
  if (sort == Sort::Bool) {
    parts[0] = differ(a.first, b.first);
    parts[1] = differ(a.second, b.second);
  } else {
    const Z3_ast both[] = {condition(a.second), condition(b.second), differ(a.first, b.first)};
    parts[0] = differ(both[0], both[1]);
    parts[1] = Z3_mk_and(z3, 3, both);
  }
  return Z3_mk_or(z3, 2, parts);
}

bool confirmed(const Facts& facts, Expr left, Expr right, const z3::Values& values) {
  Assignment at;
  for (const auto& [symbol, value] : values) at.set(symbol, value);
  for (const Fact& f : facts.all())
    if (!value_at(facts.context(), f.formula, at).is_true()) return false;
  return value_at(facts.context(), left, at) != value_at(facts.context(), right, at);
}

}  // namespace

Proof z3_prove_same(const Facts& facts, Expr left, Expr right, Z3Options options) {
  Context& ctx = facts.context();
  Proof proof;
  proof.stage = "z3";
  z3::Component raw;
  for (FactId id = 0; id < facts.size(); ++id) {
    raw.formulas.push_back(facts[id].formula);
    raw.ids.push_back(id);
  }
  const Expr sides[] = {left, right};
  Question q(ctx, raw, sides, Question::Tracking::none, options.rlimit, options.watchdog_ms);
  Denotation a;
  Denotation b;
  if (q.failure().empty()) a = q.denote(left);
  if (q.failure().empty()) b = q.denote(right);
  if (!q.failure().empty()) {
    proof.reason = q.failure();
    return proof;
  }
  q.session().add(difference(q.session().context(), left.sort(), a, b));
  switch (q.check()) {
    case Outcome::unsat:
      proof.verdict = Verdict::proved;
      proof.used = raw.ids;
      return proof;
    case Outcome::unknown:
      proof.reason = q.session().reason();
      return proof;
    case Outcome::sat:
      break;
  }
  auto values = q.values();
  if (!values || !confirmed(facts, left, right, *values)) {
    proof.reason = "solver: the reference evaluator does not confirm its model";
    return proof;
  }
  proof.verdict = Verdict::refuted;
  proof.counterexample = std::move(*values);
  return proof;
}

}  // namespace dimgate
