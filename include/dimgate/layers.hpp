// Two layers of entries: the global one, shared by all frames that compile the same function, then the frame's own.
//
// A *function* is what is compiled; a *frame* is one place it is entered from (a training loop, an inference script, a
// decorator), with slots of its own. Frames that name the same function share its entries: such an entry is written
// over the function's slots, and a frame says which of its slots each of them is (its permutation). A lookup checks the
// frame's own guards first, then the global entries through the permutation, then the frame's own entries. A frame with
// `share` off (the strict preset: the caller itself is guarded) has only its own. Artifacts are shared by their whole
// fingerprint across functions as well, unless `share` is off.
// Limits: entries and bytes for each frame (CacheOptions), each owner, and over the domain; artifacts count once.
// A hit takes no lock and allocates nothing; the permutation costs one copy of the function's slots.
// Tested by tests/cache/layers_test.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dimgate/cache.hpp"

namespace dimgate {

struct OwnerLimits {
  std::size_t max_entries = SIZE_MAX;
  std::size_t max_bytes = SIZE_MAX;  // programs, texts and artifacts
};

struct DomainOptions {
  OwnerLimits overall;
  /// For owners' limits and the overall one. Evict: what saves least by its cache's Eviction goes (weighed by how often
  /// each cache was called lately), after the new entry is in.
  OnLimit on_limit = OnLimit::fallback;
  /// For the global layer of each function.
  CacheOptions function;
  /// Makes the Eviction of each function's layer; null: the handler's choice.
  std::function<std::shared_ptr<Eviction>()> eviction;
};

/// What frames share. Outlives them. Thread-safe.
class CacheDomain {
 public:
  explicit CacheDomain(DomainOptions options = {});
  ~CacheDomain();
  CacheDomain(const CacheDomain&) = delete;
  CacheDomain& operator=(const CacheDomain&) = delete;

  void limit_owner(const std::string& owner, OwnerLimits limits);

  /// The living artifact with this fingerprint, or null.
  [[nodiscard]] ArtifactRef find_artifact(std::string_view fingerprint) const;
  /// The living one with this fingerprint, else this one, known from now on. An empty fingerprint is never shared.
  ArtifactRef keep_artifact(ArtifactRef artifact);

  /// Entries that demand a dead object go, in all layers (slots that hold identities are named by the frames).
  std::size_t invalidate_identity(std::int64_t identity, const std::string& reason);

  struct Usage {
    std::size_t entries = 0, bytes = 0;
  };
  [[nodiscard]] Usage usage() const;
  [[nodiscard]] Usage usage(const std::string& owner) const;
  /// Entries of a function's global layer, in order; null: no frame ever named it.
  [[nodiscard]] std::shared_ptr<const EntrySet> function_entries(const std::string& function) const;

  struct Impl;

 private:
  friend class LayeredFrame;
  friend class FrameReader;
  std::unique_ptr<Impl> impl_;
};

enum class Layer : std::uint8_t { global, frame };

/// What a frame's handler is told.
struct FrameMiss {
  Miss miss;               // over the frame's slots, entries of its own layer
  SnapshotView function;   // over the function's slots; as `miss.inputs` where the frame shares nothing
  const EntrySet* global;  // entries of the function's layer; null where the frame shares nothing
};
/// A new entry of the global layer is written over the function's slots and may not depend on anything else.
struct FrameAnswer {
  MissAnswer answer;
  Layer layer = Layer::frame;
};
class FrameHandler {
 public:
  virtual ~FrameHandler() = default;
  virtual FrameAnswer miss(const FrameMiss& miss) = 0;
};

struct FrameOptions {
  std::string name;      // for messages: "train.py:loop"
  std::string function;  // whole identity of what is compiled; empty: nothing is shared
  bool share = true;     // false: neither layer nor artifacts are shared (strict)
  std::string owner;     // whose limit counts its entries
  /// The function's slot k is the frame's slot slots[k]. Empty: they are the same.
  std::vector<SlotIndex> slots;
  /// Checked before either layer; a call that fails them falls back.
  std::optional<Program> guards;
  std::vector<SlotIndex> identity_slots;  // the frame's slots that hold object identities
  CacheOptions cache;                     // of its own layer; `mode` and `on_busy` count for both
};

struct FrameStatistics {
  std::uint64_t global_hits = 0, frame_hits = 0;
  std::uint64_t compiles = 0;    // artifacts built
  std::uint64_t recompiles = 0;  // of them, those after the frame was served once
  std::uint64_t shared = 0, fallbacks = 0, rejected = 0, errors = 0;
  std::uint64_t guard_failures = 0;   // of the fallbacks: the frame's own guards
  std::uint64_t limit_fallbacks = 0;  // of the fallbacks: an owner's or the domain's limit
  [[nodiscard]] std::uint64_t hits() const noexcept { return global_hits + frame_hits; }
  [[nodiscard]] std::uint64_t calls() const noexcept {
    return hits() + compiles + shared + fallbacks + rejected + errors;
  }
};

/// Domain and handler outlive it.
class LayeredFrame {
 public:
  /// A permutation that names a slot twice, or is of another length than that of an earlier frame of the function, is
  /// an error.
  static Result<std::unique_ptr<LayeredFrame>> create(CacheDomain& domain, FrameHandler& handler, FrameOptions options);
  ~LayeredFrame();
  LayeredFrame(const LayeredFrame&) = delete;
  LayeredFrame& operator=(const LayeredFrame&) = delete;

  [[nodiscard]] FrameStatistics statistics() const;
  [[nodiscard]] std::shared_ptr<const EntrySet> entries() const;  // its own layer's
  /// Of its own layer, for what is not said here.
  Cache& cache() noexcept;

  struct Impl;

 private:
  friend class FrameReader;
  explicit LayeredFrame(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// One thread's access. Not thread-safe; must not outlive the frame; answers must not outlive the reader.
class FrameReader {
 public:
  explicit FrameReader(LayeredFrame& frame);
  ~FrameReader();
  FrameReader(const FrameReader&) = delete;
  FrameReader& operator=(const FrameReader&) = delete;
  Cache::Answer lookup(SnapshotView at);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  friend class LayeredFrame;
};

}  // namespace dimgate
