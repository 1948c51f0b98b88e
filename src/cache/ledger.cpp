#include "cache/ledger.hpp"

namespace dimgate::detail {

void Ledger::add(Account& account, const Held& held) {
  ++account.entries;
  account.bytes += held.bytes;
  if (held.artifact && account.artifacts[held.artifact.get()]++ == 0) account.bytes += bytes_of(*held.artifact);
}

void Ledger::take(Account& account, const Held& held) {
  --account.entries;
  account.bytes -= held.bytes;
  if (!held.artifact) return;
  const auto it = account.artifacts.find(held.artifact.get());
  if (--it->second != 0) return;
  account.bytes -= bytes_of(*held.artifact);
  account.artifacts.erase(it);
}

void Ledger::limit(const std::string& owner, OwnerLimits limits) {
  const std::lock_guard lock(mutex_);
  owners_[owner].limits = limits;
}

void Ledger::inserted(const void* cache, const Entry& entry) {
  const std::lock_guard lock(mutex_);
  Held& held = held_[{cache, entry.id}];
  held = {"", entry.bytes(), entry.artifact};
  add(overall_, held);
  add(owners_[held.owner], held);
}

void Ledger::removed(const void* cache, const Entry& entry) {
  const std::lock_guard lock(mutex_);
  const auto it = held_.find({cache, entry.id});
  if (it == held_.end()) return;
  take(overall_, it->second);
  take(owners_[it->second.owner], it->second);
  held_.erase(it);
}

void Ledger::assign(const void* cache, EntryId entry, const std::string& owner) {
  const std::lock_guard lock(mutex_);
  const auto it = held_.find({cache, entry});
  if (it == held_.end()) return;
  take(owners_[it->second.owner], it->second);
  it->second.owner = owner;
  add(owners_[owner], it->second);
}

bool Ledger::reserve(const std::string& owner, std::size_t bytes, std::string& why) {
  const std::lock_guard lock(mutex_);
  Account& own = owners_[owner];
  const auto full = [&](const Account& a, const OwnerLimits& limits, const std::string& whose) {
    if (a.entries + a.reserved_entries >= limits.max_entries)
      why = "limit of " + std::to_string(limits.max_entries) + " entries " + whose + " reached";
    else if (limits.max_bytes != SIZE_MAX && a.bytes + a.reserved_bytes + bytes > limits.max_bytes)
      why = "limit of " + std::to_string(limits.max_bytes) + " bytes " + whose + " reached";
    else
      return false;
    return true;
  };
  if (full(own, own.limits, "for owner '" + owner + "'") || full(overall_, overall_limits_, "over all")) return false;
  for (Account* a : {&own, &overall_}) {
    ++a->reserved_entries;
    a->reserved_bytes += bytes;
  }
  return true;
}

void Ledger::release(const std::string& owner, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  for (Account* a : {&owners_[owner], &overall_}) {
    --a->reserved_entries;
    a->reserved_bytes -= bytes;
  }
}

bool Ledger::over(const Account& a, const OwnerLimits& limits) {
  return a.entries > limits.max_entries || a.bytes > limits.max_bytes;
}

bool Ledger::owner_over(const std::string& owner) const {
  const std::lock_guard lock(mutex_);
  const auto it = owners_.find(owner);
  return it != owners_.end() && over(it->second, it->second.limits);
}

bool Ledger::overall_over() const {
  const std::lock_guard lock(mutex_);
  return over(overall_, overall_limits_);
}

std::string Ledger::owner_of(const void* cache, EntryId entry) const {
  const std::lock_guard lock(mutex_);
  const auto it = held_.find({cache, entry});
  return it == held_.end() ? std::string() : it->second.owner;
}

CacheDomain::Usage Ledger::usage() const {
  const std::lock_guard lock(mutex_);
  return {overall_.entries, overall_.bytes};
}

CacheDomain::Usage Ledger::usage(const std::string& owner) const {
  const std::lock_guard lock(mutex_);
  const auto it = owners_.find(owner);
  return it == owners_.end() ? CacheDomain::Usage{} : CacheDomain::Usage{it->second.entries, it->second.bytes};
}

}  // namespace dimgate::detail
