// Bounds of absolute values against exact integers: never below, and at most one bit above.
#include "compile/magnitude.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <random>

using dimgate::Integer;
using dimgate::lowering::Magnitude;

namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

struct Both {
  Magnitude bound;
  Integer exact;
};

void check(const Both& b) {
  CHECK(b.bound.bit_length() >= b.exact.bit_length());
  CHECK(b.bound.bit_length() <= b.exact.bit_length() + 1);
}

Integer random_integer(std::mt19937_64& rng) {
  static constexpr std::array kEdges{kMin, kMin + 1, kMax, std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}};
  const Integer small = rng() % 3 == 0 ? kEdges[rng() % kEdges.size()] : static_cast<std::int64_t>(rng() >> rng() % 64);
  if (rng() % 3 != 0) return small;
  return small * pow(Integer(2), static_cast<unsigned>(rng() % 300)) + Integer(static_cast<std::int64_t>(rng() % 5)) -
         2;
}

}  // namespace

TEST_CASE("a magnitude is exact below 2^64 and never too small") {
  CHECK(Magnitude::of(kMin).bit_length() == 64);
  CHECK(Magnitude::of(kMax).bit_length() == 63);
  CHECK(Magnitude::of(std::int64_t{0}).bit_length() == 0);
  CHECK((Magnitude::of(kMin) + Magnitude::of(kMin)).bit_length() == 65);
  CHECK((Magnitude::of(kMin) * Magnitude::of(kMin)).bit_length() == 127);
  const Integer huge = pow(Integer(2), 200);
  for (const Integer& v : {huge - 1, huge, huge + 1, -huge}) check({Magnitude::of(v), abs(v)});
  // Just above a bound that rounds up: the carry goes into a new bit.
  CHECK(!(Magnitude::of(pow(Integer(2), 200) - 1) < Magnitude::of(pow(Integer(2), 199))));
}

TEST_CASE("magnitudes of random sums and products bound the exact ones") {
  std::mt19937_64 rng(5);
  for (int run = 0; run < 2000; ++run) {
    const Integer first = random_integer(rng);
    Both b{Magnitude::of(first), abs(first)};
    for (int step = 0; step < 30 && b.exact.bit_length() < 6000; ++step) {
      const Integer v = random_integer(rng);
      const Both other{Magnitude::of(v), abs(v)};
      check(other);
      if (rng() % 4 == 0) {
        b = {b.bound * other.bound, b.exact * other.exact};
      } else {
        b = {b.bound + other.bound, b.exact + other.exact};
      }
      check(b);
      // An order by bounds differs from the exact one only where the exact values are nearly equal.
      if (b.exact.bit_length() > other.exact.bit_length() + 1) CHECK(other.bound < b.bound);
    }
  }
}

TEST_CASE("a long sum costs bits by its logarithm") {
  Magnitude sum;
  for (int k = 0; k < 100000; ++k) sum = sum + Magnitude::of(kMin);
  CHECK(sum.bit_length() == 64 + 16);
}
