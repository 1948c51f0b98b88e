// Minimises until nothing changes; meaning and cost: settle.hpp.
#include "simplify/settle.hpp"

#include <algorithm>

#include "simplify/forms.hpp"

namespace dimgate::simplify {

namespace {

constexpr std::size_t kSettleRounds = 8;

using Conjuncts = std::vector<Expr>;

// As they are once printed and read: that is what comes in again.
Conjuncts read_back(Context& ctx, Conjuncts conjuncts) {
  constexpr std::uint32_t kMaxWeight = 5'000;
  for (Expr& e : conjuncts) {
    if (e.node()->weight > kMaxWeight) continue;
    const auto read = parse(ctx, to_pretty(ctx, e));
    if (read.ok() && ctx.canonical(*read) == ctx.canonical(e)) e = *read;
  }
  return conjuncts;
}

bool shorter(Context& ctx, const Conjuncts& a, const Conjuncts& b) {
  std::uint64_t cost_a = 0, cost_b = 0;
  for (const Expr e : a) cost_a += reading_cost(e) + 2;
  for (const Expr e : b) cost_b += reading_cost(e) + 2;
  if (cost_a != cost_b) return cost_a < cost_b;
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [&ctx](Expr x, Expr y) { return ctx.order(x, y) < 0; });
}

// What stays contradicts, as only its readable form showed: a set of the guards kept that does, none of it to spare
// that the prover could spare.
void contradict(Prover& prover, const Facts& facts, std::span<const Expr> guards, const Obligation& proof,
                Minimised& out) {
  constexpr std::size_t kTried = 64;
  std::vector<std::size_t> core = out.kept;
  for (std::size_t k = core.size(); k-- > 0 && core.size() <= kTried;) {
    Facts with = facts;
    for (const std::size_t i : core)
      if (i != core[k]) with.assume(guards[i], Standing::assumed);
    if (prover.satisfiable(with).verdict == Verdict::refuted) core.erase(core.begin() + static_cast<std::ptrdiff_t>(k));
  }
  out.contradictory = true;
  out.kept = core;
  out.dropped.clear();
  for (std::size_t i = 0; i < guards.size(); ++i)
    if (!std::binary_search(core.begin(), core.end(), i))
      out.dropped.push_back({i,
                             core,
                             {},
                             {claim_text(facts.context(), guards[i]), Verdict::proved, proof.stage,
                              "the guards kept contradict the facts or each other"}});
  out.readable = {facts.context().boolean(false)};
  out.obligations.push_back(proof);
}

}  // namespace

void settle(Prover& prover, const Facts& facts, std::span<const Expr> guards, const SimplifyOptions& options,
            Minimised& out) {
  SimplifyOptions again = options;
  again.costs.clear();
  again.solver_steps = 0;  // what a solver could spare went before
  Context& ctx = facts.context();
  std::vector<Conjuncts> seen{read_back(ctx, std::move(out.readable))};
  while (seen.size() <= kSettleRounds) {
    Minimised next = minimise_once(prover, facts, seen.back(), again);
    if (next.contradictory) return contradict(prover, facts, guards, next.obligations.back(), out);
    for (DroppedGuard& d : next.dropped) out.obligations.push_back(std::move(d.obligation));
    for (Obligation& o : next.obligations)  // a conjunct that stays was proved before
      if (std::none_of(out.obligations.begin(), out.obligations.end(),
                       [&](const Obligation& known) { return known.claim_text == o.claim_text; }))
        out.obligations.push_back(std::move(o));
    next.readable = read_back(ctx, std::move(next.readable));
    const auto before = std::find(seen.begin(), seen.end(), next.readable);
    if (before != seen.end()) {
      out.readable = *std::min_element(before, seen.end(),
                                       [&ctx](const Conjuncts& a, const Conjuncts& b) { return shorter(ctx, a, b); });
      return;
    }
    seen.push_back(std::move(next.readable));
  }
  out.readable = std::move(seen.back());
}

}  // namespace dimgate::simplify
