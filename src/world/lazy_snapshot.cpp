// Slots fetched when a guard first asks. A slot is fetched once in a lookup, after the slots that gate it; a gate that
// is absent makes it absent. begin() starts a lookup in constant time. Nothing allocates. Checked by
// tests/world/lazy_test.cpp.
#include "dimgate/lazy_snapshot.hpp"

#include <array>

namespace dimgate {

LazySnapshot::LazySnapshot(const Layout& layout) : known_slots_(layout.size()) {
  values_.resize(known_slots_, 0);
  present_.resize((known_slots_ + 63) / 64, 0);
  asked_.resize(present_.size(), 0);
  gates_.reserve(known_slots_);
  for (SlotIndex i = 0; i < known_slots_; ++i) {
    const Slot& s = layout[i];
    const bool sized = s.source.property == Property::size || s.source.property == Property::stride;
    const bool below_rank = s.edge != kNoSlot && layout[s.edge].source.property == Property::rank;
    gates_.push_back({s.edge, sized && below_rank ? s.source.index : kNone, s.read_cost});
  }
}

void LazySnapshot::begin(SlotSource& source) noexcept {
  source_ = &source;
  for (auto& w : present_) w = 0;
  for (auto& w : asked_) w = 0;
  reads_ = 0;
  cost_ = 0;
}

bool LazySnapshot::fetch_new(SlotIndex slot) noexcept {
  const SlotIndex edge = gates_[slot].edge;
  if (edge == kNoSlot || was_asked(edge)) return read_one(slot);
  // The edges above that nobody asked for yet, nearest last. A chain longer than this (set by hand, or a cycle) is not
  // readable.
  std::array<SlotIndex, 64> chain;
  std::size_t n = 0;
  for (SlotIndex at = slot; at != kNoSlot && !was_asked(at); at = gates_[at].edge) {
    if (at >= known_slots_ || n == chain.size()) return false;
    chain[n++] = at;
  }
  bool there = false;
  for (; n > 0; --n) there = read_one(chain[n - 1]);
  return there;
}

bool LazySnapshot::read_one(SlotIndex slot) noexcept {
  const Gate& gate = gates_[slot];
  const std::uint64_t bit = std::uint64_t{1} << (slot & 63);
  asked_[slot >> 6] |= bit;
  if (gate.edge != kNoSlot) {
    if (gate.edge >= known_slots_ || ((present_[gate.edge >> 6] >> (gate.edge & 63)) & 1U) == 0) return false;
    if (gate.needs_rank != kNone && values_[gate.edge] <= static_cast<std::int64_t>(gate.needs_rank)) return false;
  }
  if (source_ == nullptr) return false;
  ++reads_;
  cost_ += gate.cost;
  std::int64_t raw = 0;
  if (!source_->read(slot, raw)) return false;
  values_[slot] = raw;
  present_[slot >> 6] |= bit;
  return true;
}

}  // namespace dimgate
