// Making many constraints true at once by moving one slot at a time (see model_search.hpp).
#include <algorithm>
#include <deque>
#include <numeric>

#include "simplify/model_search.hpp"

namespace dimgate::simplify {

namespace {

constexpr std::uint64_t kBaseSteps = 40'000;    // evaluations while looking for a first point ...
constexpr std::uint64_t kBaseStepsEach = 60;    // ... and this many more for each constraint
constexpr std::uint64_t kBesideSteps = 800;     // to make one fail beside its neighbours ...
constexpr std::uint64_t kBesideStepsEach = 10;  // ... and this many more for each of them

// t with a * t + b divisible by m, 0 <= t < period; 0: none. a, b in [0, m), m <= 2^20.
std::int64_t solve_linear(std::int64_t a, std::int64_t b, std::int64_t m, std::int64_t& period) {
  std::int64_t r0 = m, r1 = a, t0 = 0, t1 = 1;
  while (r1 != 0) {
    const std::int64_t q = r0 / r1;
    r0 = std::exchange(r1, r0 - q * r1);
    t0 = std::exchange(t1, t0 - q * t1);
  }
  if (b % r0 != 0) return 0;
  period = m / r0;
  const std::int64_t inverse = ((t0 % period) + period) % period;
  return (period - (b / r0) % period) * inverse % period;
}

std::int64_t residue(std::int64_t a, std::int64_t m) {
  const std::int64_t r = a % m;
  return r < 0 ? r + m : r;
}

}  // namespace

// Where the two sides meet, as if linear in the slot, and the neighbours.
bool ModelSearch::roots(const Difference& d, std::uint32_t slot, std::vector<std::int64_t>& out) {
  const std::int64_t now = value_[slot];
  const auto at = [&](std::int64_t v, std::int64_t& result) {
    point_.set(slots_[slot].symbol, v);
    const Tape::Cell l = d.lhs.run(point_, stack_);
    const Tape::Cell r = d.rhs.run(point_, stack_);
    return l.state == Tape::State::value && r.state == Tape::State::value && !__builtin_sub_overflow(l.v, r.v, &result);
  };
  std::int64_t f0 = 0;
  std::int64_t f1 = 0;
  // A wide step measures the average slope of quotients, too.
  for (const std::int64_t step : {1, 64}) {
    if (!at(now, f0) || !at(now + step, f1) || f1 == f0) continue;
    std::int64_t rise = 0;
    std::int64_t scaled = 0;
    if (__builtin_sub_overflow(f1, f0, &rise) || __builtin_mul_overflow(f0, step, &scaled)) continue;
    std::int64_t root = 0;
    if (rise == 0 || (rise == -1 && scaled == INT64_MIN) || __builtin_sub_overflow(now, scaled / rise, &root)) continue;
    if (root > IntSet::kFar || root < -IntSet::kFar) continue;
    for (const std::int64_t v : {root, root - 1, root + 1}) out.push_back(v);
    if (rise == step || rise == -step) break;
  }
  point_.set(slots_[slot].symbol, now);
  return !out.empty();
}

// The nearest values on both sides at which the modulus divides the term, as if linear in the slot.
void ModelSearch::shifts(const Residue& r, std::uint32_t slot, std::vector<std::int64_t>& out) {
  const std::int64_t now = value_[slot];
  const Tape::Cell at = r.term.run(point_, stack_);
  point_.set(slots_[slot].symbol, now + 1);
  const Tape::Cell next = r.term.run(point_, stack_);
  point_.set(slots_[slot].symbol, now);
  if (at.state != Tape::State::value || next.state != Tape::State::value) return;
  const std::int64_t b = residue(at.v, r.modulus);
  const std::int64_t a = residue(residue(next.v, r.modulus) - b, r.modulus);
  if (a == 0 || b == 0) return;
  std::int64_t period = 0;
  const std::int64_t t = solve_linear(a, b, r.modulus, period);
  if (t == 0) return;
  out.push_back(now + t);
  out.push_back(now + t - period);
}

// Values of a slot that may change the truth of c: where one of its comparisons meets, the same without a change of
// residues, where a divisibility begins to hold, the neighbours; then the start values.
void ModelSearch::candidates(const Constraint& c, std::uint32_t slot, std::vector<std::int64_t>& out) {
  out.clear();
  const std::int64_t now = value_[slot];
  const IntSet& within = wide_ ? slots_[slot].domain : slots_[slot].allowed;
  const auto offer = [&](std::int64_t v) {
    if (v > IntSet::kFar || v < -IntSet::kFar || v == now || !within.contains(v)) return;
    if (std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v);
  };
  std::vector<std::int64_t>& raw = raw_;
  const bool near = now <= IntSet::kFar && now >= -IntSet::kFar;
  for (const Residue& r : c.residues) {
    if (!near || std::find(r.slots.begin(), r.slots.end(), slot) == r.slots.end()) continue;
    raw.clear();
    shifts(r, slot, raw);
    for (const std::int64_t v : raw) offer(v);
  }
  for (const Difference& d : c.differences) {
    if (!near || std::find(d.slots.begin(), d.slots.end(), slot) == d.slots.end()) continue;
    raw.clear();
    if (!roots(d, slot, raw)) continue;
    if (const std::int64_t p = period_[slot]; p > 1)
      for (std::size_t k = 0; k < raw.size(); k += 3) {
        const std::int64_t above = raw[k] + residue(now - raw[k], p);
        for (const std::int64_t v : {above, above - p, above + p}) offer(v);
      }
    for (const std::int64_t v : raw) offer(v);
  }
  if (now <= IntSet::kFar) offer(now + 1);
  if (now >= -IntSet::kFar) offer(now - 1);
  for (const std::int64_t v : slots_[slot].start) offer(v);
}

bool ModelSearch::find_base() {
  std::vector<std::size_t> all(constraints_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::uint64_t steps = kBaseSteps + kBaseStepsEach * constraints_.size();
  for (std::size_t round = 0; round < 4 && steps > 0; ++round) {
    for (std::uint32_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i].start.empty()) return false;
      assign(i, slots_[i].start[round % slots_[i].start.size()]);
    }
    if (settle(all, steps)) return has_base_ = true;
  }
  return false;
}

// Moves the slot, and to the value, that makes c true and breaks the fewest others.
bool ModelSearch::mend(std::size_t c, std::uint64_t& steps) {
  std::uint32_t changed = 0;
  std::int64_t best_value = 0;
  std::size_t best_broken = kNone;
  std::vector<std::int64_t>& values = values_;
  for (const bool tired : {false, true}) {
    for (const std::uint32_t s : constraints_[c].slots) {
      if (best_broken == 0 || slots_[s].start.empty() || (!tired && rest_until_[s] > turn_)) continue;
      candidates(constraints_[c], s, values);
      const std::int64_t old = value_[s];
      for (const std::int64_t v : values) {
        assign(s, v);
        steps -= std::min<std::uint64_t>(steps, 1);
        if (!holds(c)) continue;
        const std::size_t n = count_broken(s, c, best_broken, nullptr);
        steps -= std::min<std::uint64_t>(steps, touching_[s].size());
        if (n >= best_broken) continue;
        best_broken = n;
        changed = s;
        best_value = v;
        if (n == 0) break;
      }
      assign(s, old);
    }
    if (best_broken != kNone) break;
  }
  if (best_broken == kNone) return false;  // no single slot makes it true
  move(changed, best_value);
  return true;
}

void ModelSearch::move(std::uint32_t slot, std::int64_t v) {
  trail_.emplace_back(slot, value_[slot]);
  assign(slot, v);
  rest_until_[slot] = turn_ + 3;
}

// Where one slot cannot go far enough: each in turn goes as far as its own set lets it, until c is true.
bool ModelSearch::approach(std::size_t c, std::uint64_t& steps) {
  for (const Difference& d : constraints_[c].differences)
    for (const std::uint32_t s : d.slots) {
      const IntSet& within = slots_[s].allowed;
      const std::int64_t now = value_[s];
      steps -= std::min<std::uint64_t>(steps, 2);
      raw_.clear();
      if (slots_[s].start.empty() || now > IntSet::kFar || now < -IntSet::kFar || !roots(d, s, raw_)) continue;
      const std::int64_t root = raw_[0];
      const auto v = root < now ? within.after(root - 2) : within.before(root + 2);
      if (!v || *v == now) continue;
      move(s, *v);
      if (holds(c)) return true;
    }
  return false;
}

// Min-conflicts: repeatedly takes a broken constraint and makes it true by the change of one slot that breaks the
// fewest others; a slot that was just changed rests for some turns.
bool ModelSearch::settle(std::span<const std::size_t> scope, std::uint64_t& steps) {
  std::deque<std::size_t> broken;
  const auto enqueue = [&](std::size_t c) {
    if (queued_[c] != 0) return;
    queued_[c] = 1;
    broken.push_back(c);
  };
  for (const std::size_t c : scope)
    if (active_[c] != 0 && !held(c)) enqueue(c);
  trail_.clear();
  std::vector<std::size_t> more;
  bool stuck = false;
  for (turn_ += 4; !broken.empty() && steps > 0 && !stuck; ++turn_) {
    const std::size_t c = broken.front();
    broken.pop_front();
    queued_[c] = 0;
    if (holds(c)) continue;
    const std::size_t before = trail_.size();
    stuck = !mend(c, steps) && !approach(c, steps);
    if (stuck) break;
    more.clear();
    for (std::size_t k = before; k < trail_.size(); ++k) count_broken(trail_[k].first, c, kNone, &more);
    for (const std::size_t d : more) enqueue(d);
  }
  for (const std::size_t c : broken) queued_[c] = 0;
  return !stuck && std::all_of(scope.begin(), scope.end(), [&](std::size_t c) { return active_[c] == 0 || holds(c); });
}

// Adds the facts that share symbols with the scope, or with one another.
void ModelSearch::connect_facts(std::size_t begin, std::size_t end, std::vector<std::size_t>& scope) {
  if (begin == end) return;
  for (const std::size_t c : scope) queued_[c] = 1;
  for (std::size_t k = 0; k < scope.size(); ++k)
    for (const std::uint32_t s : constraints_[scope[k]].slots) {
      const std::vector<std::uint32_t>& about = touching_[s];
      for (std::size_t j = about.size(); j-- > 0 && about[j] >= begin;)
        if (about[j] < end && queued_[about[j]] == 0) {
          queued_[about[j]] = 1;
          scope.push_back(about[j]);
        }
    }
  for (const std::size_t c : scope) queued_[c] = 0;
}

// Whether c holds where the questions about neighbours start from: asked once.
bool ModelSearch::held(std::size_t c) {
  if (negated_ == kNone) return holds(c);
  char& known = held_[c];
  if (c == negated_ || known == 0) {
    const bool yes = holds(c);
    if (c == negated_) return yes;
    known = yes ? 1 : 2;
  }
  return known == 1;
}

bool ModelSearch::fails_beside(std::size_t i, std::span<const std::size_t> near, std::size_t facts_begin,
                               std::size_t facts_end) {
  if (!constraints_[i].tape.has()) return false;
  std::vector<std::size_t> scope{i};
  scope.insert(scope.end(), near.begin(), near.end());
  connect_facts(facts_begin, facts_end, scope);
  beside_.resize(constraints_.size(), 0);
  held_.resize(constraints_.size(), 0);
  for (const std::size_t c : scope) beside_[c] = 1;
  std::swap(active_, beside_);
  const bool wide = std::exchange(wide_, true);
  negated_ = i;
  std::uint64_t steps = kBesideSteps + kBesideStepsEach * scope.size();
  const bool found = settle(scope, steps);
  while (!trail_.empty()) {
    assign(trail_.back().first, trail_.back().second);
    trail_.pop_back();
  }
  negated_ = kNone;
  wide_ = wide;
  std::swap(active_, beside_);
  for (const std::size_t c : scope) beside_[c] = 0;
  return found;
}

}  // namespace dimgate::simplify
