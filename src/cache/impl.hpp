// Shared state of a Cache and its readers.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "cache/epoch.hpp"
#include "cache/memory.hpp"
#include "cache/table.hpp"
#include "dimgate/cache.hpp"
#include "dimgate/eviction.hpp"
#include "dimgate/observe.hpp"

namespace dimgate {

namespace detail {

/// A count that one thread adds to and any thread reads.
class OwnCount {
 public:
  void add(std::uint64_t n = 1) noexcept {
    v_.store(v_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
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
  std::vector<std::int32_t> ranks;      // of a batch
  std::vector<std::uint8_t> preceding;  // rows of a batch that keep the precondition

  void enter() noexcept;
  void leave() noexcept;
  /// The entry that serves, counted; else an answer without one. Lock-free.
  Cache::Answer hit(CacheReader& self, SnapshotView at) noexcept;
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
  std::vector<std::uint64_t> marks;  // by slot: Layout::mark; 0: no program read it
  std::vector<DeclaredFacts> facts;  // of all entries there ever were, each set once

  /// Holds the mutex; what dies meanwhile is destroyed once it is released: an artifact's destructor is the front end's
  /// and may ask the cache.
  struct Writing {
    explicit Writing(Impl& cache) : lock(cache.mutex) {}
    detail::EpochDomain::Dead dead;
    std::shared_ptr<const EntrySet> set;  // whatever is kept across an unlock
    std::unique_lock<std::mutex> lock;
  };
  /// Publishes the table's present set and retires the one before.
  void publish(std::shared_ptr<const EntrySet> before, Writing& writing);
  Answer miss(CacheReader& reader, SnapshotView at, MissHandler& by);
  /// Lookup under the lock.
  Answer look(CacheReader& reader, SnapshotView at);
  /// Notes what the program's slots stand for. A message if one of them stood for something else before: programs of
  /// one cache come from one layout (or one that it was a prefix of).
  std::optional<std::string> adopt(const Program& program);
  /// A declared fact that these inputs break; null: they keep all that is known.
  const std::string* broken_fact(SnapshotView at) const;
  void learn(DeclaredFacts&& more);
  /// What may be said without the handler: nullopt where it must be asked.
  std::optional<Answer> without_handler(const std::string& key, std::uint64_t inputs, std::uint64_t now);
  /// From the handler's answer to the reader's.
  Answer settle(CacheReader& reader, SnapshotView at, MissHandler& by, MissAnswer& answer, const std::string& key,
                std::uint64_t inputs, Writing& writing);
  /// Makes room for `incoming`; false: the limit forbids it.
  bool make_room(const NewEntry& incoming, std::uint64_t now, MissHandler& by, std::vector<EntryId>& victims);
  [[nodiscard]] bool is_full() const;
  [[nodiscard]] std::uint64_t hits_so_far() const;
  /// Tells the observer how a miss ended, and passes the answer on.
  Answer told(MissRecord& record, Answer answer);
  EntryId change(NewEntry* entry, std::span<const EntryId> gone, CacheEvent::Kind why_gone, const std::string& reason,
                 std::uint64_t made_for = 0);
  Answer plain(Outcome outcome, std::string reason = {}) const;
  bool take_out(std::span<const EntryId> ids, CacheEvent::Kind why, const std::string& reason, Writing& writing);
};

}  // namespace dimgate
