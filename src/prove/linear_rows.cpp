#include "prove/linear_rows.hpp"

#include <algorithm>

namespace dimgate::linear {

void Rows::reset(std::size_t columns) {
  columns_ = columns;
  rows_.clear();
  cells_.clear();
  conflict_.clear();
  column_alive_.assign(columns, true);
  map_.assign(columns * (columns + 1), Integer(0));
  for (std::size_t i = 0; i < columns; ++i) map_[i * (columns + 1) + i] = Integer(1);
}

Rows::Row& Rows::add() {
  rows_.emplace_back();
  cells_.resize(rows_.size() * columns_);
  return rows_.back();
}

// Divides by the gcd, rounds the sides, makes the first coefficient positive; a row without coefficients is decided.
Outcome Rows::normalise(std::size_t i) {
  Row& row = rows_[i];
  Integer g = 0;
  int first = 0;
  for (std::size_t j = 0; j < columns_ && !g.is_one(); ++j) {
    const Integer& c = coefficient(i, j);
    if (c.is_zero()) continue;
    if (first == 0) first = c.sign();
    g = g.is_zero() ? abs(c) : gcd(c, g);
  }
  if (first == 0) {
    row.alive = false;
    if (row.lo.present && row.lo.value.sign() > 0) return fail({row.lo.reason}), Outcome::conflict;
    if (row.hi.present && row.hi.value.sign() < 0) return fail({row.hi.reason}), Outcome::conflict;
    return Outcome::feasible;
  }
  if (!g.is_one()) {
    for (std::size_t j = 0; j < columns_; ++j)
      if (!coefficient(i, j).is_zero()) coefficient(i, j) = floor_div(coefficient(i, j), g);
    if (row.lo.present) row.lo.value = ceil_div(row.lo.value, g);
    if (row.hi.present) row.hi.value = floor_div(row.hi.value, g);
  }
  if (first < 0) {
    for (std::size_t j = 0; j < columns_; ++j)
      if (!coefficient(i, j).is_zero()) coefficient(i, j) = -coefficient(i, j);
    std::swap(row.lo, row.hi);
    if (row.lo.present) row.lo.value = -row.lo.value;
    if (row.hi.present) row.hi.value = -row.hi.value;
  }
  if (row.lo.present && row.hi.present && row.lo.value > row.hi.value)
    return fail({row.lo.reason, row.hi.reason}), Outcome::conflict;
  return Outcome::feasible;
}

// The column with the least nonzero coefficient in the row (columns_ if none).
std::size_t Rows::least_column(std::size_t row) const {
  std::size_t best = columns_;
  Integer least;
  for (std::size_t j = 0; j < columns_; ++j) {
    if (!column_alive_[j] || coefficient(row, j).is_zero()) continue;
    Integer a = abs(coefficient(row, j));
    if (best == columns_ || a < least) best = j, least = std::move(a);
  }
  return best;
}

void Rows::subtract_column(std::size_t from, std::size_t what, const Integer& times, std::uint64_t& steps) {
  steps -= std::min<std::uint64_t>(steps, 1);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i].alive && !coefficient(i, what).is_zero()) coefficient(i, from) -= times * coefficient(i, what);
  for (std::size_t i = 0; i < columns_; ++i) {
    Integer* m = &map_[i * (columns_ + 1)];
    if (!m[what].is_zero()) m[from] -= times * m[what];
  }
}

Outcome Rows::substitute(std::size_t equality, std::uint64_t& steps) {
  std::size_t k = least_column(equality);
  while (!abs(coefficient(equality, k)).is_one()) {
    if (steps == 0) return Outcome::out_of_steps;
    const Integer c = coefficient(equality, k), half = floor_div(abs(c), 2);
    for (std::size_t j = 0; j < columns_; ++j) {
      if (j == k || coefficient(equality, j).is_zero()) continue;
      const Integer q = floor_div(c.sign() > 0 ? coefficient(equality, j) + half : half - coefficient(equality, j),
                                  abs(c));  // to the nearest
      if (!q.is_zero()) subtract_column(j, k, q, steps);
    }
    k = least_column(equality);
  }
  // x_k = unit * (side - the rest)
  const int unit = coefficient(equality, k).sign();
  Row& eq = rows_[equality];
  const Reason why = reasons_.join(eq.lo.reason, eq.hi.reason);
  const Integer side = unit > 0 ? eq.lo.value : -eq.lo.value;
  eq.alive = false;
  column_alive_[k] = false;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    Row& row = rows_[i];
    const Integer a = coefficient(i, k);
    if (!row.alive || a.is_zero()) continue;
    steps -= std::min<std::uint64_t>(steps, 1);
    const Integer scaled = unit > 0 ? a : -a;
    for (std::size_t j = 0; j < columns_; ++j)
      if (j != k && !coefficient(equality, j).is_zero()) coefficient(i, j) -= scaled * coefficient(equality, j);
    coefficient(i, k) = Integer(0);
    const Integer moved = a * side;
    const bool one_reason = row.lo.present && row.hi.present && row.lo.reason == row.hi.reason;
    if (row.lo.present) row.lo.value -= moved, row.lo.reason = reasons_.join(row.lo.reason, why);
    if (row.hi.present) row.hi.value -= moved;
    if (row.hi.present) row.hi.reason = one_reason ? row.lo.reason : reasons_.join(row.hi.reason, why);
    if (const Outcome o = normalise(i); o != Outcome::feasible) return o;
  }
  for (std::size_t i = 0; i < columns_; ++i) {
    Integer* m = &map_[i * (columns_ + 1)];
    if (m[k].is_zero()) continue;
    const Integer scaled = unit > 0 ? m[k] : -m[k];
    for (std::size_t j = 0; j < columns_; ++j)
      if (j != k && !coefficient(equality, j).is_zero()) m[j] -= scaled * coefficient(equality, j);
    m[columns_] += m[k] * side;
    m[k] = Integer(0);
  }
  return steps == 0 ? Outcome::out_of_steps : Outcome::feasible;
}

// Rows with the same coefficients become one; the strongest sides stay.
Outcome Rows::merge_parallel() {
  order_.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i].alive) order_.push_back(i);
  const auto compare = [this](std::size_t a, std::size_t b) {
    for (std::size_t j = 0; j < columns_; ++j)
      if (const auto c = coefficient(a, j) <=> coefficient(b, j); c != 0) return c;
    return std::strong_ordering::equal;
  };
  std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    const auto c = compare(a, b);
    return c != 0 ? c < 0 : a < b;
  });
  for (std::size_t n = 1; n < order_.size(); ++n) {
    if (compare(order_[n - 1], order_[n]) != 0) continue;
    Row &from = rows_[order_[n - 1]], &to = rows_[order_[n]];
    from.alive = false;
    if (from.lo.present && (!to.lo.present || from.lo.value >= to.lo.value)) to.lo = from.lo;
    if (from.hi.present && (!to.hi.present || from.hi.value <= to.hi.value)) to.hi = from.hi;
    if (to.lo.present && to.hi.present && to.lo.value > to.hi.value)
      return fail({to.lo.reason, to.hi.reason}), Outcome::conflict;
  }
  return Outcome::feasible;
}

bool Rows::has_equality() const {
  return std::any_of(rows_.begin(), rows_.end(), [](const Row& row) {
    return row.alive && row.lo.present && row.hi.present && row.lo.value == row.hi.value;
  });
}

Outcome Rows::reduce(std::uint64_t& steps) {
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (const Outcome o = normalise(i); o != Outcome::feasible) return o;
  while (true) {
    // An equality with a unit first (it adds no work to the others), else the first.
    std::size_t chosen = rows_.size();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      if (!row.alive || !row.lo.present || !row.hi.present || row.lo.value != row.hi.value) continue;
      if (chosen == rows_.size()) chosen = i;
      if (!abs(coefficient(i, least_column(i))).is_one()) continue;
      chosen = i;
      break;
    }
    if (chosen == rows_.size()) {
      fix_signs();  // column operations of substitute() reach rows that it does not normalise
      if (const Outcome o = merge_parallel(); o != Outcome::feasible) return o;
      if (!has_equality()) return Outcome::feasible;
      continue;
    }
    if (const Outcome o = substitute(chosen, steps); o != Outcome::feasible) return o;
  }
}

void Rows::compress(std::uint64_t& steps) {
  std::vector<bool> pivot(columns_, false);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!rows_[i].alive) continue;
    while (true) {  // Euclid over the columns that are no pivots yet
      std::size_t k = columns_, others = 0;
      for (std::size_t j = 0; j < columns_; ++j) {
        if (!column_alive_[j] || pivot[j] || coefficient(i, j).is_zero()) continue;
        ++others;
        if (k == columns_ || abs(coefficient(i, j)) < abs(coefficient(i, k))) k = j;
      }
      if (others == 1) pivot[k] = true;
      if (others <= 1) break;
      for (std::size_t j = 0; j < columns_; ++j) {
        if (j == k || !column_alive_[j] || pivot[j] || coefficient(i, j).is_zero()) continue;
        subtract_column(j, k, floor_div(coefficient(i, j), coefficient(i, k)), steps);
      }
    }
  }
  for (std::size_t j = 0; j < columns_; ++j)
    if (!pivot[j]) column_alive_[j] = false;
  fix_signs();
}

void Rows::fix_signs() {
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i].alive) normalise(i);  // nothing else to do: unimodular operations keep the gcd
}

void Rows::swap_columns(std::size_t a, std::size_t b) {
  if (a == b) return;
  for (std::size_t i = 0; i < rows_.size(); ++i) std::swap(coefficient(i, a), coefficient(i, b));
  for (std::size_t i = 0; i < columns_; ++i) {
    Integer* m = &map_[i * (columns_ + 1)];
    std::swap(m[a], m[b]);
  }
}

void Rows::lift(std::span<const Integer> columns, std::vector<Integer>& variables) const {
  variables.assign(columns_, Integer(0));
  for (std::size_t i = 0; i < columns_; ++i) {
    const Integer* m = &map_[i * (columns_ + 1)];
    Integer sum = m[columns_];
    for (std::size_t j = 0; j < columns_; ++j)
      if (column_alive_[j] && !m[j].is_zero()) sum += m[j] * columns[j];
    variables[i] = std::move(sum);
  }
}

}  // namespace dimgate::linear
