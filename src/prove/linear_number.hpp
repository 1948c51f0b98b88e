// Arithmetic of the simplex tableau at three widths: int64, 128 bits, Integer.
//
// Every function is exact or raises the sticky flag `wide` ("this needs a wider number"); what it then returns is
// meaningless but never undefined behaviour. The tableau looks at the flag once per pivot, drops its work when it is
// up, and its owner starts again at the next width. With Integer the flag is never raised.
#pragma once

#include <cstdint>
#include <utility>

#include "dimgate/integer.hpp"

namespace dimgate::linear {

__extension__ typedef __int128 Int128;

template <class T>
inline T add(const T& a, const T& b, bool& wide) {
  T r;
  wide |= __builtin_add_overflow(a, b, &r);
  return r;
}
template <class T>
inline T sub(const T& a, const T& b, bool& wide) {
  T r;
  wide |= __builtin_sub_overflow(a, b, &r);
  return r;
}
template <class T>
inline T mul(const T& a, const T& b, bool& wide) {
  T r;
  wide |= __builtin_mul_overflow(a, b, &r);
  return r;
}
template <>
inline Integer add(const Integer& a, const Integer& b, bool&) {
  return a + b;
}
template <>
inline Integer sub(const Integer& a, const Integer& b, bool&) {
  return a - b;
}
template <>
inline Integer mul(const Integer& a, const Integer& b, bool&) {
  return a * b;
}
template <class T>
inline T negate(const T& a, bool& wide) {
  return sub(T(0), a, wide);
}

template <class T>
inline int sign(const T& a) {
  return (a > 0) - (a < 0);
}
inline int sign(const Integer& a) { return a.sign(); }

/// a / b where b divides a, b > 0 (b != 0 suffices unless a is the least number and b is -1).
template <class T>
inline T exact_quotient(const T& a, const T& b) {
  return a / b;
}
inline Integer exact_quotient(const Integer& a, const Integer& b) { return floor_div(a, b); }

/// The floor of a / b and its remainder, b > 0.
template <class T>
inline T floor_quotient(const T& a, const T& b) {
  const T q = a / b;
  return q * b > a ? q - 1 : q;
}
inline Integer floor_quotient(const Integer& a, const Integer& b) { return floor_div(a, b); }
template <class T>
inline T floor_remainder(const T& a, const T& b) {
  const T r = a % b;
  return r < 0 ? r + b : r;
}
inline Integer floor_remainder(const Integer& a, const Integer& b) { return floor_mod(a, b); }

/// gcd(|a|, |b|) for b > 0. The magnitude of the least machine number is handled as unsigned.
inline std::int64_t common_divisor(std::int64_t a, std::int64_t b) {
  std::uint64_t x = a < 0 ? 0 - static_cast<std::uint64_t>(a) : static_cast<std::uint64_t>(a);
  auto y = static_cast<std::uint64_t>(b);
  while (x != 0) {
    const std::uint64_t r = y % x;
    y = x;
    x = r;
  }
  return static_cast<std::int64_t>(y);
}
inline Int128 common_divisor(Int128 a, Int128 b) {
  Int128 x = a < 0 ? -(a + 1) : a;  // one off for negatives, so that the least number has a magnitude
  if (a < 0) x = (x % b + 1) % b;
  while (x != 0) {
    const Int128 r = b % x;
    b = x;
    x = r;
  }
  return b;
}
inline Integer common_divisor(const Integer& a, const Integer& b) { return gcd(a, b); }

template <class T>
T from_integer(const Integer& a, bool& wide);
template <>
inline std::int64_t from_integer(const Integer& a, bool& wide) {
  wide |= !a.is_small();
  return a.small();
}
template <>
inline Int128 from_integer(const Integer& a, bool& wide) {
  if (a.is_small()) return a.small();
  if (a.bit_length() > 126) {
    wide = true;
    return 0;
  }
  const Integer base = pow(Integer(2), 62);
  const Integer high = floor_div(a, base), higher = floor_div(high, base);
  return ((static_cast<Int128>(higher.small()) << 62) + floor_mod(high, base).small()) *
             (static_cast<Int128>(1) << 62) +
         floor_mod(a, base).small();
}
template <>
inline Integer from_integer(const Integer& a, bool&) {
  return a;
}

inline Integer to_integer(std::int64_t a) { return a; }
inline Integer to_integer(Int128 a) {
  const auto small = static_cast<std::int64_t>(a);
  if (small == a) return small;
  const Int128 base = static_cast<Int128>(1) << 62;
  const Integer big = pow(Integer(2), 62);
  const Int128 high = floor_quotient(a, base), higher = floor_quotient(high, base);
  return (Integer(static_cast<std::int64_t>(higher)) * big + static_cast<std::int64_t>(floor_remainder(high, base))) *
             big +
         static_cast<std::int64_t>(floor_remainder(a, base));
}
inline Integer to_integer(const Integer& a) { return a; }

}  // namespace dimgate::linear
