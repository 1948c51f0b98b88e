#include "dimgate/dispatch.hpp"

#include <algorithm>
#include <limits>

namespace dimgate {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kMaxGroups = 16;  // each costs a probe a lookup; entries that would need more are scanned

std::uint64_t mix(std::uint64_t h, std::int64_t v) noexcept {
  h = (h ^ static_cast<std::uint64_t>(v)) * 0x9e3779b97f4a7c15ULL;
  return h ^ (h >> 29);
}

// Entries that pin the same slots, by the values they pin. Entries with equal values are chained in order.
struct Group {
  std::vector<SlotIndex> slots;
  std::vector<std::uint32_t> table;  // open addressing; a rank or kNone; size a power of two
  std::size_t keys = 0;

  [[nodiscard]] bool pins_same_slots(std::span<const Pinned> pinned) const noexcept {
    return std::ranges::equal(pinned, slots, {}, &Pinned::slot);
  }
};

std::uint64_t key_of(std::span<const Pinned> pinned) noexcept {
  std::uint64_t h = 0;
  for (const Pinned& p : pinned) h = mix(h, p.value);
  return h;
}

bool same_values(std::span<const Pinned> a, std::span<const Pinned> b) noexcept { return std::ranges::equal(a, b); }

}  // namespace

struct Dispatch::Impl {
  std::vector<const Program*> programs;
  std::vector<std::uint32_t> next;  // by rank: the next rank with the same key, or kNone
  std::vector<std::uint32_t> last;  // by rank of the first of a chain: the last of it
  std::vector<Group> groups;
  std::vector<std::uint32_t> scanned;  // ranks without a group, ascending

  void append(const Program& program) {
    const auto rank = static_cast<std::uint32_t>(programs.size());
    programs.push_back(&program);
    next.push_back(kNone);
    last.push_back(rank);
    if (program.is_never()) return;
    const std::span<const Pinned> pinned = program.pinned();
    auto group = std::ranges::find_if(groups, [&](const Group& g) { return g.pins_same_slots(pinned); });
    if (group == groups.end()) {
      if (pinned.empty() || groups.size() == kMaxGroups) {
        scanned.push_back(rank);
        return;
      }
      group = groups.insert(groups.end(), Group{});
      for (const Pinned& p : pinned) group->slots.push_back(p.slot);
    }
    if (2 * (group->keys + 1) > group->table.size()) grow(*group);
    std::uint32_t& place = find(*group, pinned);
    if (place == kNone) {
      place = rank;
      ++group->keys;
    } else {
      next[last[place]] = rank;
      last[place] = rank;
    }
  }

  /// Where the first rank with these values is, or would be.
  std::uint32_t& find(Group& group, std::span<const Pinned> pinned) {
    const std::size_t mask = group.table.size() - 1;
    std::size_t at = key_of(pinned) & mask;
    while (group.table[at] != kNone && !same_values(programs[group.table[at]]->pinned(), pinned)) at = (at + 1) & mask;
    return group.table[at];
  }

  void grow(Group& group) {
    std::vector<std::uint32_t> old = std::move(group.table);
    group.table.assign(std::max<std::size_t>(8, old.size() * 2), kNone);
    for (const std::uint32_t rank : old)
      if (rank != kNone) find(group, programs[rank]->pinned()) = rank;
  }

  /// The lowest rank below `best` in the group that accepts, else `best`.
  std::uint32_t probe(const Group& group, SnapshotView at, std::uint32_t best) const noexcept {
    std::uint64_t h = 0;
    for (const SlotIndex s : group.slots) {
      if (!at.has(s)) return best;
      h = mix(h, at.raw(s));
    }
    const std::size_t mask = group.table.size() - 1;
    for (std::size_t i = h & mask;; i = (i + 1) & mask) {
      std::uint32_t rank = group.table[i];
      if (rank == kNone) return best;
      const std::span<const Pinned> pinned = programs[rank]->pinned();
      if (!std::ranges::all_of(pinned, [&](const Pinned& p) { return at.raw(p.slot) == p.value; })) continue;
      for (; rank < best; rank = next[rank])
        if (programs[rank]->is_exact() || programs[rank]->check(at) == kPass) return rank;
      return best;
    }
  }
};

Dispatch::Dispatch() : impl_(std::make_unique<Impl>()) {}
Dispatch::Dispatch(std::span<const Program* const> programs) : Dispatch() {
  for (const Program* p : programs) impl_->append(*p);
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
  std::uint32_t best = kNone;
  for (const Group& g : impl_->groups) best = impl_->probe(g, at, best);
  for (const std::uint32_t rank : impl_->scanned) {
    if (rank >= best) break;
    if (impl_->programs[rank]->check(at) == kPass) {
      best = rank;
      break;
    }
  }
  return best == kNone ? kMiss : static_cast<std::int32_t>(best);
}

std::size_t Dispatch::size() const noexcept { return impl_->programs.size(); }

std::size_t Dispatch::bytes() const noexcept {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  std::size_t n =
      sizeof *impl_ + of(impl_->programs) + of(impl_->next) + of(impl_->last) + of(impl_->groups) + of(impl_->scanned);
  for (const Group& g : impl_->groups) n += of(g.slots) + of(g.table);
  return n;
}

}  // namespace dimgate
