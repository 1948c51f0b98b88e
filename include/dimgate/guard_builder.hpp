// From an observed world and what the front end used of it to guards.
//
// By default only what was used is guarded: a key that was read (its presence and value), a length that was taken, a
// flag that was asked. What makes a used slot readable is guarded with it: the type before the rank before the size,
// the presence before the value; for item i of a list that its length is above i. Tensors that were used are kept apart
// (or together) in storage as observed. The strict preset guards every slot of the observed world, used or not. Sizes
// that a tracer keeps symbolic are left to its own guards (`symbolic`). Linear in the slots used. Tested by
// tests/guard.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "dimgate/described_world.hpp"
#include "dimgate/guard.hpp"
#include "dimgate/result.hpp"

namespace dimgate {

enum class GuardPreset : std::uint8_t { used, strict };

struct BuilderOptions {
  GuardPreset preset = GuardPreset::used;
  /// Relations between the storages of used tensors.
  bool aliasing = true;
  /// Slots whose value the front end did not bake in: their edges are guarded, they are not.
  std::function<bool(SlotIndex)> symbolic = {};
  Location where = {};
};

/// Slots that were read and that no guard looks at: each a way to run old code in a new world. `symbolic` ones, whose
/// value the front end did not bake in, are left out.
std::vector<SlotIndex> unguarded(const Context& ctx, const Layout& layout, const GuardSet& guards,
                                 const ReadRecord& reads, const std::function<bool(SlotIndex)>& symbolic = {});

class GuardBuilder {
 public:
  /// `observed`: the slots as the front end saw them (copied). Context and layout outlive the builder.
  GuardBuilder(Context& ctx, const WorldLayout& layout, SnapshotView observed, BuilderOptions options = {});

  void used(SlotIndex slot) { reads_.note(slot); }
  void used(const ReadRecord& reads);
  /// A slot by its name, or a value by its path: a tensor's metadata (rank, sizes, dtype, device, requires_grad,
  /// layout), a scalar's value, a container's type and length. Error: the observed world has nothing of that name
  /// (names that are near are listed).
  Status used(std::string_view name);
  /// What was used so far.
  [[nodiscard]] const ReadRecord& reads() const noexcept { return reads_; }
  /// A decision of the tracer, or any guard of the caller's.
  void add(Guard guard) { given_.push_back(std::move(guard)); }

  /// Guards in the order of first use, what makes a slot readable before what reads it, relations last, then those
  /// added. Error: a slot that was used but is absent in the observed world.
  Result<GuardSet> build() const;

 private:
  Context& ctx_;
  const WorldLayout& layout_;
  Snapshot observed_;
  BuilderOptions options_;
  ReadRecord reads_;
  std::vector<Guard> given_;
};

}  // namespace dimgate
