// Tests on columns: pass[i] stays 1 only where the test holds at row i. Loops that the compiler turns into vectors,
// once for any machine and once for AVX2 (chosen when a batch starts).
#pragma once

#include <cstddef>
#include <cstdint>

namespace dimgate::detail {

struct BatchKernels {
  using Column = const std::int64_t*;
  /// column[i] - lo <= width; column[i] - lo > width.
  void (*inside)(Column, std::size_t n, std::uint8_t* pass, std::uint64_t lo, std::uint64_t width) noexcept;
  void (*outside)(Column, std::size_t n, std::uint8_t* pass, std::uint64_t lo, std::uint64_t width) noexcept;
  /// rotr(column[i] * inverse + offset, shift) <= limit (see Congruent).
  void (*congruent)(Column, std::size_t n, std::uint8_t* pass, std::uint64_t inverse, std::uint64_t offset,
                    std::uint32_t shift, std::uint64_t limit) noexcept;
  void (*equal)(Column, Column, std::size_t n, std::uint8_t* pass) noexcept;
  void (*differ)(Column, Column, std::size_t n, std::uint8_t* pass) noexcept;
  void (*less)(Column, Column, std::size_t n, std::uint8_t* pass) noexcept;
  void (*at_most)(Column, Column, std::size_t n, std::uint8_t* pass) noexcept;
};

const BatchKernels& batch_kernels() noexcept;

}  // namespace dimgate::detail
