// Shared state of a CacheDomain, its frames and their readers.
#pragma once

#include <atomic>
#include <list>
#include <map>
#include <mutex>
#include <unordered_map>

#include "cache/impl.hpp"
#include "cache/ledger.hpp"
#include "dimgate/layers.hpp"

namespace dimgate {

namespace detail {

/// One cache of a domain, global or a frame's own.
struct LayerCache {
  LayerCache(CacheOptions options, Ledger& ledger, std::vector<SlotIndex> identity_slots);
  /// Layers are looked up with the frame's handler; this one is never asked.
  struct Nobody final : MissHandler {
    MissAnswer miss(const Miss&) override;
  };
  Nobody nobody;
  std::shared_ptr<Eviction> eviction;
  std::vector<SlotIndex> identities;  // slots that hold them, of this cache's layout
  Cache cache;
  double recent_calls = 0;  // decayed; the domain's lock
  std::uint64_t seen_calls = 0;
};

}  // namespace detail

struct CacheDomain::Impl {
  explicit Impl(DomainOptions o) : options(std::move(o)), ledger(options.overall) {}
  const DomainOptions options;
  detail::Ledger ledger;

  mutable std::mutex mutex;  // everything below; taken before the lock of a cache
  struct Function {
    std::size_t slots = 0;
    std::unique_ptr<detail::LayerCache> layer;
  };
  std::map<std::string, Function> functions;
  std::list<detail::LayerCache*> caches;
  mutable std::unordered_map<std::string, std::weak_ptr<const Artifact>> artifacts;
  std::size_t sweep_at = 64;  // size at which dead artifacts are swept

  /// Evicts what saves least until the limits hold; not `keep`.
  void enforce(const std::string& owner, const detail::LayerCache& from, EntryId keep);
};

struct LayeredFrame::Impl {
  CacheDomain::Impl* domain = nullptr;
  CacheDomain* face = nullptr;
  FrameHandler* handler = nullptr;
  FrameOptions options;
  detail::LayerCache* global = nullptr;
  std::unique_ptr<detail::LayerCache> own;
  std::atomic<bool> served{false};  // once: what compiles from now on is a recompile
  mutable std::mutex mutex;         // below
  FrameStatistics cold;             // misses, and what readers that went had counted
  std::vector<const FrameReader*> readers;
};

struct FrameReader::Impl {
  LayeredFrame::Impl* frame = nullptr;
  std::optional<CacheReader> global;
  std::optional<CacheReader> own;
  Snapshot function;  // the call over the function's slots
  detail::OwnCount global_hits, frame_hits, guard_failures, forced;
  SnapshotView permuted(SnapshotView at);
  Cache::Answer miss(SnapshotView at, SnapshotView function_at);
  Cache::Answer counted(Cache::Answer answer, bool limit);
};

}  // namespace dimgate
