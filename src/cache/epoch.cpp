#include "cache/epoch.hpp"

#include <algorithm>
#include <limits>

namespace dimgate::detail {

EpochDomain::Record* EpochDomain::add() {
  const std::lock_guard lock(mutex_);
  return records_.emplace_back(std::make_unique<Record>()).get();
}

void EpochDomain::remove(Record* record) {
  const std::lock_guard lock(mutex_);
  std::erase_if(records_, [&](const auto& r) { return r.get() == record; });
}

EpochDomain::Dead EpochDomain::retire_and_collect(std::shared_ptr<const void> object) {
  Dead dead;
  const std::lock_guard lock(mutex_);
  retired_.push_back({now_.fetch_add(1, std::memory_order_seq_cst), std::move(object)});
  collect_into(dead);
  return dead;
}

void EpochDomain::collect() {
  Dead dead;  // destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  collect_into(dead);
}

void EpochDomain::collect_into(Dead& dead) {
  std::uint64_t oldest = std::numeric_limits<std::uint64_t>::max();
  for (const auto& r : records_)
    if (const std::uint64_t e = r->epoch.load(std::memory_order_seq_cst); e != 0) oldest = std::min(oldest, e);
  for (Retired& r : retired_)
    if (r.epoch < oldest) dead.push_back(std::move(r.object));
  std::erase_if(retired_, [](const Retired& r) { return r.object == nullptr; });
}

std::size_t EpochDomain::waiting() const {
  const std::lock_guard lock(mutex_);
  return retired_.size();
}

}  // namespace dimgate::detail
