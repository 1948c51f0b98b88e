// The hot path: no lock, no allocation.
#include <algorithm>

#include "cache/impl.hpp"

namespace dimgate {

void CacheReader::Impl::enter() noexcept {
  if (depth++ == 0) cache->epochs.enter(*record);
}

void CacheReader::Impl::leave() noexcept {
  if (--depth == 0) detail::EpochDomain::leave(*record);
}

Cache::Answer::Answer(Answer&& o) noexcept
    : pinned_(std::exchange(o.pinned_, nullptr)),
      entry_(std::exchange(o.entry_, nullptr)),
      outcome_(o.outcome_),
      reason_(std::move(o.reason_)) {}

Cache::Answer& Cache::Answer::operator=(Answer&& o) noexcept {
  if (this != &o) {
    if (pinned_ != nullptr) pinned_->impl_->leave();
    pinned_ = std::exchange(o.pinned_, nullptr);
    entry_ = std::exchange(o.entry_, nullptr);
    outcome_ = o.outcome_;
    reason_ = std::move(o.reason_);
  }
  return *this;
}

Cache::Answer::~Answer() {
  if (pinned_ != nullptr) pinned_->impl_->leave();
}

CacheReader::CacheReader(Cache& cache) : impl_(std::make_unique<Impl>()) {
  impl_->cache = cache.impl_.get();
  impl_->record = impl_->cache->epochs.add();
  const std::lock_guard lock(impl_->cache->mutex);
  impl_->clock = impl_->cache->clock;
  impl_->cache->readers.push_back(impl_.get());
}

CacheReader::~CacheReader() {
  Cache::Impl& c = *impl_->cache;
  {
    const std::lock_guard lock(c.mutex);
    std::erase(c.readers, impl_.get());
    c.counts.hits += impl_->hits.get();
    c.counts.fallbacks += impl_->precondition_failures.get() + impl_->forced.get();
    c.counts.precondition_failures += impl_->precondition_failures.get();
    c.clock = std::max(c.clock, impl_->clock);
  }
  c.epochs.remove(impl_->record);
}

Cache::Answer CacheReader::peek(SnapshotView at) {
  Cache::Answer answer;
  impl_->enter();
  answer.pinned_ = this;
  const EntrySet& set = *impl_->cache->current.load(std::memory_order_seq_cst);
  if (impl_->cache->has_precondition && impl_->cache->precondition.check(at) != kPass) return answer;
  const std::int32_t rank = set.dispatch.find(at);
  if (rank < 0) return answer;
  answer.entry_ = set.entries[static_cast<std::size_t>(rank)].get();
  answer.outcome_ = Outcome::hit;
  return answer;
}

Cache::Answer CacheReader::lookup(SnapshotView at) {
  Impl& me = *impl_;
  Cache::Impl& cache = *me.cache;
  ++me.clock;
  Cache::Answer answer;
  if (cache.options.mode == CacheMode::force_eager) {
    me.forced.add();
    return answer;
  }
  if (cache.has_precondition && cache.precondition.check(at) != kPass) {
    me.precondition_failures.add();
    return answer;
  }
  me.enter();
  answer.pinned_ = this;
  const EntrySet& set = *cache.current.load(std::memory_order_seq_cst);
  const std::int32_t rank = set.dispatch.find(at);
  if (rank >= 0) [[likely]] {
    const Entry& e = *set.entries[static_cast<std::size_t>(rank)];
    e.hits.fetch_add(1, std::memory_order_relaxed);
    e.last_hit.store(me.clock, std::memory_order_relaxed);
    me.hits.add();
    answer.entry_ = &e;
    answer.outcome_ = Outcome::hit;
    return answer;
  }
  answer = Cache::Answer{};
  return cache.miss(*this, at);
}

}  // namespace dimgate
