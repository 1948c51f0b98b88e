#include "prove/linear_tableau.hpp"

namespace dimgate::linear {
namespace {

// The steps of a row of up to four entries rewritten: wider numbers cost more.
template <class T>
constexpr std::uint64_t kStep = 1;
template <>
constexpr std::uint64_t kStep<Int128> = 2;
template <>
constexpr std::uint64_t kStep<Integer> = 4;

}  // namespace

template <class T>
void Tableau<T>::clear() {
  variables_.clear();
  row_variable_.clear();
  column_variable_.clear();
  rows_.clear();
  pool_.clear();
  trail_.clear();
  conflict_.clear();
  waste_ = 0;
  wide_ = false;
}

template <class T>
typename Tableau<T>::Var Tableau<T>::add_variable() {
  const auto x = static_cast<Var>(variables_.size());
  variables_.emplace_back();
  variables_.back().place = static_cast<std::uint32_t>(column_variable_.size());
  column_variable_.push_back(x);
  return x;
}

template <class T>
const typename Tableau<T>::Entry* Tableau<T>::look_up(const Row& row, std::uint32_t column) const {
  const Entry* at = pool_.data() + row.begin;
  const Entry* end = at + row.size;
  if (row.size > 16)
    at = std::lower_bound(at, end, column, [](const Entry& e, std::uint32_t c) { return e.column < c; });
  else
    while (at != end && at->column < column) ++at;
  return at != end && at->column == column ? at : nullptr;
}

// scratch_ = p * to + q * from, entry by entry.
template <class T>
void Tableau<T>::combine(std::span<const Entry> to, const T& p, std::span<const Entry> from, const T& q) {
  scratch_.clear();
  const Entry *a = to.data(), *b = from.data();
  const Entry *const a_end = a + to.size(), *const b_end = b + from.size();
  const bool plain = is_one(p);
  while (a != a_end || b != b_end) {
    if (b == b_end || (a != a_end && a->column < b->column)) {
      scratch_.push_back({a->column, plain ? a->coefficient : mul(p, a->coefficient, wide_)});
      ++a;
    } else if (a == a_end || b->column < a->column) {
      scratch_.push_back({b->column, mul(q, b->coefficient, wide_)});
      ++b;
    } else {
      T sum = add(plain ? a->coefficient : mul(p, a->coefficient, wide_), mul(q, b->coefficient, wide_), wide_);
      if (sign(sum) != 0) scratch_.push_back({a->column, std::move(sum)});
      ++a, ++b;
    }
  }
}

// Makes scratch_ the row's entries: in its place if there is room, else at the end of the pool.
template <class T>
void Tableau<T>::store(Row& row) {
  const auto size = static_cast<std::uint32_t>(scratch_.size());
  if (size > row.room) {
    waste_ += row.room;
    if (waste_ > pool_.size() / 2 + 64) {  // move all rows together
      std::vector<Entry> compact;
      compact.reserve(pool_.size());
      for (Row& r : rows_) {
        if (&r == &row) continue;
        const auto begin = static_cast<std::uint32_t>(compact.size());
        for (std::uint32_t i = 0; i < r.size; ++i) compact.push_back(std::move(pool_[r.begin + i]));
        r.begin = begin;
        r.room = r.size;
      }
      pool_.swap(compact);
      waste_ = 0;
    }
    row.begin = static_cast<std::uint32_t>(pool_.size());
    row.room = size + size / 2;
    pool_.resize(pool_.size() + row.room);
  }
  row.size = size;
  row.mask = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    row.mask |= bit(scratch_[i].column);
    pool_[row.begin + i] = std::move(scratch_[i]);
  }
}

template <class T>
typename Tableau<T>::Var Tableau<T>::add_sum(std::span<const Term> terms) {
  const auto x = static_cast<Var>(variables_.size());
  rows_.emplace_back();
  Row& row = rows_.back();
  const bool direct = std::all_of(terms.begin(), terms.end(), [&](const Term& t) { return !variables_[t.var].basic; });
  scratch_.clear();
  if (direct) {
    for (const Term& t : terms) {
      const Variable& v = variables_[t.var];
      scratch_.push_back({v.place, t.coefficient});
      row.value = add(row.value, mul(t.coefficient, v.value, wide_), wide_);
    }
    std::sort(scratch_.begin(), scratch_.end(), [](const Entry& a, const Entry& b) { return a.column < b.column; });
    store(row);
  } else {
    const auto index = static_cast<std::uint32_t>(rows_.size() - 1);
    for (const Term& term : terms) {
      const Variable& v = variables_[term.var];
      const Entry self{v.place, T(1)};
      const T below = v.basic ? rows_[v.place].denominator : T(1), over = v.basic ? rows_[v.place].value : v.value;
      const T g = common_divisor(below, row.denominator);
      const T up = exact_quotient(below, g);
      const T factor = mul(term.coefficient, exact_quotient(row.denominator, g), wide_);
      combine(entries(index), up, v.basic ? entries(v.place) : std::span(&self, 1), factor);
      row.denominator = mul(row.denominator, up, wide_);
      row.value = add(mul(row.value, up, wide_), mul(factor, over, wide_), wide_);
      if (wide_) row.denominator = T(1);
      store(row);
    }
    scratch_.assign(entries(index).begin(), entries(index).end());
    normalise(row, scratch_);
    store(row);
  }
  variables_.emplace_back();
  variables_.back().place = static_cast<std::uint32_t>(rows_.size() - 1);
  variables_.back().basic = true;
  row_variable_.push_back(x);
  return x;
}

// Divides a row by the gcd of its coefficients. The value is an integer sum of the coefficients, so it divides too.
template <class T>
void Tableau<T>::normalise(Row& row, std::vector<Entry>& entries) {
  T g = row.denominator;
  if (wide_ || is_one(g)) return;
  for (const Entry& e : entries) {
    g = common_divisor(e.coefficient, g);
    if (is_one(g)) return;
  }
  for (Entry& e : entries) e.coefficient = exact_quotient(e.coefficient, g);
  row.denominator = exact_quotient(row.denominator, g);
  row.value = exact_quotient(row.value, g);
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
  for (Row& row : rows_)
    if (const Entry* e = find(row, column)) row.value = add(row.value, mul(e->coefficient, delta, wide_), wide_);
}

template <class T>
bool Tableau<T>::below(const Variable& v) const {
  if (!v.lo.present) return false;
  const Row& r = rows_[v.place];
  return r.value < (is_one(r.denominator) ? v.lo.value : mul(v.lo.value, r.denominator, wide_));
}
template <class T>
bool Tableau<T>::above(const Variable& v) const {
  if (!v.hi.present) return false;
  const Row& r = rows_[v.place];
  return r.value > (is_one(r.denominator) ? v.hi.value : mul(v.hi.value, r.denominator, wide_));
}

// The row cannot rise (or fall): every column stands at the bound that stops it.
template <class T>
void Tableau<T>::explain(std::uint32_t row, bool rising, bool with_bound) {
  conflict_.clear();
  const Variable& v = variables_[row_variable_[row]];
  if (with_bound) conflict_.push_back(rising ? v.lo.reason : v.hi.reason);
  for (const Entry& e : entries(row)) {
    const Variable& w = variables_[column_variable_[e.column]];
    conflict_.push_back((sign(e.coefficient) > 0) == rising ? w.hi.reason : w.lo.reason);
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
    const T& d = rows_[row].denominator;
    std::uint32_t best = 0;
    Var best_var = static_cast<Var>(variables_.size());
    bool best_unit = false;
    for (const Entry& e : entries(row)) {
      const T& a = e.coefficient;
      const std::uint32_t j = e.column;
      const Variable& w = variables_[column_variable_[j]];
      const bool stuck = (sign(a) > 0) == rising ? w.hi.present && w.value >= w.hi.value  //
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
  Row& r = rows_[row];
  Entry& at = pool_[static_cast<std::size_t>(find(r, column) - pool_.data())];
  const Var out = row_variable_[row], in = column_variable_[column];
  const T old_value = variables_[in].value;
  const bool negative = sign(at.coefficient) < 0;
  // a x_in = d x_out - sum of the rest; the value first, from the old row.
  T v = add(sub(mul(r.denominator, target, wide_), r.value, wide_), mul(at.coefficient, old_value, wide_), wide_);
  const T a = negative ? negate(at.coefficient, wide_) : at.coefficient;
  at.coefficient = negate(r.denominator, wide_);
  r.denominator = a;
  r.value = negative ? negate(v, wide_) : std::move(v);
  if (!negative)
    for (Entry& e : editable(row)) e.coefficient = negate(e.coefficient, wide_);
  row_variable_[row] = in;
  column_variable_[column] = out;
  variables_[in].basic = true;
  variables_[in].place = row;
  variables_[out].basic = false;
  variables_[out].place = column;
  variables_[out].value = target;
  std::uint64_t cost = kStep<T>;
  for (std::uint32_t i = 0; i < rows_.size() && !wide_; ++i) {
    Row& s = rows_[i];
    if (i == row) continue;
    const Entry* e = find(s, column);
    if (e == nullptr) continue;
    const T c = e->coefficient;
    pool_[static_cast<std::size_t>(e - pool_.data())].coefficient = T(0);  // x_in leaves; combine adds x_out's share
    s.value = sub(s.value, mul(c, old_value, wide_), wide_);
    const T g = is_one(a) ? a : common_divisor(c, a);
    const T p = is_one(g) ? a : exact_quotient(a, g), q = is_one(g) ? c : exact_quotient(c, g);
    if (!is_one(p)) s.denominator = mul(s.denominator, p, wide_), s.value = mul(s.value, p, wide_);
    s.value = add(s.value, mul(q, r.value, wide_), wide_);
    combine(entries(i), p, entries(row), q);
    cost += kStep<T> * (1 + scratch_.size() / 4);
    normalise(s, scratch_);
    store(s);
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
    bool down = false;
    for (const Entry& e : entries(goal)) {
      const Var y = column_variable_[e.column];
      if (y >= in) continue;
      const Variable& w = variables_[y];
      const bool falls = sign(e.coefficient) > 0;
      const bool stuck = falls ? w.lo.present && w.value <= w.lo.value : w.hi.present && w.value >= w.hi.value;
      if (!stuck) in = y, column = e.column, down = falls;
    }
    if (in == variables_.size()) {
      explain(goal, false, false);
      return Outcome::feasible;
    }
    // The shortest way to a bound: gap / rate, compared crosswise; ties go to the least variable.
    const Variable& w = variables_[in];
    bool blocked = down ? w.lo.present : w.hi.present;
    Var first = in;
    T gap{}, rate(1), target{};
    if (blocked) gap = down ? sub(w.value, w.lo.value, wide_) : sub(w.hi.value, w.value, wide_);
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
      const Var y = row_variable_[i];
      if (y == x) continue;
      const Row& row = rows_[i];
      const Entry* e = find(row, column);
      if (e == nullptr) continue;
      const Variable& v = variables_[y];
      const T& a = e->coefficient;
      const bool rises = (sign(a) > 0) != down;
      const Bound& b = rises ? v.hi : v.lo;
      if (!b.present) continue;
      T g = sub(mul(b.value, row.denominator, wide_), row.value, wide_);
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
