#include "dimgate/cache.hpp"

#include <algorithm>

#include "cache/impl.hpp"

namespace dimgate {

std::string_view to_string(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::hit:
      return "hit";
    case Outcome::compiled:
      return "compiled";
    case Outcome::shared:
      return "shared";
    case Outcome::fallback:
      return "fallback";
    case Outcome::rejected:
      return "rejected";
    case Outcome::error:
      return "error";
  }
  return "?";
}

std::optional<EntryId> MissHandler::victim(const EntrySet& set, const NewEntry&) {
  const auto it = std::ranges::min_element(
      set.entries, {}, [](const EntryRef& e) { return std::pair(e->last_hit.load(std::memory_order_relaxed), e->id); });
  if (it == set.entries.end()) return std::nullopt;
  return (*it)->id;
}

Cache::Cache(MissHandler& handler, CacheOptions options) : impl_(std::make_unique<Impl>(handler, std::move(options))) {}
Cache::~Cache() {
  if (impl_->options.observer) impl_->options.observer->closed(*impl_->table.set());
}

void Cache::set_precondition(Program precondition) {
  const std::lock_guard lock(impl_->mutex);
  (void)impl_->adopt(precondition);
  impl_->precondition = std::move(precondition);
  impl_->has_precondition = true;
}

void Cache::Impl::publish(std::shared_ptr<const EntrySet> before, Writing& writing) {
  current.store(table.set().get(), std::memory_order_seq_cst);
  for (auto& object : epochs.retire_and_collect(std::move(before))) writing.dead.push_back(std::move(object));
}

Cache::Answer Cache::answer(Outcome outcome, std::string reason) {
  Answer a;
  a.outcome_ = outcome;
  a.reason_ = std::move(reason);
  return a;
}

Cache::Answer Cache::Impl::plain(Outcome outcome, std::string reason) const {
  return Cache::answer(outcome, std::move(reason));
}

const std::string* RuntimeAsserts::broken(SnapshotView call, std::span<const std::int64_t> values) const {
  Snapshot all(first + unbacked.size());
  for (SlotIndex i = 0; i < first; ++i)
    if (call.has(i)) all.set(i, call.raw(i));
  for (std::size_t k = 0; k < values.size() && k < unbacked.size(); ++k)
    all.set(first + static_cast<SlotIndex>(k), values[k]);
  const std::int32_t failed = program.check(all);
  return failed == kPass ? nullptr : &texts[static_cast<std::size_t>(failed)];
}

EntryId Cache::Impl::change(NewEntry* entry, std::span<const EntryId> gone, CacheEvent::Kind why_gone,
                            const std::string& reason, std::uint64_t made_for) {
  if (options.eviction)
    for (const EntryId id : gone)
      if (const Entry* e = table.set()->find(id)) options.eviction->removed(*e);
  if (entry != nullptr) learn(std::move(entry->facts));
  const EntryId id = table.change(entry, gone, why_gone, reason, made_for, clock);
  if (options.eviction && id != 0) options.eviction->inserted(*table.set()->find(id));
  return id;
}

Result<EntryId> Cache::insert(NewEntry entry) {
  Impl::Writing writing(*impl_);
  if (auto foreign = impl_->adopt(entry.program)) return Error{*std::move(foreign)};
  if (entry.program.is_never()) return Error{"an entry whose guards can never hold"};
  std::vector<EntryId> victims;
  if (!impl_->make_room(entry, impl_->clock, impl_->handler, victims))
    return Error{"the cache's limit leaves no room for another entry"};
  const std::shared_ptr<const EntrySet> before = impl_->table.set();
  if (!victims.empty()) {
    impl_->counts.evictions += victims.size();
    impl_->change(nullptr, victims, CacheEvent::Kind::evict, "limit reached");
  }
  const std::vector<EntryId> retires = std::move(entry.retires);
  const EntryId id = impl_->change(&entry, retires, CacheEvent::Kind::retire, "covered by an inserted entry");
  impl_->publish(before, writing);
  return id;
}

bool Cache::Impl::take_out(std::span<const EntryId> ids, CacheEvent::Kind why, const std::string& reason,
                           Writing& writing) {
  const std::shared_ptr<const EntrySet> before = table.set();
  if (std::ranges::none_of(ids, [&](EntryId id) { return before->find(id) != nullptr; })) return false;
  change(nullptr, ids, why, reason);
  publish(before, writing);
  return true;
}

bool Cache::retire(EntryId id, std::string reason) {
  Impl::Writing writing(*impl_);
  return impl_->take_out({&id, 1}, CacheEvent::Kind::retire, reason, writing);
}

bool Cache::evict(EntryId id, std::string reason) {
  Impl::Writing writing(*impl_);
  const bool went = impl_->take_out({&id, 1}, CacheEvent::Kind::evict, reason, writing);
  if (went) ++impl_->counts.evictions;
  return went;
}

std::size_t Cache::invalidate(const std::function<bool(const Entry&)>& dead, std::string reason) {
  Impl::Writing writing(*impl_);
  std::vector<EntryId> ids;
  for (const EntryRef& e : impl_->table.set()->entries)
    if (dead(*e)) ids.push_back(e->id);
  impl_->take_out(ids, CacheEvent::Kind::invalidate, reason, writing);
  return ids.size();
}

std::size_t Cache::invalidate_pinned(SlotIndex slot, std::int64_t value, std::string reason) {
  return invalidate_pinned(std::span(&slot, 1), value, std::move(reason));
}

std::size_t Cache::invalidate_pinned(std::span<const SlotIndex> slots, std::int64_t value, std::string reason) {
  const auto demands = [&](const Entry& e) {
    return std::ranges::any_of(e.program.pinned(), [&](const Pinned& p) {
      return p.value == value && std::ranges::find(slots, p.slot) != slots.end();
    });
  };
  return invalidate(demands, std::move(reason));
}

std::shared_ptr<const EntrySet> Cache::entries() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->table.set();
}

CacheStatistics Cache::statistics() const {
  const std::lock_guard lock(impl_->mutex);
  CacheStatistics s = impl_->counts;
  for (const CacheReader::Impl* r : impl_->readers) {
    s.hits += r->hits.get();
    s.fallbacks += r->precondition_failures.get() + r->forced.get();
    s.precondition_failures += r->precondition_failures.get();
  }
  return s;
}

std::vector<CacheEvent> Cache::events() const {
  const std::lock_guard lock(impl_->mutex);
  return {impl_->table.events().begin(), impl_->table.events().end()};
}

std::size_t Cache::bytes() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->table.bytes();
}

}  // namespace dimgate
