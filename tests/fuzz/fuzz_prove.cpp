// libFuzzer: the native prover against enumeration, without end. Needs clang with its runtimes (Debian: clang-19,
// libclang-rt-19-dev):
//   cmake -B build-fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_C_COMPILER=clang-19 -DCMAKE_BUILD_TYPE=Release
//         -DDIMGATE_FUZZ=ON -DDIMGATE_SOLVER=OFF && ninja -C build-fuzz fuzz_prove
//   find build-fuzz -name fuzz_prove -exec {} -max_total_time=120 -max_len=96 -len_control=0 ';'
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
