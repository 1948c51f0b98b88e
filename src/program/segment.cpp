#include "program/segment.hpp"

#include <algorithm>
#include <map>

namespace dimgate::detail {
namespace {

constexpr std::size_t kScanned = 8;       // scanning so few costs no more than a probe
constexpr std::size_t kFew = 12;          // in a segment of so few, all that must be checked in any case is scanned
constexpr std::size_t kMostIndexes = 16;  // slots with an index of ranges
constexpr double kDeep = 24;              // checks a lookup from which on shared tests strike out faster

}  // namespace

Segment::Segment(std::vector<const Program*> programs, const DispatchOptions& options)
    : programs_(std::move(programs)) {
  std::vector<std::uint32_t> ranged, rest;
  std::vector<RangeChoice> choices;
  const bool few = programs_.size() <= kFew;
  for (std::uint32_t rank = 0; rank < programs_.size(); ++rank) {
    const Program& p = *programs_[rank];
    if (p.is_never()) continue;
    ranges_of(p.code(), choices);
    const bool has_range = options.ranges && !choices.empty();
    if (few && !(has_range && choices.size() == 1 && choices[0].range.whole))
      rest.push_back(rank);
    else if (options.hash && groups_.add(rank, p, !has_range))
      hashed_ = true;
    else
      (has_range ? ranged : rest).push_back(rank);
  }
  groups_.shrink();
  if (ranged.size() <= kScanned)
    rest.insert(rest.end(), ranged.begin(), ranged.end());
  else
    index_ranges(ranged, options, rest);
  std::ranges::sort(rest);
  if (rest.size() > kScanned && !few && options.bits)
    bits_ = std::make_unique<const BitIndex>(programs_, std::move(rest));
  else
    scanned_ = std::move(rest);
  note_firsts();
}

/// One index a slot; what lies too deep in it goes to `rest`.
void Segment::index_ranges(const std::vector<std::uint32_t>& ranks, const DispatchOptions& options,
                           std::vector<std::uint32_t>& rest) {
  // Each entry by the range that covers the smallest part of its slot's pieces.
  std::map<SlotIndex, std::vector<std::int64_t>> ends;
  std::vector<RangeChoice> choices;
  for (const std::uint32_t rank : ranks) {
    ranges_of(programs_[rank]->code(), choices);
    for (const RangeChoice& c : choices) {
      auto& of = ends[c.slot];
      of.push_back(c.range.lo), of.push_back(c.range.hi);
    }
  }
  for (auto& [slot, of] : ends) {
    std::ranges::sort(of);
    const auto dead = std::ranges::unique(of);
    of.erase(dead.begin(), dead.end());
  }
  std::map<SlotIndex, std::vector<IndexedRange>> by_slot;
  for (const std::uint32_t rank : ranks) {
    ranges_of(programs_[rank]->code(), choices);
    const RangeChoice* best = nullptr;
    double smallest = 2;
    for (const RangeChoice& c : choices) {
      const auto& of = ends[c.slot];
      const double covered =
          static_cast<double>(std::ranges::upper_bound(of, c.range.hi) - std::ranges::lower_bound(of, c.range.lo)) /
          static_cast<double>(of.size());
      if (covered < smallest) smallest = covered, best = &c;
    }
    IndexedRange range = best->range;
    range.rank = rank;
    if (by_slot.size() == kMostIndexes && !by_slot.contains(best->slot))
      rest.push_back(rank);
    else
      by_slot[best->slot].push_back(range);
  }
  for (auto& [slot, ranges] : by_slot) {
    IntervalIndex index(slot, ranges);
    if (options.bits && index.depth() > kDeep) {
      std::vector<IndexedRange> whole;
      for (const IndexedRange& r : ranges)
        if (r.whole)
          whole.push_back(r);
        else
          rest.push_back(r.rank);
      if (!whole.empty()) ranges_.emplace_back(slot, std::move(whole));
    } else {
      ranges_.push_back(std::move(index));
    }
  }
}

// Provable here: the entries of one index alone exclude each other where their keys or pieces do. The very first entry
// has nobody in front.
void Segment::note_firsts() {
  if (programs_.empty()) return;
  firsts_.assign((programs_.size() + 63) / 64, 0);
  const auto note = [this](std::uint32_t rank) { firsts_[rank / 64] |= std::uint64_t{1} << (rank % 64); };
  note(0);
  if (bits_ != nullptr || !scanned_.empty()) return;
  if (hashed_ && groups_.is_one() && ranges_.empty())
    groups_.each_first(note);
  else if (!hashed_ && ranges_.size() == 1 && ranges_[0].is_whole())
    ranges_[0].each_first(note);
}

std::uint32_t Segment::find(Candidates& c) const noexcept {
  std::uint32_t best = groups_.find(c, kNoRank);
  for (const IntervalIndex& index : ranges_) best = index.find(c, best);
  for (const std::uint32_t rank : scanned_) {
    if (rank >= best) break;
    if (c.accepts(rank)) best = rank;
  }
  return bits_ != nullptr ? bits_->find(c, best) : best;
}

std::size_t Segment::bytes() const noexcept {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  std::size_t n = sizeof *this + of(programs_) + groups_.bytes() + of(scanned_) + of(firsts_);
  for (const IntervalIndex& i : ranges_) n += i.bytes();
  return n + (bits_ != nullptr ? bits_->bytes() : 0);
}

}  // namespace dimgate::detail
