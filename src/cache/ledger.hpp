// Who holds how much: entries and bytes by owner and over all, each artifact counted once.
//
// Told by observers of the caches, under their locks; its own lock is the last one taken. Reservations keep concurrent
// insertions within a limit. Tested through tests/cache/layers_test.cpp.
#pragma once

#include <map>
#include <mutex>
#include <unordered_map>

#include "dimgate/layers.hpp"

namespace dimgate::detail {

class Ledger {
 public:
  explicit Ledger(OwnerLimits overall) : overall_limits_(overall) {}

  void limit(const std::string& owner, OwnerLimits limits);
  void inserted(const void* cache, const Entry& entry);
  void removed(const void* cache, const Entry& entry);
  /// Whose the entry is; nothing if it went meanwhile.
  void assign(const void* cache, EntryId entry, const std::string& owner);

  /// Room for one more entry of so many bytes; false: say why. What is reserved is released once it is in or refused.
  bool reserve(const std::string& owner, std::size_t bytes, std::string& why);
  void release(const std::string& owner, std::size_t bytes);
  /// Above a limit: the owner's, or the overall one.
  [[nodiscard]] bool owner_over(const std::string& owner) const;
  [[nodiscard]] bool overall_over() const;
  [[nodiscard]] std::string owner_of(const void* cache, EntryId entry) const;
  [[nodiscard]] CacheDomain::Usage usage() const;
  [[nodiscard]] CacheDomain::Usage usage(const std::string& owner) const;

 private:
  struct Account {
    OwnerLimits limits;
    std::size_t entries = 0, bytes = 0;
    std::size_t reserved_entries = 0, reserved_bytes = 0;
    std::unordered_map<const Artifact*, std::size_t> artifacts;  // entries that hold it
  };
  struct Held {
    std::string owner;
    std::size_t bytes = 0;
    ArtifactRef artifact;
  };
  static std::size_t bytes_of(const Artifact& a) {
    return sizeof(Artifact) + a.bytes + a.fingerprint.capacity() + a.label.capacity();
  }
  static void add(Account& account, const Held& held);
  static void take(Account& account, const Held& held);
  [[nodiscard]] static bool over(const Account& account, const OwnerLimits& limits);

  mutable std::mutex mutex_;
  OwnerLimits overall_limits_;
  Account overall_;
  std::map<std::string, Account> owners_;
  std::map<std::pair<const void*, EntryId>, Held> held_;
};

}  // namespace dimgate::detail
