#include "program/hash_groups.hpp"

#include <algorithm>
#include <span>

namespace dimgate::detail {
namespace {

/// Sum of products: columns do not wait for each other. The upper half is well mixed; `finish` folds it down.
std::uint64_t mix(std::uint64_t h, std::int64_t v, std::size_t column) noexcept {
  const std::uint64_t odd = 0x9e3779b97f4a7c15ULL * (2 * column + 1);
  return h + (static_cast<std::uint64_t>(v) ^ (static_cast<std::uint64_t>(v) >> 32)) * (odd | 1);
}
std::uint64_t finish(std::uint64_t h) noexcept {
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93ULL;
  return h ^ (h >> 32);
}

std::int64_t residue(std::int64_t v, std::uint64_t modulus) noexcept {
  if (modulus == 0) return v;
  if ((modulus & (modulus - 1)) == 0) return static_cast<std::int64_t>(static_cast<std::uint64_t>(v) & (modulus - 1));
  const auto m = static_cast<std::int64_t>(modulus);
  const std::int64_t r = v % m;
  return r < 0 ? r + m : r;
}

/// Pinned slots and congruences are all it demands. (A residue modulo 1 is no key, but its slot must be there.) A
/// strict program is asked in any case.
bool says_all(const ProgramCode& p) noexcept {
  if (p.strict) return false;
  if (std::ranges::any_of(p.mods, [](const Congruent& c) { return c.modulus < 2; })) return false;
  for (const Instr& i : p.code) {
    if (i.code == Code::Pass || i.code == Code::Fail || i.code == Code::Need || i.code == Code::Mods) continue;
    if (i.code != Code::Ranges) return false;
    for (std::uint32_t k = i.b; k < i.b + i.c; ++k)
      if (p.ranges[k].width != 0) return false;
  }
  return true;
}

}  // namespace

std::vector<KeyPart> key_of(const ProgramCode& p) {
  std::vector<KeyPart> key;
  for (const Pinned& q : p.pinned) key.push_back({q.slot, 0, q.value});
  for (const Instr& i : p.code) {
    if (i.code != Code::Mods) continue;
    for (std::uint32_t k = i.b; k < i.b + i.c; ++k) {
      const std::uint64_t modulus = p.mods[k].modulus, residue = p.mods[k].remainder();
      if (modulus >= 2) key.push_back({p.mods[k].slot, modulus, static_cast<std::int64_t>(residue)});
    }
  }
  std::ranges::sort(key, [](const KeyPart& a, const KeyPart& b) {
    return a.slot != b.slot ? a.slot < b.slot : a.modulus < b.modulus;
  });
  return key;
}

void HashGroups::insert(Group& g, std::uint64_t h, std::uint32_t link) {
  const std::size_t mask = g.table.size() - 1;
  std::size_t at = h & mask;
  while (g.table[at].first != kNoRank) at = (at + 1) & mask;
  g.table[at] = {static_cast<std::uint32_t>(h >> 32), link};
}

bool HashGroups::add(std::uint32_t rank, const Program& program, bool any_length) {
  const std::vector<KeyPart> key = key_of(program.code());
  if (key.empty() || key.size() > kMostColumns) return false;
  auto group = std::ranges::find_if(groups_, [&](const Group& g) {
    return std::ranges::equal(
        g.columns, key, [](const Column& c, const KeyPart& k) { return c.slot == k.slot && c.modulus == k.modulus; });
  });
  if (group == groups_.end()) {
    if (groups_.size() == kMostGroups) return false;
    group = groups_.insert(groups_.end(), Group{});
    for (const KeyPart& k : key) group->columns.push_back({k.slot, k.modulus});
  }
  Group& g = *group;
  const auto hash_of = [&](const auto& value) {
    std::uint64_t h = 0;
    for (std::size_t k = 0; k < key.size(); ++k) h = mix(h, value(k), k);
    return finish(h);
  };
  const std::uint64_t h = hash_of([&](std::size_t k) { return key[k].value; });
  const auto link = static_cast<std::uint32_t>(g.chain.size());
  Link added{rank, kNoRank, link, 1, says_all(program.code())};
  bool chained = false;
  const std::size_t mask = g.table.size() - 1;
  if (!g.table.empty())
    for (std::size_t at = h & mask; g.table[at].first != kNoRank && !chained; at = (at + 1) & mask) {
      Link& first = g.chain[g.table[at].first];
      const std::int64_t* other = g.keys.data() + std::size_t{g.table[at].first} * key.size();
      if (g.table[at].tag != h >> 32 || !std::ranges::equal(key, std::span(other, key.size()), {}, &KeyPart::value))
        continue;
      if (first.length >= kLong && !any_length) return false;
      g.chain[first.last].next = link;
      first.last = link;
      if (first.length < UINT16_MAX) ++first.length;
      chained = true;
    }
  g.chain.push_back(added);
  for (const KeyPart& k : key) g.keys.push_back(k.value);
  if (chained) return true;
  ++g.used;
  if (2 * g.used > g.table.size()) {
    const std::vector<Place> old = std::move(g.table);
    g.table.assign(std::max<std::size_t>(8, old.size() * 2), Place{});
    for (const Place& p : old)
      if (p.first != kNoRank)
        insert(g, hash_of([&](std::size_t k) { return g.keys[std::size_t{p.first} * key.size() + k]; }), p.first);
  }
  insert(g, h, link);
  return true;
}

std::uint32_t HashGroups::find_in(const Group& g, Candidates& c, std::uint32_t best) noexcept {
  std::int64_t values[kMostColumns];
  const std::size_t n = g.columns.size();
  std::uint64_t h = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const Column& column = g.columns[k];
    if (!c.at.has(column.slot)) return best;
    values[k] = residue(c.at.raw(column.slot), column.modulus);
    h = mix(h, values[k], k);
  }
  h = finish(h);
  const std::size_t mask = g.table.size() - 1;
  for (std::size_t at = h & mask; g.table[at].first != kNoRank; at = (at + 1) & mask) {
    if (g.table[at].tag != h >> 32) continue;
    std::uint32_t l = g.table[at].first;
    const std::int64_t* key = g.keys.data() + l * n;
    bool equal = true;
    for (std::size_t k = 0; k < n; ++k) equal &= key[k] == values[k];
    if (!equal) continue;
    for (; l != kNoRank && g.chain[l].rank < best; l = g.chain[l].next) {
      const Link& link = g.chain[l];
      if (link.whole ? !c.is_removed(link.rank) : c.accepts(link.rank)) return link.rank;
    }
    return best;
  }
  return best;
}

std::uint32_t HashGroups::find(Candidates& c, std::uint32_t best) const noexcept {
  for (const Group& g : groups_) best = find_in(g, c, best);
  return best;
}

void HashGroups::each_first(const std::function<void(std::uint32_t)>& visit) const {
  for (const Group& g : groups_)
    for (const Place& p : g.table)
      if (p.first != kNoRank) visit(g.chain[p.first].rank);
}

void HashGroups::shrink() {
  for (Group& g : groups_) g.chain.shrink_to_fit(), g.keys.shrink_to_fit();
}

std::size_t HashGroups::bytes() const noexcept {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  std::size_t n = of(groups_);
  for (const Group& g : groups_) n += of(g.columns) + of(g.table) + of(g.chain) + of(g.keys);
  return n;
}

}  // namespace dimgate::detail
