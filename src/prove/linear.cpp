#include "prove/linear.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "prove/linear_component.hpp"
#include "prove/linear_store.hpp"
#include "prove/linear_tableau.hpp"

namespace dimgate {

using linear::Outcome;
using linear::Tableau;

namespace {

constexpr std::uint32_t kObjectiveTag = std::numeric_limits<std::uint32_t>::max();

// What is known of one level: its tableau after the rational problem of it and all levels below.
template <class T>
struct Solved {
  Tableau<T> tableau;
  Outcome outcome = Outcome::feasible;
  std::vector<std::uint32_t> core;
  std::uint64_t steps = 0;
  bool valid = false;
};

template <class T>
struct Width {
  std::vector<Solved<T>> levels;
  Tableau<T> scratch;
  std::vector<typename Tableau<T>::Term> terms;
};

// Takes `cost` from `steps`; false if that leaves none.
bool charge(std::uint64_t& steps, std::uint64_t cost) {
  const bool enough = cost < steps;
  steps = enough ? steps - cost : 0;
  return enough;
}

}  // namespace

struct LinearCore::Impl {
  linear::Store store;
  Width<std::int64_t> narrow;
  Width<linear::Int128> wide;
  Width<Integer> exact;
  linear::Component component;
  std::vector<Integer> model, part;
  std::vector<std::uint32_t> core, root, local;
  std::vector<LinearTerm> objective;

  template <class T>
  void build(Width<T>& width, std::size_t level);
  template <class T>
  Outcome relax(Width<T>& width, std::uint64_t& steps);
  template <class T>
  Outcome integers(const Tableau<T>& tableau, std::uint64_t& steps);
  template <class T>
  Outcome solve_component(const Tableau<T>& tableau, std::uint32_t leader, std::uint64_t& steps);
  template <class T>
  Outcome check(Width<T>& width, std::uint64_t& steps);
  Outcome check(std::uint64_t& steps);
  template <class T>
  Outcome lowest(Width<T>& width, std::optional<Integer>& bound, bool& attained, std::uint64_t& steps);
  void search(Optimum& best, std::uint64_t& steps);
  void touch();
  std::uint32_t find(std::uint32_t v);
};

// The top level changed: what was solved of it is void.
void LinearCore::Impl::touch() {
  const std::size_t top = store.levels().size() - 1;
  const auto drop = [top](auto& width) {
    if (top < width.levels.size()) width.levels[top].valid = false;
  };
  drop(narrow), drop(wide), drop(exact);
}

template <class T>
void LinearCore::Impl::build(Width<T>& width, std::size_t level) {
  Tableau<T>& t = width.levels[level].tableau;
  if (level == 0)
    t.clear();
  else
    t = width.levels[level - 1].tableau;
  bool& too_wide = t.wide_flag();
  const linear::Store::Range variables = store.variables_of(level), forms = store.forms_of(level);
  for (std::size_t v = variables.begin; v < variables.end; ++v) t.add_variable();
  for (std::size_t i = forms.begin; i < forms.end; ++i) {
    width.terms.clear();
    for (const LinearTerm& term : store.terms(store.ordered_form(i)))
      width.terms.push_back({store.place_of_variable(term.var), linear::from_integer<T>(term.coefficient, too_wide)});
    t.add_sum(width.terms);
  }
  const linear::Store::Range constraints = store.constraints_of(level);
  for (std::size_t i = constraints.begin; i < constraints.end; ++i) {
    const linear::Store::Constraint& c = store.constraint(i);
    const T bound = linear::from_integer<T>(c.bound, too_wide);
    if (c.upper)
      t.at_most(store.place(c.form), bound, c.tag);
    else
      t.at_least(store.place(c.form), bound, c.tag);
  }
}

// The rational problem, level by level.
template <class T>
Outcome LinearCore::Impl::relax(Width<T>& width, std::uint64_t& steps) {
  const std::size_t count = store.levels().size();
  if (width.levels.size() < count) width.levels.resize(count);
  for (std::size_t level = 0; level < count; ++level) {
    Solved<T>& s = width.levels[level];
    if (!s.valid) {
      build(width, level);
      std::uint64_t left = steps;
      s.outcome = s.tableau.too_wide() ? Outcome::too_wide : s.tableau.settle();
      if (s.outcome == Outcome::feasible) s.outcome = s.tableau.feasible(left);
      if (s.outcome == Outcome::out_of_steps) return steps = 0, s.outcome;
      s.steps = steps - left;
      s.core = s.tableau.conflict();
      s.valid = true;
    }
    if (!charge(steps, s.steps)) return Outcome::out_of_steps;
    if (s.outcome == Outcome::conflict) core = s.core;
    if (s.outcome != Outcome::feasible) return s.outcome;
  }
  return Outcome::feasible;
}

std::uint32_t LinearCore::Impl::find(std::uint32_t v) {
  while (root[v] != v) v = root[v] = root[root[v]];
  return v;
}

// Reads the rational vertex into the model; components that are not integral there are solved over the integers.
template <class T>
Outcome LinearCore::Impl::integers(const Tableau<T>& tableau, std::uint64_t& steps) {
  const std::uint32_t count = store.variables();
  model.resize(count);
  bool integral = true;
  for (std::uint32_t v = 0; v < count; ++v) {
    const auto x = store.place_of_variable(v);
    if (!tableau.integral(x)) {
      integral = false;
      continue;
    }
    const auto [n, d] = tableau.value(x);
    model[v] = linear::to_integer(linear::exact_quotient(n, d));
  }
  if (integral) return Outcome::feasible;
  root.resize(count);
  std::iota(root.begin(), root.end(), 0U);
  for (std::size_t i = 0; i < store.forms(); ++i) {
    const auto terms = store.terms(static_cast<std::uint32_t>(i));
    for (const LinearTerm& term : terms.subspan(1)) {
      const std::uint32_t a = find(terms[0].var), b = find(term.var);
      root[std::max(a, b)] = std::min(a, b);
    }
  }
  for (std::uint32_t v = 0; v < count; ++v) root[v] = find(v);
  std::vector<bool> done(count, false);
  for (std::uint32_t v = 0; v < count; ++v) {
    if (tableau.integral(store.place_of_variable(v)) || done[root[v]]) continue;
    done[root[v]] = true;
    if (const Outcome o = solve_component(tableau, root[v], steps); o != Outcome::feasible) return o;
  }
  return Outcome::feasible;
}

template <class T>
Outcome LinearCore::Impl::solve_component(const Tableau<T>& tableau, std::uint32_t leader, std::uint64_t& steps) {
  const std::uint32_t count = store.variables();
  local.assign(count, 0);
  std::uint32_t columns = 0;
  for (std::uint32_t v = 0; v < count; ++v)
    if (root[v] == leader) local[v] = columns++;
  // The dense rows and the map of their columns have to be written, at the least.
  const std::uint64_t cells = std::uint64_t{columns} * (columns + tableau.rows());
  if (!charge(steps, cells / 64)) return Outcome::out_of_steps;
  linear::Rows& rows = component.rows();
  component.reasons().clear();
  rows.reset(columns);
  const auto add = [&](std::uint32_t place, std::span<const LinearTerm> terms) {
    const auto& x = tableau.variables()[place];
    if (!x.lo.present && !x.hi.present) return;
    linear::Rows::Row& row = rows.add();
    const std::size_t index = rows.rows().size() - 1;
    for (const LinearTerm& term : terms) rows.coefficient(index, local[term.var]) = term.coefficient;
    if (x.lo.present) row.lo = {linear::to_integer(x.lo.value), component.reasons().leaf(x.lo.reason), true};
    if (x.hi.present)
      row.hi = {linear::to_integer(x.hi.value),
                x.lo.present && x.lo.reason == x.hi.reason ? row.lo.reason : component.reasons().leaf(x.hi.reason),
                true};
  };
  for (std::uint32_t v = 0; v < count; ++v) {
    if (root[v] != leader) continue;
    const LinearTerm self{v, 1};
    add(store.place_of_variable(v), {&self, 1});
  }
  for (std::size_t i = 0; i < store.forms(); ++i) {
    const std::uint32_t form = store.ordered_form(i);
    const auto terms = store.terms(form);
    if (root[terms[0].var] == leader) add(store.place(form), terms);
  }
  const Outcome o = component.solve(steps);
  if (o == Outcome::conflict) {
    core.clear();
    component.reasons().collect(component.conflict(), core);
  }
  if (o != Outcome::feasible) return o;
  for (std::uint32_t v = 0; v < count; ++v)
    if (root[v] == leader) model[v] = component.values()[local[v]];
  return o;
}

template <class T>
Outcome LinearCore::Impl::check(Width<T>& width, std::uint64_t& steps) {
  const Outcome o = relax(width, steps);
  if (o != Outcome::feasible) return o;
  return integers(width.levels[store.levels().size() - 1].tableau, steps);
}

Outcome LinearCore::Impl::check(std::uint64_t& steps) {
  core.clear();
  if (steps == 0) return Outcome::out_of_steps;
  if (const auto tag = store.contradiction()) {
    core = {*tag};
    return Outcome::conflict;
  }
  store.seal();
  Outcome o = check(narrow, steps);
  if (o == Outcome::too_wide) o = check(wide, steps);
  if (o == Outcome::too_wide) o = check(exact, steps);
  linear::make_set(core);
  return o;
}

// The rational minimum of the objective's primitive form, rounded up; attained if its vertex is integral.
template <class T>
Outcome LinearCore::Impl::lowest(Width<T>& width, std::optional<Integer>& bound, bool& attained, std::uint64_t& steps) {
  Outcome o = relax(width, steps);
  if (o != Outcome::feasible) return o;
  Tableau<T>& t = width.scratch = width.levels[store.levels().size() - 1].tableau;
  bool& too_wide = t.wide_flag();
  width.terms.clear();
  for (const LinearTerm& term : objective)
    width.terms.push_back({store.place_of_variable(term.var), linear::from_integer<T>(term.coefficient, too_wide)});
  const auto goal = t.add_sum(width.terms);
  o = t.minimise(goal, steps);
  if (o != Outcome::feasible) return o;
  const auto [n, d] = t.value(goal);
  bound = ceil_div(linear::to_integer(n), linear::to_integer(d));
  core = t.conflict();
  attained = true;
  for (std::uint32_t v = 0; v < store.variables() && attained; ++v) attained = t.integral(store.place_of_variable(v));
  if (attained) return integers(t, steps);
  return o;
}

LinearCore::LinearCore() : impl_(std::make_unique<Impl>()) {}
LinearCore::~LinearCore() = default;
LinearCore::LinearCore(LinearCore&&) noexcept = default;
LinearCore& LinearCore::operator=(LinearCore&&) noexcept = default;

void LinearCore::clear() {
  impl_->store.clear();
  impl_->touch();
}
std::uint32_t LinearCore::new_variable() {
  impl_->touch();
  return impl_->store.new_variable();
}
std::uint32_t LinearCore::variables() const { return impl_->store.variables(); }
void LinearCore::push() {
  impl_->store.push();
  impl_->touch();
}
void LinearCore::pop() { impl_->store.pop(); }

void LinearCore::at_least(std::span<const LinearTerm> terms, const Integer& bound, std::uint32_t tag) {
  impl_->touch();
  impl_->store.add(terms, bound, linear::Relation::at_least, tag);
}
void LinearCore::at_most(std::span<const LinearTerm> terms, const Integer& bound, std::uint32_t tag) {
  impl_->touch();
  impl_->store.add(terms, bound, linear::Relation::at_most, tag);
}
void LinearCore::equals(std::span<const LinearTerm> terms, const Integer& bound, std::uint32_t tag) {
  impl_->touch();
  impl_->store.add(terms, bound, linear::Relation::equals, tag);
}

namespace {
LinearCore::Status status_of(Outcome o) {
  switch (o) {
    case Outcome::feasible:
      return LinearCore::Status::sat;
    case Outcome::conflict:
      return LinearCore::Status::unsat;
    default:
      return LinearCore::Status::unknown;
  }
}
}  // namespace

LinearCore::Status LinearCore::check(std::uint64_t& steps) { return status_of(impl_->check(steps)); }
const std::vector<std::uint32_t>& LinearCore::core() const { return impl_->core; }
const Integer& LinearCore::value(std::uint32_t var) const { return impl_->model[var]; }

LinearCore::Optimum LinearCore::minimise(std::span<const LinearTerm> terms, std::uint64_t& steps) {
  Impl& m = *impl_;
  m.core.clear();
  Optimum best;
  if (steps == 0) return best;
  if (const auto tag = m.store.contradiction()) {
    m.core = {*tag};
    best.status = Status::unsat;
    return best;
  }
  m.store.seal();
  const Integer unit = linear::make_primitive(terms, m.objective);
  std::optional<Integer> bound;
  bool attained = false;
  Outcome o = m.lowest(m.narrow, bound, attained, steps);
  if (o == Outcome::too_wide) o = m.lowest(m.wide, bound, attained, steps);
  if (o == Outcome::too_wide) o = m.lowest(m.exact, bound, attained, steps);
  linear::make_set(m.core);
  if (o == Outcome::out_of_steps || o == Outcome::conflict) {
    best.status = status_of(o);
    return best;
  }
  best.value = bound;
  best.attained = attained;
  best.status = Status::sat;
  if (!attained) m.search(best, steps);
  if (best.value) best.value = *best.value * unit;
  return best;
}

// From a rational bound (or none) to the integer optimum: solutions come down, proofs that there is none go up.
void LinearCore::Impl::search(Optimum& best, std::uint64_t& steps) {
  std::vector<std::uint32_t> why = core;
  Outcome o = check(steps);
  best.status = status_of(o);
  if (o == Outcome::conflict) best.value.reset();
  if (o != Outcome::feasible || !best.value) {
    if (o != Outcome::conflict) core = std::move(why);
    return;
  }
  const auto objective_of_model = [&] {
    Integer sum = 0;
    for (const LinearTerm& term : objective) sum += term.coefficient * model[term.var];
    return sum;
  };
  std::vector<Integer> best_model = model;
  Integer low = *best.value, high = objective_of_model(), stride = 0;
  while (low < high) {
    // Near the bound first: the optimum is seldom far from it.
    const Integer middle = floor_div(low + high, 2), near = low + stride, at_most = std::min(middle, near);
    stride = stride * 2 + 1;
    store.push();
    touch();
    store.add(objective, at_most, linear::Relation::at_most, kObjectiveTag);
    o = check(steps);
    store.pop();
    if (o == Outcome::feasible) {
      high = objective_of_model();
      best_model = model;
    } else if (o == Outcome::conflict) {
      low = at_most + 1;
      if (!core.empty() && core.back() == kObjectiveTag) core.pop_back();
      why.insert(why.end(), core.begin(), core.end());
      linear::make_set(why);
    } else {
      break;
    }
  }
  best.value = low;
  best.attained = low == high;
  model = std::move(best_model);
  core = std::move(why);
}

}  // namespace dimgate
