// Whether two strided views of one storage touch a common byte.
//
// Exact: a view's bytes are offset + sum of i_k * stride_k + b with 0 <= i_k < size_k and 0 <= b < item size; two views
// meet where a bounded linear equation over the integers has a solution. It is solved by descending over the strides
// with the gcd and the reach of what is left as bounds (as numpy's solve_may_share_memory does; the problem is NP-hard
// in the rank, so there is a budget of steps). Beyond the budget, or beyond 2^60 bytes, the answer is `unknown`, never
// a guess. Typical views (contiguous, slices, every k-th column) take a few steps. Tested by tests/world against
// enumeration of all bytes.
#pragma once

#include <cstdint>
#include <span>

namespace dimgate {

struct StridedView {
  std::int64_t offset = 0;                       // elements from the start of the storage
  std::span<const std::int64_t> sizes, strides;  // strides in elements, of the same length
  std::int64_t item_bytes = 1;
};

enum class Overlap : std::uint8_t { no, yes, unknown };

Overlap overlap(const StridedView& a, const StridedView& b, std::uint64_t budget = 100'000) noexcept;

/// Whether two different index tuples of one view reach one byte (an expanded or self-overlapping view).
Overlap overlaps_itself(const StridedView& view, std::uint64_t budget = 100'000) noexcept;

}  // namespace dimgate
