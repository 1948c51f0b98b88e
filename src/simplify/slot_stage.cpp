#include "simplify/slot_stage.hpp"

#include <algorithm>

namespace dimgate::simplify {

namespace {

constexpr std::size_t kLargeSet = 256;        // on a crowded slot, premises are not made larger than that
constexpr std::size_t kMaxReasonParts = 512;  // guards and facts looked through for one reason

bool within(const std::optional<IntSet>& a, const IntSet& b) {
  if (!a) return false;
  const auto yes = is_subset(*a, b);
  return yes && *yes;
}

}  // namespace

void SlotStage::run() {
  collect();
  for (const Expr x : slot_order_)
    if (!prepare(x, slots_.at(x))) return;
  for (const std::size_t i : state_.order)
    if (state_.dropped[i] == 0) process(i);
  for (const Expr x : slot_order_) {  // the holes that stay, at once
    Slot& slot = slots_.at(x);
    std::vector<std::int64_t> points;
    for (const auto& [p, n] : slot.excluded)
      if (n > 0) points.push_back(p);
    if (points.empty()) continue;
    std::sort(points.begin(), points.end());
    IntSet::Builder holes;
    for (const std::int64_t p : points) holes.append(p, p, Residues::all());
    if (auto rest = subtract(slot.kept, holes.take())) slot.kept = std::move(*rest);
  }
}

void SlotStage::collect() {
  for (const std::size_t i : state_.order) {
    if (state_.dropped[i] != 0) continue;
    for (const auto& [x, set] : state_.items[i].slots) {
      const auto [it, fresh] = slots_.try_emplace(x);
      if (fresh) {
        slot_order_.push_back(x);
        it->second.kept = questions_.domain(x);
      }
      it->second.members.push_back({i, &set, false});
    }
  }
}

// The few values of the domain that the set excludes; empty if they are many.
std::vector<std::int64_t> SlotStage::holes_of(const IntSet& set, const IntSet& domain) {
  const auto out = subtract(domain, set);
  if (!out || !out->count(kFewHoles)) return {};
  return out->elements();
}

// False: guards and facts about x contradict each other.
bool SlotStage::prepare(Expr x, Slot& slot) {
  const IntSet& domain = questions_.domain(x);
  const std::size_t n = slot.members.size();
  const bool crowded = n > kCrowd;
  if (crowded)
    for (Member& m : slot.members) {
      const std::vector<std::int64_t> holes = holes_of(*m.set, domain);
      m.holes = !holes.empty();
      for (const std::int64_t p : holes) ++slot.excluded[p];
    }
  slot.after.assign(n + 1, IntSet::all());
  for (std::size_t k = n; k-- > 0;) {
    std::optional<IntSet> both;
    if (!slot.members[k].holes) both = intersect(slot.after[k + 1], *slot.members[k].set);
    const bool use = both && (!crowded || both->pieces().size() <= kLargeSet);
    slot.after[k] = use ? std::move(*both) : slot.after[k + 1];
  }
  auto left = intersect(slot.kept, slot.after[0]);
  if (!left) return true;
  if (!left->is_empty() && !slot.excluded.empty() && left->count(slot.excluded.size())) {
    const auto points = left->elements();
    if (std::all_of(points.begin(), points.end(), [&](std::int64_t p) { return slot.excluded.contains(p); }))
      left = IntSet();
  }
  if (!left->is_empty()) return true;
  // The fewest guards that contradict: one is needed if the chosen and the later ones alone leave something.
  std::vector<std::size_t> core;
  IntSet chosen = domain;
  for (std::size_t k = 0; k < n && !chosen.is_empty(); ++k) {
    const auto without = intersect(chosen, slot.after[k + 1]);
    if (!slot.members[k].holes && without && without->is_empty()) continue;
    auto both = intersect(chosen, *slot.members[k].set);
    if (!both || *both == chosen) continue;
    core.push_back(slot.members[k].guard);
    chosen = std::move(*both);
  }
  std::vector<FactId> facts;
  for (const auto& [id, set] : questions_.domain_facts(x)) facts.push_back(id);
  state_.contradict(std::move(core), std::move(facts), "set");
  return false;
}

// Do the domain and the other standing members leave only what the next member allows?
bool SlotStage::is_implied(const Slot& slot) {
  const Member& m = slot.members[slot.next];
  const auto others = intersect(slot.kept, slot.after[slot.next + 1]);
  if (!others) return false;
  const auto left = subtract(*others, *m.set);  // values that only this guard excludes, other holes aside
  if (!left) return false;
  if (left->is_empty()) return true;
  if (slot.excluded.empty() || !left->count(kFewHoles)) return false;
  const std::size_t own = m.holes ? 1 : 0;
  const std::vector<std::int64_t> points = left->elements();
  return std::all_of(points.begin(), points.end(), [&](std::int64_t p) {
    const auto it = slot.excluded.find(p);
    return it != slot.excluded.end() && it->second > own;
  });
}

void SlotStage::process(std::size_t i) {
  const GuardItem& item = state_.items[i];
  bool implied = item.rest.empty();
  for (const auto& [x, set] : item.slots) implied = implied && is_implied(slots_.at(x));
  if (implied) state_.drop(i, {{}, {}, "set", true});
  for (const auto& [x, set] : item.slots) {
    Slot& slot = slots_.at(x);
    const Member& m = slot.members[slot.next++];
    if (m.holes) {
      if (implied)
        for (const std::int64_t p : holes_of(set, questions_.domain(x))) --slot.excluded.at(p);
      continue;
    }
    if (implied) continue;
    auto both = intersect(slot.kept, set);
    if (both && (slot.members.size() <= kCrowd || both->pieces().size() <= kLargeSet)) slot.kept = std::move(*both);
  }
}

const IntSet& SlotStage::allowed(Expr x) const { return slots_.at(x).kept; }

IntSet SlotStage::allowed_without(Expr x, std::size_t guard) {
  IntSet out = questions_.domain(x);
  const Slot& slot = slots_.at(x);
  if (slot.members.size() > kCrowd) return out;
  for (const Member& m : slot.members) {
    if (m.guard == guard || state_.dropped[m.guard] != 0) continue;
    if (auto both = intersect(out, *m.set)) out = std::move(*both);
  }
  return out;
}

bool SlotStage::explain(std::size_t g) {
  for (const auto& [x, wanted] : state_.items[g].slots)
    if (!explain_slot(g, x, wanted)) return false;
  return true;
}

bool SlotStage::explain_slot(std::size_t g, Expr x, const IntSet& wanted) {
  struct Part {
    bool is_fact;
    std::size_t id;
    const IntSet* set;
  };
  Reason& reason = state_.reasons[g];
  const auto add = [&reason](const Part& p) {
    if (p.is_fact)
      reason.facts.push_back(static_cast<FactId>(p.id));
    else
      reason.guards.push_back(p.id);
  };
  const IntSet base = questions_.context().is_size(x) ? IntSet::range(0, IntSet::kPlusInf) : IntSet::all();
  if (within(base, wanted)) return true;
  std::vector<Part> parts;
  for (const auto& [id, set] : questions_.domain_facts(x)) parts.push_back({true, id, &set});
  const Slot& slot = slots_.at(x);
  for (const Member& m : slot.members)
    if (state_.dropped[m.guard] == 0 && !m.holes && parts.size() < kMaxReasonParts)
      parts.push_back({false, m.guard, m.set});
  // One guard or fact alone, if there is one; else the fewest by leaving out front to back.
  for (const Part& p : parts)
    if (within(intersect(base, *p.set), wanted)) return add(p), true;
  std::vector<IntSet> after(parts.size() + 1, base);
  for (std::size_t k = parts.size(); k-- > 0;) {
    auto both = intersect(after[k + 1], *parts[k].set);
    after[k] = both ? std::move(*both) : after[k + 1];
  }
  // What the solid sets leave is excluded value by value.
  IntSet target = wanted;
  if (const auto left = subtract(after[0], wanted); left && !left->is_empty()) {
    if (!left->count(kFewHoles)) return false;
    for (const std::int64_t p : left->elements()) {
      const auto by = std::find_if(slot.members.begin(), slot.members.end(), [&](const Member& m) {
        return m.holes && state_.dropped[m.guard] == 0 && !m.set->contains(p);
      });
      if (by == slot.members.end()) return false;
      reason.guards.push_back(by->guard);
    }
    auto more = unite(target, *left);
    if (!more) return false;
    target = std::move(*more);
  }
  IntSet chosen = base;
  for (std::size_t k = 0; k < parts.size() && !within(chosen, target); ++k) {
    if (within(intersect(chosen, after[k + 1]), target)) continue;
    add(parts[k]);
    if (auto both = intersect(chosen, *parts[k].set)) chosen = std::move(*both);
  }
  return true;
}

}  // namespace dimgate::simplify
