#include "simplify/model_search.hpp"

#include <algorithm>
#include <numeric>

namespace dimgate::simplify {

namespace {

constexpr std::uint64_t kNeededSteps = 3'000;  // evaluations to show that one guard is needed
constexpr int kRepairDepth = 4;
constexpr std::int64_t kLongPeriod = std::int64_t{1} << 20;

// The comparisons and divisibilities a formula is made of, a few of each.
void add_parts(Expr e, std::vector<std::pair<Expr, Expr>>& out, std::vector<std::pair<Expr, std::int64_t>>& residues) {
  std::vector<Expr> todo{e};
  while (!todo.empty() && out.size() < 8 && residues.size() < 8) {
    const Expr t = todo.back();
    todo.pop_back();
    switch (t.op()) {
      case Op::Eq:
      case Op::Ne:
      case Op::Lt:
      case Op::Le:
      case Op::Gt:
      case Op::Ge:
        if (t[0].sort() == Sort::Int) out.emplace_back(t[0], t[1]);
        break;
      case Op::Divides:
        if (const auto k = t[0].is_int() ? t[0].integer().to_int64() : std::nullopt; k && *k > 1 && *k <= kLongPeriod)
          residues.emplace_back(t[1], *k);
        break;
      case Op::And:
      case Op::Or:
      case Op::Not:
      case Op::Implies:
        for (std::size_t i = t.size(); i-- > 0;) todo.push_back(t[i]);
        break;
      default:
        break;
    }
  }
}

}  // namespace

ModelSearch::ModelSearch(Context& ctx, std::vector<Slot> slots, std::span<const Expr> constraints)
    : ctx_(ctx),
      slots_(std::move(slots)),
      touching_(slots_.size()),
      value_(slots_.size(), 0),
      period_(slots_.size(), 1),
      rest_until_(slots_.size(), 0) {
  std::unordered_map<Expr, std::uint32_t> ids;
  for (std::uint32_t i = 0; i < slots_.size(); ++i) ids.emplace(slots_[i].symbol, i);
  constraints_.reserve(constraints.size());
  for (const Expr e : constraints) {
    Constraint& c = constraints_.emplace_back();
    read_constraint(c, e, ids);
    for (const std::uint32_t s : c.slots) touching_[s].push_back(static_cast<std::uint32_t>(constraints_.size() - 1));
    for (const Residue& r : c.residues)
      for (const std::uint32_t s : r.slots)
        if (const std::int64_t both = std::lcm(period_[s], r.modulus); both <= kLongPeriod) period_[s] = both;
  }
  active_.assign(constraints_.size(), 1);
  queued_.assign(constraints_.size(), 0);
}

void ModelSearch::read_constraint(Constraint& c, Expr e, const std::unordered_map<Expr, std::uint32_t>& ids) {
  const auto slots_in = [&](Expr part, std::vector<std::uint32_t> out) {
    for (const Expr s : symbols_of(ctx_, part))
      if (const auto it = ids.find(s); it != ids.end() && std::find(out.begin(), out.end(), it->second) == out.end())
        out.push_back(it->second);
    return out;
  };
  c.tape = Tape(e);
  c.slots = slots_in(e, {});
  if (e.node()->weight >= 400) return;
  std::vector<std::pair<Expr, Expr>> sides;
  std::vector<std::pair<Expr, std::int64_t>> residues;
  add_parts(e, sides, residues);
  for (const auto& [l, r] : sides) {
    Difference d{Tape(l), Tape(r), slots_in(r, slots_in(l, {}))};
    if (d.lhs.has() && d.rhs.has()) c.differences.push_back(std::move(d));
  }
  for (const auto& [term, modulus] : residues) {
    Residue r{Tape(term), modulus, slots_in(term, {})};
    if (r.term.has()) c.residues.push_back(std::move(r));
  }
}

void ModelSearch::set_outside(std::size_t i, std::size_t slot, std::vector<std::int64_t> values) {
  constraints_[i].outside.emplace_back(static_cast<std::uint32_t>(slot), std::move(values));
}

void ModelSearch::assign(std::uint32_t slot, std::int64_t v) {
  value_[slot] = v;
  point_.set(slots_[slot].symbol, v);
}

bool ModelSearch::fails(std::size_t c) {
  if (!constraints_[c].tape.has()) return false;
  const Tape::Cell r = constraints_[c].tape.run(point_, stack_);
  return r.state == Tape::State::undefined || (r.state == Tape::State::value && r.v == 0);
}

bool ModelSearch::holds(std::size_t c) {
  if (c == negated_) return fails(c);
  if (!constraints_[c].tape.has()) return false;
  const Tape::Cell r = constraints_[c].tape.run(point_, stack_);
  return r.state == Tape::State::value && r.v == 1;
}

std::size_t ModelSearch::count_broken(std::uint32_t slot, std::size_t except, std::size_t limit,
                                      std::vector<std::size_t>* which) {
  std::size_t n = 0;
  for (const std::uint32_t c : touching_[slot]) {
    if (c == except || active_[c] == 0 || holds(c)) continue;
    ++n;
    if (which != nullptr) which->push_back(c);
    if (n >= limit) break;
  }
  return n;
}

bool ModelSearch::set_base(const std::vector<std::pair<Expr, Value>>& model) {
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    bool found = false;
    for (const auto& [s, v] : model) {
      if (s != slots_[i].symbol) continue;
      if (v.kind == Value::Kind::integer && v.integer.to_int64()) {
        assign(i, *v.integer.to_int64());
        found = true;
      } else if (v.kind == Value::Kind::boolean) {
        assign(i, v.is_true() ? 1 : 0);
        found = true;
      }
    }
    if (!found) assign(i, slots_[i].start.empty() ? 0 : slots_[i].start[0]);
  }
  has_base_ = true;
  for (std::size_t c = 0; c < constraints_.size() && has_base_; ++c) has_base_ = active_[c] == 0 || holds(c);
  return has_base_;
}

void ModelSearch::activate_only(std::span<const std::size_t> listed, std::size_t always) {
  std::fill(active_.begin(), active_.begin() + static_cast<std::ptrdiff_t>(always), char{0});
  for (const std::size_t i : listed) active_[i] = 1;
  wide_ = true;
}

// Makes constraint `failing` true without touching frozen slots, following up what that breaks; all or nothing.
bool ModelSearch::repair(std::size_t failing, std::span<const std::uint32_t> frozen, std::uint64_t& steps) {
  struct Change {
    std::uint32_t slot;
    std::int64_t old;
  };
  std::vector<Change> undo;
  std::vector<std::uint32_t> locked(frozen.begin(), frozen.end());
  std::vector<std::size_t> open{failing};
  std::vector<std::int64_t> values;
  for (int depth = 0; depth < kRepairDepth && !open.empty(); ++depth) {
    const std::size_t c = open.back();
    open.pop_back();
    if (holds(c)) {
      --depth;
      continue;
    }
    std::uint32_t best_slot = 0;
    std::int64_t best_value = 0;
    std::size_t best_broken = ~std::size_t{0};
    for (const std::uint32_t s : constraints_[c].slots) {
      if (std::find(locked.begin(), locked.end(), s) != locked.end()) continue;
      candidates(constraints_[c], s, values);
      const std::int64_t old = value_[s];
      for (const std::int64_t v : values) {
        if (steps == 0) break;
        --steps;
        assign(s, v);
        if (!holds(c)) continue;
        const std::size_t broken = count_broken(s, c, best_broken, nullptr);
        steps -= std::min<std::uint64_t>(steps, touching_[s].size() / 4);
        if (broken < best_broken) {
          best_broken = broken;
          best_slot = s;
          best_value = v;
          if (broken == 0) break;
        }
      }
      assign(s, old);
      if (best_broken == 0) break;
    }
    if (best_broken == ~std::size_t{0} || open.size() + best_broken > 6) {
      open.push_back(c);
      break;
    }
    undo.push_back({best_slot, value_[best_slot]});
    assign(best_slot, best_value);
    locked.push_back(best_slot);
    count_broken(best_slot, c, 8, &open);
  }
  bool ok = true;
  for (const std::size_t c : open) ok = ok && holds(c);
  if (!ok)
    while (!undo.empty()) {
      assign(undo.back().slot, undo.back().old);
      undo.pop_back();
    }
  return ok;
}

bool ModelSearch::is_needed(std::size_t i) {
  if (!has_base_ || !constraints_[i].tape.has()) return false;
  const std::vector<std::int64_t> saved = value_;
  std::uint64_t steps = kNeededSteps;
  const Constraint& c = constraints_[i];
  bool found = false;
  std::vector<std::int64_t> values;
  std::vector<std::size_t> broken;
  for (std::size_t k = 0; k < c.slots.size() && !found && steps > 0; ++k) {
    const std::uint32_t s = c.slots[k];
    candidates(c, s, values);
    for (const auto& [slot, more] : c.outside)
      if (slot == s) values.insert(values.begin(), more.begin(), more.end());
    // First without touching anything else, then letting the neighbours follow.
    for (const bool follow : {false, true}) {
      for (const std::int64_t v : values) {
        if (steps == 0 || found) break;
        --steps;
        assign(s, v);
        if (!fails(i)) continue;
        broken.clear();
        count_broken(s, i, follow ? 4 : 1, &broken);
        steps -= std::min<std::uint64_t>(steps, touching_[s].size() / 4);
        if (broken.empty()) {
          found = true;
        } else if (follow && broken.size() < 4) {
          // The slots of the guard stay, so that it keeps failing.
          const std::vector<std::int64_t> before = value_;
          bool ok = true;
          for (const std::size_t b : broken) ok = ok && (holds(b) || repair(b, c.slots, steps));
          for (const std::size_t b : broken) ok = ok && holds(b);
          found = ok && fails(i);
          if (!found)
            for (std::uint32_t t = 0; t < value_.size(); ++t)
              if (value_[t] != before[t]) assign(t, before[t]);
        }
      }
      assign(s, found ? value_[s] : saved[s]);
      if (found) break;
    }
  }
  // Everything but i must hold: slots touched by repairs were checked as they changed; check once more, exactly.
  if (found) {
    for (std::uint32_t t = 0; t < value_.size() && found; ++t) {
      if (value_[t] != saved[t]) found = count_broken(t, i, 1, nullptr) == 0;
    }
  }
  for (std::uint32_t t = 0; t < value_.size(); ++t)
    if (value_[t] != saved[t]) assign(t, saved[t]);
  return found;
}

}  // namespace dimgate::simplify
