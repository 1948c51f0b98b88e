// Segments of entries, the oldest and largest first: a lookup that hits in one needs none behind it. A few recent
// entries are scanned; when there are too many they become a segment, and segments of like size become one (as in
// log-structured merge trees), so that an entry is indexed O(log N) times and versions share what did not change.
#include "dimgate/dispatch.hpp"

#include <algorithm>
#include <bit>

#include "program/segment.hpp"

namespace dimgate {

using namespace detail;  // NOLINT: this file is the room's face

namespace {

constexpr std::size_t kRecent = 16;
constexpr std::size_t kRatio = 8;  // a segment is at least so many times the next one's size

/// A segment and who left it.
struct Part {
  std::shared_ptr<const Segment> segment;
  std::shared_ptr<const std::vector<std::uint64_t>> removed;  // a bit an entry; null: nobody left
  std::size_t live = 0;

  [[nodiscard]] bool is_removed(std::size_t i) const noexcept {
    return removed != nullptr && (((*removed)[i / 64] >> (i % 64)) & 1) != 0;
  }
  /// How many in front of local rank i are there.
  [[nodiscard]] std::size_t standing_before(std::size_t i) const noexcept {
    if (removed == nullptr) return i;
    std::size_t gone = 0;
    for (std::size_t w = 0; w < i / 64; ++w) gone += static_cast<std::size_t>(std::popcount((*removed)[w]));
    if (i % 64 != 0)
      gone += static_cast<std::size_t>(std::popcount((*removed)[i / 64] & ((std::uint64_t{1} << (i % 64)) - 1)));
    return i - gone;
  }
  /// Local rank of the entry with `rank` others in front that are there.
  [[nodiscard]] std::size_t position(std::size_t rank) const noexcept {
    if (removed == nullptr) return rank;
    std::size_t at = 0;
    for (std::size_t w = 0;; ++w, at += 64) {
      const auto here = static_cast<std::size_t>(64 - std::popcount((*removed)[w]));
      if (rank < here) break;
      rank -= here;
    }
    while (is_removed(at) || rank-- != 0) ++at;
    return at;
  }
  [[nodiscard]] Candidates candidates(SnapshotView at) const noexcept {
    return {segment->programs(), removed != nullptr ? removed->data() : nullptr, at};
  }
  void collect(std::vector<const Program*>& out) const {
    const auto programs = segment->programs();
    for (std::size_t i = 0; i < programs.size(); ++i)
      if (!is_removed(i)) out.push_back(programs[i]);
  }
};

}  // namespace

struct Dispatch::Impl {
  DispatchOptions options;
  std::vector<Part> parts;
  std::vector<const Program*> recent;

  [[nodiscard]] std::size_t indexed() const noexcept {
    std::size_t n = 0;
    for (const Part& p : parts) n += p.live;
    return n;
  }

  void seal(std::vector<const Program*> programs) {
    if (programs.empty()) return;
    const std::size_t n = programs.size();
    parts.push_back({std::make_shared<const Segment>(std::move(programs), options), nullptr, n});
  }

  void settle() {
    std::vector<const Program*> programs = std::move(recent);
    recent.clear();
    std::size_t first = parts.size(), size = programs.size();
    while (first != 0 && parts[first - 1].live < kRatio * size) size += parts[--first].live;
    std::vector<const Program*> all;
    all.reserve(size);
    for (std::size_t k = first; k < parts.size(); ++k) parts[k].collect(all);
    all.insert(all.end(), programs.begin(), programs.end());
    parts.resize(first);
    seal(std::move(all));
  }

  [[nodiscard]] std::int32_t find(SnapshotView at, std::uint32_t* checks) const noexcept {
    std::size_t before = 0;
    for (const Part& part : parts) {
      Candidates c = part.candidates(at);
      const std::uint32_t rank = part.segment->find(c);
      if (checks != nullptr) *checks += c.checks;
      if (rank != kNoRank) return static_cast<std::int32_t>(before + part.standing_before(rank));
      before += part.live;
    }
    for (const Program* p : recent) {
      if (checks != nullptr) ++*checks;
      if (p->check(at) == kPass) return static_cast<std::int32_t>(before);
      ++before;
    }
    return kMiss;
  }
};

Dispatch::Dispatch() : impl_(std::make_unique<Impl>()) {}
Dispatch::Dispatch(std::span<const Program* const> programs, const DispatchOptions& options) : Dispatch() {
  impl_->options = options;
  impl_->seal({programs.begin(), programs.end()});
}
Dispatch::~Dispatch() = default;
Dispatch::Dispatch(const Dispatch& o) : impl_(std::make_unique<Impl>(*o.impl_)) {}
Dispatch& Dispatch::operator=(const Dispatch& o) {
  if (this != &o) impl_ = std::make_unique<Impl>(*o.impl_);
  return *this;
}
Dispatch::Dispatch(Dispatch&&) noexcept = default;
Dispatch& Dispatch::operator=(Dispatch&&) noexcept = default;

void Dispatch::append(const Program& program) {
  impl_->recent.push_back(&program);
  if (impl_->recent.size() > kRecent) impl_->settle();
}

void Dispatch::remove(std::size_t rank) {
  Impl& d = *impl_;
  for (std::size_t k = 0; k < d.parts.size(); ++k) {
    Part& part = d.parts[k];
    if (rank >= part.live) {
      rank -= part.live;
      continue;
    }
    const std::size_t at = part.position(rank);
    const std::size_t size = part.segment->programs().size();
    auto removed = part.removed != nullptr ? std::make_shared<std::vector<std::uint64_t>>(*part.removed)
                                           : std::make_shared<std::vector<std::uint64_t>>((size + 63) / 64);
    (*removed)[at / 64] |= std::uint64_t{1} << (at % 64);
    part.removed = std::move(removed);
    --part.live;
    if (2 * part.live < size) {  // more holes than entries: built again without them
      std::vector<const Program*> left;
      part.collect(left);
      if (left.empty())
        d.parts.erase(d.parts.begin() + static_cast<std::ptrdiff_t>(k));
      else
        part = {std::make_shared<const Segment>(left, d.options), nullptr, left.size()};
    }
    return;
  }
  if (rank < d.recent.size()) d.recent.erase(d.recent.begin() + static_cast<std::ptrdiff_t>(rank));
}

std::int32_t Dispatch::find(SnapshotView at) const noexcept { return impl_->find(at, nullptr); }

std::int32_t Dispatch::find(SnapshotView at, LastHit& last) const noexcept {
  // Asked of the present version: whatever version the memory is of, nobody in front can accept.
  if (!impl_->parts.empty()) {
    const Part& part = impl_->parts.front();
    if (const std::uint32_t i = last.index; part.removed == nullptr && i < part.live && part.segment->is_first(i) &&
                                            part.segment->programs()[i]->check(at) == kPass)
      return static_cast<std::int32_t>(i);
  }
  const std::int32_t rank = find(at);
  last.index = rank >= 0 ? static_cast<std::uint32_t>(rank) : LastHit::kNone;
  return rank;
}

std::int32_t Dispatch::find_counting(SnapshotView at, std::uint32_t& checks) const noexcept {
  checks = 0;
  return impl_->find(at, &checks);
}

std::size_t Dispatch::first(std::span<const Program*> out) const noexcept {
  std::size_t n = 0;
  for (const Part& part : impl_->parts) {
    const auto programs = part.segment->programs();
    for (std::size_t i = 0; i < programs.size() && n < out.size(); ++i)
      if (!part.is_removed(i)) out[n++] = programs[i];
  }
  for (std::size_t i = 0; i < impl_->recent.size() && n < out.size(); ++i) out[n++] = impl_->recent[i];
  return n;
}

std::size_t Dispatch::size() const noexcept { return impl_->indexed() + impl_->recent.size(); }

std::size_t Dispatch::bytes() const noexcept {
  std::size_t n = sizeof *impl_ + impl_->parts.capacity() * sizeof(Part) + impl_->recent.capacity() * sizeof(void*);
  for (const Part& p : impl_->parts)
    n += p.segment->bytes() + (p.removed != nullptr ? p.removed->capacity() * sizeof(std::uint64_t) : 0);
  return n;
}

}  // namespace dimgate
