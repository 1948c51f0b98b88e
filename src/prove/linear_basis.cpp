#include "prove/linear_basis.hpp"

#include <algorithm>

namespace dimgate::linear {

template <class T>
Outcome load(const Rows& rows, Tableau<T>& tableau, std::vector<std::size_t>& column_of,
             std::vector<std::uint32_t>& place) {
  tableau.clear();
  column_of.clear();
  bool& wide = tableau.wide_flag();
  for (std::size_t j = 0; j < rows.columns(); ++j) {
    if (!rows.column_alive(j)) continue;
    tableau.add_variable();
    column_of.push_back(j);
  }
  place.assign(rows.rows().size(), 0);
  std::vector<typename Tableau<T>::Term> terms;
  for (std::size_t i = 0; i < rows.rows().size(); ++i) {
    const Rows::Row& row = rows.rows()[i];
    if (!row.alive) continue;
    terms.clear();
    for (std::size_t k = 0; k < column_of.size(); ++k)
      if (const Integer& c = rows.coefficient(i, column_of[k]); !c.is_zero())
        terms.push_back({static_cast<std::uint32_t>(k), from_integer<T>(c, wide)});
    const bool alone = terms.size() == 1 && terms[0].coefficient == T(1);
    const auto x = alone ? terms[0].var : tableau.add_sum(terms);
    place[i] = x;
    if (row.lo.present) tableau.at_least(x, from_integer<T>(row.lo.value, wide), row.lo.reason);
    if (row.hi.present) tableau.at_most(x, from_integer<T>(row.hi.value, wide), row.hi.reason);
  }
  if (wide) return Outcome::too_wide;
  return tableau.settle();
}

template Outcome load(const Rows&, Tableau<std::int64_t>&, std::vector<std::size_t>&, std::vector<std::uint32_t>&);
template Outcome load(const Rows&, Tableau<Int128>&, std::vector<std::size_t>&, std::vector<std::uint32_t>&);
template Outcome load(const Rows&, Tableau<Integer>&, std::vector<std::size_t>&, std::vector<std::uint32_t>&);

namespace {

template <class T>
Outcome tighten_at(Rows& rows, Reasons& reasons, std::vector<Reason>& why, std::uint64_t& steps) {
  Tableau<T> start, t;
  std::vector<std::size_t> column_of;
  std::vector<std::uint32_t> place;
  Outcome o = load(rows, start, column_of, place);
  if (o == Outcome::feasible) o = start.feasible(steps);
  if (o == Outcome::conflict) why = start.conflict();
  if (o != Outcome::feasible) return o;
  for (std::size_t i = 0; i < rows.rows().size(); ++i) {
    if (!rows.rows()[i].alive) continue;
    for (const bool upper : {false, true}) {
      t = start;
      const typename Tableau<T>::Term term{place[i], T(upper ? -1 : 1)};
      const auto goal = t.add_sum({&term, 1});
      o = t.minimise(goal, steps);
      if (o == Outcome::unbounded) continue;
      if (o != Outcome::feasible) return o;
      const auto [v, d] = t.value(goal);
      const Integer least = ceil_div(to_integer(v), to_integer(d)), bound = upper ? -least : least;
      const Rows::Side& side = upper ? rows.rows()[i].hi : rows.rows()[i].lo;
      if (side.present && (upper ? side.value <= bound : side.value >= bound)) continue;
      rows.bound(i, upper, {bound, reasons.join(t.conflict()), true});
      const Rows::Row& row = rows.rows()[i];
      if (row.lo.present && row.hi.present && row.lo.value > row.hi.value) {
        why = {row.lo.reason, row.hi.reason};
        return Outcome::conflict;
      }
    }
  }
  return Outcome::feasible;
}

}  // namespace

// What a narrow width found before it ended stays: it is right.
Outcome tighten(Rows& rows, Reasons& reasons, std::vector<Reason>& why, std::uint64_t& steps) {
  Outcome o = tighten_at<std::int64_t>(rows, reasons, why, steps);
  if (o == Outcome::too_wide) o = tighten_at<Int128>(rows, reasons, why, steps);
  if (o == Outcome::too_wide) o = tighten_at<Integer>(rows, reasons, why, steps);
  return o;
}

namespace {

// Cohen's integral LLL on the Gram determinants d and the numerators lambda; the columns follow each operation.
class Reduction {
 public:
  Reduction(Rows& rows, std::uint64_t& steps) : rows_(rows), steps_(steps) {
    for (std::size_t j = 0; j < rows.columns(); ++j)
      if (rows.column_alive(j)) columns_.push_back(j);
    Integer widest = 1;
    for (const Rows::Row& r : rows.rows())
      if (r.alive && r.lo.present && r.hi.present) widest = std::max(widest, r.hi.value - r.lo.value + 1);
    for (const Rows::Row& r : rows.rows())
      weight_.push_back(r.alive && r.lo.present && r.hi.present ? floor_div(widest, r.hi.value - r.lo.value + 1) : 1);
    d_.assign(columns_.size() + 1, Integer(0));
    lambda_.assign(columns_.size() * columns_.size(), Integer(0));
    d_[0] = 1;
  }

  void run() {
    if (columns_.size() < 2) return;
    d_[1] = dot(0, 0);
    std::size_t k = 1, known = 0;
    while (k < columns_.size() && steps_ > 0) {
      if (k > known) {
        known = k;
        for (std::size_t j = 0; j <= k; ++j) {
          Integer u = dot(k, j);
          for (std::size_t i = 0; i < j; ++i) u = floor_div(d_[i + 1] * u - at(k, i) * at(j, i), d_[i]);
          (j < k ? at(k, j) : d_[k + 1]) = std::move(u);
        }
      }
      size_reduce(k, k - 1);
      if (Integer(4) * (d_[k + 1] * d_[k - 1] + at(k, k - 1) * at(k, k - 1)) < Integer(3) * d_[k] * d_[k]) {
        exchange(k, known);
        k = std::max<std::size_t>(k - 1, 1);
      } else {
        for (std::size_t l = k - 1; l-- > 0;) size_reduce(k, l);
        ++k;
      }
    }
    for (std::size_t a = 0, b = columns_.size() - 1; a < b; ++a, --b) rows_.swap_columns(columns_[a], columns_[b]);
  }

 private:
  Integer& at(std::size_t k, std::size_t j) { return lambda_[k * columns_.size() + j]; }
  [[nodiscard]] Integer dot(std::size_t a, std::size_t b) const {
    Integer sum = 0;
    for (std::size_t i = 0; i < rows_.rows().size(); ++i) {
      if (!rows_.rows()[i].alive) continue;
      const Integer &x = rows_.coefficient(i, columns_[a]), &y = rows_.coefficient(i, columns_[b]);
      if (!x.is_zero() && !y.is_zero()) sum += x * y * weight_[i] * weight_[i];
    }
    return sum;
  }
  void size_reduce(std::size_t k, std::size_t l) {
    const Integer& d = d_[l + 1];
    if (abs(at(k, l)) * 2 <= d) return;
    const Integer q = floor_div(at(k, l) * 2 + d, d * 2);
    rows_.subtract_column(columns_[k], columns_[l], q, steps_);
    at(k, l) -= q * d;
    for (std::size_t i = 0; i < l; ++i) at(k, i) -= q * at(l, i);
  }
  void exchange(std::size_t k, std::size_t known) {
    rows_.swap_columns(columns_[k], columns_[k - 1]);
    for (std::size_t j = 0; j + 1 < k; ++j) std::swap(at(k, j), at(k - 1, j));
    const Integer l = at(k, k - 1), b = floor_div(d_[k - 1] * d_[k + 1] + l * l, d_[k]);
    for (std::size_t i = k + 1; i <= known; ++i) {
      const Integer t = at(i, k);
      at(i, k) = floor_div(d_[k + 1] * at(i, k - 1) - l * t, d_[k]);
      at(i, k - 1) = floor_div(b * t + l * at(i, k), d_[k + 1]);
    }
    d_[k] = b;
  }

  Rows& rows_;
  std::uint64_t& steps_;
  std::vector<std::size_t> columns_;
  std::vector<Integer> weight_, d_, lambda_;
};

}  // namespace

void reduce_basis(Rows& rows, std::uint64_t& steps) {
  Reduction(rows, steps).run();
  rows.fix_signs();
}

}  // namespace dimgate::linear
