// Shared state of a Cache and its readers.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "cache/epoch.hpp"
#include "cache/memory.hpp"
#include "cache/table.hpp"
#include "dimgate/cache.hpp"

namespace dimgate {

namespace detail {

/// A count that one thread adds to and any thread reads.
class OwnCount {
 public:
  void add() noexcept { v_.store(v_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t get() const noexcept { return v_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> v_{0};
};

}  // namespace detail

struct CacheReader::Impl {
  Cache::Impl* cache = nullptr;
  detail::EpochDomain::Record* record = nullptr;
  unsigned depth = 0;       // answers alive
  std::uint64_t clock = 0;  // lookups so far, brought forward to the cache's clock at each miss
  // Counted here so that hits touch no shared line.
  detail::OwnCount hits, precondition_failures, forced;

  void enter() noexcept;
  void leave() noexcept;
};

struct Cache::Impl {
  Impl(MissHandler& h, CacheOptions o)
      : handler(h),
        options(std::move(o)),
        table(options),
        rejections(options.max_rejections),
        sightings(options.max_rejections) {
    current.store(table.set().get(), std::memory_order_seq_cst);
  }

  MissHandler& handler;
  const CacheOptions options;
  Program precondition;
  bool has_precondition = false;
  detail::EpochDomain epochs;
  std::atomic<const EntrySet*> current{nullptr};  // == table.set(), kept alive by the table, then by the epochs

  mutable std::mutex mutex;  // everything below
  std::condition_variable idle;
  bool compiling = false;
  std::thread::id compiler;
  detail::Table table;
  detail::Memory<std::string> rejections;
  detail::Memory<std::uint64_t> sightings;
  CacheStatistics counts;  // those not counted by readers, and what readers that went had counted
  std::uint64_t clock = 0;
  std::vector<CacheReader::Impl*> readers;

  /// Publishes the table's present set and retires the one before.
  void publish(std::shared_ptr<const EntrySet> before);
  Answer miss(CacheReader& reader, SnapshotView at);
  /// Lookup under the lock.
  Answer look(CacheReader& reader, SnapshotView at);
  /// Takes the lock's state from "compiling" to the answer.
  Answer settle(CacheReader& reader, SnapshotView at, MissAnswer answer, const std::string& key);
  /// Makes room for `incoming`; false: the limit forbids it.
  bool make_room(const NewEntry& incoming, std::vector<EntryId>& victims);
  Answer plain(Outcome outcome, std::string reason = {}) const;
  bool take_out(std::span<const EntryId> ids, CacheEvent::Kind why, const std::string& reason);
};

}  // namespace dimgate
