// The exact test of overlap against enumeration of every byte.
#include "dimgate/overlap.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <vector>

using namespace dimgate;

namespace {

struct View {
  std::int64_t offset;
  std::vector<std::int64_t> sizes, strides;
  std::int64_t item;
  [[nodiscard]] StridedView view() const { return {offset, sizes, strides, item}; }
  /// Every byte, as often as it is reached.
  [[nodiscard]] std::multiset<std::int64_t> bytes() const {
    std::vector<std::int64_t> starts{offset};
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      std::vector<std::int64_t> more;
      for (const std::int64_t at : starts)
        for (std::int64_t i = 0; i < sizes[k]; ++i) more.push_back(at + i * strides[k]);
      starts = more;
    }
    std::multiset<std::int64_t> out;
    for (const std::int64_t at : starts)
      for (std::int64_t b = 0; b < item; ++b) out.insert(at * item + b);
    return out;
  }
};

View random_view(std::mt19937_64& rng) {
  const auto pick = [&](std::int64_t lo, std::int64_t hi) { return std::uniform_int_distribution<>(lo, hi)(rng); };
  View v{pick(0, 40), {}, {}, std::int64_t{1} << pick(0, 3)};
  for (std::int64_t k = pick(0, 3); k > 0; --k) {
    v.sizes.push_back(pick(0, 4));
    v.strides.push_back(pick(-3, 12));
  }
  return v;
}

}  // namespace

TEST_CASE("overlap of strided views is exact") {
  std::mt19937_64 rng(20240501);
  int yes = 0, no = 0;
  for (int i = 0; i < 20'000; ++i) {
    const View a = random_view(rng), b = random_view(rng);
    const auto in_a = a.bytes(), in_b = b.bytes();
    bool common = false;
    for (const std::int64_t byte : in_a) common = common || in_b.contains(byte);
    CAPTURE(i);
    REQUIRE(overlap(a.view(), b.view()) == (common ? Overlap::yes : Overlap::no));
    REQUIRE(overlap(b.view(), a.view()) == (common ? Overlap::yes : Overlap::no));
    (common ? yes : no)++;
    bool twice = false;
    for (const std::int64_t byte : in_a) twice = twice || in_a.count(byte) > 1;
    REQUIRE(overlaps_itself(a.view()) == (twice ? Overlap::yes : Overlap::no));
  }
  CHECK(yes > 1000);
  CHECK(no > 2000);
}

TEST_CASE("interleaved columns do not meet although their ranges do; big views take few steps") {
  const std::vector<std::int64_t> sizes{1'000'000, 512}, strides{1024, 2};
  const StridedView even{0, sizes, strides, 4}, odd{1, sizes, strides, 4};
  CHECK(overlap(even, odd, 64) == Overlap::no);
  CHECK(overlap(even, even, 64) == Overlap::yes);
  const StridedView shifted{2, sizes, strides, 4};
  CHECK(overlap(even, shifted, 64) == Overlap::yes);
  // x[:5], x[1:6] and x[:5], x[5:10]
  const std::vector<std::int64_t> five{5}, one{1};
  CHECK(overlap({0, five, one, 4}, {1, five, one, 4}) == Overlap::yes);
  CHECK(overlap({0, five, one, 4}, {5, five, one, 4}) == Overlap::no);
  // items of different widths: byte 3 of the float is no element of the bytes from 4 on
  CHECK(overlap({0, one, one, 4}, {4, one, one, 1}) == Overlap::no);
  CHECK(overlap({0, one, one, 4}, {3, one, one, 1}) == Overlap::yes);
}

TEST_CASE("what cannot be decided within the budget or the range is unknown, not a guess") {
  const std::vector<std::int64_t> sizes{INT64_MAX}, strides{INT64_MAX};
  CHECK(overlap({0, sizes, strides, 8}, {8, sizes, strides, 8}) == Overlap::unknown);
  CHECK(overlap({INT64_MIN, {}, {}, 1}, {INT64_MAX, {}, {}, 8}) != Overlap::yes);
  const std::vector<std::int64_t> n{9, 9, 9, 9}, s{10007, 10009, 10037, 10039}, t{10061, 10067, 10069, 10079};
  CHECK(overlap({0, n, s, 1}, {50'000, n, t, 1}, 3) == Overlap::unknown);
  const std::vector<std::int64_t> two{2};
  CHECK(overlap({0, two, {}, 1}, {0, two, two, 1}) == Overlap::unknown);  // strides missing
}
