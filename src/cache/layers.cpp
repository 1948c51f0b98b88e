#include "dimgate/layers.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "cache/layers_impl.hpp"

namespace dimgate {

namespace {

constexpr double kWeighedCalls = 1000;  // calls of the domain after which a call counts half in weighing caches

class LedgerObserver final : public CacheObserver {
 public:
  LedgerObserver(detail::Ledger& ledger, const void* cache) : ledger_(&ledger), cache_(cache) {}
  void changed(const CacheEvent& event, const Entry& entry) override {
    if (event.kind == CacheEvent::Kind::insert)
      ledger_->inserted(cache_, entry);
    else
      ledger_->removed(cache_, entry);
  }
  [[nodiscard]] bool wants_nearest() const override { return false; }

 private:
  detail::Ledger* ledger_;
  const void* cache_;
};

CacheOptions with_ledger(CacheOptions options, detail::Ledger& ledger, const void* cache) {
  auto books = std::make_shared<LedgerObserver>(ledger, cache);
  options.observer = options.observer ? observe_all({std::move(books), options.observer})
                                      : std::static_pointer_cast<CacheObserver>(std::move(books));
  options.mode = CacheMode::normal;  // the frame's mode is kept above both layers
  return options;
}

}  // namespace

MissAnswer detail::LayerCache::Nobody::miss(const Miss&) {
  return MissAnswer::fall_back("a layer looked up without its frame");
}

detail::LayerCache::LayerCache(CacheOptions options, Ledger& ledger, std::vector<SlotIndex> identity_slots)
    : eviction(options.eviction),
      identities(std::move(identity_slots)),
      cache(nobody, with_ledger(std::move(options), ledger, this)) {}

CacheDomain::CacheDomain(DomainOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
CacheDomain::~CacheDomain() = default;

void CacheDomain::limit_owner(const std::string& owner, OwnerLimits limits) { impl_->ledger.limit(owner, limits); }
CacheDomain::Usage CacheDomain::usage() const { return impl_->ledger.usage(); }
CacheDomain::Usage CacheDomain::usage(const std::string& owner) const { return impl_->ledger.usage(owner); }

ArtifactRef CacheDomain::find_artifact(std::string_view fingerprint) const {
  const std::lock_guard lock(impl_->mutex);
  const auto it = impl_->artifacts.find(std::string(fingerprint));
  return it == impl_->artifacts.end() ? nullptr : it->second.lock();
}

ArtifactRef CacheDomain::keep_artifact(ArtifactRef artifact) {
  if (!artifact || artifact->fingerprint.empty()) return artifact;
  const std::lock_guard lock(impl_->mutex);
  auto& all = impl_->artifacts;
  std::weak_ptr<const Artifact>& known = all[artifact->fingerprint];
  if (ArtifactRef living = known.lock()) return living;
  known = artifact;
  if (all.size() >= impl_->sweep_at) {
    std::erase_if(all, [](const auto& a) { return a.second.expired(); });
    impl_->sweep_at = 2 * all.size() + 64;
  }
  return artifact;
}

std::size_t CacheDomain::invalidate_identity(std::int64_t identity, const std::string& reason) {
  const std::lock_guard lock(impl_->mutex);
  std::size_t gone = 0;
  for (detail::LayerCache* c : impl_->caches) gone += c->cache.invalidate_pinned(c->identities, identity, reason);
  return gone;
}

std::shared_ptr<const EntrySet> CacheDomain::function_entries(const std::string& function) const {
  const std::lock_guard lock(impl_->mutex);
  const auto it = impl_->functions.find(function);
  return it == impl_->functions.end() ? nullptr : it->second.layer->cache.entries();
}

void CacheDomain::Impl::enforce(const std::string& owner, const detail::LayerCache& from, EntryId keep) {
  const std::lock_guard lock(mutex);
  bool own = ledger.owner_over(owner);
  if (!own && !ledger.overall_over()) return;
  std::uint64_t fresh = 0;
  for (detail::LayerCache* c : caches) {
    const CacheStatistics s = c->cache.statistics();
    const std::uint64_t calls = s.hits + s.misses, more = calls - std::min(calls, c->seen_calls);
    c->recent_calls += static_cast<double>(more);
    c->seen_calls = calls;
    fresh += more;
  }
  const double fade = std::exp2(-static_cast<double>(fresh) / kWeighedCalls);
  for (detail::LayerCache* c : caches) c->recent_calls *= fade;
  const std::shared_ptr<Eviction> recency = make_lru();
  while ((own = ledger.owner_over(owner)) || ledger.overall_over()) {
    detail::LayerCache* where = nullptr;
    EntryId worst = 0;
    double least = 0;
    for (detail::LayerCache* c : caches) {
      const auto set = c->cache.entries();
      const std::uint64_t calls = c->seen_calls;
      for (const EntryRef& e : set->entries) {
        if ((c == &from && e->id == keep) || (own && ledger.owner_of(c, e->id) != owner)) continue;
        const double saves = c->recent_calls * (c->eviction ? *c->eviction : *recency).benefit(*e, *set, calls);
        if (where == nullptr || saves < least) where = c, worst = e->id, least = saves;
      }
    }
    if (where == nullptr) return;  // only the new one is left
    where->cache.evict(worst, own ? "limit of owner '" + owner + "' reached" : "overall limit reached");
  }
}

Result<std::unique_ptr<LayeredFrame>> LayeredFrame::create(CacheDomain& domain, FrameHandler& handler,
                                                           FrameOptions options) {
  if (std::set<SlotIndex>(options.slots.begin(), options.slots.end()).size() != options.slots.size())
    return Error{"frame '" + options.name + "': its permutation names a slot twice"};
  auto impl = std::make_unique<Impl>();
  CacheDomain::Impl& d = *domain.impl_;
  impl->domain = &d;
  impl->face = &domain;
  impl->handler = &handler;
  impl->options = std::move(options);
  const FrameOptions& o = impl->options;
  const std::lock_guard lock(d.mutex);
  if (o.share && !o.function.empty()) {
    std::vector<SlotIndex> identities = o.identity_slots;
    if (!o.slots.empty()) {
      identities.clear();
      for (SlotIndex k = 0; k < o.slots.size(); ++k)
        if (std::ranges::find(o.identity_slots, o.slots[k]) != o.identity_slots.end()) identities.push_back(k);
    }
    auto& function = d.functions[o.function];
    if (!function.layer) {
      CacheOptions shared = d.options.function;
      if (d.options.eviction) shared.eviction = d.options.eviction();
      shared.on_busy = o.cache.on_busy;
      function.slots = o.slots.size();
      function.layer = std::make_unique<detail::LayerCache>(std::move(shared), d.ledger, identities);
      d.caches.push_back(function.layer.get());
    } else if (function.slots != o.slots.size()) {
      return Error{"frame '" + o.name + "': its permutation has " + std::to_string(o.slots.size()) +
                   " slots, the function's first frame has " + std::to_string(function.slots)};
    } else {
      for (const SlotIndex k : identities)
        if (std::ranges::find(function.layer->identities, k) == function.layer->identities.end())
          function.layer->identities.push_back(k);
    }
    impl->global = function.layer.get();
  }
  impl->own = std::make_unique<detail::LayerCache>(o.cache, d.ledger, o.identity_slots);
  d.caches.push_back(impl->own.get());
  return std::unique_ptr<LayeredFrame>(new LayeredFrame(std::move(impl)));
}

LayeredFrame::LayeredFrame(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LayeredFrame::~LayeredFrame() {
  impl_->own->cache.invalidate([](const Entry&) { return true; }, "its frame went");  // off the books
  const std::lock_guard lock(impl_->domain->mutex);
  impl_->domain->caches.remove(impl_->own.get());
}

std::shared_ptr<const EntrySet> LayeredFrame::entries() const { return impl_->own->cache.entries(); }
Cache& LayeredFrame::cache() noexcept { return impl_->own->cache; }

FrameStatistics LayeredFrame::statistics() const {
  const std::lock_guard lock(impl_->mutex);
  FrameStatistics s = impl_->cold;
  for (const FrameReader* r : impl_->readers) {
    const FrameReader::Impl& i = *r->impl_;
    s.global_hits += i.global_hits.get();
    s.frame_hits += i.frame_hits.get();
    s.guard_failures += i.guard_failures.get();
    s.fallbacks += i.guard_failures.get() + i.forced.get();
  }
  return s;
}

}  // namespace dimgate
