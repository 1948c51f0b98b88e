// Dropping guards. Order: equal ones; then, slot by slot, what exact sets show; then, component by component, what the
// prover shows, each question first tried by looking for values that show the guard is needed.
#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "dimgate/simplify.hpp"
#include "simplify/form_literal.hpp"
#include "simplify/forms.hpp"
#include "simplify/guard_item.hpp"
#include "simplify/model_search.hpp"
#include "simplify/readable.hpp"

namespace dimgate {

namespace simplify {

namespace {

constexpr std::size_t kMaxPremises = 96;  // nearest guards that a question about a large component takes along
constexpr std::size_t kMaxFormGroup = 256;
constexpr std::size_t kMaxReasons = 12;  // up to here reasons are minimised by asking again

enum class State : std::uint8_t { kept, dropped };

class Minimiser {
 public:
  Minimiser(Prover& prover, const Facts& facts, std::span<const Expr> guards, const SimplifyOptions& options)
      : options_(options), questions_(prover, facts, options), ctx_(facts.context()) {
    items_.reserve(guards.size());
    for (std::size_t i = 0; i < guards.size(); ++i) {
      items_.push_back(read_guard(ctx_, guards[i]));
      items_[i].cost = i < options.costs.size() ? options.costs[i] : default_cost(ctx_, guards[i]);
    }
    state_.assign(items_.size(), State::kept);
    reasons_.resize(items_.size());
    resolved_.assign(items_.size(), 0);
    order_.resize(items_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    // Dearest first; of equally dear ones the later goes first, so that the earlier stays.
    std::stable_sort(order_.begin(), order_.end(), [this](std::size_t a, std::size_t b) {
      if (items_[a].cost != items_[b].cost) return items_[a].cost > items_[b].cost;
      return a > b;
    });
  }

  Minimised run() {
    drop_trivial_and_equal();
    drop_by_sets();
    if (!contradictory_) drop_by_forms();
    if (!contradictory_) drop_by_components();
    return finish();
  }

 private:
  struct Reason {
    std::vector<std::size_t> guards;
    std::vector<FactId> facts;
    std::string stage;
    bool by_sets = false;  // guards and facts are filled in at the end
  };

  void drop(std::size_t i, Reason reason) {
    state_[i] = State::dropped;
    reasons_[i] = std::move(reason);
  }

  void drop_trivial_and_equal() {
    std::unordered_map<Expr, std::size_t> first;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const Expr c = items_[i].canonical;
      if (c.is_true()) {
        drop(i, {{}, {}, "canonical", false});
      } else if (c.is_false()) {
        contradiction({i}, {}, "canonical");
      } else if (const auto [it, fresh] = first.try_emplace(c, i); !fresh) {
        drop(i, {{it->second}, {}, "canonical", false});
      }
    }
  }

  // Per slot: all guards about it in processing order, and what those not yet processed allow together.
  struct SlotGuards {
    std::vector<std::pair<std::size_t, const IntSet*>> sets;
    std::vector<IntSet> after;  // after[k]: sets k.. together
    IntSet kept;                // domain and the processed ones that stay
    std::size_t next = 0;
  };

  void drop_by_sets() {
    if (contradictory_) return;
    for (const std::size_t i : order_) {
      if (state_[i] == State::dropped) continue;
      for (const auto& [x, set] : items_[i].slots) {
        const auto [it, fresh] = slots_.try_emplace(x);
        if (fresh) {
          slot_order_.push_back(x);
          it->second.kept = questions_.domain(x);
        }
        it->second.sets.emplace_back(i, &set);
      }
    }
    for (const Expr x : slot_order_) {
      SlotGuards& s = slots_.at(x);
      s.after.assign(s.sets.size() + 1, IntSet::all());
      for (std::size_t k = s.sets.size(); k-- > 0;) {
        // A set that does not fit is left out: fewer premises, never wrong ones.
        auto both = intersect(s.after[k + 1], *s.sets[k].second);
        s.after[k] = both ? std::move(*both) : s.after[k + 1];
      }
      const auto everything = intersect(s.kept, s.after[0]);
      if (everything && everything->is_empty()) return contradict_slot(x);
    }
    for (const std::size_t i : order_) {
      if (state_[i] == State::dropped) continue;
      bool implied = items_[i].rest.empty();
      for (const auto& [x, set] : items_[i].slots) {
        SlotGuards& s = slots_.at(x);
        if (!implied) break;
        const auto others = intersect(s.kept, s.after[s.next + 1]);
        const auto inside = others ? is_subset(*others, set) : std::nullopt;
        implied = inside && *inside;
      }
      if (implied) drop(i, {{}, {}, "set", true});
      for (const auto& [x, set] : items_[i].slots) {
        SlotGuards& s = slots_.at(x);
        ++s.next;
        if (implied) continue;
        if (auto both = intersect(s.kept, set)) s.kept = std::move(*both);
      }
    }
  }

  // Guards about the same linear form, dearest first, against the others that stay.
  void drop_by_forms() {
    struct Entry {
      std::size_t guard;
      FormLiteral literal;
    };
    std::unordered_map<Expr, std::size_t> index;
    std::vector<std::vector<Entry>> groups;
    for (const std::size_t i : order_) {
      if (state_[i] == State::dropped) continue;
      auto literal = form_literal(ctx_, items_[i].canonical);
      if (!literal || literal->form.is_symbol()) continue;
      const auto [it, fresh] = index.try_emplace(literal->form, groups.size());
      if (fresh) groups.emplace_back();
      groups[it->second].push_back({i, *std::move(literal)});
    }
    for (std::vector<Entry>& group : groups) {
      if (group.size() < 2 || group.size() > kMaxFormGroup) continue;
      for (std::size_t k = 0; k < group.size(); ++k) {
        // One other guard that suffices, else all of them together.
        Domain together;
        std::vector<Integer> excluded;
        std::vector<std::size_t> others;
        std::optional<std::size_t> alone;
        for (std::size_t j = 0; j < group.size(); ++j) {
          if (j == k || state_[group[j].guard] == State::dropped) continue;
          const FormLiteral& other = group[j].literal;
          others.push_back(group[j].guard);
          if (other.barred) continue;
          const std::span<const Integer> gone(other.excluded ? &*other.excluded : nullptr, other.excluded ? 1 : 0);
          if (!alone && implied_by(group[k].literal, other.domain, gone)) alone = group[j].guard;
          together.meet(other.domain);
          excluded.insert(excluded.end(), gone.begin(), gone.end());
        }
        if (alone)
          drop(group[k].guard, {{*alone}, {}, "form", false});
        else if (implied_by(group[k].literal, together, excluded))
          drop(group[k].guard, {others, {}, "form", false});
      }
    }
  }

  void contradict_slot(Expr x) {
    // The fewest guards on this slot that contradict the facts and each other.
    SlotGuards& s = slots_.at(x);
    std::vector<std::size_t> core;
    IntSet chosen = questions_.domain(x);
    for (std::size_t k = 0; k < s.sets.size() && !chosen.is_empty(); ++k) {
      // Needed if the chosen and the later ones alone still leave something.
      const auto without = intersect(chosen, s.after[k + 1]);
      if (without && without->is_empty()) continue;
      core.push_back(s.sets[k].first);
      if (auto both = intersect(chosen, *s.sets[k].second)) chosen = std::move(*both);
    }
    std::vector<FactId> facts;
    for (const auto& [id, set] : questions_.domain_facts(x)) facts.push_back(id);
    contradiction(std::move(core), std::move(facts), "set");
  }

  void contradiction(std::vector<std::size_t> core, std::vector<FactId> facts, std::string stage) {
    if (contradictory_) return;
    contradictory_ = true;
    core_ = std::move(core);
    core_facts_ = std::move(facts);
    core_stage_ = std::move(stage);
  }

  // ---- components --------------------------------------------------------------------------------

  std::uint32_t root(std::uint32_t s) {
    while (parent_[s] != s) s = parent_[s] = parent_[parent_[s]];
    return s;
  }
  std::uint32_t symbol_id(Expr s) {
    const auto [it, fresh] = symbol_ids_.try_emplace(s, static_cast<std::uint32_t>(symbols_.size()));
    if (fresh) {
      symbols_.push_back(s);
      parent_.push_back(it->second);
    }
    return it->second;
  }
  void link(std::span<const Expr> symbols) {
    for (const Expr s : symbols) {
      const std::uint32_t a = root(symbol_id(s));
      const std::uint32_t b = root(symbol_id(symbols[0]));
      parent_[std::max(a, b)] = std::min(a, b);
    }
  }

  void drop_by_components() {
    for (std::size_t i = 0; i < items_.size(); ++i)
      if (state_[i] == State::kept) link(items_[i].symbols);
    const Facts& facts = questions_.facts();
    for (FactId id = 0; id < facts.size(); ++id) link(questions_.symbols_of_fact(id));
    std::unordered_map<std::uint32_t, std::size_t> index;
    std::vector<std::vector<std::size_t>> components;
    std::vector<std::vector<FactId>> component_facts;
    for (const std::size_t i : order_) {  // so each component is in processing order
      if (state_[i] == State::dropped) continue;
      const std::uint32_t r = items_[i].symbols.empty() ? ~0U : root(symbol_id(items_[i].symbols[0]));
      const auto [it, fresh] = index.try_emplace(r, components.size());
      if (fresh) {
        components.emplace_back();
        component_facts.emplace_back();
      }
      components[it->second].push_back(i);
    }
    for (FactId id = 0; id < facts.size(); ++id) {
      const auto symbols = questions_.symbols_of_fact(id);
      if (symbols.empty()) continue;
      if (const auto it = index.find(root(symbol_id(symbols[0]))); it != index.end())
        component_facts[it->second].push_back(id);
    }
    for (std::size_t c = 0; c < components.size() && !contradictory_; ++c) {
      if (decided_by_sets(components[c], component_facts[c])) continue;
      questions_.refill();
      drop_in_component(components[c], component_facts[c]);
    }
  }

  // Guards and facts about one slot each, all of them sets: there is nothing left to ask.
  bool decided_by_sets(const std::vector<std::size_t>& component, const std::vector<FactId>& facts) {
    for (const std::size_t i : component)
      if (!items_[i].rest.empty() || items_[i].slots.size() != 1) return false;
    for (const FactId id : facts) {
      const auto symbols = questions_.symbols_of_fact(id);
      if (symbols.size() != 1) return false;
      const auto known = questions_.domain_facts(symbols[0]);
      if (std::none_of(known.begin(), known.end(), [id](const auto& f) { return f.first == id; })) return false;
    }
    // Sets that did not fit were left out of the suffixes; then the prover has its say.
    for (const std::size_t i : component) {
      const auto& [x, set] = items_[i].slots[0];
      const auto within = is_subset(slots_.at(x).kept, set);
      if (!within || !*within) return false;
    }
    return true;
  }

  void drop_in_component(const std::vector<std::size_t>& component, const std::vector<FactId>& facts) {
    ModelSearch search = make_search(component, facts);
    const bool known = !options_.witness.empty() && search.set_base(options_.witness);
    if (!known && !search.find_base() && component.size() <= kMaxPremises) {
      std::vector<Expr> all;
      for (const std::size_t i : component) all.push_back(items_[i].raw);
      const SatResult sat = questions_.satisfiable(all);
      if (sat.verdict == Verdict::refuted) {
        std::vector<std::size_t> core;
        std::vector<FactId> core_facts;
        const std::size_t n = questions_.facts().size();
        for (const FactId id : sat.core) {
          if (id >= n)
            core.push_back(component[id - n]);
          else
            core_facts.push_back(id);
        }
        std::sort(core.begin(), core.end());
        return contradiction(std::move(core), std::move(core_facts), sat.stage);
      }
      if (sat.verdict == Verdict::proved) search.set_base(sat.model);
    }
    for (std::size_t k = 0; k < component.size(); ++k) {
      const std::size_t i = component[k];
      if (search.is_needed(k)) continue;
      const std::vector<std::size_t> near = premises_for(i, component);
      std::vector<Expr> premises;
      for (const std::size_t p : near) premises.push_back(items_[p].raw);
      const Questions::Answer answer = questions_.implied(premises, items_[i].raw);
      if (!answer.proved()) continue;
      Reason reason{{}, answer.facts, answer.stage, false};
      for (const std::size_t p : answer.premises) reason.guards.push_back(near[p]);
      drop(i, std::move(reason));
      search.deactivate(k);
    }
    // Why each went, in guards that stay, and no more of them than needed.
    std::unordered_map<std::size_t, std::size_t> position;
    for (std::size_t k = 0; k < component.size(); ++k) position[component[k]] = k;
    for (const std::size_t i : component) {
      if (state_[i] != State::dropped) continue;
      resolve(i);
      minimise_reason(i, search, position, component.size());
    }
  }

  // Kept guards of the component, nearest first by shared symbols, up to kMaxPremises.
  std::vector<std::size_t> premises_for(std::size_t i, const std::vector<std::size_t>& component) {
    std::vector<std::size_t> out;
    if (component.size() <= kMaxPremises) {
      for (const std::size_t p : component)
        if (p != i && state_[p] == State::kept) out.push_back(p);
      return out;
    }
    if (by_symbol_for_ != &component) {
      by_symbol_.clear();
      for (const std::size_t p : component)
        for (const Expr s : items_[p].symbols) by_symbol_[s].push_back(p);
      by_symbol_for_ = &component;
    }
    std::unordered_map<std::size_t, bool> seen{{i, true}};
    std::vector<Expr> ring = items_[i].symbols;
    std::unordered_map<Expr, bool> reached;
    for (const Expr s : ring) reached[s] = true;
    while (!ring.empty() && out.size() < kMaxPremises) {
      std::vector<Expr> next;
      for (const Expr s : ring)
        for (const std::size_t p : by_symbol_[s]) {
          if (state_[p] == State::dropped || !seen.try_emplace(p, true).second) continue;
          if (out.size() >= kMaxPremises) break;
          out.push_back(p);
          for (const Expr t : items_[p].symbols)
            if (reached.try_emplace(t, true).second) next.push_back(t);
        }
      ring = std::move(next);
    }
    return out;
  }

  ModelSearch make_search(const std::vector<std::size_t>& component, const std::vector<FactId>& facts) {
    std::vector<Expr> constraints;
    std::vector<ModelSearch::Slot> slots;
    std::unordered_map<Expr, std::size_t> at;
    const auto add_slots = [&](std::span<const Expr> symbols) {
      for (const Expr s : symbols) {
        if (!at.try_emplace(s, slots.size()).second) continue;
        slots.push_back(make_slot(s));
      }
    };
    for (const std::size_t i : component) {
      constraints.push_back(items_[i].canonical);
      add_slots(items_[i].symbols);
    }
    for (const FactId id : facts) {
      constraints.push_back(questions_.facts()[id].canonical);
      add_slots(questions_.symbols_of_fact(id));
    }
    for (std::size_t s = 0; s < slots.size(); ++s)
      if (slots[s].symbol.sort() == Sort::Int && ctx_.is_size(slots[s].symbol))
        constraints.push_back(make_at_least(ctx_, slots[s].symbol, 0));
    ModelSearch search(ctx_, slots, constraints);
    for (std::size_t k = 0; k < component.size(); ++k)
      for (const auto& [x, set] : items_[component[k]].slots) {
        const auto out = subtract(others_about(x, component[k]), set);
        if (out && !out->is_empty()) search.set_outside(k, at.at(x), out->samples(6));
      }
    return search;
  }

  // What facts and the other kept guards about slot x alone allow.
  IntSet others_about(Expr x, std::size_t except) {
    IntSet out = questions_.domain(x);
    const SlotGuards& s = slots_.at(x);
    if (s.sets.size() > 64) return out;
    for (const auto& [i, set] : s.sets) {
      if (i == except || state_[i] == State::dropped) continue;
      if (auto both = intersect(out, *set)) out = std::move(*both);
    }
    return out;
  }

  ModelSearch::Slot make_slot(Expr s) {
    ModelSearch::Slot slot;
    slot.symbol = s;
    if (s.sort() == Sort::Bool) {
      slot.domain = slot.allowed = IntSet::range(0, 1);
      slot.start = {1, 0};
      return slot;
    }
    if (s.sort() != Sort::Int) return slot;  // no values to try: such a component goes to the prover
    const auto it = slots_.find(s);
    slot.domain = questions_.domain(s);
    slot.allowed = it != slots_.end() ? it->second.kept : slot.domain;
    // Values that are neither special nor equal for all slots: a base in general position breaks few accidental
    // equalities.
    const std::int64_t generic = 40 + static_cast<std::int64_t>(slot_count_++ % 97);
    for (const std::int64_t from : {generic, generic + 1000, std::int64_t{2}, std::int64_t{-generic}})
      if (const auto v = slot.allowed.after(from - 1)) slot.start.push_back(*v);
    for (const std::int64_t v : slot.allowed.samples(12)) slot.start.push_back(v);
    return slot;
  }

  // ---- result ------------------------------------------------------------------------------------

  // Reasons in terms of guards that stay: a reason that was dropped itself is replaced by its own reasons.
  void resolve(std::size_t i) {
    if (resolved_[i] != 0) return;
    std::vector<std::size_t> todo{i};
    while (!todo.empty()) {  // reasons were dropped after what they explain, so this ends
      const std::size_t g = todo.back();
      bool ready = true;
      for (const std::size_t r : reasons_[g].guards)
        if (state_[r] == State::dropped && resolved_[r] == 0) {
          todo.push_back(r);
          ready = false;
        }
      if (!ready) continue;
      todo.pop_back();
      if (resolved_[g] != 0) continue;
      resolved_[g] = 1;
      Reason& reason = reasons_[g];
      if (reason.by_sets) reason_by_sets(g);
      std::vector<std::size_t> guards;
      for (const std::size_t r : reason.guards) {
        if (state_[r] == State::kept) {
          guards.push_back(r);
          continue;
        }
        guards.insert(guards.end(), reasons_[r].guards.begin(), reasons_[r].guards.end());
        reason.facts.insert(reason.facts.end(), reasons_[r].facts.begin(), reasons_[r].facts.end());
      }
      reason.guards = std::move(guards);
      tidy(reason.guards);
      tidy(reason.facts);
    }
  }

  template <class T>
  static void tidy(std::vector<T>& v) {
    std::sort(v.begin(), v.end());
    v.erase(std::unique(v.begin(), v.end()), v.end());
  }

  // Facts and kept guards on the slot whose sets imply guard g; where kept guards about the slot alone do not (they
  // were dropped for the sake of others), everything kept that shares symbols stands in.
  void reason_by_sets(std::size_t g) {
    Reason& reason = reasons_[g];
    for (const auto& [x, wanted] : items_[g].slots) {
      struct Part {
        bool is_fact;
        std::size_t id;
        const IntSet* set;
      };
      std::vector<Part> parts;
      for (const auto& [id, set] : questions_.domain_facts(x)) parts.push_back({true, id, &set});
      for (const auto& [i, set] : slots_.at(x).sets)
        if (state_[i] == State::kept) parts.push_back({false, i, set});
      const IntSet base = ctx_.is_size(x) ? IntSet::range(0, IntSet::kPlusInf) : IntSet::all();
      const auto enough = [&](const IntSet& set, const IntSet& target) {
        const auto yes = is_subset(set, target);
        return yes && *yes;
      };
      const auto add = [&](const Part& p) {
        if (p.is_fact)
          reason.facts.push_back(static_cast<FactId>(p.id));
        else
          reason.guards.push_back(p.id);
      };
      if (enough(base, wanted)) continue;
      // One guard or fact alone, if there is one; else the fewest by leaving out front to back.
      const auto single = std::find_if(parts.begin(), parts.end(), [&](const Part& p) {
        const auto both = intersect(base, *p.set);
        return both && enough(*both, wanted);
      });
      if (single != parts.end()) {
        add(*single);
        continue;
      }
      std::vector<IntSet> after(parts.size() + 1, base);
      for (std::size_t k = parts.size(); k-- > 0;) {
        auto both = intersect(after[k + 1], *parts[k].set);
        after[k] = both ? std::move(*both) : after[k + 1];
      }
      if (!enough(after[0], wanted)) {
        for (const std::size_t i : order_)
          if (state_[i] == State::kept && connected(i, x)) reason.guards.push_back(i);
        for (FactId id = 0; id < questions_.facts().size(); ++id)
          if (const auto s = questions_.symbols_of_fact(id); s.empty() || root(symbol_id(s[0])) == root(symbol_id(x)))
            reason.facts.push_back(id);
        continue;
      }
      IntSet chosen = base;
      for (std::size_t k = 0; k < parts.size() && !enough(chosen, wanted); ++k) {
        const auto without = intersect(chosen, after[k + 1]);
        if (without && enough(*without, wanted)) continue;
        add(parts[k]);
        if (auto both = intersect(chosen, *parts[k].set)) chosen = std::move(*both);
      }
    }
  }

  bool connected(std::size_t i, Expr x) {
    return !items_[i].symbols.empty() && root(symbol_id(items_[i].symbols[0])) == root(symbol_id(x));
  }

  // Leaves out reasons that are not needed: those without which values are found that break guard i stay unasked.
  void minimise_reason(std::size_t i, ModelSearch& search, const std::unordered_map<std::size_t, std::size_t>& position,
                       std::size_t guards) {
    Reason& reason = reasons_[i];
    if (reason.guards.empty() || reason.guards.size() > kMaxReasons) return;
    for (std::size_t k = reason.guards.size(); k-- > 0;) {
      std::vector<Expr> premises;
      std::vector<std::size_t> ids;
      std::vector<std::size_t> active;
      for (std::size_t j = 0; j < reason.guards.size(); ++j) {
        if (j == k) continue;
        premises.push_back(items_[reason.guards[j]].raw);
        ids.push_back(reason.guards[j]);
        active.push_back(position.at(reason.guards[j]));
      }
      search.activate_only(active, guards);
      if (search.is_needed(position.at(i))) continue;
      const Questions::Answer answer = questions_.implied(premises, items_[i].raw);
      if (!answer.proved()) continue;
      std::vector<std::size_t> fewer;
      for (const std::size_t p : answer.premises) fewer.push_back(ids[p]);
      reason.guards = std::move(fewer);
      reason.facts = answer.facts;
      reason.stage = answer.stage;
      tidy(reason.guards);
      k = std::min(k, reason.guards.size());
    }
  }

  Minimised finish() {
    Minimised out;
    if (contradictory_) return finish_contradictory();
    for (std::size_t i = 0; i < items_.size(); ++i)
      if (state_[i] == State::kept) out.kept.push_back(i);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (state_[i] == State::kept) continue;
      resolve(i);
      Reason& r = reasons_[i];
      DroppedGuard d;
      d.guard = i;
      d.implied_by = r.guards;
      d.facts = r.facts;
      d.obligation = {to_text(ctx_, items_[i].raw), Verdict::proved, r.stage, "implied by what stays"};
      out.dropped.push_back(std::move(d));
    }
    if (options_.readable) {
      std::vector<const GuardItem*> kept;
      for (const std::size_t i : out.kept) kept.push_back(&items_[i]);
      out.readable = readable_form(questions_, kept, &out.obligations);
    }
    return out;
  }

  Minimised finish_contradictory() {
    Minimised out;
    out.contradictory = true;
    tidy(core_);
    out.kept = core_;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (std::binary_search(core_.begin(), core_.end(), i)) continue;
      DroppedGuard d;
      d.guard = i;
      d.implied_by = core_;
      d.facts = core_facts_;
      d.obligation = {to_text(ctx_, items_[i].raw), Verdict::proved, core_stage_,
                      "the guards kept contradict the facts or each other"};
      out.dropped.push_back(std::move(d));
    }
    out.readable = {ctx_.boolean(false)};
    out.obligations.push_back({"False", Verdict::proved, core_stage_, "no values satisfy the guards and the facts"});
    return out;
  }

  const SimplifyOptions& options_;
  Questions questions_;
  Context& ctx_;
  std::vector<GuardItem> items_;
  std::vector<State> state_;
  std::vector<Reason> reasons_;
  std::vector<char> resolved_;
  std::vector<std::size_t> order_;
  std::unordered_map<Expr, SlotGuards> slots_;
  std::vector<Expr> slot_order_;
  std::unordered_map<Expr, std::uint32_t> symbol_ids_;
  std::vector<Expr> symbols_;
  std::vector<std::uint32_t> parent_;
  std::unordered_map<Expr, std::vector<std::size_t>> by_symbol_;
  const void* by_symbol_for_ = nullptr;
  std::size_t slot_count_ = 0;
  bool contradictory_ = false;
  std::vector<std::size_t> core_;
  std::vector<FactId> core_facts_;
  std::string core_stage_;
};

}  // namespace

}  // namespace simplify

Minimised minimise(Prover& prover, const Facts& facts, std::span<const Expr> guards, const SimplifyOptions& options) {
  return simplify::Minimiser(prover, facts, guards, options).run();
}

}  // namespace dimgate
