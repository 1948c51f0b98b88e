// Names of objects, given out once: an address whose object died gets another name. One mutex around two maps; this
// runs while guards are built, never at a hit. Checked by tests/world and tests/guard.
#include "dimgate/identity.hpp"

#include <mutex>
#include <string>

namespace dimgate {

struct IdentityTable::Impl {
  mutable std::mutex mutex;
  std::shared_ptr<NameTable> names;
  std::unordered_map<const void*, std::int64_t> live;
  std::unordered_set<std::int64_t> dead;
  std::uint64_t given = 0;
};

IdentityTable::IdentityTable(std::shared_ptr<NameTable> names) : impl_(std::make_unique<Impl>()) {
  impl_->names = std::move(names);
}
IdentityTable::~IdentityTable() = default;

std::int64_t IdentityTable::of(const void* address) {
  const std::lock_guard lock(impl_->mutex);
  const auto [it, is_new] = impl_->live.try_emplace(address, 0);
  if (is_new) it->second = impl_->names->intern("object " + std::to_string(++impl_->given));
  return it->second;
}

bool IdentityTable::died(const void* address) {
  const std::lock_guard lock(impl_->mutex);
  const auto it = impl_->live.find(address);
  if (it == impl_->live.end()) return false;
  impl_->dead.insert(it->second);
  impl_->live.erase(it);
  return true;
}

bool IdentityTable::is_dead(std::int64_t id) const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->dead.contains(id);
}

void IdentityTable::collected() {
  const std::lock_guard lock(impl_->mutex);
  impl_->dead.clear();
}

std::size_t IdentityTable::live() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->live.size();
}

std::size_t IdentityTable::dead() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->dead.size();
}

}  // namespace dimgate
