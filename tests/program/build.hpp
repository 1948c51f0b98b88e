// Programs by hand, without formulas: for tests that link the run time alone.
#pragma once

#include <utility>
#include <vector>

#include "program/code.hpp"

namespace dimgate::testing {

struct SlotBounds {
  SlotIndex slot;
  std::int64_t lo, hi;
};

/// Guard i: bounds[i].lo <= slot <= bounds[i].hi.
inline Program bounds_program(const std::vector<SlotBounds>& bounds) {
  using namespace detail;
  auto p = std::make_shared<ProgramCode>();
  p->code.push_back({.code = Code::Need, .c = static_cast<std::uint32_t>(bounds.size())});
  p->code.push_back({.code = Code::Ranges, .c = static_cast<std::uint32_t>(bounds.size())});
  p->code.push_back({.code = Code::Pass});
  p->exact = true;
  p->test_begin.push_back(0);
  for (std::uint32_t i = 0; i < bounds.size(); ++i) {
    const auto& [slot, lo, hi] = bounds[i];
    p->needs.push_back({slot / 64, std::uint64_t{1} << (slot % 64)});
    p->ranges.push_back({slot, i, i, lo, static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo)});
    if (lo == hi) p->pinned.push_back({slot, lo});
    p->exact = p->exact && lo == hi;
    p->test_guards.push_back(i);
    p->test_begin.push_back(i + 1);
    p->order.push_back(i);
    p->slots.push_back(slot);
  }
  p->guard_count = static_cast<std::uint32_t>(bounds.size());
  return Program(std::move(p));
}

}  // namespace dimgate::testing
