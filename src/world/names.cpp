// Names as numbers, so that guards compare words: dtypes, devices, types, keys. A number is never reused. One mutex
// around the table. Checked by tests/world/layout_test.cpp.
#include <deque>
#include <mutex>

#include "dimgate/world.hpp"

namespace dimgate {

struct NameTable::Impl {
  mutable std::mutex mutex;
  std::deque<std::string> names;  // by id; a deque so that the views below stay valid
  std::unordered_map<std::string_view, std::int64_t> ids;
};

NameTable::NameTable() : impl_(std::make_unique<Impl>()) {}
NameTable::~NameTable() = default;

std::int64_t NameTable::intern(std::string_view name) {
  const std::lock_guard lock(impl_->mutex);
  if (const auto it = impl_->ids.find(name); it != impl_->ids.end()) return it->second;
  const auto id = static_cast<std::int64_t>(impl_->names.size());
  impl_->names.emplace_back(name);
  impl_->ids.emplace(impl_->names.back(), id);
  return id;
}

std::optional<std::int64_t> NameTable::find(std::string_view name) const {
  const std::lock_guard lock(impl_->mutex);
  const auto it = impl_->ids.find(name);
  return it == impl_->ids.end() ? std::nullopt : std::optional(it->second);
}

std::string NameTable::name(std::int64_t id) const {
  const std::lock_guard lock(impl_->mutex);
  if (id < 0 || static_cast<std::size_t>(id) >= impl_->names.size()) return {};
  return impl_->names[static_cast<std::size_t>(id)];
}

std::size_t NameTable::size() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->names.size();
}

}  // namespace dimgate
