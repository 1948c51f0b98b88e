#include "program/bit_index.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "program/machine.hpp"

namespace dimgate::detail {

/// What is known of the atoms in this lookup: 0 not yet, else truth + 1.
struct BitIndex::Memo {
  std::array<std::uint8_t, kMostAtoms> known;
  Memo() noexcept { known.fill(0); }
  int truth(std::uint32_t atom, const std::vector<Atom>& atoms, SnapshotView at) noexcept {
    std::uint8_t& k = known[atom];
    if (k == 0) k = static_cast<std::uint8_t>(atoms[atom].truth(at) + 1);
    return k - 1;
  }
};

int BitIndex::Atom::truth(SnapshotView at) const noexcept {
  if (!at.has(left) || (is_pair() && !at.has(right))) return kUndefined;
  const std::int64_t v = at.raw(left);
  switch (kind) {
    case Kind::range:
      return detail::truth(static_cast<std::uint64_t>(v) - static_cast<std::uint64_t>(lo) <= width);
    case Kind::congruence:
      return detail::truth(congruent.holds(v));
    case Kind::equal:
      return detail::truth(v == at.raw(right));
    case Kind::less:
      return detail::truth(v < at.raw(right));
  }
  return kUndefined;
}

/// The tests that fail the program where they are not as wanted: those in runs, which no jump passes over.
void BitIndex::tests_of(const ProgramCode& p, std::vector<Wanted>& out) {
  out.clear();
  using Kind = Atom::Kind;
  const auto pair = [&](Kind kind, SlotIndex l, SlotIndex r, int truth) {
    Atom a;
    a.kind = kind;
    a.left = kind == Kind::equal ? std::min(l, r) : l;
    a.right = kind == Kind::equal ? std::max(l, r) : r;
    out.push_back({a, truth});
  };
  for (const Instr& i : p.code) {
    if (i.code < Code::Ranges || i.code > Code::PairsLe) continue;
    for (std::uint32_t k = i.b; k < i.b + i.c; ++k) switch (i.code) {
        case Code::Ranges:
        case Code::NotRanges: {
          Atom a;
          a.left = p.ranges[k].slot, a.lo = p.ranges[k].lo, a.width = p.ranges[k].width;
          out.push_back({a, i.code == Code::Ranges ? kTrue : kFalse});
          break;
        }
        case Code::Mods: {
          Atom a;
          a.kind = Kind::congruence;
          a.left = p.mods[k].slot, a.congruent = p.mods[k];
          out.push_back({a, kTrue});
          break;
        }
        case Code::PairsEq:
        case Code::PairsNe:
          pair(Kind::equal, p.pairs[k].left, p.pairs[k].right, i.code == Code::PairsEq ? kTrue : kFalse);
          break;
        case Code::PairsLt:
          pair(Kind::less, p.pairs[k].left, p.pairs[k].right, kTrue);
          break;
        case Code::PairsLe:  // not right < left
          pair(Kind::less, p.pairs[k].right, p.pairs[k].left, kFalse);
          break;
        default:
          break;
      }
  }
}

BitIndex::BitIndex(std::span<const Program* const> programs, std::vector<std::uint32_t> ranks)
    : ranks_(std::move(ranks)) {
  using Key = std::tuple<int, SlotIndex, SlotIndex, std::int64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
  const auto key = [](const Atom& a) {
    const bool c = a.kind == Atom::Kind::congruence;
    return Key(static_cast<int>(a.kind), a.left, a.right, a.lo, a.width, c ? a.congruent.modulus : 0,
               c ? a.congruent.residue : 0);
  };
  // Tests that many entries share come first: a test of one entry is cheaper to check there.
  std::map<Key, std::uint32_t> count;
  std::vector<Wanted> tests;
  for (const std::uint32_t rank : ranks_) {
    tests_of(programs[rank]->code(), tests);
    for (const Wanted& w : tests) ++count[key(w.atom)];
  }
  std::vector<std::uint32_t> counts;
  for (const auto& [k, n] : count) counts.push_back(n);
  std::uint32_t least = 2;
  if (counts.size() > kMostAtoms) {
    std::ranges::nth_element(counts, counts.begin() + kMostAtoms, std::greater<>{});
    least = std::max(least, counts[kMostAtoms] + 1);
  }
  std::map<Key, std::uint32_t> index;
  struct Item {
    std::uint32_t use;  // pair, atom, wanted: what the block's uses are sorted by
    std::uint32_t entry;
  };
  std::vector<Item> items;
  for (std::size_t begin = 0; begin < ranks_.size(); begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, ranks_.size());
    items.clear();
    for (std::size_t e = begin; e < end; ++e) {
      tests_of(programs[ranks_[e]]->code(), tests);
      for (const Wanted& w : tests) {
        const Key k = key(w.atom);
        if (count[k] < least) continue;
        const auto [it, is_new] = index.try_emplace(k, static_cast<std::uint32_t>(atoms_.size()));
        if (is_new) atoms_.push_back(w.atom);
        items.push_back({(w.atom.is_pair() ? 1U << 31 : 0U) | it->second * 2 | (w.truth == kTrue ? 1U : 0U),
                         static_cast<std::uint32_t>(e - begin)});
      }
    }
    std::ranges::sort(items, {}, [](const Item& i) { return std::pair(i.use, i.entry); });
    Block block{static_cast<std::uint32_t>(uses_.size()), 0, 0, static_cast<std::uint32_t>(end - begin)};
    bool pairs = false;
    for (std::size_t k = 0; k < items.size();) {
      const std::uint32_t use = items[k].use;
      if (!pairs && (use >> 31) != 0) pairs = true, block.first_pair = static_cast<std::uint32_t>(uses_.size());
      Use& u = uses_.emplace_back();
      u.atom = (use & ~(1U << 31)) / 2;
      u.wanted = (use & 1) != 0 ? kTrue : kFalse;
      u.words = static_cast<std::uint32_t>(words_.size());
      for (; k < items.size() && items[k].use == use; ++k) {
        const std::uint32_t word = items[k].entry / 64;
        if (((u.summary >> word) & 1) == 0) words_.push_back(0), u.summary |= std::uint64_t{1} << word;
        words_.back() |= std::uint64_t{1} << (items[k].entry % 64);
      }
    }
    block.last_use = static_cast<std::uint32_t>(uses_.size());
    if (!pairs) block.first_pair = block.last_use;
    blocks_.push_back(block);
  }
  words_.shrink_to_fit();
  uses_.shrink_to_fit();
}

void BitIndex::strike(const Use& use, std::array<std::uint64_t, 64>& alive) const noexcept {
  const std::uint64_t* word = words_.data() + use.words;
  if (use.summary == ~std::uint64_t{0}) {
    for (std::size_t k = 0; k < 64; ++k) alive[k] &= ~word[k];
    return;
  }
  for (std::uint64_t s = use.summary; s != 0; s &= s - 1)
    alive[static_cast<std::size_t>(std::countr_zero(s))] &= ~*word++;
}

std::uint32_t BitIndex::find(Candidates& c, std::uint32_t best) const noexcept {
  Memo memo;
  std::array<std::uint64_t, 64> alive;
  for (std::size_t b = 0; b < blocks_.size() && ranks_[b * kBlock] < best; ++b) {
    const Block& block = blocks_[b];
    for (std::uint32_t k = 0; k < 64; ++k) {
      const std::uint32_t left = block.entries > 64 * k ? block.entries - 64 * k : 0;
      alive[k] = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    }
    for (std::uint32_t u = block.first_use; u < block.first_pair; ++u)
      if (memo.truth(uses_[u].atom, atoms_, c.at) != uses_[u].wanted) strike(uses_[u], alive);
    std::uint64_t standing = 0;
    for (std::size_t k = 0; k < 64; ++k) standing |= std::uint64_t{alive[k] != 0} << k;
    for (std::uint32_t u = block.first_pair; standing != 0 && u < block.last_use; ++u)
      if ((uses_[u].summary & standing) != 0 && memo.truth(uses_[u].atom, atoms_, c.at) != uses_[u].wanted)
        strike(uses_[u], alive);
    for (; standing != 0; standing &= standing - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(standing));
      for (std::uint64_t w = alive[k]; w != 0; w &= w - 1) {
        const std::uint32_t rank = ranks_[b * kBlock + 64 * k + static_cast<std::size_t>(std::countr_zero(w))];
        if (rank >= best) return best;
        if (c.accepts(rank)) return rank;
      }
    }
  }
  return best;
}

std::size_t BitIndex::bytes() const noexcept {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return sizeof *this + of(ranks_) + of(atoms_) + of(blocks_) + of(uses_) + of(words_);
}

}  // namespace dimgate::detail
