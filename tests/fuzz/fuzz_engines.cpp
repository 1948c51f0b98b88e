// libFuzzer target: the bytes are the seed and the shape of random formulas, on which all engines must agree. Run:
// ./dev fuzz engines 120
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "compile/differential.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 10) return 0;
  std::uint64_t seed = 0;
  std::memcpy(&seed, data, sizeof seed);
  static dimgate::testing::Tally tally;
  if (const auto difference = dimgate::testing::differs(seed, 1 + data[8] % 6, 1 + data[9] % 8, 30, tally)) {
    std::printf("%s\n", difference->c_str());
    std::abort();
  }
  return 0;
}
