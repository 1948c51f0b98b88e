// The writer's side of a cache: which entries there are, in which order, and what was logged.
//
// Not thread-safe: the cache calls it under its lock. Tested through tests/cache.
#pragma once

#include <deque>
#include <map>
#include <set>

#include "dimgate/cache.hpp"

namespace dimgate::detail {

class Table {
 public:
  explicit Table(const CacheOptions& options) : options_(options), set_(std::make_shared<EntrySet>()) {}

  [[nodiscard]] const std::shared_ptr<const EntrySet>& set() const noexcept { return set_; }
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] const std::deque<CacheEvent>& events() const noexcept { return events_; }
  [[nodiscard]] std::uint64_t inserted() const noexcept { return next_id_ - 1; }

  /// Takes `gone` out and puts `entry` (if any) in, as one version. Unknown ids are ignored. The id of the new entry,
  /// or 0.
  EntryId change(NewEntry* entry, std::span<const EntryId> gone, CacheEvent::Kind why_gone, const std::string& reason,
                 std::uint64_t made_for, std::uint64_t clock);

 private:
  void log(CacheEvent::Kind kind, const Entry& entry, std::string reason);
  void forget(EntryId id);
  [[nodiscard]] std::vector<EntryRef> ordered(std::vector<EntryRef> entries) const;

  const CacheOptions& options_;
  std::shared_ptr<const EntrySet> set_;
  std::map<EntryId, std::set<EntryId>> inside_;  // entry -> those it is proven strictly inside of; transitively closed
  std::deque<CacheEvent> events_;
  EntryId next_id_ = 1;
};

}  // namespace dimgate::detail
