#include <algorithm>

#include "dimgate/prove.hpp"
#include "expr/poly.hpp"
#include "prove/stage.hpp"

namespace dimgate {

std::string_view to_string(Verdict v) noexcept {
  switch (v) {
    case Verdict::proved:
      return "proved";
    case Verdict::refuted:
      return "refuted";
    case Verdict::unknown:
      return "unknown";
  }
  return "?";
}

namespace {

Expr both(Context& ctx, Expr a, Expr b) {
  if (a.is_true()) return b;
  if (b.is_true()) return a;
  return ctx.make(Op::And, {a, b});
}

Expr not_of(Context& ctx, Expr p) { return ctx.make(Op::Not, {p}); }

// Canonical Int terms that have the same value wherever both have one.
bool same_values(Context& ctx, Expr a, Expr b) {
  if (a.sort() != Sort::Int || b.sort() != Sort::Int) return false;
  const PolyRing ring(ctx.impl());
  const Poly difference = ring.add(ring.of(a.node()), ring.of(b.node()), -1);
  return ring.has_only_carriers(difference) && ring.constant_of(difference).is_zero();
}

// Both defined and equal, or both undefined.
Expr equality(Context& ctx, Expr left, Expr right) {
  const Expr dl = definedness(ctx, left), dr = definedness(ctx, right);
  if (!(dl.is_true() && dr.is_true()) && same_values(ctx, ctx.canonical(left), ctx.canonical(right))) {
    if (dl.is_true()) return dr;
    return dr.is_true() ? dl : ctx.make(Op::Iff, {dl, dr});
  }
  const Expr together = both(ctx, both(ctx, dl, dr), ctx.make(Op::Eq, {left, right}));
  if (dl.is_true() || dr.is_true()) return together;
  return ctx.make(Op::Or, {together, both(ctx, not_of(ctx, dl), not_of(ctx, dr))});
}

}  // namespace

Proof Prover::prove_equal(const Facts& facts, Expr left, Expr right, const Budget& budget) {
  Context& ctx = facts.context();
  if (ctx.canonical(left) == ctx.canonical(right)) {
    Proof p;
    p.verdict = Verdict::proved;
    p.stage = name_of(ProofStage::canonical);
    return p;
  }
  return prove(facts, equality(ctx, left, right), budget);
}

Proof Prover::prove_same_truth(const Facts& facts, Expr left, Expr right, const Budget& budget) {
  Context& ctx = facts.context();
  const Expr a = ctx.canonical(left), b = ctx.canonical(right);
  if (a == b) {
    Proof p;
    p.verdict = Verdict::proved;
    p.stage = name_of(ProofStage::canonical);
    return p;
  }
  // Each where the other is: a fact set that grows by one formula each way.
  Facts under = facts;
  under.assume(left, Standing::assumed);
  Proof forward = prove(under, right, budget);
  if (!forward.proved()) return forward;
  Facts other = facts;
  other.assume(right, Standing::assumed);
  Proof backward = prove(other, left, budget);
  if (!backward.proved()) return backward;
  const auto extra = static_cast<FactId>(facts.size());
  for (const FactId f : forward.used)
    if (f != extra && std::find(backward.used.begin(), backward.used.end(), f) == backward.used.end())
      backward.used.push_back(f);
  std::erase(backward.used, extra);
  std::sort(backward.used.begin(), backward.used.end());
  backward.steps += forward.steps;
  return backward;
}

std::string ChainProver::name() const {
  std::string n;
  for (const Prover* p : provers_) n += (n.empty() ? "" : "+") + p->name();
  return n;
}

bool ChainProver::has_solver() const {
  return std::any_of(provers_.begin(), provers_.end(), [](const Prover* p) { return p->has_solver(); });
}

namespace {

bool is_left_out(const Prover& p, const Budget& budget) { return budget.solver_steps == 0 && p.has_solver(); }

}  // namespace

Proof ChainProver::prove(const Facts& facts, Expr claim, const Budget& budget) {
  Proof last;
  for (Prover* p : provers_) {
    if (is_left_out(*p, budget)) continue;
    const std::uint64_t steps = last.steps, solver_steps = last.solver_steps;
    last = p->prove(facts, claim, budget);
    last.steps += steps;
    last.solver_steps += solver_steps;
    if (last.verdict != Verdict::unknown) break;
  }
  return last;
}

SatResult ChainProver::satisfiable(const Facts& facts, const Budget& budget) {
  SatResult last;
  for (Prover* p : provers_) {
    if (is_left_out(*p, budget)) continue;
    const std::uint64_t solver_steps = last.solver_steps;
    last = p->satisfiable(facts, budget);
    last.solver_steps += solver_steps;
    if (last.verdict != Verdict::unknown) break;
  }
  return last;
}

Bounds ChainProver::bound(const Facts& facts, Expr term, const Budget& budget) {
  Bounds all;
  bool first = true;
  for (Prover* p : provers_) {
    if (is_left_out(*p, budget)) continue;
    const Bounds b = p->bound(facts, term, budget);
    if (b.empty) return b;
    if (first) {
      all = b;
    } else {  // each is right, so their intersection is
      if (b.interval.lo && (!all.interval.lo || *b.interval.lo > *all.interval.lo))
        all.interval.lo = b.interval.lo, all.tight_lo = b.tight_lo;
      if (b.interval.hi && (!all.interval.hi || *b.interval.hi < *all.interval.hi))
        all.interval.hi = b.interval.hi, all.tight_hi = b.tight_hi;
      if (b.interval.lo == all.interval.lo) all.tight_lo = all.tight_lo || b.tight_lo;
      if (b.interval.hi == all.interval.hi) all.tight_hi = all.tight_hi || b.tight_hi;
      if (const auto c = all.congruence.intersect(b.congruence)) all.congruence = *c;
    }
    first = false;
    if (all.tight_lo && all.tight_hi) break;
  }
  return all;
}

}  // namespace dimgate
