// Dropping guards. Order: equal ones; then, slot by slot, what exact sets show (slot_stage); then guards about one
// linear form (form_stage); then, component by component, what the prover shows (component_stage); what stays is made
// readable, and that is minimised again until it stays as it is (settle). Guards are taken by cost and canonical order,
// never by their place in the input. All of that without a solver; a solver is asked last, about what stayed open, so
// that with one as many guards go as without, and nothing longer is written.
#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "dimgate/simplify.hpp"
#include "simplify/component_stage.hpp"
#include "simplify/form_stage.hpp"
#include "simplify/forms.hpp"
#include "simplify/readable.hpp"
#include "simplify/settle.hpp"

namespace dimgate {

namespace simplify {

namespace {

MinimiseState read_guards(Context& ctx, std::span<const Expr> guards, const SimplifyOptions& options) {
  MinimiseState state;
  state.items.reserve(guards.size());
  for (std::size_t i = 0; i < guards.size(); ++i) {
    state.items.push_back(read_guard(ctx, guards[i]));
    state.items[i].cost = i < options.costs.size() ? options.costs[i] : default_cost(ctx, guards[i]);
  }
  state.dropped.assign(guards.size(), 0);
  state.reasons.resize(guards.size());
  state.order.resize(guards.size());
  std::iota(state.order.begin(), state.order.end(), std::size_t{0});
  std::unordered_map<std::size_t, std::string> texts;  // of guards that differ in spelling only
  const auto text = [&](std::size_t i) -> const std::string& {
    const auto [it, fresh] = texts.try_emplace(i);
    if (fresh) it->second = claim_text(ctx, guards[i]);
    return it->second;
  };
  const auto later = [&](std::size_t a, std::size_t b) {
    if (const int by = ctx.order(state.items[a].canonical, state.items[b].canonical); by != 0) return by > 0;
    if (guards[a] != guards[b] && text(a) != text(b)) return text(a) > text(b);
    return a > b;
  };
  std::sort(state.order.begin(), state.order.end(), [&state, &later](std::size_t a, std::size_t b) {
    if (state.items[a].cost != state.items[b].cost) return state.items[a].cost > state.items[b].cost;
    return later(a, b);
  });
  return state;
}

void drop_trivial_and_equal(MinimiseState& state) {
  std::unordered_map<Expr, std::size_t> first;
  for (std::size_t k = state.order.size(); k-- > 0;) {  // the cheapest of equal ones stays
    const std::size_t i = state.order[k];
    const Expr c = state.items[i].canonical;
    if (c.is_true()) {
      state.drop(i, {{}, {}, "canonical", false});
    } else if (c.is_false()) {
      state.contradict({i}, {}, "canonical");
    } else if (const auto [it, fresh] = first.try_emplace(c, i); !fresh) {
      state.drop(i, {{it->second}, {}, "canonical", false});
    }
  }
}

Minimised contradiction(Context& ctx, MinimiseState& state) {
  Minimised out;
  out.contradictory = true;
  sort_unique(state.core);
  out.kept = state.core;
  for (std::size_t i = 0; i < state.items.size(); ++i) {
    if (std::binary_search(state.core.begin(), state.core.end(), i)) continue;
    out.dropped.push_back({i,
                           state.core,
                           state.core_facts,
                           {claim_text(ctx, state.items[i].raw), Verdict::proved, state.core_stage,
                            "the guards kept contradict the facts or each other"}});
  }
  out.readable = {ctx.boolean(false)};
  out.obligations.push_back({"False", Verdict::proved, state.core_stage, "no values satisfy the guards and the facts"});
  return out;
}

std::vector<const GuardItem*> standing(const MinimiseState& state) {
  std::vector<const GuardItem*> out;
  for (const std::size_t i : state.order)
    if (state.dropped[i] == 0) out.push_back(&state.items[i]);
  return out;
}

// What the solver helped to write counts only if it is no longer to read, by any measure.
void take_if_shorter(Minimised& out, Questions& questions, const MinimiseState& state) {
  const auto cost = [](std::span<const Expr> conjuncts) {
    std::uint64_t sum = 0;
    for (const Expr e : conjuncts) sum += reading_cost(e);
    return sum;
  };
  std::vector<Obligation> obligations;
  std::vector<Expr> written = readable_form(questions, standing(state), &obligations);
  if (written.size() > out.readable.size() || cost(written) > cost(out.readable)) return;
  out.readable = std::move(written);
  out.obligations = std::move(obligations);
}

}  // namespace

}  // namespace simplify

namespace simplify {

Minimised minimise_once(Prover& prover, const Facts& facts, std::span<const Expr> guards,
                        const SimplifyOptions& options) {
  Context& ctx = facts.context();
  Questions questions(prover, facts, options);
  questions.use_solver(false);
  MinimiseState state = read_guards(ctx, guards, options);
  drop_trivial_and_equal(state);
  SlotStage slots(state, questions);
  if (!state.contradictory) slots.run();
  if (!state.contradictory) drop_by_forms(ctx, state);
  ComponentStage components(state, questions, slots);
  if (!state.contradictory) components.run();
  if (state.contradictory) return contradiction(ctx, state);

  Minimised out;
  if (options.readable) out.readable = readable_form(questions, standing(state), &out.obligations);
  if (questions.has_solver() && options.solver_steps > 0 && questions.left_open() > 0) {
    questions.use_solver(true);
    components.ask_solver();
    if (state.contradictory) return contradiction(ctx, state);
    if (options.readable) take_if_shorter(out, questions, state);
  }
  for (std::size_t i = 0; i < state.items.size(); ++i) {
    if (state.dropped[i] == 0) {
      out.kept.push_back(i);
      continue;
    }
    components.resolve(i);
    const Reason& r = state.reasons[i];
    out.dropped.push_back({i,
                           r.guards,
                           r.facts,
                           {claim_text(ctx, state.items[i].raw), Verdict::proved, r.stage, "implied by what stays"}});
  }
  return out;
}

}  // namespace simplify

Minimised minimise(Prover& prover, const Facts& facts, std::span<const Expr> guards, const SimplifyOptions& options) {
  Minimised out = simplify::minimise_once(prover, facts, guards, options);
  if (options.readable && !out.contradictory) simplify::settle(prover, facts, guards, options, out);
  return out;
}

}  // namespace dimgate
