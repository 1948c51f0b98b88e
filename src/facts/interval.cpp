// Interval arithmetic over the unbounded integers, with ends that may be infinite. Every operation is the hull of all
// results, as tight as an interval can be; division leaves out the divisor 0. Checked by tests/prove/native_test.cpp.
#include <algorithm>
#include <array>

#include "dimgate/facts.hpp"

namespace dimgate {

namespace {

// An end of an interval: a finite integer, or infinite with the sign of `inf`.
struct End {
  Integer v;
  int inf = 0;
};
End low(const Interval& i) { return i.lo ? End{*i.lo, 0} : End{0, -1}; }
End high(const Interval& i) { return i.hi ? End{*i.hi, 0} : End{0, 1}; }
bool less(const End& a, const End& b) {
  if (a.inf != 0 || b.inf != 0) return a.inf < b.inf;
  return a.v < b.v;
}
End times(const End& a, const End& b) {
  if (a.inf == 0 && b.inf == 0) return {a.v * b.v, 0};
  const int sa = a.inf != 0 ? a.inf : a.v.sign(), sb = b.inf != 0 ? b.inf : b.v.sign();
  return {0, sa * sb};  // 0 * infinity is 0: the end is never reached together with a nonzero partner
}
// x // y for a divisor end that is not 0; an infinite divisor gives the limit of the floor.
End quotient(const End& x, const End& y) {
  if (y.inf == 0) return x.inf != 0 ? End{0, x.inf * y.v.sign()} : End{floor_div(x.v, y.v), 0};
  if (x.inf != 0) return {0, x.inf * y.inf};
  const int s = x.v.sign() * y.inf;
  return {s < 0 ? -1 : 0, 0};
}

Interval hull(std::span<const End> ends) {
  const auto [lo, hi] = std::minmax_element(ends.begin(), ends.end(), less);
  Interval r;
  if (lo->inf == 0) r.lo = lo->v;
  if (hi->inf == 0) r.hi = hi->v;
  return r;
}

}  // namespace

Interval Interval::intersect(const Interval& o) const {
  Interval r = *this;
  if (o.lo && (!r.lo || *o.lo > *r.lo)) r.lo = o.lo;
  if (o.hi && (!r.hi || *o.hi < *r.hi)) r.hi = o.hi;
  return r;
}

Interval Interval::join(const Interval& o) const {
  if (is_empty()) return o;
  if (o.is_empty()) return *this;
  Interval r;
  if (lo && o.lo) r.lo = std::min(*lo, *o.lo);
  if (hi && o.hi) r.hi = std::max(*hi, *o.hi);
  return r;
}

std::string Interval::to_string() const {
  return "[" + (lo ? lo->to_string() : "-inf") + "," + (hi ? hi->to_string() : "inf") + "]";
}

Interval operator+(const Interval& a, const Interval& b) {
  Interval r;
  if (a.lo && b.lo) r.lo = *a.lo + *b.lo;
  if (a.hi && b.hi) r.hi = *a.hi + *b.hi;
  return r;
}

Interval operator-(const Interval& a) {
  Interval r;
  if (a.hi) r.lo = -*a.hi;
  if (a.lo) r.hi = -*a.lo;
  return r;
}

namespace {

// Product of finite intervals in int64; false where an end does not fit.
bool multiply_small(const Interval& a, const Interval& b, Interval& out) {
  if (!a.lo || !a.hi || !b.lo || !b.hi) return false;
  if (!a.lo->is_small() || !a.hi->is_small() || !b.lo->is_small() || !b.hi->is_small()) return false;
  std::array<std::int64_t, 4> p{};
  if (__builtin_mul_overflow(a.lo->small(), b.lo->small(), &p[0])) return false;
  if (__builtin_mul_overflow(a.lo->small(), b.hi->small(), &p[1])) return false;
  if (__builtin_mul_overflow(a.hi->small(), b.lo->small(), &p[2])) return false;
  if (__builtin_mul_overflow(a.hi->small(), b.hi->small(), &p[3])) return false;
  out.lo = Integer(std::min({p[0], p[1], p[2], p[3]}));
  out.hi = Integer(std::max({p[0], p[1], p[2], p[3]}));
  return true;
}

}  // namespace

Interval operator*(const Interval& a, const Interval& b) {
  if (Interval small; multiply_small(a, b, small)) return small;
  const std::array ends{times(low(a), low(b)), times(low(a), high(b)), times(high(a), low(b)), times(high(a), high(b))};
  return hull(ends);
}

Interval floor_div(const Interval& a, const Interval& b) {
  // Quotients are monotone in the dividend, and in the divisor on each side of 0.
  Interval r{1, 0};
  for (const int side : {1, -1}) {
    const Interval d = b.intersect(side > 0 ? Interval::at_least(1) : Interval::at_most(-1));
    if (d.is_empty()) continue;
    const std::array ends{quotient(low(a), low(d)), quotient(low(a), high(d)), quotient(high(a), low(d)),
                          quotient(high(a), high(d))};
    r = r.join(hull(ends));
  }
  return r;
}

}  // namespace dimgate
