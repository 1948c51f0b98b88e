// An unbounded integer that costs an int64 until it grows.
//
// Every term of dimgate denotes a value in Z, so arithmetic never wraps: the inline
// operators compute in int64 with overflow checks and fall back to Boost.Multiprecision
// (kept out of this header) only when a result does not fit.
// Invariant: a value that fits int64 is always held small, so == and hashing are by value.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dimgate {

namespace detail {
struct Big;  // owns a boost cpp_int; defined in src/base/integer.cpp
}

class Integer {
 public:
  constexpr Integer() noexcept = default;
  constexpr Integer(std::int64_t v) noexcept : small_(v) {}  // NOLINT: implicit by design
  constexpr Integer(int v) noexcept : small_(v) {}           // NOLINT
  static Integer from_u64(std::uint64_t v);
  Integer(const Integer& o) : small_(o.small_), big_(o.big_ ? clone(o.big_) : nullptr) {}
  Integer(Integer&& o) noexcept : small_(o.small_), big_(o.big_) { o.big_ = nullptr, o.small_ = 0; }
  Integer& operator=(const Integer& o) {
    if (this != &o) {
      detail::Big* copy = o.big_ ? clone(o.big_) : nullptr;
      if (big_) destroy(big_);
      small_ = o.small_;
      big_ = copy;
    }
    return *this;
  }
  Integer& operator=(Integer&& o) noexcept {
    if (this != &o) {
      if (big_) destroy(big_);
      small_ = o.small_;
      big_ = o.big_;
      o.big_ = nullptr;
      o.small_ = 0;
    }
    return *this;
  }
  ~Integer() {
    if (big_) destroy(big_);
  }

  /// Decimal digits with an optional sign; nullopt for anything else.
  static std::optional<Integer> parse(std::string_view text);
  [[nodiscard]] std::string to_string() const;

  [[nodiscard]] bool is_small() const noexcept { return big_ == nullptr; }
  /// The value; only where is_small().
  [[nodiscard]] std::int64_t small() const noexcept { return small_; }
  [[nodiscard]] std::optional<std::int64_t> to_int64() const noexcept {
    if (big_) return std::nullopt;
    return small_;
  }
  [[nodiscard]] int sign() const noexcept { return big_ ? big_sign() : (small_ > 0) - (small_ < 0); }
  [[nodiscard]] bool is_zero() const noexcept { return !big_ && small_ == 0; }
  [[nodiscard]] bool is_one() const noexcept { return !big_ && small_ == 1; }
  [[nodiscard]] std::size_t hash() const noexcept;
  /// Number of bits of |value|; 0 for 0.
  [[nodiscard]] unsigned bit_length() const noexcept;

  friend Integer operator+(const Integer& a, const Integer& b) {
    std::int64_t r;
    if (!a.big_ && !b.big_ && !__builtin_add_overflow(a.small_, b.small_, &r)) return r;
    return add_slow(a, b);
  }
  friend Integer operator-(const Integer& a, const Integer& b) {
    std::int64_t r;
    if (!a.big_ && !b.big_ && !__builtin_sub_overflow(a.small_, b.small_, &r)) return r;
    return sub_slow(a, b);
  }
  friend Integer operator*(const Integer& a, const Integer& b) {
    std::int64_t r;
    if (!a.big_ && !b.big_ && !__builtin_mul_overflow(a.small_, b.small_, &r)) return r;
    return mul_slow(a, b);
  }
  friend Integer operator-(const Integer& a) { return Integer(0) - a; }
  Integer& operator+=(const Integer& b) { return *this = *this + b; }
  Integer& operator-=(const Integer& b) { return *this = *this - b; }
  Integer& operator*=(const Integer& b) { return *this = *this * b; }

  friend bool operator==(const Integer& a, const Integer& b) noexcept {
    if (!a.big_ && !b.big_) return a.small_ == b.small_;
    return compare_slow(a, b) == 0;
  }
  friend std::strong_ordering operator<=>(const Integer& a, const Integer& b) noexcept {
    if (!a.big_ && !b.big_) return a.small_ <=> b.small_;
    return compare_slow(a, b) <=> 0;
  }

  /// Floor division and its remainder (Python's, for any signs). Divisor must not be 0.
  friend Integer floor_div(const Integer& a, const Integer& b) {
    if (!a.big_ && !b.big_) {
      if (b.small_ == -1) return Integer(0) - a;  // the only quotient that may not fit
      const std::int64_t q = a.small_ / b.small_;
      return (a.small_ % b.small_ != 0 && ((a.small_ < 0) != (b.small_ < 0))) ? q - 1 : q;
    }
    return floor_div_slow(a, b);
  }
  friend Integer floor_mod(const Integer& a, const Integer& b) {
    if (!a.big_ && !b.big_) {
      if (b.small_ == -1) return 0;
      const std::int64_t r = a.small_ % b.small_;
      return (r != 0 && ((r < 0) != (b.small_ < 0))) ? r + b.small_ : r;
    }
    return floor_mod_slow(a, b);
  }
  friend Integer ceil_div(const Integer& a, const Integer& b) { return -floor_div(-a, b); }
  friend Integer abs(const Integer& a) { return a.sign() < 0 ? -a : a; }
  /// Non-negative; gcd(0, 0) = 0.
  friend Integer gcd(const Integer& a, const Integer& b);
  /// Non-negative; lcm(0, x) = 0.
  friend Integer lcm(const Integer& a, const Integer& b);
  friend Integer pow(const Integer& base, unsigned exponent);
  /// (g, x, y) with a*x + b*y = g = gcd(a, b).
  friend void extended_gcd(const Integer& a, const Integer& b, Integer& g, Integer& x, Integer& y);

 private:
  static detail::Big* clone(const detail::Big* b);
  static void destroy(detail::Big* b) noexcept;
  static Integer from_big(detail::Big* owned);
  static Integer add_slow(const Integer& a, const Integer& b);
  static Integer sub_slow(const Integer& a, const Integer& b);
  static Integer mul_slow(const Integer& a, const Integer& b);
  static Integer floor_div_slow(const Integer& a, const Integer& b);
  static Integer floor_mod_slow(const Integer& a, const Integer& b);
  static int compare_slow(const Integer& a, const Integer& b) noexcept;
  [[nodiscard]] int big_sign() const noexcept;
  friend struct detail::Big;

  std::int64_t small_ = 0;
  detail::Big* big_ = nullptr;
};

// Declared here so that they are found by ordinary lookup as well.
Integer gcd(const Integer& a, const Integer& b);
Integer lcm(const Integer& a, const Integer& b);
Integer pow(const Integer& base, unsigned exponent);
void extended_gcd(const Integer& a, const Integer& b, Integer& g, Integer& x, Integer& y);

}  // namespace dimgate
