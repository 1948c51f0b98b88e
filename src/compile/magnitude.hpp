// A bound of an absolute value, for the width of the exact path: mantissa * 2^exponent, rounded up.
//
// Exact below 2^64; above, each operation rounds up by less than one part in 2^62, so that the bit length is at most
// one more than the exact bound's, and it is still a bound. Never allocates: every value that is lowered carries one
// (exact integers, which lie on the heap from 2^63 on, were a fifth of the instructions of compiling). Tested by
// tests/compile/magnitude_test.cpp against Integer.
#pragma once

#include <bit>
#include <cstdint>

#include "dimgate/integer.hpp"

namespace dimgate::lowering {

class Magnitude {
 public:
  constexpr Magnitude() noexcept = default;
  static constexpr Magnitude of(std::int64_t v) noexcept {
    const auto u = static_cast<std::uint64_t>(v);
    return {v < 0 ? 0 - u : u, 0};
  }
  static Magnitude of(const Integer& v) {
    if (v.is_small()) return of(v.small());
    const unsigned bits = v.bit_length();  // 64 at least
    const Integer unit = pow(Integer(2), bits - 62);
    return {static_cast<std::uint64_t>(floor_div(abs(v), unit).small()) + 1, bits - 62};
  }

  /// Of the bound; 0 for 0.
  [[nodiscard]] constexpr std::uint32_t bit_length() const noexcept {
    return mantissa_ == 0 ? 0 : exponent_ + static_cast<std::uint32_t>(std::bit_width(mantissa_));
  }

  friend constexpr Magnitude operator+(Magnitude a, Magnitude b) noexcept {
    if (a.exponent_ < b.exponent_) {
      const Magnitude t = a;
      a = b;
      b = t;
    }
    return rounded(Wide{a.mantissa_} + shifted(b.mantissa_, a.exponent_ - b.exponent_), a.exponent_);
  }
  /// Both of at most 2^30 bits.
  friend constexpr Magnitude operator*(Magnitude a, Magnitude b) noexcept {
    return rounded(Wide{a.mantissa_} * b.mantissa_, a.exponent_ + b.exponent_);
  }
  friend constexpr bool operator<(Magnitude a, Magnitude b) noexcept {
    const std::uint32_t x = a.bit_length(), y = b.bit_length();
    if (x != y || x == 0) return x < y;
    return (a.mantissa_ << std::countl_zero(a.mantissa_)) < (b.mantissa_ << std::countl_zero(b.mantissa_));
  }

 private:
  __extension__ using Wide = unsigned __int128;

  constexpr Magnitude(std::uint64_t mantissa, std::uint32_t exponent) noexcept
      : mantissa_(mantissa), exponent_(exponent) {}
  /// m / 2^by, rounded up.
  static constexpr std::uint64_t shifted(std::uint64_t m, std::uint32_t by) noexcept {
    if (by == 0) return m;
    if (by >= 64) return m != 0 ? 1 : 0;
    return (m >> by) + ((m & ((std::uint64_t{1} << by) - 1)) != 0 ? 1 : 0);
  }
  static constexpr Magnitude rounded(Wide m, std::uint32_t exponent) noexcept {
    const auto high = static_cast<std::uint64_t>(m >> 64);
    if (high == 0) return {static_cast<std::uint64_t>(m), m == 0 ? 0 : exponent};
    const auto by = static_cast<std::uint32_t>(std::bit_width(high));
    const Wide lost = m & ((Wide{1} << by) - 1);
    const Wide kept = (m >> by) + (lost != 0 ? 1 : 0);
    if ((kept >> 64) != 0) return {std::uint64_t{1} << 63, exponent + by + 1};
    return {static_cast<std::uint64_t>(kept), exponent + by};
  }

  std::uint64_t mantissa_ = 0;
  std::uint32_t exponent_ = 0;
};

constexpr Magnitude larger(Magnitude a, Magnitude b) noexcept { return a < b ? b : a; }

}  // namespace dimgate::lowering
