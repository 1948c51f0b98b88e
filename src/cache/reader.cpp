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

Cache::Answer CacheReader::Impl::hit(CacheReader& self, SnapshotView at) noexcept {
  enter();
  Cache::Answer answer;
  answer.pinned_ = &self;
  const EntrySet& set = *cache->current.load(std::memory_order_seq_cst);
  const std::int32_t rank = set.dispatch.find(at);
  if (rank < 0) return answer;
  const Entry& e = *set.entries[static_cast<std::size_t>(rank)];
  e.hits.fetch_add(1, std::memory_order_relaxed);
  e.last_hit.store(clock, std::memory_order_relaxed);
  hits.add();
  answer.entry_ = &e;
  answer.outcome_ = Outcome::hit;
  return answer;
}

Cache::Answer CacheReader::lookup(SnapshotView at) { return lookup(at, impl_->cache->handler); }

Cache::Answer CacheReader::lookup(SnapshotView at, MissHandler& handler) {
  Impl& me = *impl_;
  Cache::Impl& cache = *me.cache;
  ++me.clock;
  if (cache.options.mode == CacheMode::force_eager) {
    me.forced.add();
    return {};
  }
  if (cache.has_precondition && cache.precondition.check(at) != kPass) {
    me.precondition_failures.add();
    return {};
  }
  if (Cache::Answer answer = me.hit(*this, at); answer.entry_ != nullptr) [[likely]]
    return answer;
  return cache.miss(*this, at, handler);
}

Cache::Answer CacheReader::try_hit(SnapshotView at) {
  Impl& me = *impl_;
  ++me.clock;
  if (me.cache->options.mode == CacheMode::force_eager) return {};
  if (me.cache->has_precondition && me.cache->precondition.check(at) != kPass) return {};
  Cache::Answer answer = me.hit(*this, at);
  if (answer.entry_ == nullptr) --me.clock;
  return answer;
}

std::size_t CacheReader::try_hits(std::span<const std::int64_t* const> columns, std::size_t rows) {
  Impl& me = *impl_;
  const Cache::Impl& cache = *me.cache;
  if (cache.options.mode == CacheMode::force_eager) return 0;
  if (cache.has_precondition) {
    me.preceding.resize(rows);
    cache.precondition.check_batch(columns, rows, me.preceding.data());
    rows = static_cast<std::size_t>(std::ranges::find(me.preceding, 0) - me.preceding.begin());
  }
  me.ranks.resize(rows);
  me.enter();
  const struct Inside {
    Impl& reader;
    ~Inside() { reader.leave(); }
  } inside{me};
  const EntrySet& set = *cache.current.load(std::memory_order_seq_cst);
  set.dispatch.find_batch(columns, rows, me.ranks.data());
  std::size_t served = 0;
  while (served < rows && me.ranks[served] >= 0) {
    const std::int32_t rank = me.ranks[served];
    std::size_t same = 1;
    while (served + same < rows && me.ranks[served + same] == rank) ++same;
    const Entry& e = *set.entries[static_cast<std::size_t>(rank)];
    e.hits.fetch_add(same, std::memory_order_relaxed);
    served += same;
    e.last_hit.store(me.clock + served, std::memory_order_relaxed);
  }
  me.clock += served;
  me.hits.add(served);
  return served;
}

}  // namespace dimgate
