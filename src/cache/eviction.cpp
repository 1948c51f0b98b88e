// The simple evictions, and what an Eviction does unless told otherwise.
#include "dimgate/eviction.hpp"

#include <algorithm>
#include <unordered_map>

namespace dimgate {

void Eviction::missed(std::uint64_t, const EntrySet&, bool, std::uint64_t) {}
bool Eviction::admit(std::uint64_t, const EntrySet&, std::uint64_t) { return true; }
void Eviction::inserted(const Entry&) {}
void Eviction::removed(const Entry&) {}
double Eviction::benefit(const Entry& entry, const EntrySet&, std::uint64_t clock) {
  const std::uint64_t last = entry.last_hit.load(std::memory_order_relaxed);
  return 1.0 / (1.0 + static_cast<double>(clock > last ? clock - last : 0));
}

namespace {

template <class Rank>
std::optional<EntryId> least(const EntrySet& set, Rank rank) {
  const auto it = std::ranges::min_element(set.entries, {}, [&](const EntryRef& e) { return rank(*e); });
  if (it == set.entries.end()) return std::nullopt;
  return (*it)->id;
}

class Lru final : public Eviction {
 public:
  std::optional<EntryId> victim(const EntrySet& set, const NewEntry&, std::uint64_t) override {
    return least(set, [](const Entry& e) { return std::pair(e.last_hit.load(std::memory_order_relaxed), e.id); });
  }
};

class Fifo final : public Eviction {
 public:
  std::optional<EntryId> victim(const EntrySet& set, const NewEntry&, std::uint64_t) override {
    return least(set, [](const Entry& e) { return e.id; });
  }
};

class Frequency final : public Eviction {
 public:
  explicit Frequency(bool remember) : remember_(remember) {}
  void missed(std::uint64_t inputs, const EntrySet&, bool, std::uint64_t) override {
    if (remember_) ++before_[inputs];
  }
  void removed(const Entry& e) override {
    if (remember_) before_[e.made_for] += e.hits.load(std::memory_order_relaxed);
  }
  std::optional<EntryId> victim(const EntrySet& set, const NewEntry&, std::uint64_t) override {
    return least(set, [this](const Entry& e) {
      const auto it = before_.find(e.made_for);
      return std::pair(e.hits.load(std::memory_order_relaxed) + (it == before_.end() ? 0 : it->second), e.id);
    });
  }

 private:
  bool remember_;
  std::unordered_map<std::uint64_t, std::uint64_t> before_;  // calls that missed or were served by entries now gone
};

}  // namespace

std::shared_ptr<Eviction> make_lru() { return std::make_shared<Lru>(); }
std::shared_ptr<Eviction> make_fifo() { return std::make_shared<Fifo>(); }
std::shared_ptr<Eviction> make_frequency(bool remember) { return std::make_shared<Frequency>(remember); }

}  // namespace dimgate
