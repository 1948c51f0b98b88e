// Integers against __int128 and identities; small vectors against std::vector.
#include <doctest/doctest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/small_vector.hpp"
#include "dimgate/integer.hpp"
#include "dimgate/result.hpp"

using namespace dimgate;

namespace {

__extension__ typedef __int128 Wide;

Integer wide(Wide v) {
  const bool negative = v < 0;
  std::string digits;
  do {
    const int d = static_cast<int>(v % 10);
    digits.insert(digits.begin(), static_cast<char>('0' + (d < 0 ? -d : d)));
    v /= 10;
  } while (v != 0);
  return *Integer::parse((negative ? "-" : "") + digits);
}

std::int64_t edge(std::mt19937_64& rng) {
  constexpr std::int64_t lo = std::numeric_limits<std::int64_t>::min(), hi = std::numeric_limits<std::int64_t>::max();
  switch (rng() % 5) {
    case 0:
      return lo + static_cast<std::int64_t>(rng() % 3);
    case 1:
      return hi - static_cast<std::int64_t>(rng() % 3);
    case 2:
      return static_cast<std::int64_t>(rng());
    default:
      return static_cast<std::int64_t>(rng() % 41) - 20;
  }
}

}  // namespace

TEST_CASE("arithmetic agrees with 128 bits, at the edges of int64 too") {
  std::mt19937_64 rng(1);
  for (int i = 0; i < 200'000; ++i) {
    const std::int64_t a = edge(rng), b = edge(rng);
    const Wide x = a, y = b;
    CHECK(Integer(a) + Integer(b) == wide(x + y));
    CHECK(Integer(a) - Integer(b) == wide(x - y));
    CHECK(Integer(a) * Integer(b) == wide(x * y));
    CHECK((Integer(a) < Integer(b)) == (a < b));
    if (b == 0) continue;
    Wide q = x / y, r = x % y;
    if (r != 0 && (r < 0) != (y < 0)) q -= 1, r += y;
    CHECK(floor_div(Integer(a), Integer(b)) == wide(q));
    CHECK(floor_mod(Integer(a), Integer(b)) == wide(r));
  }
}

TEST_CASE("big values shrink back, and equal values hash alike") {
  const Integer two64 = pow(Integer(2), 64);
  CHECK_FALSE(two64.is_small());
  CHECK((two64 - two64).is_small());
  CHECK((two64 - two64 + 5).hash() == Integer(5).hash());
  CHECK(floor_div(two64, Integer(-3)) * -3 + floor_mod(two64, Integer(-3)) == two64);
  CHECK(two64.bit_length() == 65);
  CHECK(Integer(0).bit_length() == 0);
  CHECK(Integer(std::numeric_limits<std::int64_t>::min()).bit_length() == 64);
  CHECK(gcd(two64, Integer(48)) == 16);
  CHECK(lcm(Integer(4), Integer(-6)) == 12);
  Integer g, x, y;
  extended_gcd(Integer(240), Integer(-46), g, x, y);
  CHECK(g == 2);
  CHECK(Integer(240) * x + Integer(-46) * y == 2);
}

TEST_CASE("decimal text") {
  for (const char* t : {"0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
                        "123456789012345678901234567890"})
    CHECK(Integer::parse(t)->to_string() == t);
  for (const char* t : {"", "-", "1x", "0x10", " 1", "1 "}) CHECK_FALSE(Integer::parse(t).has_value());
  CHECK(*Integer::parse("0010") == 10);
}

TEST_CASE("small vectors behave as vectors, inline and on the heap") {
  std::mt19937_64 rng(7);
  SmallVector<std::string, 3> small;
  std::vector<std::string> plain;
  for (int i = 0; i < 20'000; ++i) {
    switch (rng() % 6) {
      case 0:
      case 1:
      case 2:
        small.push_back(std::to_string(i) + " something longer than a short string holds");
        plain.push_back(small.back());
        break;
      case 3:
        if (!plain.empty()) small.pop_back(), plain.pop_back();
        break;
      case 4: {
        SmallVector<std::string, 3> copy(small), moved(std::move(small));
        small = std::move(copy);
        copy = moved;
        break;
      }
      default:
        if (plain.size() > 12) {
          const auto odd = [](const std::string& s) { return (s[0] - '0') % 2 == 1; };
          small.remove_if(odd);
          std::erase_if(plain, odd);
        }
    }
    REQUIRE(std::equal(small.begin(), small.end(), plain.begin(), plain.end()));
  }
}

TEST_CASE("result: what is read and not there throws its own text, in every build") {
  const Result<int> good = 3;
  const Result<int> bad = Error{"no such thing", "f.txt", 2, 0};
  CHECK(*good == 3);
  CHECK_THROWS_WITH_AS((void)*bad, "f.txt:2: no such thing", BadResult);
  CHECK_THROWS_WITH_AS((void)bad.value(), "f.txt:2: no such thing", BadResult);
  CHECK_THROWS_WITH_AS((void)Result<std::string>(Error{"gone"})->size(), "gone", BadResult);
  CHECK_THROWS_AS((void)good.error(), BadResult);
}
