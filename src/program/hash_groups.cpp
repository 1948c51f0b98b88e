#include "program/hash_groups.hpp"

#include <algorithm>

namespace dimgate::detail {
namespace {

std::uint64_t mix(std::uint64_t h, std::int64_t v) noexcept {
  h = (h ^ static_cast<std::uint64_t>(v)) * 0x9e3779b97f4a7c15ULL;
  return h ^ (h >> 29);
}

std::int64_t residue(std::int64_t v, std::uint64_t modulus) noexcept {
  if (modulus == 0) return v;
  if ((modulus & (modulus - 1)) == 0) return static_cast<std::int64_t>(static_cast<std::uint64_t>(v) & (modulus - 1));
  const auto m = static_cast<std::int64_t>(modulus);
  const std::int64_t r = v % m;
  return r < 0 ? r + m : r;
}

}  // namespace

std::vector<KeyPart> key_of(const ProgramCode& p) {
  std::vector<KeyPart> key;
  for (const Pinned& q : p.pinned) key.push_back({q.slot, 0, q.value});
  for (const Instr& i : p.code) {
    if (i.code != Code::Mods) continue;
    for (std::uint32_t k = i.b; k < i.b + i.c; ++k) {
      const Congruent& c = p.mods[k];
      if (c.modulus < 2) continue;
      const std::uint64_t bias = (std::uint64_t{1} << 63) % c.modulus;
      const std::uint64_t r = c.residue >= bias ? c.residue - bias : c.residue + (c.modulus - bias);
      key.push_back({c.slot, c.modulus, static_cast<std::int64_t>(r)});
    }
  }
  std::ranges::sort(key, [](const KeyPart& a, const KeyPart& b) {
    return a.slot != b.slot ? a.slot < b.slot : a.modulus < b.modulus;
  });
  return key;
}

bool HashGroups::hash(const Group& g, SnapshotView at, std::uint64_t& h) noexcept {
  h = 0;
  for (const Column& c : g.columns) {
    if (!at.has(c.slot)) return false;
    h = mix(h, residue(at.raw(c.slot), c.modulus));
  }
  return true;
}

void HashGroups::insert(Group& g, Place place) {
  const std::size_t mask = g.table.size() - 1;
  std::size_t at = place.hash & mask;
  while (g.table[at].first != kNoRank) at = (at + 1) & mask;
  g.table[at] = place;
}

bool HashGroups::add(std::uint32_t rank, const Program& program, bool any_length) {
  const std::vector<KeyPart> key = key_of(program.code());
  if (key.empty()) return false;
  auto group = std::ranges::find_if(groups_, [&](const Group& g) {
    return std::ranges::equal(
        g.columns, key, [](const Column& c, const KeyPart& k) { return c.slot == k.slot && c.modulus == k.modulus; });
  });
  if (group == groups_.end()) {
    if (groups_.size() == kMostGroups) return false;
    group = groups_.insert(groups_.end(), Group{});
    for (const KeyPart& k : key) group->columns.push_back({k.slot, k.modulus});
  }
  std::uint64_t h = 0;
  for (const KeyPart& k : key) h = mix(h, k.value);
  // Equal hashes are one chain, whatever the keys: every candidate is checked anyway.
  const auto link = static_cast<std::uint32_t>(chain_.size());
  const std::size_t mask = group->table.size() - 1;
  if (!group->table.empty()) {
    for (std::size_t at = h & mask; group->table[at].first != kNoRank; at = (at + 1) & mask) {
      Place& place = group->table[at];
      if (place.hash != h) continue;
      if (place.length >= kLong && !any_length) return false;
      chain_.push_back({rank, kNoRank});
      chain_[place.last].next = link;
      place.last = link;
      ++place.length;
      return true;
    }
  }
  chain_.push_back({rank, kNoRank});
  if (2 * (group->keys + 1) > group->table.size()) {
    const std::vector<Place> old = std::move(group->table);
    group->table.assign(std::max<std::size_t>(8, old.size() * 2), Place{});
    for (const Place& p : old)
      if (p.first != kNoRank) insert(*group, p);
  }
  insert(*group, {h, link, link, 1});
  ++group->keys;
  return true;
}

std::uint32_t HashGroups::find(std::span<const Program* const> programs, SnapshotView at,
                               std::uint32_t best) const noexcept {
  for (const Group& g : groups_) {
    std::uint64_t h = 0;
    if (!hash(g, at, h)) continue;
    const std::size_t mask = g.table.size() - 1;
    for (std::size_t i = h & mask; g.table[i].first != kNoRank; i = (i + 1) & mask) {
      if (g.table[i].hash != h) continue;
      for (std::uint32_t l = g.table[i].first; l != kNoRank && chain_[l].rank < best; l = chain_[l].next) {
        const Program& p = *programs[chain_[l].rank];
        if (p.check(at) == kPass) {
          best = chain_[l].rank;
          break;
        }
      }
      break;
    }
  }
  return best;
}

std::size_t HashGroups::bytes() const noexcept {
  std::size_t n = groups_.capacity() * sizeof(Group) + chain_.capacity() * sizeof(Link);
  for (const Group& g : groups_) n += g.columns.capacity() * sizeof(Column) + g.table.capacity() * sizeof(Place);
  return n;
}

}  // namespace dimgate::detail
