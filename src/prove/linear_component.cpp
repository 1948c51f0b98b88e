#include "prove/linear_component.hpp"

#include <limits>

#include "prove/linear_basis.hpp"

namespace dimgate::linear {
namespace {

constexpr std::uint64_t kFewNodes = 48;
constexpr std::uint64_t kAllNodes = std::numeric_limits<std::uint64_t>::max();

}  // namespace

template <class T>
Outcome Component::search(BranchAndCut<T>& with, const Rows& rows, std::uint64_t nodes, std::uint64_t& steps) {
  const Outcome o = with.run(rows, reasons_, nodes, steps);
  if (o == Outcome::feasible) found_ = with.values();
  if (o == Outcome::conflict) conflict_ = with.conflict();
  return o;
}

Outcome Component::search(const Rows& rows, std::uint64_t nodes, std::uint64_t& steps) {
  Outcome o = search(narrow_, rows, nodes, steps);
  if (o == Outcome::too_wide) o = search(wide_, rows, nodes, steps);
  if (o == Outcome::too_wide) o = search(exact_, rows, nodes, steps);
  return o;
}

Outcome Component::solve(std::uint64_t& steps) {
  Outcome o = rows_.reduce(steps);
  if (o == Outcome::conflict) conflict_ = rows_.conflict();
  if (o != Outcome::feasible) return o;
  o = search(rows_, kFewNodes, steps);
  if (o == Outcome::unbounded) o = search_bounded(steps);
  if (o == Outcome::feasible) rows_.lift(found_, values_);
  return o;
}

// Which rows can be raised for ever, and the direction that raises them.
Outcome Component::recession(std::uint64_t& steps) {
  Tableau<Integer> t;
  using Term = Tableau<Integer>::Term;
  std::vector<std::uint32_t> variable(rows_.columns()), share(rows_.rows().size());
  for (std::size_t j = 0; j < rows_.columns(); ++j)
    if (rows_.column_alive(j)) variable[j] = t.add_variable();
  std::vector<Term> row, total;
  for (std::size_t i = 0; i < rows_.rows().size(); ++i) {
    const Rows::Row& r = rows_.rows()[i];
    if (!r.alive || (!r.lo.present && !r.hi.present)) continue;
    row.clear();
    for (std::size_t j = 0; j < rows_.columns(); ++j) {
      const Integer& c = rows_.coefficient(i, j);
      if (!c.is_zero()) row.push_back({variable[j], r.lo.present ? c : -c});
    }
    const bool both = r.lo.present && r.hi.present;
    if (!both) {
      share[i] = t.add_variable();
      t.at_least(share[i], 0, 0);
      t.at_most(share[i], 1, 0);
      row.push_back({share[i], -1});
      total.push_back({share[i], -1});
    }
    const auto sum = t.add_sum(row);
    t.at_least(sum, 0, 0);
    if (both) t.at_most(sum, 0, 0);
  }
  const auto goal = t.add_sum(total);
  if (const Outcome o = t.minimise(goal, steps); o != Outcome::feasible) return o;
  unbounded_.assign(rows_.rows().size(), false);
  for (std::size_t i = 0; i < rows_.rows().size(); ++i)
    if (share[i] != 0) unbounded_[i] = t.value(share[i]).first.sign() > 0;
  Integer scale = 1;
  for (std::size_t j = 0; j < rows_.columns(); ++j)
    if (rows_.column_alive(j)) scale = lcm(scale, t.value(variable[j]).second);
  direction_.assign(rows_.columns(), Integer(0));
  for (std::size_t j = 0; j < rows_.columns(); ++j) {
    if (!rows_.column_alive(j)) continue;
    const auto [v, d] = t.value(variable[j]);
    direction_[j] = v * floor_div(scale, d);
  }
  return Outcome::feasible;
}

Outcome Component::search_bounded(std::uint64_t& steps) {
  if (const Outcome o = recession(steps); o != Outcome::feasible) return o;
  bounded_.reset(rows_.columns());
  for (std::size_t i = 0; i < rows_.rows().size(); ++i) {
    const Rows::Row& r = rows_.rows()[i];
    if (!r.alive || unbounded_[i]) continue;
    Rows::Row& copy = bounded_.add();
    copy = r;
    for (std::size_t j = 0; j < rows_.columns(); ++j)
      bounded_.coefficient(bounded_.rows().size() - 1, j) = rows_.coefficient(i, j);
  }
  // Rational bounds show equalities that only several rows imply: each that is solved is a column less.
  for (std::size_t round = 0; round <= rows_.columns(); ++round) {
    Outcome o = tighten(bounded_, reasons_, conflict_, steps);
    if (o != Outcome::feasible) return o;
    if (!bounded_.has_equality()) break;
    o = bounded_.reduce(steps);
    if (o == Outcome::conflict) conflict_ = bounded_.conflict();
    if (o != Outcome::feasible) return o;
  }
  bounded_.compress(steps);
  reduce_basis(bounded_, steps);
  const Outcome o = search(bounded_, kAllNodes, steps);
  if (o != Outcome::feasible) return o;
  std::vector<Integer> base;
  bounded_.lift(found_, base);
  Integer times = 0;
  for (std::size_t i = 0; i < rows_.rows().size(); ++i) {
    const Rows::Row& r = rows_.rows()[i];
    if (!r.alive || !unbounded_[i]) continue;
    Integer at = 0, rate = 0;
    for (std::size_t j = 0; j < rows_.columns(); ++j) {
      at += rows_.coefficient(i, j) * base[j];
      rate += rows_.coefficient(i, j) * direction_[j];
    }
    const Integer missing = r.lo.present ? r.lo.value - at : at - r.hi.value;
    if (missing.sign() > 0) times = std::max(times, ceil_div(missing, abs(rate)));
  }
  for (std::size_t j = 0; j < base.size(); ++j) base[j] += times * direction_[j];
  found_ = std::move(base);
  return o;
}

}  // namespace dimgate::linear
