// The division-free congruence test against division, exhaustively for small moduli and at the edges of int64.
#include <doctest/doctest.h>

#include <random>

#include "program/code.hpp"

using dimgate::detail::Congruent;
using dimgate::detail::Magic;

namespace {

bool congruent(std::int64_t v, std::uint64_t modulus, std::uint64_t residue) {
  __extension__ using Wide = __int128;
  Wide m = static_cast<Wide>(v) % static_cast<Wide>(modulus);
  if (m < 0) m += static_cast<Wide>(modulus);
  return m == static_cast<Wide>(residue);
}

}  // namespace

TEST_CASE("every modulus to 64, every residue, values near zero and at the ends") {
  std::size_t wrong = 0;
  for (std::uint64_t m = 1; m <= 64; ++m)
    for (std::uint64_t r = 0; r < m; ++r) {
      const Congruent c = Congruent::make(0, 0, m, r);
      for (std::int64_t d = 0; d < 200; ++d)
        for (const std::int64_t v : {d, -d, INT64_MAX - d, INT64_MIN + d})
          if (c.holds(v) != congruent(v, m, r)) ++wrong;
    }
  CHECK(wrong == 0);
}

TEST_CASE("random moduli up to 2^63, values on and off the residue") {
  std::mt19937_64 rng(7);
  std::size_t wrong = 0, held = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t m = std::max<std::uint64_t>(1, (rng() >> 1) >> (rng() % 63));
    const std::uint64_t r = rng() % m;
    const Congruent c = Congruent::make(0, 0, m, r);
    // A multiple of m plus r, if int64 holds it; and its neighbours.
    const std::uint64_t k = rng() % ((std::uint64_t{INT64_MAX} - r) / m + 1);
    const auto on = static_cast<std::int64_t>(k * m + r);
    for (const std::int64_t v : {on, on - 1, static_cast<std::int64_t>(rng())}) {
      if (c.holds(v) != congruent(v, m, r)) ++wrong;
      held += c.holds(v) ? 1 : 0;
    }
  }
  CHECK(wrong == 0);
  CHECK(held >= 200'000);
}

// Found by the sanitizers in CI: INT64_MIN % INT64_MAX multiplied -2 by INT64_MAX in int64.
TEST_CASE("division by multiplication, divisors and values to the ends of int64") {
  std::mt19937_64 rng(8);
  std::size_t wrong = 0;
  const auto compare = [&](std::int64_t n, std::int64_t d) {
    if ((d & (d - 1)) == 0) return;
    const Magic magic = Magic::make(d);
    std::int64_t quotient = n / d, remainder = n % d;
    if (remainder < 0) --quotient, remainder += d;
    if (magic.floor_div(n) != quotient || magic.floor_mod(n, d) != remainder) ++wrong;
  };
  for (int i = 0; i < 200'000; ++i) {
    const auto d = std::max<std::int64_t>(3, static_cast<std::int64_t>((rng() >> 1) >> (rng() % 62)));
    for (const std::int64_t n : {static_cast<std::int64_t>(rng()), INT64_MIN, INT64_MAX, std::int64_t{0}}) {
      compare(n, d);
      compare(n, INT64_MAX - static_cast<std::int64_t>(rng() % 100));
    }
  }
  CHECK(wrong == 0);
}
