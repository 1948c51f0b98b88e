// Names for objects that can die: a guard on `id(x)` must not accept another object that later stands at the address.
//
// An identity is a name given out once. While the object lives its address has that name; after `died` the address is
// forgotten and the name is dead for ever, so that entries which pin it can be taken out (`pins_dead_identity` of
// guard_tree.hpp, for Cache::invalidate). O(1); thread-safe; memory follows the live objects and the dead names not yet
// `collected`. Tested by tests/world.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "dimgate/world.hpp"

namespace dimgate {

class IdentityTable {
 public:
  explicit IdentityTable(std::shared_ptr<NameTable> names);
  ~IdentityTable();
  IdentityTable(const IdentityTable&) = delete;
  IdentityTable& operator=(const IdentityTable&) = delete;

  /// The name's id (of the shared NameTable) for the object that lives at the address: `object 1`, `object 2`, ...
  std::int64_t of(const void* address);
  /// The object at the address is gone. False if it never had a name.
  bool died(const void* address);
  [[nodiscard]] bool is_dead(std::int64_t id) const;
  /// Dead names that no entry pins any more may be forgotten: after invalidation.
  void collected();
  [[nodiscard]] std::size_t live() const;
  [[nodiscard]] std::size_t dead() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dimgate
