// Epoch-based reclamation: readers say "I am inside", writers free what was taken out once every reader that could have
// seen it has left.
//
// A reader owns a Record. `enter` stores the global epoch in it, `leave` stores 0 (neither waits). A writer takes an
// object out of reach, then calls `retire`, which stamps it with the epoch and starts a new one; an object is freed
// when every active record shows a later epoch than its stamp. Why that is safe: all four steps are sequentially
// consistent. If the writer's scan misses a reader's `enter`, that reader's later load of the published pointer comes
// after the writer's store and sees the new object. If a record shows a later epoch, it read that epoch after the
// stamp, hence after the object was out of reach. Cost: enter is one locked store, leave a plain store; retire is
// O(readers). Tested by tests/cache/epoch_test.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace dimgate::detail {

class EpochDomain {
 public:
  struct alignas(64) Record {
    std::atomic<std::uint64_t> epoch{0};  // 0: outside
  };

  /// Adds a reader. The record stays valid until `remove`.
  Record* add();
  void remove(Record* record);

  void enter(Record& r) const noexcept {
    r.epoch.store(now_.load(std::memory_order_seq_cst), std::memory_order_seq_cst);
  }
  static void leave(Record& r) noexcept { r.epoch.store(0, std::memory_order_release); }

  /// What can be freed: whoever holds a lock of their own drops it first, since destructors are the front end's.
  using Dead = std::vector<std::shared_ptr<const void>>;
  /// Hands over an object that no later `enter` can reach.
  [[nodiscard]] Dead retire_and_collect(std::shared_ptr<const void> object);
  /// The same, freed at once.
  void retire(std::shared_ptr<const void> object) { retire_and_collect(std::move(object)).clear(); }
  /// Frees what can be freed; called by retire as well.
  void collect();
  [[nodiscard]] std::size_t waiting() const;

 private:
  struct Retired {
    std::uint64_t epoch;
    std::shared_ptr<const void> object;
  };
  void collect_into(Dead& dead);  // mutex_ held

  std::atomic<std::uint64_t> now_{1};
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Record>> records_;
  std::vector<Retired> retired_;
};

}  // namespace dimgate::detail
