// Every engine against the reference evaluator: random formulas, int64 edges, zero divisors, missing slots. The same
// runs as long as wanted: tests/fuzz/engines.cpp.
#include <doctest/doctest.h>

#include <cstdlib>

#include "compile/differential.hpp"

using namespace dimgate;
using dimgate::testing::Tally;

namespace {

void compare(std::uint64_t seed, int depth, std::size_t guards, std::size_t inputs, Tally& tally) {
  if (const auto difference = dimgate::testing::differs(seed, depth, guards, inputs, tally)) FAIL(*difference);
}

/// DIMGATE_TEST_SCALE multiplies the amount of work: 1 in the usual run.
std::uint64_t scale() {
  const char* s = std::getenv("DIMGATE_TEST_SCALE");
  return s != nullptr ? std::strtoull(s, nullptr, 10) : 1;
}

}  // namespace

TEST_CASE("programs agree with the reference on random formulas") {
  Tally tally;
  std::uint64_t seed = 1;
  for (std::uint64_t i = 0; i < 1500 * scale(); ++i) compare(seed++, 2, 1, 40, tally);
  for (std::uint64_t i = 0; i < 1500 * scale(); ++i) compare(seed++, 3, 2, 40, tally);
  for (std::uint64_t i = 0; i < 400 * scale(); ++i) compare(seed++, 5, 1 + i % 8, 60, tally);
  MESSAGE(tally.programs << " programs, " << tally.native << " as machine code, " << tally.refused << " refused, "
                         << tally.checks << " checks, " << tally.passed << " of " << tally.inputs << " inputs passed");
  CHECK(tally.passed * 10 > tally.inputs);
  CHECK(tally.refused * 20 < tally.programs);
  if (tally.jit) {
    CHECK(tally.native * 10 > tally.programs * 9);
    CHECK(tally.jit->bytes() < 1000);  // all went back
  }
}
