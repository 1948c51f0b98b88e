#include "prove/domain.hpp"

#include <algorithm>

namespace dimgate {

void Domain::reduce() {
  if (empty) return;
  if (congruence.modulus.is_zero()) {
    if (!interval.contains(congruence.residue))
      empty = true;
    else
      interval = Interval::point(congruence.residue);
    return;
  }
  if (!congruence.is_all()) {
    const Integer &m = congruence.modulus, &r = congruence.residue;
    if (interval.lo) interval.lo = *interval.lo + floor_mod(r - *interval.lo, m);
    if (interval.hi) interval.hi = *interval.hi - floor_mod(*interval.hi - r, m);
  }
  if (interval.is_empty())
    empty = true;
  else if (interval.is_point())
    congruence = Congruence::constant(*interval.lo);
}

bool Domain::meet(const Domain& o) {
  if (empty) return false;
  if (o.empty) {
    empty = true;
    return true;
  }
  if (is_all()) {  // what is first learnt of a symbol
    *this = o;
    reduce();
    return !is_all();
  }
  bool changed = false;
  if (o.interval.lo && (!interval.lo || *o.interval.lo > *interval.lo)) interval.lo = o.interval.lo, changed = true;
  if (o.interval.hi && (!interval.hi || *o.interval.hi < *interval.hi)) interval.hi = o.interval.hi, changed = true;
  if (!o.congruence.is_all() && !(congruence == o.congruence)) {
    const std::optional<Congruence> both = congruence.intersect(o.congruence);
    if (!both) {
      empty = true;
      return true;
    }
    if (!(*both == congruence)) congruence = *both, changed = true;
  }
  if (changed) reduce();
  return changed;
}

namespace {
bool far(const Integer& v) { return !v.is_small() && v.bit_length() > Domain::kMostBits; }
bool far(const std::optional<Integer>& v) { return v && far(*v); }
bool far(const Congruence& c) { return far(c.modulus) || far(c.residue); }
}  // namespace

bool Domain::is_far() const { return far(interval.lo) || far(interval.hi) || far(congruence); }

Domain Domain::without_far_ends() const {
  Domain d = *this;
  if (far(d.interval.lo)) d.interval.lo.reset();
  if (far(d.interval.hi)) d.interval.hi.reset();
  if (far(d.congruence)) d.congruence = Congruence::all();
  return d;
}

std::optional<std::uint64_t> Domain::count(std::uint64_t limit) const {
  if (empty) return 0;
  if (!interval.lo || !interval.hi) return std::nullopt;
  if (congruence.modulus.is_zero()) return 1;
  const Integer n = floor_div(*interval.hi - *interval.lo, congruence.modulus) + 1;
  if (n > Integer::from_u64(limit)) return std::nullopt;
  return static_cast<std::uint64_t>(n.small());
}

namespace {
Domain reduced(Interval i, Congruence c) {
  Domain d{std::move(i), std::move(c), false};
  d.reduce();
  return d;
}
}  // namespace

Domain operator+(const Domain& a, const Domain& b) {
  if (a.empty || b.empty) return Domain::nothing();
  return reduced(a.interval + b.interval, a.congruence + b.congruence);
}

Domain operator*(const Domain& a, const Domain& b) {
  if (a.empty || b.empty) return Domain::nothing();
  return reduced(a.interval * b.interval, a.congruence * b.congruence);
}

Domain scale(const Domain& a, const Integer& k) {
  if (a.empty || k.is_one()) return a;
  Domain d;
  if (k.is_zero()) return Domain::point(0);
  const bool up = k.sign() > 0;
  if (const auto& end = up ? a.interval.lo : a.interval.hi) d.interval.lo = *end * k;
  if (const auto& end = up ? a.interval.hi : a.interval.lo) d.interval.hi = *end * k;
  d.congruence = Congruence::of(a.congruence.modulus * k, a.congruence.residue * k);
  return d;  // as reduced as a was
}

Domain divide(const Domain& a, const Integer& k) {
  if (a.empty) return a;
  Interval i;
  if (a.interval.lo) i.lo = floor_div(*a.interval.lo, k);
  if (a.interval.hi) i.hi = floor_div(*a.interval.hi, k);
  Congruence c;  // (m x + r)//k is (m/k) x + r//k where k | m
  if (a.congruence.modulus.is_zero())
    c = Congruence::constant(floor_div(a.congruence.residue, k));
  else if (floor_mod(a.congruence.modulus, k).is_zero())
    c = Congruence::of(floor_div(a.congruence.modulus, k), floor_div(a.congruence.residue, k));
  return reduced(std::move(i), std::move(c));
}

Domain divide(const Domain& a, const Domain& b) {
  if (a.empty || b.empty) return Domain::nothing();
  if (b.is_point()) {
    const Integer& k = *b.interval.lo;
    if (k.is_zero()) return Domain::all();  // undefined: any value stands for it
    return k.sign() > 0 ? divide(a, k) : divide(scale(a, -1), -k);
  }
  return reduced(floor_div(a.interval, b.interval), {});
}

Domain maximum(const Domain& a, const Domain& b) {
  if (a.empty || b.empty) return Domain::nothing();
  Interval i;
  if (a.interval.lo && b.interval.lo)
    i.lo = std::max(*a.interval.lo, *b.interval.lo);
  else
    i.lo = a.interval.lo ? a.interval.lo : b.interval.lo;
  if (a.interval.hi && b.interval.hi) i.hi = std::max(*a.interval.hi, *b.interval.hi);
  return reduced(std::move(i), a.congruence.join(b.congruence));
}

Domain join(const Domain& a, const Domain& b) {
  if (a.empty) return b;
  if (b.empty) return a;
  return reduced(a.interval.join(b.interval), a.congruence.join(b.congruence));
}

}  // namespace dimgate
