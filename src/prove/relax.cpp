#include "prove/relax.hpp"

#include <algorithm>
#include <unordered_set>

namespace dimgate {

namespace {
constexpr std::size_t kProductRows = 400;
constexpr std::size_t kFactorTerms = 4;  // longer rows are not multiplied
}  // namespace

std::uint32_t Relaxation::tag(const Deps& deps) {
  tags_.push_back(deps);
  return static_cast<std::uint32_t>(tags_.size() - 1);
}

Relaxation::Relaxation(Context& ctx, System& system, std::uint64_t& steps) : ctx_(ctx), system_(system), steps_(steps) {
  for (std::size_t i = 0; i < system.columns.size(); ++i) core_.new_variable();
  for (std::uint32_t c = 0; c < system.columns.size(); ++c) {
    const Column& col = system.columns[c];
    const LinearTerm x{c, 1};
    if (col.domain.interval.lo) core_.at_least({&x, 1}, *col.domain.interval.lo, tag(col.deps));
    if (col.domain.interval.hi) core_.at_most({&x, 1}, *col.domain.interval.hi, tag(col.deps));
    const Congruence& g = col.domain.congruence;
    if (g.modulus > 1 && !col.atom.is(Op::FloorDiv)) {  // x = m*t + r
      const std::vector<LinearTerm> terms{{c, 1}, {core_.new_variable(), -g.modulus}};
      core_.equals(terms, g.residue, tag(col.deps));
    }
  }
  for (const Row& r : system.rows) {
    if (r.equality)
      core_.equals(r.terms, r.bound, tag(r.deps));
    else
      core_.at_least(r.terms, r.bound, tag(r.deps));
  }
  for (const DividesRow& d : system.divides) {
    std::vector<LinearTerm> terms = d.terms;
    terms.push_back({core_.new_variable(), -d.modulus});
    const std::uint32_t t = tag(d.deps);
    if (!d.negated) {
      core_.equals(terms, -d.offset, t);
    } else {  // 1 <= e - k*q <= k - 1
      core_.at_least(terms, Integer(1) - d.offset, t);
      core_.at_most(terms, d.modulus - 1 - d.offset, t);
    }
  }
  add_products();
}

void Relaxation::add_products() {
  PolyRing& ring = system_.ring();
  std::unordered_set<std::uint32_t> factors;
  std::vector<std::uint32_t> products;
  for (std::uint32_t c = 0; c < system_.columns.size(); ++c)
    if (system_.columns[c].kind == Column::Kind::product) {
      products.push_back(c);
      factors.insert(system_.columns[c].factors.begin(), system_.columns[c].factors.end());
    }
  if (products.empty()) return;
  struct Inequality {  // p >= 0
    Poly p;
    Deps deps;
  };
  std::vector<Inequality> bounds, all;
  std::vector<std::uint32_t> ordered(factors.begin(), factors.end());
  std::sort(ordered.begin(), ordered.end());
  for (const std::uint32_t c : ordered) {
    const Column& col = system_.columns[c];
    const Poly x = ring.atom(col.atom.node());
    if (col.domain.interval.lo) bounds.push_back({ring.add(x, ring.constant(-*col.domain.interval.lo)), col.deps});
    if (col.domain.interval.hi) bounds.push_back({ring.add(ring.constant(*col.domain.interval.hi), x, -1), col.deps});
  }
  for (std::size_t i = 0; i < system_.columns.size(); ++i) {  // divisors that are products or sums
    if (system_.columns[i].kind != Column::Kind::quotient_by_term) continue;
    const Expr divisor = system_.columns[i].atom[1];
    if (divisor.is_symbol()) continue;
    Deps deps;
    const Domain d =
        system_.domain_by_rows(system_.affine(divisor), &deps);  // its columns are there: see System::define
    if (d.positive()) bounds.push_back({ring.add(ring.of(divisor.node()), ring.constant(-1)), deps});
  }
  for (const std::uint32_t c : products) {
    const Column& col = system_.columns[c];
    if (system_.widened && col.domain.interval.lo && col.domain.interval.lo->sign() >= 0)
      bounds.push_back({ring.atom(col.atom.node()), col.deps});
  }
  all = bounds;
  for (const Row& r : system_.rows) {
    if (r.terms.size() > kFactorTerms) continue;
    const bool relevant =
        std::any_of(r.terms.begin(), r.terms.end(), [&](const LinearTerm& t) { return factors.contains(t.var); });
    if (!relevant) continue;
    Terms terms;
    bool total = true;
    for (const LinearTerm& t : r.terms) {
      terms.push_back({t.coefficient, system_.columns[t.var].atom.node()});
      total = total && system_.columns[t.var].atom.is_total();
    }
    Poly p = ring.add(ring.sum(std::move(terms), total), ring.constant(-r.bound));
    if (r.equality) all.push_back({ring.scale(p, -1), r.deps});
    all.push_back({std::move(p), r.deps});
  }
  std::size_t added = 0;
  const auto multiply = [&](const Inequality& a, const Inequality& b) {
    steps_ -= std::min<std::uint64_t>(steps_, 4);
    const Poly p = ring.mul(a.p, b.p);
    std::vector<LinearTerm> terms;
    Integer constant;
    for (const Term& t : p.terms) {
      if (t.m == ctx_.impl().one) {
        constant = t.c;
      } else if (!ring.is_carrier(t.m)) {
        const std::uint32_t* column = system_.index().find(t.m);
        if (column == nullptr) return;
        terms.push_back({*column, t.c});
      }
    }
    Deps deps = a.deps;
    deps.merge(b.deps);
    core_.at_least(terms, -constant, tag(deps));
    ++added;
  };
  if (system_.widened) add_dominated(products);
  // Squares of sums and differences of two factors whose own squares are columns.
  const auto squared = [&](std::uint32_t c) {
    const Node* x = system_.columns[c].atom.node();
    return system_.index().contains(ring.multiply_monomials(x, x));
  };
  for (std::size_t i = 0; i < ordered.size() && ordered.size() <= 8; ++i)
    for (std::size_t j = i + 1; j < ordered.size() && squared(ordered[i]); ++j) {
      if (!squared(ordered[j])) continue;
      for (const int sign : {1, -1}) {
        const Poly p = ring.add(ring.atom(system_.columns[ordered[i]].atom.node()),
                                ring.atom(system_.columns[ordered[j]].atom.node()), sign);
        multiply({p, {}}, {p, {}});
      }
    }
  for (std::size_t i = 0; i < bounds.size(); ++i)
    for (std::size_t j = i; j < all.size() && added < kProductRows && steps_ > 0; ++j) multiply(bounds[i], all[j]);
  // Two long inequalities multiply as well where there are few.
  for (std::size_t i = bounds.size(); i < all.size() && all.size() - bounds.size() <= 12; ++i)
    for (std::size_t j = i; j < all.size() && added < kProductRows && steps_ > 0; ++j) multiply(all[i], all[j]);
}

// m = d*w with d >= 0 and every atom of w at least 1: m >= least(w)*d.
void Relaxation::add_dominated(std::span<const std::uint32_t> products) {
  constexpr std::size_t kMost = 64;
  PolyRing& ring = system_.ring();
  std::size_t added = 0;
  for (const std::uint32_t m : products)
    for (std::uint32_t d = 0; d < system_.columns.size() && added < kMost; ++d) {
      const Column& part = system_.columns[d];
      if (d == m || !part.domain.interval.lo || part.domain.interval.lo->sign() < 0) continue;
      const Node* w = ring.divide_monomial(system_.columns[m].atom.node(), part.atom.node());
      if (w == nullptr) continue;
      Integer least = 1;
      Deps deps = part.deps;
      const std::size_t n = w->op == Op::Mul ? w->size : 1;
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t* column = system_.index().find(w->op == Op::Mul ? w->args()[i] : w);
        const Column* atom = column == nullptr ? nullptr : &system_.columns[*column];
        least = atom != nullptr && atom->domain.positive() ? least * *atom->domain.interval.lo : Integer(0);
        if (least.is_zero()) break;
        deps.merge(atom->deps);
      }
      if (least.is_zero()) continue;
      const std::vector<LinearTerm> terms{{m, 1}, {d, -least}};
      core_.at_least(terms, 0, tag(deps));
      ++added;
    }
}

bool Relaxation::cut_squares() {
  bool cut = false;
  for (std::uint32_t c = 0; c < system_.columns.size(); ++c) {
    const Column& col = system_.columns[c];
    if (col.kind != Column::Kind::product || col.factors.size() != 2 || col.factors[0] != col.factors[1]) continue;
    const std::uint32_t x = col.factors[0];
    const Integer at = core_.value(x);
    if (!(core_.value(c) < at * at)) continue;
    for (const Integer& k : {at - 1, at}) {
      const std::vector<LinearTerm> terms{{c, 1}, {x, -(2 * k + 1)}};
      core_.at_least(terms, -(k * (k + 1)), tag({}));
    }
    cut = true;
  }
  return cut;
}

LinearCore::Status Relaxation::check() { return core_.check(steps_); }

Deps Relaxation::core() const {
  Deps d;
  for (const std::uint32_t t : core_.core()) d.merge(tags_[t]);
  return d;
}

LinearCore::Optimum Relaxation::minimise(const System::Affine& objective) {
  LinearCore::Optimum o = core_.minimise(objective.terms, steps_);
  if (o.value) *o.value += objective.constant;
  return o;
}

}  // namespace dimgate
