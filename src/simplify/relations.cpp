// How two guard sets lie to each other: exact boxes first, then the prover.
#include <algorithm>

#include "dimgate/simplify.hpp"
#include "simplify/box.hpp"
#include "simplify/questions.hpp"

namespace dimgate {

namespace {

constexpr std::size_t kBoxes = 64;
constexpr std::uint64_t kSteps = 20'000;

using simplify::Box;
using simplify::Variables;

// The facts that shaped the domains of the variables (what a box proof rests on).
std::vector<FactId> facts_behind(simplify::Questions& questions, const Variables& vars) {
  std::vector<FactId> out;
  for (simplify::VarId v = 0; v < vars.size(); ++v) {
    if (vars.is_literal(v) || vars.symbol(v).sort() != Sort::Int) continue;
    for (const auto& [id, set] : questions.domain_facts(vars.symbol(v))) out.push_back(id);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

Proof subsumes(Prover& prover, const Facts& facts, Expr outer, Expr inner) {
  const SimplifyOptions options;
  simplify::Questions questions(prover, facts, options);
  Variables vars(facts.context());
  const auto inside = simplify::to_boxes(vars, inner, kBoxes);
  const auto outside = inside ? simplify::to_boxes(vars, outer, kBoxes) : std::nullopt;
  if (outside) {
    const Box domain = questions.domain_box(vars);
    std::uint64_t steps = kSteps;
    bool all = true;
    for (const Box& b : *inside) {
      const auto cut = simplify::meet(b, domain);
      if (!cut) all = false;
      if (!all || cut->empty) continue;
      const auto covered = simplify::is_covered(vars, cut->box, *outside, -1, steps);
      all = covered && *covered;
    }
    if (all) {
      Proof proof;
      proof.verdict = Verdict::proved;
      proof.stage = "box";
      proof.used = facts_behind(questions, vars);
      proof.used.push_back(static_cast<FactId>(facts.size()));  // the inner set, as the prover would number it
      return proof;
    }
  }
  Facts with = facts;
  with.assume(inner, Standing::assumed);
  return prover.prove(with, outer);
}

Proof disjoint(Prover& prover, const Facts& facts, Expr a, Expr b) {
  const SimplifyOptions options;
  simplify::Questions questions(prover, facts, options);
  Variables vars(facts.context());
  const auto as = simplify::to_boxes(vars, a, kBoxes);
  const auto bs = as ? simplify::to_boxes(vars, b, kBoxes) : std::nullopt;
  Proof proof;
  if (bs) {
    const Box domain = questions.domain_box(vars);
    bool apart = true;
    for (const Box& x : *as)
      for (const Box& y : *bs) {
        if (!apart) break;
        const auto both = simplify::meet(x, y);
        const auto cut = both ? simplify::meet(both->box, domain) : std::nullopt;
        apart = cut && (both->empty || cut->empty);
      }
    if (apart) {
      proof.verdict = Verdict::proved;
      proof.stage = "box";
      proof.used = facts_behind(questions, vars);
      return proof;
    }
  }
  Facts with = facts;
  with.assume(a, Standing::assumed);
  with.assume(b, Standing::assumed);
  SatResult sat = prover.satisfiable(with);
  proof.stage = sat.stage;
  proof.reason = sat.reason;
  if (sat.verdict == Verdict::refuted) {
    proof.verdict = Verdict::proved;
    proof.used = std::move(sat.core);
  } else if (sat.verdict == Verdict::proved) {
    proof.verdict = Verdict::refuted;
    proof.counterexample = std::move(sat.model);
  }
  return proof;
}

}  // namespace dimgate
