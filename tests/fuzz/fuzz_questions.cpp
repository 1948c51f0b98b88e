// libFuzzer: questions of every verb against enumeration, without end:
// ./dev fuzz questions 120
#include <cstdio>
#include <cstdlib>

#include "fuzz/questions.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dimgate::NativeProver prover;
  if (const auto wrong = dimgate::test::ask_bytes(prover, {data, size})) {
    std::fprintf(stderr, "%s\n", wrong->c_str());
    std::abort();
  }
  return 0;
}
