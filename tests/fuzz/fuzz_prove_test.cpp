// The same questions as the fuzz target asks, from a seed: DIMGATE_FUZZ_SEED and DIMGATE_FUZZ_COUNT change which and
// how many.
#include <doctest/doctest.h>

#include <cstdlib>
#include <random>
#include <vector>

#include "fuzz/prove_check.hpp"

namespace {
std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}
}  // namespace

TEST_CASE("random questions against enumeration") {
  const std::uint64_t seed = setting("DIMGATE_FUZZ_SEED", 1), count = setting("DIMGATE_FUZZ_COUNT", 400);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::mt19937_64 rng(seed * 1'000'003 + i);
    std::vector<std::uint8_t> bytes(64);
    for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(rng());
    if (const auto wrong = dimgate::test::check_bytes(bytes))
      FAIL_CHECK("question " << i << " of seed " << seed << ": " << *wrong);
  }
}

TEST_CASE("found by fuzzing: each value of a product a power of the one before ran for minutes") {
  std::vector<std::uint8_t> bytes{255, 255, 255, 255, 0, 254, 255, 255, 255, 255, 236};
  bytes.insert(bytes.end(), 19, 187);
  for (const std::uint8_t b : {43, 69, 68, 68, 76}) bytes.push_back(b);
  bytes.insert(bytes.end(), 21, 187);
  bytes.push_back(19);
  CHECK_FALSE(dimgate::test::check_bytes(bytes));
}
