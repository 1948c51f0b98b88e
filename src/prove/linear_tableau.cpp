#include "prove/linear_tableau.hpp"

namespace dimgate::linear {

template <class T>
void Tableau<T>::clear() {
  variables_.clear();
  row_variable_.clear();
  column_variable_.clear();
  cells_.clear();
  trail_.clear();
  conflict_.clear();
  stride_ = kFirst;
  wide_ = false;
}

template <class T>
void Tableau<T>::widen_rows(std::size_t stride) {
  if (row_variable_.empty()) {
    stride_ = stride;
    return;
  }
  std::vector<T> wider(row_variable_.size() * stride);
  for (std::size_t i = 0; i < row_variable_.size(); ++i)
    std::move(&cell(i, 0), &cell(i, 0) + used(), wider.begin() + static_cast<std::ptrdiff_t>(i * stride));
  cells_.swap(wider);
  stride_ = stride;
}

template <class T>
typename Tableau<T>::Var Tableau<T>::add_variable() {
  const auto x = static_cast<Var>(variables_.size());
  if (used() + 1 > stride_) widen_rows(row_variable_.empty() ? used() + 1 : used() + 1 + used() / 2);
  Variable v;
  v.place = static_cast<std::uint32_t>(column_variable_.size());
  variables_.push_back(std::move(v));
  column_variable_.push_back(x);
  for (std::size_t i = 0; i < row_variable_.size(); ++i) cell(i, used() - 1) = T(0);
  return x;
}

template <class T>
typename Tableau<T>::Var Tableau<T>::add_sum(std::span<const Term> terms) {
  const auto x = static_cast<Var>(variables_.size());
  const auto row = static_cast<std::uint32_t>(row_variable_.size());
  cells_.resize((row + 1) * stride_);
  T* out = &cell(row, 0);
  const std::size_t width = used();
  std::fill(out, out + width, T(0));
  out[kDenominator] = T(1);
  for (const Term& term : terms) {
    const Variable& v = variables_[term.var];
    if (!v.basic) {
      const T scaled = is_one(out[kDenominator]) ? term.coefficient : mul(term.coefficient, out[kDenominator], wide_);
      out[kFirst + v.place] = add(out[kFirst + v.place], scaled, wide_);
      out[kValue] = add(out[kValue], mul(scaled, v.value, wide_), wide_);
    } else {
      const T* in = &cell(v.place, 0);
      const T g = common_divisor(in[kDenominator], out[kDenominator]);
      const T up = exact_quotient(in[kDenominator], g);
      const T factor = mul(term.coefficient, exact_quotient(out[kDenominator], g), wide_);
      out[kDenominator] = mul(out[kDenominator], up, wide_);
      for (std::size_t k = kValue; k < width; ++k)
        out[k] = add(mul(out[k], up, wide_), mul(factor, in[k], wide_), wide_);
    }
    if (wide_) out[kDenominator] = T(1);
  }
  normalise(out);
  Variable v;
  v.place = row;
  v.basic = true;
  variables_.push_back(std::move(v));
  row_variable_.push_back(x);
  return x;
}

// Divides a row by the gcd of its coefficients. The value is an integer sum of the coefficients, so it divides too.
template <class T>
void Tableau<T>::normalise(T* row) {
  T g = row[kDenominator];
  if (wide_ || is_one(g)) return;
  const std::size_t width = used();
  for (std::size_t k = kFirst; k < width; ++k) {
    if (sign(row[k]) == 0) continue;
    g = common_divisor(row[k], g);
    if (is_one(g)) return;
  }
  for (std::size_t k = 0; k < width; ++k)
    if (sign(row[k]) != 0) row[k] = exact_quotient(row[k], g);
}

template <class T>
void Tableau<T>::at_least(Var x, const T& bound, Reason why) {
  Bound& b = variables_[x].lo;
  if (b.present && (b.value > bound || (b.value == bound && b.reason <= why))) return;
  b = {bound, why, true};
}
template <class T>
void Tableau<T>::at_most(Var x, const T& bound, Reason why) {
  Bound& b = variables_[x].hi;
  if (b.present && (b.value < bound || (b.value == bound && b.reason <= why))) return;
  b = {bound, why, true};
}

template <class T>
Outcome Tableau<T>::settle(Var x) {
  const Variable& v = variables_[x];
  if (v.lo.present && v.hi.present && v.lo.value > v.hi.value) {
    conflict_ = {v.lo.reason, v.hi.reason};
    return Outcome::conflict;
  }
  if (v.basic) return Outcome::feasible;
  if (v.lo.present && v.value < v.lo.value)
    shift(v.place, sub(v.lo.value, v.value, wide_));
  else if (v.hi.present && v.value > v.hi.value)
    shift(v.place, sub(v.hi.value, v.value, wide_));
  return wide_ ? Outcome::too_wide : Outcome::feasible;
}

template <class T>
Outcome Tableau<T>::settle() {
  for (Var x = 0; x < variables_.size(); ++x)
    if (const Outcome o = settle(x); o != Outcome::feasible) return o;
  return Outcome::feasible;
}

template <class T>
Outcome Tableau<T>::branch_at_least(Var x, const T& bound, Reason why) {
  Variable& v = variables_[x];
  if (v.lo.present && v.lo.value >= bound) return Outcome::feasible;
  trail_.push_back({x, false, v.lo});
  v.lo = {bound, why, true};
  return settle(x);
}
template <class T>
Outcome Tableau<T>::branch_at_most(Var x, const T& bound, Reason why) {
  Variable& v = variables_[x];
  if (v.hi.present && v.hi.value <= bound) return Outcome::feasible;
  trail_.push_back({x, true, v.hi});
  v.hi = {bound, why, true};
  return settle(x);
}
template <class T>
void Tableau<T>::undo_to(std::size_t mark) {
  while (trail_.size() > mark) {
    Undo& u = trail_.back();
    (u.upper ? variables_[u.var].hi : variables_[u.var].lo) = std::move(u.old);
    trail_.pop_back();
  }
}

template <class T>
void Tableau<T>::shift(std::uint32_t column, const T& delta) {
  T& value = variables_[column_variable_[column]].value;
  value = add(value, delta, wide_);
  for (std::size_t i = 0; i < row_variable_.size(); ++i) {
    T* row = &cell(i, 0);
    if (sign(row[kFirst + column]) == 0) continue;
    row[kValue] = add(row[kValue], mul(row[kFirst + column], delta, wide_), wide_);
  }
}

template <class T>
bool Tableau<T>::below(const Variable& v) const {
  if (!v.lo.present) return false;
  const T& d = cell(v.place, kDenominator);
  return cell(v.place, kValue) < (is_one(d) ? v.lo.value : mul(v.lo.value, d, wide_));
}
template <class T>
bool Tableau<T>::above(const Variable& v) const {
  if (!v.hi.present) return false;
  const T& d = cell(v.place, kDenominator);
  return cell(v.place, kValue) > (is_one(d) ? v.hi.value : mul(v.hi.value, d, wide_));
}

// The row cannot rise (or fall): every column stands at the bound that stops it.
template <class T>
void Tableau<T>::explain(std::uint32_t row, bool rising, bool with_bound) {
  conflict_.clear();
  const Variable& v = variables_[row_variable_[row]];
  if (with_bound) conflict_.push_back(rising ? v.lo.reason : v.hi.reason);
  for (std::size_t j = 0; j < column_variable_.size(); ++j) {
    const int s = sign(cell(row, kFirst + j));
    if (s == 0) continue;
    const Variable& w = variables_[column_variable_[j]];
    conflict_.push_back((s > 0) == rising ? w.hi.reason : w.lo.reason);
  }
}

template <class T>
Outcome Tableau<T>::feasible(std::uint64_t& steps) {
  std::size_t easy = 2 * (row_variable_.size() + column_variable_.size());
  while (true) {
    if (wide_) return Outcome::too_wide;
    if (steps == 0) return Outcome::out_of_steps;
    Var worst = static_cast<Var>(variables_.size());
    bool rising = false;
    for (const Var x : row_variable_) {
      if (x >= worst) continue;
      const Variable& v = variables_[x];
      if (below(v))
        worst = x, rising = true;
      else if (above(v))
        worst = x, rising = false;
    }
    if (wide_) return Outcome::too_wide;
    if (worst == variables_.size()) return Outcome::feasible;
    const std::uint32_t row = variables_[worst].place;
    const T& d = cell(row, kDenominator);
    std::uint32_t best = 0;
    Var best_var = static_cast<Var>(variables_.size());
    bool best_unit = false;
    for (std::uint32_t j = 0; j < column_variable_.size(); ++j) {
      const T& a = cell(row, kFirst + j);
      const int s = sign(a);
      if (s == 0) continue;
      const Variable& w = variables_[column_variable_[j]];
      const bool stuck = (s > 0) == rising ? w.hi.present && w.value >= w.hi.value  //
                                           : w.lo.present && w.value <= w.lo.value;
      if (stuck) continue;
      const bool unit = easy > 0 && (a == d || a == negate(d, wide_));
      if (best_unit && !unit) continue;
      if (column_variable_[j] < best_var || (unit && !best_unit)) {
        best = j;
        best_var = column_variable_[j];
        best_unit = unit;
      }
    }
    if (best_var == variables_.size()) {
      explain(row, rising, true);
      return Outcome::conflict;
    }
    if (easy > 0) --easy;
    const T target = rising ? variables_[worst].lo.value : variables_[worst].hi.value;
    pivot(row, best, target, steps);
  }
}

// Exchanges the row's basic variable, which goes to `target`, with the column's nonbasic one.
template <class T>
void Tableau<T>::pivot(std::uint32_t row, std::uint32_t column, const T& target, std::uint64_t& steps) {
  const std::size_t width = used(), at = kFirst + column;
  T* r = &cell(row, 0);
  const Var out = row_variable_[row], in = column_variable_[column];
  const T old_value = variables_[in].value;
  const bool negative = sign(r[at]) < 0;
  // a x_in = d x_out - sum of the rest; the value first, from the old row.
  T v = add(sub(mul(r[kDenominator], target, wide_), r[kValue], wide_), mul(r[at], old_value, wide_), wide_);
  const T a = negative ? negate(r[at], wide_) : r[at];
  r[at] = negate(r[kDenominator], wide_);
  r[kDenominator] = a;
  r[kValue] = negative ? negate(v, wide_) : std::move(v);
  if (!negative)
    for (std::size_t k = kFirst; k < width; ++k) r[k] = negate(r[k], wide_);
  row_variable_[row] = in;
  column_variable_[column] = out;
  variables_[in].basic = true;
  variables_[in].place = row;
  variables_[out].basic = false;
  variables_[out].place = column;
  variables_[out].value = target;
  std::uint64_t cost = 1;
  for (std::uint32_t i = 0; i < row_variable_.size() && !wide_; ++i) {
    T* s = &cell(i, 0);
    if (i == row || sign(s[at]) == 0) continue;
    ++cost;
    const T c = s[at];
    s[kValue] = sub(s[kValue], mul(c, old_value, wide_), wide_);
    s[at] = T(0);
    if (is_one(a)) {
      s[kValue] = add(s[kValue], mul(c, r[kValue], wide_), wide_);
      for (std::size_t k = kFirst; k < width; ++k)
        if (sign(r[k]) != 0) s[k] = add(s[k], mul(c, r[k], wide_), wide_);
    } else {
      const T g = common_divisor(c, a);
      const T p = exact_quotient(a, g), q = exact_quotient(c, g);
      s[kDenominator] = mul(s[kDenominator], p, wide_);
      for (std::size_t k = kValue; k < width; ++k) s[k] = add(mul(p, s[k], wide_), mul(q, r[k], wide_), wide_);
    }
    normalise(s);
  }
  steps -= std::min(steps, cost);
}

template <class T>
Outcome Tableau<T>::minimise(Var x, std::uint64_t& steps) {
  conflict_.clear();
  while (true) {
    if (wide_) return Outcome::too_wide;
    if (steps == 0) return Outcome::out_of_steps;
    const std::uint32_t goal = variables_[x].place;
    std::uint32_t column = 0;
    Var in = static_cast<Var>(variables_.size());
    for (std::uint32_t j = 0; j < column_variable_.size(); ++j) {
      const int s = sign(cell(goal, kFirst + j));
      if (s == 0 || column_variable_[j] >= in) continue;
      const Variable& w = variables_[column_variable_[j]];
      const bool stuck = s > 0 ? w.lo.present && w.value <= w.lo.value : w.hi.present && w.value >= w.hi.value;
      if (!stuck) in = column_variable_[j], column = j;
    }
    if (in == variables_.size()) {
      explain(goal, false, false);
      return Outcome::feasible;
    }
    const bool down = sign(cell(goal, kFirst + column)) > 0;
    // The shortest way to a bound: gap / rate, compared crosswise; ties go to the least variable.
    const Variable& w = variables_[in];
    bool blocked = down ? w.lo.present : w.hi.present;
    Var first = in;
    T gap{}, rate(1), target{};
    if (blocked) gap = down ? sub(w.value, w.lo.value, wide_) : sub(w.hi.value, w.value, wide_);
    for (const Var y : row_variable_) {
      const Variable& v = variables_[y];
      const T& a = cell(v.place, kFirst + column);
      if (y == x || sign(a) == 0) continue;
      const bool rises = (sign(a) > 0) != down;
      const Bound& b = rises ? v.hi : v.lo;
      if (!b.present) continue;
      T g = sub(mul(b.value, cell(v.place, kDenominator), wide_), cell(v.place, kValue), wide_);
      if (!rises) g = negate(g, wide_);
      const T q = sign(a) < 0 ? negate(a, wide_) : a;
      if (blocked) {
        const T left = mul(g, rate, wide_), right = mul(gap, q, wide_);
        if (left > right || (left == right && first < y)) continue;
      }
      blocked = true;
      first = y, gap = std::move(g), rate = q, target = b.value;
    }
    if (wide_) return Outcome::too_wide;
    if (!blocked) return Outcome::unbounded;
    if (first == in) {
      shift(column, down ? negate(gap, wide_) : gap);
      --steps;
    } else {
      pivot(variables_[first].place, column, target, steps);
    }
  }
}

template class Tableau<std::int64_t>;
template class Tableau<Int128>;
template class Tableau<Integer>;

}  // namespace dimgate::linear
