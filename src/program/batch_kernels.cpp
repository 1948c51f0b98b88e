#include "program/batch_kernels.hpp"

namespace dimgate::detail {
namespace {

using Column = BatchKernels::Column;
using U = std::uint64_t;

// Plain functions written out by a macro: lambdas and templates would not take over the target.
#define DIMGATE_KERNELS(NAME, TARGET)                                                                                 \
  TARGET void inside_##NAME(Column c, std::size_t n, std::uint8_t* pass, U lo, U width) noexcept {                    \
    for (std::size_t i = 0; i < n; ++i) pass[i] &= static_cast<std::uint8_t>(static_cast<U>(c[i]) - lo <= width);     \
  }                                                                                                                   \
  TARGET void outside_##NAME(Column c, std::size_t n, std::uint8_t* pass, U lo, U width) noexcept {                   \
    for (std::size_t i = 0; i < n; ++i) pass[i] &= static_cast<std::uint8_t>(static_cast<U>(c[i]) - lo > width);      \
  }                                                                                                                   \
  TARGET void congruent_##NAME(Column c, std::size_t n, std::uint8_t* pass, U inverse, U offset, std::uint32_t shift, \
                               U limit) noexcept {                                                                    \
    const std::uint32_t back = (64 - shift) & 63;                                                                     \
    for (std::size_t i = 0; i < n; ++i) {                                                                             \
      const U w = static_cast<U>(c[i]) * inverse + offset;                                                            \
      pass[i] &= static_cast<std::uint8_t>(((w >> shift) | (w << back)) <= limit);                                    \
    }                                                                                                                 \
  }                                                                                                                   \
  TARGET void equal_##NAME(Column a, Column b, std::size_t n, std::uint8_t* pass) noexcept {                          \
    for (std::size_t i = 0; i < n; ++i) pass[i] &= static_cast<std::uint8_t>(a[i] == b[i]);                           \
  }                                                                                                                   \
  TARGET void differ_##NAME(Column a, Column b, std::size_t n, std::uint8_t* pass) noexcept {                         \
    for (std::size_t i = 0; i < n; ++i) pass[i] &= static_cast<std::uint8_t>(a[i] != b[i]);                           \
  }                                                                                                                   \
  TARGET void less_##NAME(Column a, Column b, std::size_t n, std::uint8_t* pass) noexcept {                           \
    for (std::size_t i = 0; i < n; ++i) pass[i] &= static_cast<std::uint8_t>(a[i] < b[i]);                            \
  }                                                                                                                   \
  TARGET void at_most_##NAME(Column a, Column b, std::size_t n, std::uint8_t* pass) noexcept {                        \
    for (std::size_t i = 0; i < n; ++i) pass[i] &= static_cast<std::uint8_t>(a[i] <= b[i]);                           \
  }                                                                                                                   \
  constexpr BatchKernels kernels_##NAME{inside_##NAME, outside_##NAME, congruent_##NAME, equal_##NAME,                \
                                        differ_##NAME, less_##NAME,    at_most_##NAME};

DIMGATE_KERNELS(any, )
#if defined(__x86_64__) && defined(__GNUC__)
DIMGATE_KERNELS(avx2, __attribute__((target("avx2"))))
#endif
#undef DIMGATE_KERNELS

}  // namespace

const BatchKernels& batch_kernels() noexcept {
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx2")) return kernels_avx2;
#endif
  return kernels_any;
}

}  // namespace dimgate::detail
