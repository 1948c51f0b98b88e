// The reduced product of an interval and a congruence: { x in [lo, hi] : x == r (mod m) }.
// Each component is tightened by the other (Granger 1991); empty is explicit.
#pragma once

#include "dimgate/facts.hpp"

namespace dimgate {

struct Domain {
  Interval interval;
  Congruence congruence;
  bool empty = false;

  static Domain all() { return {}; }
  static Domain point(const Integer& v) { return {Interval::point(v), Congruence::constant(v), false}; }
  static Domain nothing() { return {{}, {}, true}; }
  [[nodiscard]] bool is_point() const { return !empty && interval.is_point(); }
  [[nodiscard]] bool is_all() const { return !empty && !interval.lo && !interval.hi && congruence.is_all(); }
  [[nodiscard]] bool contains(const Integer& v) const {
    return !empty && interval.contains(v) && congruence.contains(v);
  }
  /// Sign facts; false where not known.
  [[nodiscard]] bool positive() const { return !empty && interval.lo && interval.lo->sign() > 0; }
  [[nodiscard]] bool negative() const { return !empty && interval.hi && interval.hi->sign() < 0; }
  [[nodiscard]] bool nonzero() const { return !contains(0); }
  /// Tightens the ends to the residue and finds emptiness.
  void reduce();
  /// Returns true if this became smaller.
  bool meet(const Domain& o);
  /// Some number in it has more than kMostBits bits: a product's ends may square with each step, and steps do not
  /// count bits.
  [[nodiscard]] bool is_far() const;
  /// The same with ends, and a congruence, that far left out: larger.
  [[nodiscard]] Domain without_far_ends() const;
  static constexpr unsigned kMostBits = 4096;
  /// Number of integers if finite and at most `limit`.
  [[nodiscard]] std::optional<std::uint64_t> count(std::uint64_t limit) const;
};

Domain operator+(const Domain& a, const Domain& b);
Domain operator*(const Domain& a, const Domain& b);
Domain scale(const Domain& a, const Integer& k);
/// x // k for a constant k > 0.
Domain divide(const Domain& a, const Integer& k);
Domain divide(const Domain& a, const Domain& b);
Domain maximum(const Domain& a, const Domain& b);
Domain join(const Domain& a, const Domain& b);

}  // namespace dimgate
