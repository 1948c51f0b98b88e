#include "solver/differential.hpp"

#include "support/brute_force.hpp"

namespace dimgate::test {

namespace {

Facts facts_of(Context& ctx, const Question& q) {
  Facts facts(ctx);
  for (const Expr f : q.facts) facts.assume(f);
  return facts;
}

bool is_model(const Context& ctx, const std::vector<Expr>& facts, const std::vector<std::pair<Expr, Value>>& values,
              Assignment& at) {
  for (const auto& [symbol, value] : values) at.set(symbol, value);
  for (const Expr f : facts)
    if (!evaluate(ctx, f, at).is_true()) return false;
  for (const auto& [symbol, value] : values)
    if (symbol.sort() == Sort::Int && ctx.is_size(symbol) && value.integer.sign() < 0) return false;
  return true;
}

Box box_for(const Context& ctx) {
  const std::int64_t reach = ctx.symbol_count() > 3 ? 3 : ctx.symbol_count() > 2 ? 5 : 9;
  return {-reach, reach};
}

std::optional<std::string> check_proof(Context& ctx, const Question& q, const Proof& proof, const std::string& who,
                                       Prover* z3) {
  if (proof.refuted()) {
    Assignment at;
    if (!is_model(ctx, q.facts, proof.counterexample, at)) return who + ": the counterexample breaks a fact";
    if (evaluate(ctx, q.asked, at).is_true()) return who + ": the claim is true at the counterexample";
  }
  if (proof.proved()) {
    Question used{{}, q.asked};
    for (const FactId id : proof.used) {
      if (id >= q.facts.size()) return who + ": rests on a fact that is not there";
      used.facts.push_back(q.facts[id]);
    }
    if (!prove(ctx, used.facts, q.asked, box_for(ctx)).holds) return who + ": proved, but false at a point of the box";
    if (z3 != nullptr && z3->prove(facts_of(ctx, used), q.asked).refuted()) return who + ": proved, but Z3 refutes";
  }
  return std::nullopt;
}

std::optional<std::string> check_sat(Context& ctx, const Question& q, const SatResult& answer, const std::string& who) {
  if (answer.verdict == Verdict::proved) {
    Assignment at;
    if (!is_model(ctx, q.facts, answer.model, at)) return who + ": its model breaks a fact";
  }
  if (answer.verdict == Verdict::refuted) {
    std::vector<Expr> core;
    for (const FactId id : answer.core) core.push_back(q.facts.at(id));
    if (prove(ctx, core, ctx.boolean(false), box_for(ctx)).satisfiable) return who + ": its core has a model";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> claim_contradiction(Context& ctx, const Question& q, Prover* z3) {
  NativeProver native;
  const Facts facts = facts_of(ctx, q);
  if (auto wrong = check_proof(ctx, q, native.prove(facts, q.asked), "native", z3)) return wrong;
  if (auto wrong = check_sat(ctx, q, native.satisfiable(facts), "native")) return wrong;
  if (z3 == nullptr) return std::nullopt;
  const Proof proof = z3->prove(facts, q.asked);
  if (proof.reason.find("does not confirm") != std::string::npos) return "Z3: " + proof.reason;
  if (auto wrong = check_proof(ctx, q, proof, "Z3", nullptr)) return wrong;
  return check_sat(ctx, q, z3->satisfiable(facts), "Z3");
}

std::optional<std::string> bound_contradiction(Context& ctx, const Question& q, Prover* z3) {
  NativeProver native;
  const Facts facts = facts_of(ctx, q);
  const BruteForce truth = bound(ctx, q.facts, q.asked, box_for(ctx));
  const Bounds mine = native.bound(facts, q.asked);
  const auto against_box = [&](const Bounds& b) -> std::optional<std::string> {
    if (!truth.least) return std::nullopt;
    if (b.empty) return "says empty";
    if (!b.interval.contains(*truth.least)) return "leaves out " + truth.least->to_string();
    if (!b.interval.contains(*truth.greatest)) return "leaves out " + truth.greatest->to_string();
    const bool class_holds =
        b.congruence.contains(*truth.least) &&
        (b.congruence.modulus.is_zero() ? truth.gcd_of_differences.is_zero()
                                        : floor_mod(truth.gcd_of_differences, b.congruence.modulus).is_zero());
    if (!class_holds) return "the class " + b.congruence.to_string() + " leaves out a value";
    return std::nullopt;
  };
  if (auto wrong = against_box(mine)) return "native: " + *wrong;
  if (z3 == nullptr) return std::nullopt;
  const Bounds other = z3->bound(facts, q.asked);
  if (auto wrong = against_box(other)) return "Z3: " + *wrong;
  if (mine.empty || other.empty) return std::nullopt;  // a weaker prover need not notice
  // A reached end lies inside whatever the other proved.
  const auto inside = [](const Bounds& a, const Bounds& b) {
    return (!a.tight_lo || !a.interval.lo || b.interval.contains(*a.interval.lo)) &&
           (!a.tight_hi || !a.interval.hi || b.interval.contains(*a.interval.hi));
  };
  if (!inside(mine, other)) return "native reaches an end outside Z3's interval";
  if (!inside(other, mine)) return "Z3 reaches an end outside the native interval";
  if (!mine.congruence.intersect(other.congruence)) return "the two classes have no common value";
  return std::nullopt;
}

std::string shrunk_report(Context& ctx, const Question& question, Prover* z3, bool is_claim) {
  const auto wrong = [&](const Question& q) {
    return is_claim ? claim_contradiction(ctx, q, z3) : bound_contradiction(ctx, q, z3);
  };
  const Question small = shrink(ctx, question, [&](const Question& q) { return wrong(q).has_value(); }, 400);
  return wrong(small).value_or("?") + "\n  " + command_line(ctx, small, is_claim ? "prove" : "bound");
}

}  // namespace dimgate::test
