#include "simplify/component_stage.hpp"

#include <algorithm>
#include <utility>

#include "simplify/forms.hpp"

namespace dimgate::simplify {

namespace {

// How many of the nearest guards a question about a large component takes along, and its steps: most implied guards
// follow from few neighbours, and such questions are cheap, so all of these come before the dear ones. The budget has
// room for the first of each guard, whatever the dear ones cost.
struct Tier {
  std::size_t reach;
  std::uint64_t steps;
};
constexpr Tier kTiers[] = {{4, Questions::kCheap}, {24, 500}, {96, ~std::uint64_t{0}}};
constexpr std::size_t kSmall = 24;                         // components up to here are asked about whole
constexpr std::uint64_t kSolverTiers[] = {2'000, 10'000};  // steps of a question to the solver
constexpr std::size_t kMaxReasons = 12;                    // up to here reasons are minimised by asking again

}  // namespace

void ComponentStage::run() {
  const std::vector<Component> all = components();
  for (const Component& c : all) {
    if (state_.contradictory) return;
    if (decided_by_sets(c)) continue;
    questions_.refill(c.guards.size());
    process(c);
  }
}

std::vector<ComponentStage::Component> ComponentStage::components() {
  for (std::size_t i = 0; i < state_.items.size(); ++i) groups_.link(state_.items[i].symbols);
  const Facts& facts = questions_.facts();
  for (FactId id = 0; id < facts.size(); ++id) groups_.link(questions_.symbols_of_fact(id));
  std::unordered_map<std::uint32_t, std::size_t> index;
  std::vector<Component> out;
  for (const std::size_t i : state_.order) {
    if (state_.dropped[i] != 0) continue;
    const auto& symbols = state_.items[i].symbols;
    const std::uint32_t group = symbols.empty() ? ~0U : groups_.group(symbols[0]);
    const auto [it, fresh] = index.try_emplace(group, out.size());
    if (fresh) out.emplace_back();
    out[it->second].guards.push_back(i);
  }
  for (FactId id = 0; id < facts.size(); ++id) {
    const auto symbols = questions_.symbols_of_fact(id);
    if (symbols.empty()) continue;
    if (const auto it = index.find(groups_.group(symbols[0])); it != index.end()) out[it->second].facts.push_back(id);
  }
  return out;
}

// Guards and facts about one slot each, all of them sets that fitted: there is nothing left to ask.
bool ComponentStage::decided_by_sets(const Component& c) {
  for (const std::size_t i : c.guards) {
    const GuardItem& item = state_.items[i];
    if (!item.rest.empty() || item.slots.size() != 1) return false;
    const auto within = is_subset(slots_.allowed(item.slots[0].first), item.slots[0].second);
    if (!within || !*within) return false;
  }
  for (const FactId id : c.facts) {
    const auto symbols = questions_.symbols_of_fact(id);
    if (symbols.size() != 1) return false;
    const auto known = questions_.domain_facts(symbols[0]);
    if (std::none_of(known.begin(), known.end(), [id](const auto& f) { return f.first == id; })) return false;
  }
  return true;
}

// A point where facts and guards are true, for `is_needed`; false (and a contradiction noted) if there is none.
bool ComponentStage::find_base(const Component& c, ModelSearch& search, bool& unknown) {
  const auto& witness = questions_.options().witness;
  if (!witness.empty() && search.set_base(witness)) return true;
  if (search.find_base() || c.guards.size() > kTiers[2].reach) return true;
  std::vector<Expr> all;
  for (const std::size_t i : c.guards) all.push_back(state_.items[i].raw);
  const SatResult sat = questions_.satisfiable(all);
  if (sat.verdict == Verdict::proved) search.set_base(sat.model);
  unknown = sat.verdict == Verdict::unknown;
  if (sat.verdict != Verdict::refuted) return true;
  contradict(c, sat);
  return false;
}

void ComponentStage::contradict(const Component& c, const SatResult& sat) {
  std::vector<std::size_t> core;
  std::vector<FactId> core_facts;
  const std::size_t n = questions_.facts().size();
  for (const FactId id : sat.core) {
    if (id >= n)
      core.push_back(c.guards[id - n]);
    else
      core_facts.push_back(id);
  }
  state_.contradict(std::move(core), std::move(core_facts), sat.stage);
}

void ComponentStage::process(const Component& c) {
  ModelSearch search = make_search(c);
  bool no_base = false;
  if (!find_base(c, search, no_base)) return;
  std::unordered_map<std::size_t, std::size_t> position;
  std::vector<std::size_t> open;
  std::vector<std::span<const Expr>> symbols;
  for (std::size_t k = 0; k < c.guards.size(); ++k) {
    position[c.guards[k]] = k;
    open.push_back(k);
    symbols.push_back(state_.items[c.guards[k]].symbols);
  }
  Nearest nearest(symbols);
  const bool small = c.guards.size() <= kSmall;
  for (const Tier& tier : kTiers) {
    if (small && &tier != std::end(kTiers) - 1) continue;
    std::vector<std::size_t> left;
    for (const std::size_t k : open) {
      if (questions_.exhausted()) break;
      if (search.is_needed(k)) continue;  // and stays so when others go
      if (&tier == kTiers && is_broken_by_neighbours(k, c, search, nearest)) continue;
      if (ask(k, c, tier.reach, tier.steps, nearest)) {
        search.deactivate(k);
        nearest.forget(k);
      } else {
        left.push_back(k);
      }
    }
    open = std::move(left);
  }
  if (no_base || std::any_of(c.guards.begin(), c.guards.end(), [this](std::size_t i) { return open_[i] != 0; }))
    unsettled_.push_back({c, no_base});
  // Why each went, in guards that stay, and no more of them than needed.
  for (const std::size_t i : c.guards) {
    if (state_.dropped[i] == 0) continue;
    resolve(i);
    minimise_reason(i, search, position);
  }
}

// Values that keep the nearest guards that stand and break this one: it is not worth a question.
bool ComponentStage::is_broken_by_neighbours(std::size_t k, const Component& c, ModelSearch& search, Nearest& nearest) {
  std::vector<std::size_t> near;
  nearest.of(k, kTiers[2].reach, near);
  const std::size_t n = c.guards.size();
  return search.fails_beside(k, near, n, n + c.facts.size());
}

// Asks whether the guard at position k is implied by its neighbours, up to `reach` of them, and drops it then.
bool ComponentStage::ask(std::size_t k, const Component& c, std::size_t reach, std::uint64_t steps, Nearest& nearest) {
  const std::size_t i = c.guards[k];
  const std::vector<std::size_t> near = premises_for(k, c, reach, nearest);
  std::vector<Expr> premises;
  for (const std::size_t p : near) premises.push_back(state_.items[p].raw);
  const Questions::Answer answer = questions_.implied(premises, state_.items[i].raw, steps);
  open_[i] = answer.verdict == Verdict::unknown ? 1 : 0;
  if (!answer.proved()) return false;
  Reason reason{{}, answer.facts, answer.stage, false};
  for (const std::size_t p : answer.premises) reason.guards.push_back(near[p]);
  state_.drop(i, std::move(reason));
  return true;
}

// Easy questions about all before dear ones about any. What the native prover refuted is not asked again.
bool ComponentStage::ask_solver() {
  bool some = false;
  for (const std::uint64_t steps : kSolverTiers)
    for (const Unsettled& u : unsettled_) {
      const Component& c = u.component;
      std::vector<std::span<const Expr>> symbols;
      for (const std::size_t i : c.guards) symbols.push_back(state_.items[i].symbols);
      Nearest nearest(symbols);
      for (std::size_t k = 0; k < c.guards.size(); ++k)
        if (state_.dropped[c.guards[k]] != 0)
          nearest.forget(k);  // before any question: never two on each other's strength
      if (u.no_base && steps != kSolverTiers[0] && c.guards.size() <= kTiers[2].reach) {
        std::vector<Expr> all;
        for (const std::size_t i : c.guards) all.push_back(state_.items[i].raw);
        const SatResult sat = questions_.satisfiable_by_solver(all);
        if (sat.verdict == Verdict::refuted) return contradict(c, sat), true;
      }
      for (std::size_t k = 0; k < c.guards.size(); ++k) {
        const std::size_t i = c.guards[k];
        if (state_.dropped[i] != 0 || open_[i] == 0 || questions_.solver_exhausted()) continue;
        const std::vector<std::size_t> near = premises_for(k, c, kSmall, nearest);
        std::vector<Expr> premises;
        for (const std::size_t p : near) premises.push_back(state_.items[p].raw);
        const Questions::Answer answer = questions_.implied_by_solver(premises, state_.items[i].raw, steps);
        open_[i] = answer.verdict == Verdict::unknown ? 1 : 0;
        if (!answer.proved()) continue;
        Reason reason{{}, answer.facts, answer.stage, false};
        for (const std::size_t p : answer.premises) reason.guards.push_back(near[p]);
        state_.drop(i, std::move(reason));
        nearest.forget(k);
        some = true;
      }
    }
  if (some) std::fill(resolved_.begin(), resolved_.end(), 0);  // reasons may name what went now
  return some;
}

// Standing guards of the component, up to `reach` of them the nearest ones.
std::vector<std::size_t> ComponentStage::premises_for(std::size_t k, const Component& c, std::size_t reach,
                                                      Nearest& nearest) {
  std::vector<std::size_t> out;
  if (c.guards.size() <= reach) {
    for (const std::size_t p : c.guards)
      if (p != c.guards[k] && state_.dropped[p] == 0) out.push_back(p);
    return out;
  }
  nearest.of(k, reach, out);
  for (std::size_t& p : out) p = c.guards[p];
  std::erase_if(out, [this](std::size_t p) { return state_.dropped[p] != 0; });
  return out;
}

ModelSearch ComponentStage::make_search(const Component& c) {
  Context& ctx = questions_.context();
  std::vector<Expr> constraints;
  std::vector<ModelSearch::Slot> slots;
  std::unordered_map<Expr, std::size_t> at;
  const auto add_slots = [&](std::span<const Expr> symbols) {
    for (const Expr s : symbols)
      if (at.try_emplace(s, slots.size()).second) slots.push_back(make_slot(s));
  };
  for (const std::size_t i : c.guards) {
    constraints.push_back(state_.items[i].canonical);
    add_slots(state_.items[i].symbols);
  }
  for (const FactId id : c.facts) {
    constraints.push_back(questions_.facts()[id].canonical);
    add_slots(questions_.symbols_of_fact(id));
  }
  for (const ModelSearch::Slot& s : slots)
    if (s.symbol.sort() == Sort::Int && ctx.is_size(s.symbol)) constraints.push_back(make_at_least(ctx, s.symbol, 0));
  ModelSearch search(ctx, slots, constraints);
  for (std::size_t k = 0; k < c.guards.size(); ++k)
    for (const auto& [x, set] : state_.items[c.guards[k]].slots) {
      const auto out = subtract(slots_.allowed_without(x, c.guards[k]), set);
      if (out && !out->is_empty()) search.set_outside(k, at.at(x), out->samples(6));
    }
  return search;
}

ModelSearch::Slot ComponentStage::make_slot(Expr symbol) {
  ModelSearch::Slot slot;
  slot.symbol = symbol;
  if (symbol.sort() == Sort::Bool) {
    slot.domain = slot.allowed = IntSet::range(0, 1);
    slot.start = {1, 0};
    return slot;
  }
  if (symbol.sort() != Sort::Int) return slot;  // no values to try: such a component goes to the prover
  slot.domain = questions_.domain(symbol);
  slot.allowed = slots_.knows(symbol) ? slots_.allowed(symbol) : slot.domain;
  // Values that are neither special nor equal for all slots: a base in general position breaks few accidental
  // equalities.
  const std::int64_t generic = 40 + static_cast<std::int64_t>(slot_count_++ % 97);
  for (const std::int64_t from : {generic, generic + 1000, std::int64_t{2}, -generic})
    if (const auto v = slot.allowed.after(from - 1)) slot.start.push_back(*v);
  for (const std::int64_t v : slot.allowed.samples(12)) slot.start.push_back(v);
  return slot;
}

void ComponentStage::resolve(std::size_t first) {
  std::vector<std::size_t> todo{first};
  while (!todo.empty()) {  // what a reason names was dropped later, so this ends
    const std::size_t g = todo.back();
    bool ready = true;
    for (const std::size_t r : state_.reasons[g].guards)
      if (state_.dropped[r] != 0 && resolved_[r] == 0) {
        todo.push_back(r);
        ready = false;
      }
    if (!ready) continue;
    todo.pop_back();
    if (resolved_[g] != 0) continue;
    resolved_[g] = 1;
    Reason& reason = state_.reasons[g];
    if (std::exchange(reason.by_sets, false) && !slots_.explain(g)) explain_by_everything(g);
    std::vector<std::size_t> guards;
    for (const std::size_t r : reason.guards) {
      if (state_.dropped[r] == 0) {
        guards.push_back(r);
        continue;
      }
      const Reason& other = state_.reasons[r];
      guards.insert(guards.end(), other.guards.begin(), other.guards.end());
      reason.facts.insert(reason.facts.end(), other.facts.begin(), other.facts.end());
    }
    reason.guards = std::move(guards);
    sort_unique(reason.guards);
    sort_unique(reason.facts);
  }
}

// The guards about a slot that implied guard i went for the sake of guards about several slots: everything that stays
// and is connected implies it.
void ComponentStage::explain_by_everything(std::size_t i) {
  Reason& reason = state_.reasons[i];
  const std::uint32_t group = groups_.group(state_.items[i].symbols[0]);
  for (std::size_t p = 0; p < state_.items.size(); ++p) {
    const auto& symbols = state_.items[p].symbols;
    if (state_.dropped[p] == 0 && !symbols.empty() && groups_.group(symbols[0]) == group) reason.guards.push_back(p);
  }
  for (FactId id = 0; id < questions_.facts().size(); ++id) {
    const auto s = questions_.symbols_of_fact(id);
    if (s.empty() || groups_.group(s[0]) == group) reason.facts.push_back(id);
  }
}

// Leaves out reasons that are not needed. Where values are found that break guard i without one, that one is needed and
// nothing is asked.
void ComponentStage::minimise_reason(std::size_t i, ModelSearch& search,
                                     const std::unordered_map<std::size_t, std::size_t>& position) {
  Reason& reason = state_.reasons[i];
  if (reason.guards.empty() || reason.guards.size() > kMaxReasons) return;
  for (std::size_t k = reason.guards.size(); k-- > 0;) {
    std::vector<Expr> premises;
    std::vector<std::size_t> ids;
    std::vector<std::size_t> active;
    for (std::size_t j = 0; j < reason.guards.size(); ++j) {
      if (j == k) continue;
      premises.push_back(state_.items[reason.guards[j]].raw);
      ids.push_back(reason.guards[j]);
      active.push_back(position.at(reason.guards[j]));
    }
    search.activate_only(active, position.size());
    if (search.is_needed(position.at(i))) continue;
    const Questions::Answer answer = questions_.implied(premises, state_.items[i].raw);
    if (!answer.proved()) continue;
    std::vector<std::size_t> fewer;
    for (const std::size_t p : answer.premises) fewer.push_back(ids[p]);
    reason.guards = std::move(fewer);
    reason.facts = answer.facts;
    reason.stage = answer.stage;
    sort_unique(reason.guards);
    k = std::min(k, reason.guards.size());
  }
}

}  // namespace dimgate::simplify
