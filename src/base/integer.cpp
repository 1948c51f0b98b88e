// The slow half of Integer: values that left int64 live in a Boost.Multiprecision integer on the heap. Results are
// narrowed again, so a value has one representation and equality may compare words. Checked by tests/base.
#include "dimgate/integer.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <functional>
#include <limits>

namespace dimgate {

using boost::multiprecision::cpp_int;

struct detail::Big {
  cpp_int v;
  static cpp_int widen(const Integer& a) { return a.big_ ? a.big_->v : cpp_int(a.small_); }
  static Integer narrow(const cpp_int& v) {
    static const cpp_int lo = std::numeric_limits<std::int64_t>::min();
    static const cpp_int hi = std::numeric_limits<std::int64_t>::max();
    if (v >= lo && v <= hi) return Integer(static_cast<std::int64_t>(v));
    return Integer::from_big(new Big{v});
  }
};

using detail::Big;

Big* Integer::clone(const Big* b) { return new Big(*b); }
void Integer::destroy(Big* b) noexcept { delete b; }
Integer Integer::from_big(Big* owned) {
  Integer r;
  r.big_ = owned;
  return r;
}
Integer Integer::from_u64(std::uint64_t v) { return Big::narrow(cpp_int(v)); }

std::optional<Integer> Integer::parse(std::string_view text) {
  std::string_view digits = text;
  if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) digits.remove_prefix(1);
  if (digits.empty()) return std::nullopt;
  for (const char c : digits)
    if (c < '0' || c > '9') return std::nullopt;
  while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);  // "010" is octal to cpp_int
  const bool negative = text[0] == '-';
  if (digits.size() <= 18) {
    std::int64_t v = 0;
    for (const char c : digits) v = v * 10 + (c - '0');
    return Integer(negative ? -v : v);
  }
  const cpp_int v{std::string(digits)};
  return Big::narrow(negative ? cpp_int(-v) : v);
}

std::string Integer::to_string() const { return big_ ? big_->v.str() : std::to_string(small_); }

std::size_t Integer::hash() const noexcept {
  if (!big_) return std::hash<std::int64_t>{}(small_);
  return hash_value(big_->v);  // linear in the limbs
}

unsigned Integer::bit_length() const noexcept {
  if (big_) return static_cast<unsigned>(boost::multiprecision::msb(boost::multiprecision::abs(big_->v))) + 1;
  const std::uint64_t m = small_ < 0 ? 0 - static_cast<std::uint64_t>(small_) : static_cast<std::uint64_t>(small_);
  return m == 0 ? 0U : 64U - static_cast<unsigned>(__builtin_clzll(m));
}

int Integer::big_sign() const noexcept { return big_->v.sign(); }
Integer Integer::add_slow(const Integer& a, const Integer& b) { return Big::narrow(Big::widen(a) + Big::widen(b)); }
Integer Integer::sub_slow(const Integer& a, const Integer& b) { return Big::narrow(Big::widen(a) - Big::widen(b)); }
Integer Integer::mul_slow(const Integer& a, const Integer& b) { return Big::narrow(Big::widen(a) * Big::widen(b)); }

namespace {
// Truncating quotient and remainder corrected towards minus infinity.
void floor_divmod(const cpp_int& a, const cpp_int& b, cpp_int& q, cpp_int& r) {
  boost::multiprecision::divide_qr(a, b, q, r);
  if (r != 0 && ((r < 0) != (b < 0))) {
    q -= 1;
    r += b;
  }
}
}  // namespace

Integer Integer::floor_div_slow(const Integer& a, const Integer& b) {
  cpp_int q, r;
  floor_divmod(Big::widen(a), Big::widen(b), q, r);
  return Big::narrow(q);
}
Integer Integer::floor_mod_slow(const Integer& a, const Integer& b) {
  cpp_int q, r;
  floor_divmod(Big::widen(a), Big::widen(b), q, r);
  return Big::narrow(r);
}
int Integer::compare_slow(const Integer& a, const Integer& b) noexcept {
  // One big value decides by sign: it lies outside the int64 range.
  if (!a.big_) return -b.big_sign();
  if (!b.big_) return a.big_sign();
  return a.big_->v.compare(b.big_->v);
}

Integer gcd(const Integer& a, const Integer& b) {
  if (a.is_one() || b.is_one()) return 1;
  Integer x = abs(a), y = abs(b);
  while (!y.is_zero()) {
    Integer r = floor_mod(x, y);
    x = std::move(y);
    y = std::move(r);
  }
  return x;
}

Integer lcm(const Integer& a, const Integer& b) {
  if (a.is_zero() || b.is_zero()) return 0;
  return abs(floor_div(a, gcd(a, b)) * b);
}

Integer pow(const Integer& base, unsigned exponent) {
  Integer result = 1, square = base;
  for (; exponent != 0; exponent >>= 1U) {
    if ((exponent & 1U) != 0) result *= square;
    if (exponent > 1) square *= square;
  }
  return result;
}

void extended_gcd(const Integer& a, const Integer& b, Integer& g, Integer& x, Integer& y) {
  Integer r0 = a, r1 = b, s0 = 1, s1 = 0, t0 = 0, t1 = 1;
  while (!r1.is_zero()) {
    const Integer q = floor_div(r0, r1);
    Integer r2 = r0 - q * r1, s2 = s0 - q * s1, t2 = t0 - q * t1;
    r0 = std::move(r1), r1 = std::move(r2);
    s0 = std::move(s1), s1 = std::move(s2);
    t0 = std::move(t1), t1 = std::move(t2);
  }
  if (r0.sign() < 0) r0 = -r0, s0 = -s0, t0 = -t0;
  g = std::move(r0), x = std::move(s0), y = std::move(t0);
}

}  // namespace dimgate
