// Interval x congruence propagation over the rows of a System; what it may conclude: system.hpp.
#include <algorithm>

#include "prove/system.hpp"

namespace dimgate {

Domain System::domain_of(const Affine& a, Deps* deps) const {
  Domain d = Domain::point(a.constant);
  for (const LinearTerm& t : a.terms) {
    d = d + scale(columns[t.var].domain, t.coefficient);
    if (deps != nullptr) deps->merge(columns[t.var].deps);
  }
  return d;
}

Domain System::domain_by_rows(const Affine& a, Deps* deps) const {
  Domain d = domain_of(a, deps);
  if (a.terms.size() < 2) return d;
  for (const Row& r : rows) {
    if (r.terms.size() != a.terms.size() || r.terms[0].var != a.terms[0].var) continue;
    const auto all = [&](const Integer& k) {
      return std::equal(r.terms.begin(), r.terms.end(), a.terms.begin(), [&](const LinearTerm& x, const LinearTerm& y) {
        return x.var == y.var && x.coefficient == k * y.coefficient;
      });
    };
    Interval i;
    if (all(1))
      i = r.equality ? Interval::point(r.bound + a.constant) : Interval::at_least(r.bound + a.constant);
    else if (all(-1))
      i = r.equality ? Interval::point(a.constant - r.bound) : Interval::at_most(a.constant - r.bound);
    else
      continue;
    if (d.meet({i, {}, false}) && deps != nullptr) deps->merge(r.deps);
  }
  return d;
}

bool System::tighten(std::uint32_t c, const Domain& d, const Deps& deps) {
  Domain& known = columns[c].domain;
  if (!(d.is_far() ? known.meet(d.without_far_ends()) : known.meet(d))) return false;
  columns[c].deps.merge(deps);
  if (columns[c].domain.empty && !conflict_) conflict_ = columns[c].deps;
  return true;
}

bool System::forward(std::uint32_t c) {
  const Column& col = columns[c];
  Deps deps;
  Domain d;
  switch (col.kind) {
    case Column::Kind::product: {
      d = Domain::point(1);
      for (std::size_t i = 0; i < col.factors.size();) {
        // A run of equal factors is a power: even powers are >= 0.
        std::size_t n = i;
        Domain power = Domain::point(1);
        const Domain& base = columns[col.factors[i]].domain;
        while (n < col.factors.size() && col.factors[n] == col.factors[i]) power = power * base, ++n;
        if ((n - i) % 2 == 0) {
          power.meet({Interval::at_least(0), {}, false});
          if (base.nonzero() && !base.empty) power.meet({Interval::at_least(1), {}, false});
        }
        deps.merge(columns[col.factors[i]].deps);
        d = d * power;
        i = n;
      }
      break;
    }
    case Column::Kind::quotient: {
      if (col.atom[1].integer().sign() <= 0) return false;
      const Domain e = domain_of(affine(col.atom[0]), &deps);
      d = divide(e, col.atom[1].integer());
      break;
    }
    case Column::Kind::quotient_by_term: {
      const Domain divisor = domain_by_rows(affine(col.atom[1]), &deps);
      if (!divisor.nonzero()) return false;
      d = divide(domain_by_rows(affine(col.atom[0]), &deps), divisor);
      break;
    }
    case Column::Kind::maximum: {
      d = domain_of(affine(col.atom[0]), &deps);
      for (std::size_t i = 1; i < col.atom.size(); ++i) d = maximum(d, domain_of(affine(col.atom[i]), &deps));
      break;
    }
    case Column::Kind::branch:
      d = join(domain_of(affine(col.atom[1]), &deps), domain_of(affine(col.atom[2]), &deps));
      break;
    case Column::Kind::opaque:
      if (!col.atom.is(Op::Add)) return false;
      d = domain_of(affine(col.atom), &deps);
      break;
    case Column::Kind::symbol:
      return false;
  }
  return tighten(c, d, deps);
}

namespace {

// Bounds on a from a*b in m where b > 0.
Interval factor_bounds(const Interval& m, const Interval& b) {
  Interval a;
  const Integer& least = *b.lo;
  if (m.lo) {
    if (m.lo->sign() > 0)
      a.lo = b.hi ? ceil_div(*m.lo, *b.hi) : Integer(1);
    else
      a.lo = ceil_div(*m.lo, least);
  }
  if (m.hi) {
    if (m.hi->sign() < 0)
      a.hi = b.hi ? floor_div(*m.hi, *b.hi) : Integer(-1);
    else
      a.hi = floor_div(*m.hi, least);
  }
  return a;
}

}  // namespace

bool System::backward_product(std::uint32_t c) {
  bool changed = false;
  for (std::size_t i = 0; i < columns[c].factors.size(); ++i) {
    const std::uint32_t target = columns[c].factors[i];
    Domain others = Domain::point(1);
    Deps deps = columns[c].deps;
    for (std::size_t j = 0; j < columns[c].factors.size(); ++j)
      if (j != i) {
        others = others * columns[columns[c].factors[j]].domain;
        deps.merge(columns[columns[c].factors[j]].deps);
      }
    Domain d;
    if (others.positive())
      d.interval = factor_bounds(columns[c].domain.interval, others.interval);
    else if (others.negative())
      d.interval = factor_bounds(-columns[c].domain.interval, -others.interval);
    else
      continue;
    changed = tighten(target, d, deps) || changed;
  }
  return changed;
}

// sum(terms) >= bound (flip: -sum(terms) >= -bound): each term against the most the others can give.
bool System::upper_side(const std::vector<LinearTerm>& terms, const Integer& bound, bool flip, const Deps& row_deps) {
  Integer most = 0;
  int unbounded = 0;
  std::size_t which = 0;
  const auto largest = [&](const LinearTerm& t) -> std::optional<Integer> {
    const Integer c = flip ? -t.coefficient : t.coefficient;
    const Interval& i = columns[t.var].domain.interval;
    const std::optional<Integer>& end = c.sign() > 0 ? i.hi : i.lo;
    if (!end) return std::nullopt;
    return c * *end;
  };
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (const std::optional<Integer> m = largest(terms[i]))
      most += *m;
    else if (++unbounded > 1)
      return false;
    else
      which = i;
  }
  const Integer need = flip ? -bound : bound;
  bool changed = false;
  if (unbounded == 0 && most < need) {
    if (!conflict_) {
      Deps d = row_deps;
      for (const LinearTerm& t : terms) d.merge(columns[t.var].deps);
      conflict_ = d;
    }
    return true;
  }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (unbounded == 1 && i != which) continue;
    const Integer c = flip ? -terms[i].coefficient : terms[i].coefficient;
    const Integer rest = unbounded == 1 ? most : most - *largest(terms[i]);
    Domain d;  // c*x >= need - rest
    if (c.sign() > 0)
      d.interval.lo = ceil_div(need - rest, c);
    else
      d.interval.hi = floor_div(need - rest, c);
    const Interval& now = columns[terms[i].var].domain.interval;
    if ((d.interval.lo && now.lo && *d.interval.lo <= *now.lo) ||
        (d.interval.hi && now.hi && *d.interval.hi >= *now.hi))
      continue;
    Deps deps = row_deps;
    for (std::size_t j = 0; j < terms.size(); ++j)
      if (j != i) deps.merge(columns[terms[j].var].deps);
    changed = tighten(terms[i].var, d, deps) || changed;
  }
  return changed;
}

// sum(terms) == value (mod modulus; modulus 0: exactly).
bool System::congruences(const std::vector<LinearTerm>& terms, const Integer& value, const Integer& modulus,
                         const Deps& row_deps) {
  bool changed = false;
  const std::size_t n = terms.size();
  if (n > 16) return false;
  for (std::size_t i = 0; i < n; ++i) {
    Congruence others = Congruence::constant(0);
    for (std::size_t j = 0; j < n; ++j)
      if (j != i)
        others = others + columns[terms[j].var].domain.congruence * Congruence::constant(terms[j].coefficient);
    const Integer m = gcd(others.modulus, modulus);
    if (m.is_one()) continue;
    // c*x == value - others.residue (mod m)
    Integer g, x, y;
    const Integer& c = terms[i].coefficient;
    extended_gcd(c, m, g, x, y);
    const Integer rhs = value - others.residue;
    Deps deps = row_deps;
    for (std::size_t j = 0; j < n; ++j)
      if (j != i) deps.merge(columns[terms[j].var].deps);
    if (!floor_mod(rhs, g).is_zero()) {
      if (!conflict_) conflict_ = deps;
      return true;
    }
    const Congruence found =
        m.is_zero() ? Congruence::constant(floor_div(rhs, c)) : Congruence::of(floor_div(m, g), floor_div(rhs, g) * x);
    if (found.is_all()) continue;
    changed = tighten(terms[i].var, {{}, found, false}, deps) || changed;
  }
  return changed;
}

bool System::through(const Row& r) {
  bool changed = upper_side(r.terms, r.bound, false, r.deps);
  if (r.equality) {
    changed = upper_side(r.terms, r.bound, true, r.deps) || changed;
    changed = congruences(r.terms, r.bound, 0, r.deps) || changed;
  }
  return changed;
}

std::optional<Deps> System::propagate(int rounds) {
  for (int round = 0; round < rounds && !conflict_ && steps_ > 0; ++round) {
    define_quotients_by_terms();
    bool changed = false;
    for (std::uint32_t c = 0; c < columns.size(); ++c) {
      changed = forward(c) || changed;
      if (columns[c].kind == Column::Kind::product) changed = backward_product(c) || changed;
    }
    for (std::size_t i = 0; i < rows.size() && !conflict_; ++i) {
      changed = through(rows[i]) || changed;
      steps_ -= std::min<std::uint64_t>(steps_, rows[i].terms.size() + 1);
    }
    for (const DividesRow& d : divides) {
      if (conflict_) break;
      if (!d.negated) {
        if (d.terms.empty()) {
          if (!floor_mod(d.offset, d.modulus).is_zero()) conflict_ = d.deps;
        } else {
          changed = congruences(d.terms, -d.offset, d.modulus, d.deps) || changed;
        }
        continue;
      }
      Deps deps = d.deps;
      const Domain sum = domain_of({d.terms, d.offset}, &deps);
      if (!sum.empty && floor_mod(sum.congruence.modulus, d.modulus).is_zero() &&
          floor_mod(sum.congruence.residue, d.modulus).is_zero())
        conflict_ = deps;
    }
    for (const DisequalityRow& d : disequalities) {
      if (conflict_) break;
      Deps deps = d.deps;
      const Domain sum = domain_of({d.terms, 0}, &deps);
      if (sum.is_point() && *sum.interval.lo == d.value) {
        conflict_ = deps;
      } else if (d.terms.size() == 1 && d.terms[0].coefficient.is_one()) {
        Domain cut;
        const Interval& now = sum.interval;
        if (now.lo && *now.lo == d.value)
          cut.interval.lo = d.value + 1;
        else if (now.hi && *now.hi == d.value)
          cut.interval.hi = d.value - 1;
        else
          continue;
        changed = tighten(d.terms[0].var, cut, deps) || changed;
      }
    }
    if (!changed) break;
  }
  return conflict_;
}

}  // namespace dimgate
