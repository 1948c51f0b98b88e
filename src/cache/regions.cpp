#include "dimgate/regions.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>

namespace dimgate {

namespace {

/// A region and its cache. Lives as long as the chain: a reader may still be inside one that was cut.
struct Part : MissHandler {
  Part(Region r, RegionChain::Impl& c, const CacheOptions& options);
  MissAnswer miss(const Miss& m) override;
  Region region;
  RegionChain::Impl* chain;
  std::unique_ptr<Cache> cache;  // null: eager
};

}  // namespace

struct RegionChain::Impl {
  Impl(RegionCompiler& c, CacheOptions o) : compiler(c), options(std::move(o)) {}
  RegionCompiler& compiler;
  const CacheOptions options;
  mutable std::mutex mutex;
  std::vector<std::unique_ptr<Part>> made;                          // all there ever were
  std::atomic<const std::vector<Part*>*> now{nullptr};              // in order
  std::vector<std::unique_ptr<const std::vector<Part*>>> versions;  // few: one a cut

  void publish(std::vector<Part*> parts) {
    versions.push_back(std::make_unique<const std::vector<Part*>>(std::move(parts)));
    now.store(versions.back().get(), std::memory_order_release);
  }
  Part* make(Region r) { return made.emplace_back(std::make_unique<Part>(std::move(r), *this, options)).get(); }

  void cut(const Part& part, std::size_t at, const std::string& why) {
    const std::lock_guard lock(mutex);
    std::vector<Part*> next;
    for (Part* p : *now.load()) {
      if (p != &part) {
        next.push_back(p);
        continue;
      }
      const Region& r = part.region;
      if (at > r.begin) next.push_back(make({r.begin, at, false, {}}));
      next.push_back(make({at, at + 1, true, why}));
      if (at + 1 < r.end) next.push_back(make({at + 1, r.end, false, {}}));
    }
    publish(std::move(next));
  }
  [[nodiscard]] const Part* at(std::size_t begin) const {
    for (const Part* p : *now.load(std::memory_order_acquire))
      if (p->region.begin == begin) return p;
    return nullptr;
  }
};

namespace {

Part::Part(Region r, RegionChain::Impl& c, const CacheOptions& options) : region(std::move(r)), chain(&c) {
  if (!region.eager) cache = std::make_unique<Cache>(*this, options);
}

MissAnswer Part::miss(const Miss& m) {
  if (chain->at(region.begin) != this) return MissAnswer::fall_back("cut meanwhile");
  RegionAnswer a = chain->compiler.compile(region, m);
  if (!a.breaks_at) return std::move(a.answer);
  const std::size_t at = *a.breaks_at;
  if (at < region.begin || at >= region.end)
    return MissAnswer::fail("operation " + std::to_string(at) + " is not in the region of operations " +
                            std::to_string(region.begin) + " to " + std::to_string(region.end));
  chain->cut(*this, at, a.answer.reason);
  return MissAnswer::fall_back("graph break: " + a.answer.reason);
}

}  // namespace

RegionChain::RegionChain(std::size_t operations, RegionCompiler& compiler, CacheOptions options)
    : impl_(std::make_unique<Impl>(compiler, std::move(options))) {
  const std::lock_guard lock(impl_->mutex);
  std::vector<Part*> first;
  if (operations != 0) first.push_back(impl_->make({0, operations, false, {}}));
  impl_->publish(std::move(first));
}
RegionChain::~RegionChain() = default;

std::vector<Region> RegionChain::regions() const {
  std::vector<Region> out;
  for (const Part* p : *impl_->now.load(std::memory_order_acquire)) out.push_back(p->region);
  return out;
}

std::size_t RegionChain::graph_breaks() const {
  const auto all = regions();
  return static_cast<std::size_t>(std::ranges::count_if(all, &Region::eager));
}

std::optional<CacheStatistics> RegionChain::statistics(std::size_t begin) const {
  const Part* p = impl_->at(begin);
  if (p == nullptr || !p->cache) return std::nullopt;
  return p->cache->statistics();
}

struct RegionReader::Impl {
  RegionChain::Impl* chain = nullptr;
  std::unordered_map<const Part*, std::unique_ptr<CacheReader>> readers;
  CacheReader& reader(const Part& part) {
    auto& r = readers[&part];
    if (!r) r = std::make_unique<CacheReader>(*part.cache);
    return *r;
  }
};

RegionReader::RegionReader(RegionChain& chain) : impl_(std::make_unique<Impl>()) { impl_->chain = chain.impl_.get(); }
RegionReader::~RegionReader() = default;

Status RegionReader::run(RegionRun& run) {
  const RegionChain::Impl& chain = *impl_->chain;
  // The end of the last region; operations never change, so a cut made meanwhile keeps it.
  const auto& parts = *chain.now.load(std::memory_order_acquire);
  const std::size_t end = parts.empty() ? 0 : parts.back()->region.end;
  for (std::size_t at = 0; at < end;) {
    const Part& part = *chain.at(at);
    const Region& region = part.region;
    if (region.eager) {
      run.eager(region, "graph break: " + region.reason);
      at = region.end;
      continue;
    }
    const Cache::Answer answer = impl_->reader(part).lookup(run.inputs(region));
    if (answer.entry() != nullptr) {
      run.compiled(region, *answer.entry());
    } else if (answer.outcome() == Outcome::error) {
      return Error{answer.reason()};
    } else if (chain.at(at) != &part) {
      continue;  // cut: what now begins here
    } else {
      run.eager(region, answer.reason());
    }
    at = region.end;
  }
  return Ok{};
}

}  // namespace dimgate
