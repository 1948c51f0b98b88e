// The run-time world as guards see it: sources, slots, snapshots, and what a front end read of them.
//
// A Source is the text a front end calls a value by (`L['x'].size()[0]`). A Layout gives each source of one frame a
// slot index. A Snapshot holds one call's slot values: 64 raw bits each and a presence bit. An absent slot is
// *undefined* to every guard, so a guard that needs it fails closed. Costs: setting and reading a slot is O(1); nothing
// here allocates after construction except Layout and NameTable. Tested by tests/world.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dimgate/result.hpp"

namespace dimgate {

/// What a source asks of its base object.
enum class Property : std::uint8_t {
  value,  // the thing itself: a bare name, `L['n']`, `G['x'].attr`
  size,
  stride,
  rank,
  storage_offset,
  dtype,
  device,
  requires_grad,
  layout,
  storage,
  type,
  identity,
  length,
};

/// A parsed source: `L['x'].size()[0]` is base "L['x']", property size, index 0.
struct Source {
  std::string base;
  Property property = Property::value;
  std::uint32_t index = 0;  // of size and stride

  /// Reads any spelling PyTorch uses: `.size()[i]`, `.shape[i]`, `.stride()[i]`, `.dim()`, `.ndim`,
  /// `.storage_offset()`,
  /// `.dtype`, `.device`, `.requires_grad`, `.layout`, `type(x)`, `id(x)`, `len(x)`, `storage(x)`. Anything else
  /// is a value.
  static Source parse(std::string_view text);
  /// The canonical spelling; parse(text()) is the same source.
  [[nodiscard]] std::string text() const;
  friend bool operator==(const Source&, const Source&) = default;
};

/// How a slot's 64 bits are read.
enum class SlotSort : std::uint8_t { integer, boolean, floating, name };
std::string_view to_string(SlotSort sort) noexcept;

using SlotIndex = std::uint32_t;
inline constexpr SlotIndex kNoSlot = std::numeric_limits<SlotIndex>::max();

/// One slot of a layout.
struct Slot {
  std::string name;  // the source as the front end spells it: what a guard's symbol is called
  Source source;
  SlotSort sort = SlotSort::integer;
  SlotIndex edge = kNoSlot;              // the slot whose guard makes this one readable: type -> rank -> size[i]
  std::optional<std::int64_t> at_least;  // natural lower bound: 0 for sizes, ranks and lengths
  double read_cost = 1.0;                // relative to reading a size
  std::uint64_t key = 0;                 // hash of the canonical spelling
};

/// Names (dtypes, devices, type ids, object identities, key lists) as dense ids. Thread-safe; ids never change.
class NameTable {
 public:
  NameTable();
  ~NameTable();
  NameTable(const NameTable&) = delete;
  NameTable& operator=(const NameTable&) = delete;
  std::int64_t intern(std::string_view name);
  [[nodiscard]] std::optional<std::int64_t> find(std::string_view name) const;
  [[nodiscard]] std::string name(std::int64_t id) const;  // "" for an id never given out
  [[nodiscard]] std::size_t size() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Gives sources their slot indices, in the order they were added. One per frame; fixed before programs are compiled
/// (slots may be appended later: indices never change). Layouts that share programs share a NameTable.
class Layout {
 public:
  Layout() : names_(std::make_shared<NameTable>()) {}
  explicit Layout(std::shared_ptr<NameTable> names) : names_(std::move(names)) {}

  /// The slot of that name, added if there is none: sort, lower bound and readable-edge follow from the
  /// source (a size's edge is its tensor's rank slot if that exists, a rank's is the type slot).
  /// A name already there keeps its sort.
  SlotIndex add(std::string_view name, std::optional<SlotSort> sort = std::nullopt);
  /// Rank, dtype, device, sizes and strides (and offset) of a tensor named `base`, with their edges.
  void add_tensor(std::string_view base, std::uint32_t rank);
  /// By source, whatever the spelling; kNoSlot if there is none.
  [[nodiscard]] SlotIndex find(std::string_view name) const;
  [[nodiscard]] std::size_t size() const noexcept { return slots_.size(); }
  [[nodiscard]] const Slot& operator[](SlotIndex i) const { return slots_[i]; }
  Slot& operator[](SlotIndex i) { return slots_[i]; }
  [[nodiscard]] std::span<const Slot> slots() const noexcept { return slots_; }
  [[nodiscard]] NameTable& names() const noexcept { return *names_; }
  [[nodiscard]] const std::shared_ptr<NameTable>& shared_names() const noexcept { return names_; }
  /// What the slot stands for, as a number: equal for slots of one source and sort (and one NameTable, for names)
  /// whatever the layout. Never 0.
  [[nodiscard]] std::uint64_t mark(SlotIndex i) const noexcept;
  /// Number of edges from the slot to a root: 0 where it is always readable.
  [[nodiscard]] std::uint32_t depth(SlotIndex i) const noexcept;

 private:
  std::vector<Slot> slots_;
  std::unordered_map<std::string, SlotIndex> by_source_;  // by canonical spelling
  std::shared_ptr<NameTable> names_;
};

/// Borrowed slot values: what programs and caches read.
struct SnapshotView {
  const std::int64_t* values = nullptr;
  const std::uint64_t* present = nullptr;  // bit i%64 of word i/64
  std::size_t size = 0;                    // slots; one beyond is absent

  [[nodiscard]] bool has(SlotIndex i) const noexcept { return i < size && ((present[i >> 6] >> (i & 63)) & 1U) != 0; }
  /// Raw bits; only where has(i).
  [[nodiscard]] std::int64_t raw(SlotIndex i) const noexcept { return values[i]; }
};

/// One call's slot values. Reused from call to call: `clear` keeps the memory.
class Snapshot {
 public:
  Snapshot() = default;
  explicit Snapshot(std::size_t slots) { resize(slots); }
  void resize(std::size_t slots) {
    values_.resize(slots, 0);
    present_.resize((slots + 63) / 64, 0);
  }
  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
  void clear() noexcept {
    for (auto& w : present_) w = 0;
  }
  /// A slot that is not there (what Layout::find gives for an unknown name) throws std::out_of_range.
  void set(SlotIndex i, std::int64_t v) {
    if (i >= values_.size()) [[unlikely]]
      no_slot(i);
    values_[i] = v;
    present_[i >> 6] |= std::uint64_t{1} << (i & 63);
  }
  void set_bool(SlotIndex i, bool v) { set(i, v ? 1 : 0); }
  void set_float(SlotIndex i, double v) { set(i, std::bit_cast<std::int64_t>(v)); }
  void set_name(SlotIndex i, std::int64_t id) { set(i, id); }
  void unset(SlotIndex i) noexcept {
    if (i < values_.size()) present_[i >> 6] &= ~(std::uint64_t{1} << (i & 63));
  }
  [[nodiscard]] bool has(SlotIndex i) const noexcept { return view().has(i); }
  [[nodiscard]] std::int64_t raw(SlotIndex i) const noexcept { return values_[i]; }
  [[nodiscard]] SnapshotView view() const noexcept { return {values_.data(), present_.data(), values_.size()}; }
  operator SnapshotView() const noexcept { return view(); }  // NOLINT: a snapshot is read as its view

 private:
  [[noreturn]] void no_slot(SlotIndex i) const;
  std::vector<std::int64_t> values_;
  std::vector<std::uint64_t> present_;
};

/// "L['x'].size()[0]=3, flag=True, ..." of the present slots, for people.
std::string to_string(const Layout& layout, SnapshotView view);

/// Rank, dtype and sizes of the tensor `base`, as far as the layout has slots for them; sizes beyond are unset. Interns
/// the dtype, so not for a hot path: see DlpackReader. Throws std::out_of_range where the layout does not know `base`.
void set_tensor(const Layout& layout, std::string_view base, std::span<const std::int64_t> sizes,
                std::string_view dtype, Snapshot& into);

// ---- DLPack ----------------------------------------------------------------------------------

/// ABI of DLPack's DLTensor (https://github.com/dmlc/dlpack, Apache-2.0), declared here so that nothing must be
/// installed.
struct DlpackDevice {
  std::int32_t device_type;
  std::int32_t device_id;
};
struct DlpackDataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
struct DlpackTensor {
  void* data;
  DlpackDevice device;
  std::int32_t ndim;
  DlpackDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // may be null: compact row-major
  std::uint64_t byte_offset;
};

/// "torch.float32" for (2, 32, 1); "kDLComplex128x4"-like text for what PyTorch has no name for.
std::string dlpack_dtype_name(DlpackDataType dtype);
/// "cpu", "cuda:0".
std::string dlpack_device_name(DlpackDevice device);

/// Reads DLPack tensors into the slots of one tensor, in place and without allocating: sizes and strides past the
/// tensor's rank stay absent.
class DlpackReader {
 public:
  /// Slots of tensor `base` that the layout has. Names of dtypes and devices are interned on first sight (allocates
  /// then, never again).
  DlpackReader(const Layout& layout, std::string_view base);
  void read(const DlpackTensor& tensor, Snapshot& into);

 private:
  struct Known {
    std::uint64_t key;
    std::int64_t id;
  };
  std::int64_t dtype_id(DlpackDataType dtype);
  std::int64_t device_id(DlpackDevice device);
  std::shared_ptr<NameTable> names_;
  SlotIndex rank_ = kNoSlot, dtype_ = kNoSlot, device_ = kNoSlot, offset_ = kNoSlot;
  std::vector<SlotIndex> sizes_, strides_;  // by dimension; kNoSlot where the layout has none
  std::vector<Known> dtypes_, devices_;
};

// ---- what was read ---------------------------------------------------------------------------

/// The slots a front end asked for while tracing, each once, in the order of first use.
class ReadRecord {
 public:
  void note(SlotIndex slot);
  [[nodiscard]] std::span<const SlotIndex> slots() const noexcept { return order_; }
  [[nodiscard]] bool was_read(SlotIndex slot) const noexcept;
  void clear();

 private:
  std::vector<SlotIndex> order_;
  std::vector<bool> seen_;
};

}  // namespace dimgate
