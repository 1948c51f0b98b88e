#include "program/interval_index.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <queue>

namespace dimgate::detail {

void ranges_of(const ProgramCode& p, std::vector<RangeChoice>& out) {
  out.clear();
  std::size_t tests = 0;
  bool only_ranges = true;
  for (const Instr& i : p.code) {
    if (i.code == Code::Pass || i.code == Code::Fail || i.code == Code::Need) continue;
    if (i.code != Code::Ranges) {
      only_ranges = false;
      continue;
    }
    for (std::uint32_t k = i.b; k < i.b + i.c; ++k) {
      ++tests;
      const Range& r = p.ranges[k];
      if (r.width == 0 || r.width == ~std::uint64_t{0}) continue;
      out.push_back({r.slot, {r.lo, static_cast<std::int64_t>(static_cast<std::uint64_t>(r.lo) + r.width)}});
    }
  }
  if (out.size() == 1) out[0].range.whole = only_ranges && tests == 1 && !p.strict;
}

IntervalIndex::IntervalIndex(SlotIndex slot, std::vector<IndexedRange> ranges)
    : slot_(slot), ranges_(std::move(ranges)) {
  std::ranges::sort(ranges_, {}, &IndexedRange::rank);
  starts_.push_back(std::numeric_limits<std::int64_t>::min());
  for (const IndexedRange& r : ranges_) {
    starts_.push_back(r.lo);
    if (r.hi != std::numeric_limits<std::int64_t>::max()) starts_.push_back(r.hi + 1);
  }
  std::ranges::sort(starts_);
  const auto dead = std::ranges::unique(starts_);
  starts_.erase(dead.begin(), dead.end());
  build_first();
  build_tree();
}

std::size_t IntervalIndex::piece_of(std::int64_t v) const noexcept {
  // Without branches: the last start that is not above v; the first start is below everything.
  const std::int64_t* base = starts_.data();
  std::size_t n = starts_.size();
  while (n > 1) {
    const std::size_t half = n / 2;
    base = base[half] <= v ? base + half : base;
    n -= half;
  }
  return static_cast<std::size_t>(base - starts_.data());
}

// Sweep over the pieces with the whole ranges that are open, lowest rank on top; closed ones are dropped when they
// surface.
void IntervalIndex::build_first() {
  first_.assign(starts_.size(), kNoRank);
  std::vector<const IndexedRange*> by_lo;
  for (const IndexedRange& r : ranges_)
    if (r.whole) by_lo.push_back(&r);
  std::ranges::stable_sort(by_lo, {}, [](const IndexedRange* r) { return r->lo; });
  const auto later = [](const IndexedRange* a, const IndexedRange* b) { return a->rank > b->rank; };
  std::priority_queue<const IndexedRange*, std::vector<const IndexedRange*>, decltype(later)> open(later);
  std::size_t next = 0;
  for (std::size_t piece = 0; piece < starts_.size(); ++piece) {
    for (; next < by_lo.size() && by_lo[next]->lo <= starts_[piece]; ++next) open.push(by_lo[next]);
    while (!open.empty() && open.top()->hi < starts_[piece]) open.pop();
    if (!open.empty()) first_[piece] = open.top()->rank;
  }
}

void IntervalIndex::build_tree() {
  if (std::ranges::all_of(ranges_, &IndexedRange::whole)) return;
  leaves_ = std::bit_ceil(starts_.size());
  // Each range at the nodes that cover exactly its pieces, twice: to count, then to fill.
  const auto each_node = [&](const IndexedRange& r, auto&& visit) {
    std::size_t l = piece_of(r.lo) + leaves_, h = piece_of(r.hi) + leaves_ + 1;
    for (; l < h; l /= 2, h /= 2) {
      if (l % 2 == 1) visit(l++);
      if (h % 2 == 1) visit(--h);
    }
  };
  begin_.assign(2 * leaves_ + 1, 0);
  for (const IndexedRange& r : ranges_)
    if (!r.whole) {
      each_node(r, [&](std::size_t node) { ++begin_[node + 1]; });
      depth_ += static_cast<double>(piece_of(r.hi) - piece_of(r.lo) + 1) / static_cast<double>(starts_.size());
    }
  for (std::size_t n = 1; n < begin_.size(); ++n) begin_[n] += begin_[n - 1];
  ranks_.resize(begin_.back());
  std::vector<std::uint32_t> fill(begin_.begin(), begin_.end() - 1);
  for (const IndexedRange& r : ranges_)
    if (!r.whole) each_node(r, [&](std::size_t node) { ranks_[fill[node]++] = r.rank; });
}

/// As first_, without the removed ones. Cold: looks at all ranges.
std::uint32_t IntervalIndex::first_standing(const Candidates& c, std::size_t piece) const noexcept {
  for (const IndexedRange& r : ranges_)
    if (r.whole && r.lo <= starts_[piece] && starts_[piece] <= r.hi && !c.is_removed(r.rank)) return r.rank;
  return kNoRank;
}

std::uint32_t IntervalIndex::find(Candidates& c, std::uint32_t best) const noexcept {
  if (!c.at.has(slot_)) return best;
  const std::size_t piece = piece_of(c.at.raw(slot_));
  std::uint32_t first = first_[piece];
  if (first < best && c.is_removed(first)) [[unlikely]]
    first = first_standing(c, piece);
  best = std::min(best, first);
  // Any order of nodes gives the same answer: `best` only falls.
  if (leaves_ != 0)
    for (std::size_t node = piece + leaves_; node != 0; node /= 2)
      for (std::uint32_t k = begin_[node]; k < begin_[node + 1] && ranks_[k] < best; ++k)
        if (c.accepts(ranks_[k])) best = ranks_[k];
  return best;
}

double IntervalIndex::depth() const noexcept { return depth_; }

void IntervalIndex::each_first(const std::function<void(std::uint32_t)>& visit) const {
  for (const IndexedRange& r : ranges_) {
    bool alone = r.whole;
    for (std::size_t piece = piece_of(r.lo); alone && piece < starts_.size() && starts_[piece] <= r.hi; ++piece)
      alone = first_[piece] == r.rank;
    if (alone) visit(r.rank);
  }
}

std::size_t IntervalIndex::bytes() const noexcept {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return sizeof *this + of(ranges_) + of(starts_) + of(first_) + of(begin_) + of(ranks_);
}

}  // namespace dimgate::detail
