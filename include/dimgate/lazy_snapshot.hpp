// Slots read when a guard asks, each at most once a lookup, and never past its readable edge.
//
// A SlotSource is the front end's reader of one call's world. A LazySnapshot asks it for a slot the first time anyone
// fetches that slot and remembers the answer (also "there is none"), so that all entries of one lookup see one value.
// A slot whose edge (type -> rank -> size, presence -> value, length -> item) is absent is never read: it is absent.
// `size()[i]` and `stride()[i]` are also not read where the rank that was read is not above i.
// Costs: a fetch that was made before is two bit tests; nothing allocates after construction; one thread at a time.
// Tested by tests/world, and by tests/guard with the tree.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dimgate/world.hpp"

namespace dimgate {

/// A slot whose read cost is this or more is derived from a tensor's elements: guards on it come last.
inline constexpr double kDataReadCost = 1000.0;

/// Reads the slots of one call.
class SlotSource {
 public:
  virtual ~SlotSource() = default;
  /// The slot's raw bits, or false where the world has no such value. Called at most once a lookup and slot, only where
  /// the slot's edge was read and is there; must itself answer false where that does not make the slot readable (a
  /// tensor's size of something that is no tensor). Must not throw.
  virtual bool read(SlotIndex slot, std::int64_t& raw) noexcept = 0;
};

/// A filled snapshot as a source.
class SnapshotSource final : public SlotSource {
 public:
  explicit SnapshotSource(SnapshotView at) noexcept : at_(at) {}
  bool read(SlotIndex slot, std::int64_t& raw) noexcept override {
    if (!at_.has(slot)) return false;
    raw = at_.raw(slot);
    return true;
  }

 private:
  SnapshotView at_;
};

class LazySnapshot {
 public:
  /// For the slots the layout has now; make another when slots were appended.
  explicit LazySnapshot(const Layout& layout);

  /// The next lookup: nothing is read yet.
  void begin(SlotSource& source) noexcept;
  /// True if the slot is there, reading it (and its edges before it) if nobody has.
  bool fetch(SlotIndex slot) noexcept {
    if (slot >= known_slots_) return false;
    const std::uint64_t bit = std::uint64_t{1} << (slot & 63);
    if ((asked_[slot >> 6] & bit) != 0) return (present_[slot >> 6] & bit) != 0;
    return fetch_new(slot);
  }
  /// Only where fetch(slot).
  [[nodiscard]] std::int64_t raw(SlotIndex slot) const noexcept { return values_[slot]; }
  /// What was fetched so far; the rest is absent.
  [[nodiscard]] SnapshotView view() const noexcept { return {values_.data(), present_.data(), known_slots_}; }
  [[nodiscard]] bool was_asked(SlotIndex slot) const noexcept {
    return slot < known_slots_ && ((asked_[slot >> 6] >> (slot & 63)) & 1U) != 0;
  }
  /// Calls of the source since `begin`.
  [[nodiscard]] std::uint64_t reads() const noexcept { return reads_; }
  /// Their read costs, summed.
  [[nodiscard]] double read_cost() const noexcept { return cost_; }
  [[nodiscard]] std::size_t size() const noexcept { return known_slots_; }

 private:
  bool fetch_new(SlotIndex slot) noexcept;
  bool read_one(SlotIndex slot) noexcept;  // its edge was asked for
  struct Gate {
    SlotIndex edge;
    std::uint32_t needs_rank;  // the edge's value must be above this; kNone: it need only be there
    double cost;
  };
  static constexpr std::uint32_t kNone = 0xffffffffU;
  SlotSource* source_ = nullptr;
  std::size_t known_slots_ = 0;
  std::vector<std::int64_t> values_;
  std::vector<std::uint64_t> present_, asked_;
  std::vector<Gate> gates_;
  std::uint64_t reads_ = 0;
  double cost_ = 0;
};

/// DLPack tensors in place as a source: one base name a tensor. Bind the tensors of a call, then look up. Names of
/// dtypes and devices are interned when first seen (that allocates and locks, once each).
/// Slots of other bases, and properties that DLPack does not carry, are absent.
class DlpackSource final : public SlotSource {
 public:
  DlpackSource(const Layout& layout, std::span<const std::string_view> bases);
  /// The tensor of base i (in the order given); it must outlive the lookup. Null: absent.
  void bind(std::size_t i, const DlpackTensor* tensor) noexcept { tensors_[i] = tensor; }
  bool read(SlotIndex slot, std::int64_t& raw) noexcept override;

 private:
  struct Ask {
    std::uint32_t tensor;
    Property property;
    std::uint32_t index;
  };
  struct Known {
    std::uint64_t key;
    std::int64_t id;
  };
  bool name(std::vector<Known>& known, std::uint64_t key, const DlpackTensor& tensor, bool dtype, std::int64_t& raw);
  std::shared_ptr<NameTable> names_;
  std::vector<Ask> asks_;  // by slot; tensor kNoSlot where it is none of ours
  std::vector<const DlpackTensor*> tensors_;
  std::vector<Known> dtypes_, devices_;
};

}  // namespace dimgate
