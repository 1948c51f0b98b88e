// All engines and the reference on random formulas, as long as wanted: DIMGATE_CHECKS (default 10^6) checks from seed
// DIMGATE_SEED (default 1). Prints what was done; a difference is printed with what reproduces it, exit 1.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "compile/differential.hpp"

using dimgate::testing::Tally;

namespace {

std::uint64_t number(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace

int main() {
  const std::uint64_t wanted = number("DIMGATE_CHECKS", 1'000'000), first = number("DIMGATE_SEED", 1);
  Tally tally;
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t seed = first;
  for (; tally.checks < wanted; ++seed) {
    const int depth = static_cast<int>(2 + seed % 4);
    if (const auto difference = dimgate::testing::differs(seed, depth, 1 + seed % 3, 400, tally)) {
      std::printf("%s\n", difference->c_str());
      return 1;
    }
  }
  std::printf(
      "seeds %llu to %llu: %zu programs (%zu as machine code, %zu refused), %zu inputs (%zu pass), %zu checks agree, "
      "%.0f s\n",
      static_cast<unsigned long long>(first), static_cast<unsigned long long>(seed - 1), tally.programs, tally.native,
      tally.refused, tally.inputs, tally.passed, tally.checks,
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return 0;
}
