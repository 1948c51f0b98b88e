// Residue classes `x = r (mod m)`, with (0, c) for a constant and (1, 0) for nothing known. Each operation is the best
// class that contains all results (Granger 1991). Checked by tests/prove/native_test.cpp.
#include "dimgate/facts.hpp"

namespace dimgate {

Congruence Congruence::of(const Integer& modulus, const Integer& residue) {
  const Integer m = abs(modulus);
  if (m.is_zero()) return {0, residue};
  return {m, floor_mod(residue, m)};
}

bool Congruence::contains(const Integer& v) const {
  if (is_all()) return true;
  if (modulus.is_zero()) return v == residue;
  return floor_mod(v, modulus) == residue;
}

std::optional<Congruence> Congruence::intersect(const Congruence& o) const {
  if (is_all()) return o;
  if (o.is_all()) return *this;
  if (modulus.is_zero()) return o.contains(residue) ? std::optional(*this) : std::nullopt;
  if (o.modulus.is_zero()) return contains(o.residue) ? std::optional(o) : std::nullopt;
  // x = residue + modulus*t with modulus*t == o.residue - residue (mod o.modulus).
  Integer g, s, t;
  extended_gcd(modulus, o.modulus, g, s, t);
  const Integer gap = o.residue - residue;
  if (!floor_mod(gap, g).is_zero()) return std::nullopt;
  const Integer step = floor_div(o.modulus, g);
  const Integer k = floor_mod(floor_div(gap, g) * s, step);
  return of(modulus * step, residue + modulus * k);
}

Congruence Congruence::join(const Congruence& o) const {
  return of(gcd(gcd(modulus, o.modulus), residue - o.residue), residue);
}

std::string Congruence::to_string() const { return "(" + modulus.to_string() + "," + residue.to_string() + ")"; }

Congruence operator+(const Congruence& a, const Congruence& b) {
  if (a.is_all()) return a;
  if (b.is_all()) return b;
  if (a.modulus.is_zero() && b.modulus.is_zero()) return Congruence::constant(a.residue + b.residue);
  return Congruence::of(gcd(a.modulus, b.modulus), a.residue + b.residue);
}

Congruence operator*(const Congruence& a, const Congruence& b) {
  if (a.is_all() && b.is_all()) return a;
  if (a.modulus.is_zero()) return Congruence::of(a.residue * b.modulus, a.residue * b.residue);
  if (b.modulus.is_zero()) return Congruence::of(b.residue * a.modulus, b.residue * a.residue);
  // (m x + r)(n y + s) = mn xy + ms x + rn y + rs
  return Congruence::of(gcd(gcd(a.modulus * b.modulus, a.modulus * b.residue), a.residue * b.modulus),
                        a.residue * b.residue);
}

}  // namespace dimgate
