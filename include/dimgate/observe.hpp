// What a cache tells whoever watches it: changes of the table, misses with what failed, and how they ended.
//
// Hits are counted, never told. An observer is called under the writer's lock of one cache at a time (one observer may
// watch several caches and then locks itself); it must not call back into the cache. Logs, statistics by cause, thrash
// detection and traces are observers (statistics.hpp, thrash.hpp, cache_log.hpp). Tested by tests/cache.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dimgate/cache.hpp"

namespace dimgate {

/// The guards of one entry that these inputs did not satisfy.
struct FailedEntry {
  const Entry* entry = nullptr;
  std::vector<std::uint32_t> failing;  // guard indices, ascending
};

/// One miss, when it has ended.
struct MissRecord {
  std::uint64_t clock = 0;  // calls so far, by the reader that missed
  SnapshotView inputs;
  const EntrySet* entries = nullptr;  // before the miss changed anything
  std::vector<FailedEntry> nearest;   // fewest failing guards first, ties: latest hit; at most kNearest
  bool first = false;                 // the frame never had an entry
  Outcome outcome = Outcome::fallback;
  const Entry* made = nullptr;  // compiled and shared: the new entry
  double seconds = 0;           // in the handler
  std::string reason;           // as the answer's
  std::uint64_t hits = 0;       // of the cache so far, by all readers
  static constexpr std::size_t kNearest = 8;
};

class CacheObserver {
 public:
  virtual ~CacheObserver() = default;
  virtual void changed(const CacheEvent& event, const Entry& entry);
  virtual void missed(const MissRecord& miss);
  /// The cache goes, with what its present entries served; its readers have gone.
  virtual void closed(const EntrySet& entries);
  /// False: `nearest` stays empty (finding it costs a full check of each entry).
  [[nodiscard]] virtual bool wants_nearest() const { return true; }
};

/// Tells several, in order.
std::shared_ptr<CacheObserver> observe_all(std::vector<std::shared_ptr<CacheObserver>> observers);

/// The entries nearest to the inputs: fewest failing guards first, ties by latest hit, then age. Cold.
std::vector<FailedEntry> nearest_entries(const EntrySet& entries, SnapshotView at, std::size_t most);

}  // namespace dimgate
