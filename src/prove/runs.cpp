#include "prove/runs.hpp"

#include <algorithm>

namespace dimgate {

namespace {

using Coefficients = std::vector<Integer>;

Integer value(std::span<const Integer> p, const Integer& x) {
  Integer v = 0;
  for (std::size_t i = p.size(); i-- > 0;) v = v * x + p[i];
  return v;
}

bool at_least_zero(std::span<const Integer> p, const Integer& x) { return value(p, x).sign() >= 0; }

// p(x + 1) - p(x).
Coefficients difference(std::span<const Integer> p) {
  Coefficients shifted(p.begin(), p.end());  // p(x + 1), by Horner's scheme in place
  for (std::size_t i = 0; i + 1 < shifted.size(); ++i)
    for (std::size_t j = shifted.size() - 1; j-- > i;) shifted[j] += shifted[j + 1];
  for (std::size_t i = 0; i < shifted.size(); ++i) shifted[i] -= p[i];
  shifted.pop_back();  // the leading terms cancel
  return shifted;
}

// Beyond it, on both sides, p keeps its sign.
Integer reach(std::span<const Integer> p) {
  Integer most = 0;
  for (const Integer& c : p) most = std::max(most, abs(c));
  return most + 2;
}

// The x, ascending, where p >= 0 holds at one of x and x + 1 only. `cuts`: those of p's difference.
std::vector<Integer> switches(std::span<const Integer> p, const std::vector<Integer>& cuts) {
  const Integer end = reach(p);
  std::vector<Integer> stops{-end};
  for (const Integer& c : cuts)
    if (c + 1 > stops.back() && c + 1 < end) stops.push_back(c + 1);
  stops.push_back(end);
  std::vector<Integer> out;
  for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
    Integer lo = stops[i], hi = stops[i + 1];
    const bool left = at_least_zero(p, lo);
    if (left == at_least_zero(p, hi)) continue;  // monotone between: no change at all
    while (hi - lo > 1) {
      const Integer mid = lo + floor_div(hi - lo, 2);
      (at_least_zero(p, mid) == left ? lo : hi) = mid;
    }
    out.push_back(lo);
  }
  return out;
}

}  // namespace

std::optional<OneUnknown> in_one_unknown(PolyRing& ring, const Poly& p) {
  OneUnknown out;
  for (const Term& t : p.terms) {
    std::uint32_t degree = 0;
    if (t.m != ring.impl().one) {
      degree = t.m->op == Op::Mul ? t.m->size : 1;
      for (std::uint32_t i = 0; i < degree; ++i) {
        const Node* a = t.m->op == Op::Mul ? t.m->args()[i] : t.m;
        if (out.atom != nullptr && out.atom != a) return std::nullopt;
        out.atom = a;
      }
    }
    if (degree > OneUnknown::kMostDegree) return std::nullopt;
    if (out.coefficients.size() <= degree) out.coefficients.resize(degree + 1);
    out.coefficients[degree] = t.c;
  }
  if (out.coefficients.size() < 3) return std::nullopt;
  return out;
}

std::vector<Interval> runs_at_least_zero(std::span<const Integer> p) {
  std::vector<Coefficients> chain{Coefficients(p.begin(), p.end())};  // p, its difference, the difference of that ...
  while (chain.back().size() > 1) chain.push_back(difference(chain.back()));
  std::vector<Integer> cuts;
  for (std::size_t i = chain.size() - 1; i-- > 0;) cuts = switches(chain[i], cuts);
  std::vector<Interval> out;
  bool inside = at_least_zero(p, -reach(p));
  if (inside) out.push_back(Interval::all());
  for (const Integer& c : cuts) {
    if (inside)
      out.back().hi = c;
    else
      out.push_back(Interval::at_least(c + 1));
    inside = !inside;
  }
  return out;
}

std::vector<Integer> integer_zeros(std::span<const Integer> p) {
  constexpr std::int64_t kFewDivisors = 1024;
  std::vector<Integer> out;
  if (const Integer constant = abs(p[0]); !constant.is_zero() && constant <= Integer(kFewDivisors)) {
    for (std::int64_t d = 1; d <= constant.small(); ++d) {  // a zero divides the constant
      if (constant.small() % d != 0) continue;
      for (const std::int64_t x : {d, -d})
        if (value(p, x).is_zero()) out.emplace_back(x);
    }
    std::sort(out.begin(), out.end());
    return out;
  }
  Coefficients minus(p.begin(), p.end());
  for (Integer& c : minus) c = -c;
  const std::vector<Interval> above = runs_at_least_zero(p), below = runs_at_least_zero(minus);
  // Where both hold: no more points than the degree.
  for (const Interval& a : above)
    for (const Interval& b : below) {
      const Interval both = a.intersect(b);
      if (both.is_empty()) continue;
      for (Integer x = *both.lo; x <= *both.hi; x += 1) out.push_back(x);
    }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace dimgate
