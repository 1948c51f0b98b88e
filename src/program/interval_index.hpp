// Programs by a range that one slot must be in: the first in rank order whose range holds the value, in O(log N).
//
// The ends of all ranges cut the line into pieces. For each piece it keeps the lowest rank whose range is all it
// demands; what demands more lies in a segment tree over the pieces (each range at O(log N) nodes, ranks ascending),
// and only those on the way to the value's piece are checked. Memory O(N log N). Immutable once built. Tested by
// tests/program/dispatch_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "program/hash_groups.hpp"

namespace dimgate::detail {

/// A range as an index entry. `whole`: nothing else is demanded.
struct IndexedRange {
  std::int64_t lo = 0, hi = 0;
  std::uint32_t rank = 0;
  bool whole = false;
};

class IntervalIndex {
 public:
  IntervalIndex(SlotIndex slot, std::vector<IndexedRange> ranges);
  [[nodiscard]] SlotIndex slot() const noexcept { return slot_; }
  [[nodiscard]] std::span<const IndexedRange> ranges() const noexcept { return ranges_; }
  /// The lowest rank below `best` that accepts, else `best`.
  [[nodiscard]] std::uint32_t find(Candidates& c, std::uint32_t best) const noexcept;
  /// Ranges that demand more, over an average piece: what a lookup has to check.
  [[nodiscard]] double depth() const noexcept;
  /// Whole ranges that no earlier one touches.
  void each_first(const std::function<void(std::uint32_t)>& visit) const;
  [[nodiscard]] bool is_whole() const noexcept { return leaves_ == 0; }
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  [[nodiscard]] std::size_t piece_of(std::int64_t v) const noexcept;
  void build_first();
  void build_tree();
  [[nodiscard]] std::uint32_t first_standing(const Candidates& c, std::size_t piece) const noexcept;

  SlotIndex slot_;
  std::vector<IndexedRange> ranges_;  // ranks ascending
  std::vector<std::int64_t> starts_;  // of pieces, ascending; the first is INT64_MIN
  std::vector<std::uint32_t> first_;  // by piece: lowest rank of a whole range over it
  double depth_ = 0;
  std::size_t leaves_ = 0;            // of the tree: a power of two; 0 if nothing demands more
  std::vector<std::uint32_t> begin_;  // by node (1 is the root): its ranks are ranks_[begin_[n], begin_[n+1])
  std::vector<std::uint32_t> ranks_;
};

/// A range a program can be indexed by.
struct RangeChoice {
  SlotIndex slot = 0;
  IndexedRange range;
};
/// Its ranges; equalities are left out (they are for the hash).
void ranges_of(const ProgramCode& p, std::vector<RangeChoice>& out);

}  // namespace dimgate::detail
