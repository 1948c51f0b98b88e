// libFuzzer: the native prover against enumeration, without end:
// ./dev fuzz prove 120
#include <cstdio>
#include <cstdlib>

#include "fuzz/prove_check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (const auto wrong = dimgate::test::check_bytes({data, size})) {
    std::fprintf(stderr, "%s\n", wrong->c_str());
    std::abort();
  }
  return 0;
}
