#include "prove/linear_branch.hpp"

#include <algorithm>

#include "prove/linear_basis.hpp"

namespace dimgate::linear {
namespace {

constexpr int kCutRounds = 3;
constexpr unsigned kWidestCut = 12;  // bits of a coefficient: wider cuts cost more than they close

template <class T>
bool narrow(const T& a) {
  return a < T(1 << kWidestCut) && a > T(-(1 << kWidestCut));
}

}  // namespace

template <class T>
Outcome BranchAndCut<T>::run(const Rows& rows, Reasons& reasons, std::uint64_t nodes, std::uint64_t& steps) {
  Outcome o = load(rows, tableau_, column_of_, place_);
  integers_ = static_cast<Var>(column_of_.size());
  if (o == Outcome::feasible) o = tableau_.feasible(steps);
  if (o == Outcome::feasible) o = cut(reasons, steps);
  if (o == Outcome::conflict) conflict_ = tableau_.conflict();
  if (o == Outcome::unbounded)
    o = Outcome::conflict;  // cut() found it, conflict_ is set
  else if (o == Outcome::feasible)
    o = branch(nodes, steps);
  if (o == Outcome::feasible) read_values(rows);
  return o;
}

// unbounded: a row alone is contradictory over the integers (conflict_ says why).
template <class T>
Outcome BranchAndCut<T>::cut(Reasons& reasons, std::uint64_t& steps) {
  for (int round = 0; round < kCutRounds; ++round) {
    bool any = false;
    const Var end = integers_;
    for (Var x = 0; x < end; ++x) {
      if (tableau_.integral(x)) continue;
      if (steps == 0) return Outcome::out_of_steps;
      --steps;
      if (const Outcome o = cut_row(x, reasons, any); o != Outcome::feasible) return o;
    }
    if (!any) return Outcome::feasible;
    if (Outcome o = tableau_.settle(); o != Outcome::feasible) return o;
    if (Outcome o = tableau_.feasible(steps); o != Outcome::feasible) return o;
  }
  return Outcome::feasible;
}

template <class T>
Outcome BranchAndCut<T>::cut_row(Var x, Reasons& reasons, bool& added) {
  bool& wide = tableau_.wide_flag();
  const auto& variables = tableau_.variables();
  const std::uint32_t row = variables[x].place;
  const T d = tableau_.denominator(row);
  const T need = floor_remainder(negate(tableau_.numerator(row), wide), d);
  terms_.clear();
  parts_.clear();
  T g = d, bound = need;
  bool usable = true;
  std::size_t fixed = 0;  // parts_ begins with the reasons of the fixed variables
  for (const auto& entry : tableau_.entries(row)) {
    const T& a = entry.coefficient;
    if (sign(floor_remainder(a, d)) == 0) continue;
    const Var y = tableau_.columns()[entry.column];
    const auto& v = variables[y];
    const bool at_lo = v.lo.present && v.value == v.lo.value, at_hi = v.hi.present && v.value == v.hi.value;
    if (at_lo && at_hi) {
      parts_.push_back(v.lo.reason);
      parts_.push_back(v.hi.reason);
      std::rotate(parts_.begin() + static_cast<std::ptrdiff_t>(fixed), parts_.end() - 2, parts_.end());
      fixed += 2;
      continue;
    }
    g = common_divisor(a, g);
    if (!at_lo && !at_hi) usable = false;
    if (!usable) continue;
    const T f = floor_remainder(at_lo ? a : negate(a, wide), d);
    const T signed_f = at_lo ? f : negate(f, wide);
    bound = add(bound, mul(signed_f, v.value, wide), wide);
    usable = narrow(f);
    terms_.push_back({y, signed_f});
    parts_.push_back(at_lo ? v.lo.reason : v.hi.reason);
  }
  if (wide) return Outcome::too_wide;
  if (sign(floor_remainder(need, g)) != 0) {  // sum of what is not fixed = need (mod d): a gcd test
    parts_.resize(fixed);
    conflict_ = parts_;
    return Outcome::unbounded;
  }
  if (!usable) return Outcome::feasible;
  T common{};
  for (const auto& t : terms_) {
    const T m = sign(t.coefficient) < 0 ? negate(t.coefficient, wide) : t.coefficient;
    common = sign(common) == 0 ? m : common_divisor(common, m);
  }
  for (auto& t : terms_) t.coefficient = exact_quotient(t.coefficient, common);
  bound = negate(floor_quotient(negate(bound, wide), common), wide);
  const Reason why = reasons.join(parts_);
  const Var sum = tableau_.add_sum(terms_);
  tableau_.at_least(sum, bound, why);
  added = true;
  return wide ? Outcome::too_wide : Outcome::feasible;
}

template <class T>
typename BranchAndCut<T>::Var BranchAndCut<T>::fractional() const {
  for (Var x = 0; x < integers_; ++x)
    if (!tableau_.integral(x)) return x;
  return integers_;
}

// Leaves closed nodes and turns the deepest open one to its other side; false if there is none: conflict_ is the core.
template <class T>
bool BranchAndCut<T>::backtrack() {
  while (depth_ > 0) {
    Node& n = stack_[depth_ - 1];
    tableau_.undo_to(n.trail);
    const Reason self = branch_reason(depth_ - 1);
    const auto used = std::find(conflict_.begin(), conflict_.end(), self);
    if (used == conflict_.end()) {
      --depth_;
      continue;
    }
    conflict_.erase(used);
    if (!n.upper) {
      n.core = conflict_;
      n.upper = true;
      return true;
    }
    conflict_.insert(conflict_.end(), n.core.begin(), n.core.end());
    make_set(conflict_);
    --depth_;
  }
  return false;
}

template <class T>
Outcome BranchAndCut<T>::branch(std::uint64_t nodes, std::uint64_t& steps) {
  depth_ = 0;
  Outcome o = Outcome::feasible;
  while (true) {
    if (o == Outcome::feasible) o = tableau_.feasible(steps);
    if (o == Outcome::conflict) {
      conflict_ = tableau_.conflict();
      make_set(conflict_);
      if (!backtrack()) return Outcome::conflict;
      const Node& n = stack_[depth_ - 1];
      bool& wide = tableau_.wide_flag();
      o = tableau_.branch_at_least(n.var, add(n.floor, T(1), wide), branch_reason(depth_ - 1));
      continue;
    }
    if (o != Outcome::feasible) return o;
    const Var x = fractional();
    if (x == integers_) return Outcome::feasible;
    if (nodes == 0) return Outcome::unbounded;
    --nodes;
    if (stack_.size() == depth_) stack_.emplace_back();
    Node& n = stack_[depth_];
    const auto [v, d] = tableau_.value(x);
    n.var = x;
    n.floor = floor_quotient(v, d);
    n.upper = false;
    n.trail = tableau_.trail();
    o = tableau_.branch_at_most(x, n.floor, branch_reason(depth_));
    ++depth_;
  }
}

template <class T>
void BranchAndCut<T>::read_values(const Rows& rows) {
  values_.assign(rows.columns(), Integer(0));
  for (Var x = 0; x < integers_; ++x) {
    const auto [v, d] = tableau_.value(x);
    values_[column_of_[x]] = to_integer(exact_quotient(v, d));
  }
}

template class BranchAndCut<std::int64_t>;
template class BranchAndCut<Int128>;
template class BranchAndCut<Integer>;

}  // namespace dimgate::linear
