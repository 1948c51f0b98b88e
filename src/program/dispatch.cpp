#include "dimgate/dispatch.hpp"

#include <algorithm>

#include "program/interval_index.hpp"

namespace dimgate {

using namespace detail;  // NOLINT: this file is the room's face

namespace {

// Scanning so few costs no more than a probe.
constexpr std::size_t kScanned = 8;
// Indexes are built again when so many came after.
constexpr std::size_t kRecent = 32;
constexpr std::size_t kMostIndexes = 16;

}  // namespace

struct Dispatch::Impl {
  std::vector<const Program*> programs;
  HashGroups groups;
  std::vector<std::shared_ptr<const IntervalIndex>> indexes;  // one a slot; shared by copies
  std::vector<std::uint32_t> recent;                          // could be indexed, not yet: ascending
  std::vector<std::uint32_t> scanned;                         // can only be scanned: ascending

  void append(const Program& program) {
    const auto rank = static_cast<std::uint32_t>(programs.size());
    programs.push_back(&program);
    if (program.is_never()) return;
    RangeChoice choice;
    const bool has_range = choose_range(program.code(), choice);
    if (groups.add(rank, program, !has_range)) return;
    if (!has_range) {
      scanned.push_back(rank);
      return;
    }
    recent.push_back(rank);
    if (recent.size() > kRecent) index();
  }

  // Into one index a slot, with what was indexed before.
  void index() {
    std::vector<std::pair<SlotIndex, std::vector<IndexedRange>>> by_slot;
    for (const auto& i : indexes) by_slot.emplace_back(i->slot(), std::vector(i->ranges().begin(), i->ranges().end()));
    const std::size_t before = by_slot.size();
    std::vector<bool> changed(before, false);
    for (const std::uint32_t rank : recent) {
      RangeChoice choice;
      choose_range(programs[rank]->code(), choice);
      choice.range.rank = rank;
      auto it = std::ranges::find(by_slot, choice.slot, [](const auto& p) { return p.first; });
      if (it == by_slot.end()) {
        if (by_slot.size() == kMostIndexes) {
          scanned.insert(std::ranges::upper_bound(scanned, rank), rank);
          continue;
        }
        it = by_slot.insert(by_slot.end(), {choice.slot, {}});
      }
      it->second.push_back(choice.range);
      if (const auto k = static_cast<std::size_t>(it - by_slot.begin()); k < before) changed[k] = true;
    }
    indexes.resize(by_slot.size());
    for (std::size_t k = 0; k < by_slot.size(); ++k)
      if (k >= before || changed[k])
        indexes[k] = std::make_shared<const IntervalIndex>(by_slot[k].first, std::move(by_slot[k].second));
    recent.clear();
  }

  [[nodiscard]] std::uint32_t scan(const std::vector<std::uint32_t>& ranks, SnapshotView at,
                                   std::uint32_t best) const noexcept {
    for (const std::uint32_t rank : ranks) {
      if (rank >= best) break;
      if (programs[rank]->check(at) == kPass) return rank;
    }
    return best;
  }
};

Dispatch::Dispatch() : impl_(std::make_unique<Impl>()) {}
Dispatch::Dispatch(std::span<const Program* const> programs) : Dispatch() {
  for (const Program* p : programs) impl_->append(*p);
  if (impl_->recent.size() > kScanned) impl_->index();
}
Dispatch::~Dispatch() = default;
Dispatch::Dispatch(const Dispatch& o) : impl_(std::make_unique<Impl>(*o.impl_)) {}
Dispatch& Dispatch::operator=(const Dispatch& o) {
  if (this != &o) impl_ = std::make_unique<Impl>(*o.impl_);
  return *this;
}
Dispatch::Dispatch(Dispatch&&) noexcept = default;
Dispatch& Dispatch::operator=(Dispatch&&) noexcept = default;

void Dispatch::append(const Program& program) { impl_->append(program); }

std::int32_t Dispatch::find(SnapshotView at) const noexcept {
  const Impl& d = *impl_;
  std::uint32_t best = d.groups.find(d.programs, at, kNoRank);
  for (const auto& index : d.indexes) best = index->find(d.programs, at, best);
  best = d.scan(d.recent, at, best);
  best = d.scan(d.scanned, at, best);
  return best == kNoRank ? kMiss : static_cast<std::int32_t>(best);
}

std::size_t Dispatch::size() const noexcept { return impl_->programs.size(); }

std::size_t Dispatch::bytes() const noexcept {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  std::size_t n = sizeof *impl_ + of(impl_->programs) + of(impl_->indexes) + of(impl_->scanned) + of(impl_->recent) +
                  impl_->groups.bytes();
  for (const auto& i : impl_->indexes) n += i->bytes();
  return n;
}

}  // namespace dimgate
