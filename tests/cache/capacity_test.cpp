#include "cache/capacity.hpp"

#include <doctest/doctest.h>

using namespace dimgate;
using namespace dimgate::testing;

TEST_CASE("capacity sweep: benefit is nowhere half a point below LRU, and above it in most cells") {
  int cells = 0, above = 0, above_bypass = 0;
  for (const CapacityTrace& trace : capacity_traces(6000))
    for (const std::size_t capacity : {1U, 8U, 50U, 500U}) {
      CAPTURE(trace.name);
      CAPTURE(capacity);
      const auto half_point = static_cast<std::uint64_t>(static_cast<double>(trace.size()) * 0.005);
      const std::uint64_t lru = hits(trace, capacity, make_lru());
      const std::uint64_t benefit = hits(trace, capacity, make_benefit());
      const std::uint64_t bypass = hits(trace, capacity, make_benefit({.bypass = true}));
      CHECK(benefit + half_point >= lru);
      CHECK(bypass + half_point >= lru);
      // Nobody beats who knows the future.
      CHECK(belady(trace, capacity, false) >= std::max(lru, benefit));
      CHECK(belady(trace, capacity, true) >= bypass);
      ++cells;
      above += benefit > lru ? 1 : 0;
      above_bypass += bypass > lru ? 1 : 0;
    }
  CHECK(cells == 24);
  CHECK(above * 2 >= cells);
  CHECK(above_bypass * 2 >= cells);
}
