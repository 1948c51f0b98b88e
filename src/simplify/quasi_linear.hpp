// Values of a term on one residue class: x = P*q + r makes every supported term piecewise linear in q.
//
// A Pieces value is a list of segments that together cover all q in ascending order; on each the term is a*q + b or
// undefined. Truth values are the constants 0 and 1. Anything that does not fit (int64 overflow, a product of two
// varying factors, too many segments) is `Stop::cannot`; a divisor that does not divide the slope asks for a longer
// period and is `Stop::refine`. Used by unary.cpp only.
#pragma once

#include <cstdint>
#include <vector>

#include "dimgate/expr.hpp"
#include "simplify/int_set.hpp"

namespace dimgate::simplify {

constexpr std::int64_t floor_div64(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return (a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q;
}

struct Segment {
  std::int64_t last = IntSet::kPlusInf;  // largest q of the segment
  std::int64_t slope = 0, offset = 0;
  bool undefined = false;
};
using Pieces = std::vector<Segment>;

class ResidueEvaluator {
 public:
  enum class Stop : std::uint8_t { none, cannot, refine };

  explicit ResidueEvaluator(Expr x) : x_(x) {}
  /// Evaluates e on x = period*q + residue. Meaningful only if stop() is none afterwards.
  Pieces run(Expr e, std::int64_t period, std::int64_t residue);
  [[nodiscard]] Stop stop() const noexcept { return stop_; }
  /// refine: what the period must be multiplied by.
  [[nodiscard]] std::int64_t factor() const noexcept { return factor_; }

 private:
  Pieces eval(Expr e);
  Pieces fold(Expr e);
  Pieces binary(Op op, const Pieces& a, const Pieces& b);
  Pieces branch(const Pieces& condition, const Pieces& then, const Pieces& otherwise);
  void apply(Op op, std::int64_t first, std::int64_t last, const Segment& a, const Segment& b, Pieces& out);
  void divide(Op op, std::int64_t first, std::int64_t last, const Segment& a, const Segment& b, Pieces& out);
  void divide_constant(Op op, std::int64_t first, std::int64_t last, std::int64_t c, const Segment& b, Pieces& out);
  void compare(Op op, std::int64_t first, std::int64_t last, const Segment& a, const Segment& b, Pieces& out);
  void choose_by_sign(std::int64_t first, std::int64_t last, const Segment& difference, const Segment& negative,
                      const Segment& other, Pieces& out);
  void cannot() noexcept { stop_ = Stop::cannot; }
  std::int64_t add(std::int64_t a, std::int64_t b);
  std::int64_t multiply(std::int64_t a, std::int64_t b);

  Expr x_;
  std::int64_t period_ = 1, residue_ = 0;
  Stop stop_ = Stop::none;
  std::int64_t factor_ = 1;
};

}  // namespace dimgate::simplify
