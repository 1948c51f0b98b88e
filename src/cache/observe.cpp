#include "dimgate/observe.hpp"

#include <algorithm>
#include <tuple>

namespace dimgate {

void CacheObserver::changed(const CacheEvent&, const Entry&) {}
void CacheObserver::missed(const MissRecord&) {}
void CacheObserver::closed(const EntrySet&) {}

namespace {

class Several final : public CacheObserver {
 public:
  explicit Several(std::vector<std::shared_ptr<CacheObserver>> all) : all_(std::move(all)) {}
  void changed(const CacheEvent& event, const Entry& entry) override {
    for (const auto& o : all_) o->changed(event, entry);
  }
  void missed(const MissRecord& miss) override {
    for (const auto& o : all_) o->missed(miss);
  }
  void closed(const EntrySet& entries) override {
    for (const auto& o : all_) o->closed(entries);
  }
  [[nodiscard]] bool wants_nearest() const override {
    return std::ranges::any_of(all_, [](const auto& o) { return o->wants_nearest(); });
  }

 private:
  std::vector<std::shared_ptr<CacheObserver>> all_;
};

}  // namespace

std::shared_ptr<CacheObserver> observe_all(std::vector<std::shared_ptr<CacheObserver>> observers) {
  std::erase(observers, nullptr);
  return std::make_shared<Several>(std::move(observers));
}

std::vector<FailedEntry> nearest_entries(const EntrySet& set, SnapshotView at, std::size_t most) {
  std::vector<FailedEntry> out;
  for (const EntryRef& e : set.entries)
    if (auto failing = e->program.failing(at); !failing.empty()) out.push_back({e.get(), std::move(failing)});
  const auto rank = [](const FailedEntry& f) {
    return std::tuple(f.failing.size(), ~f.entry->last_hit.load(std::memory_order_relaxed), f.entry->id);
  };
  const std::size_t kept = std::min(most, out.size());
  std::ranges::partial_sort(out, out.begin() + static_cast<std::ptrdiff_t>(kept), {}, rank);
  out.resize(kept);
  return out;
}

}  // namespace dimgate
