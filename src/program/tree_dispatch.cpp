#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <tuple>

#include "dimgate/guard_tree.hpp"
#include "program/tree_order.hpp"

namespace dimgate {

TreeDispatch::TreeDispatch(std::vector<GuardTree> entries) : entries_(std::move(entries)) { share(); }

void TreeDispatch::append(GuardTree entry) {
  entries_.push_back(std::move(entry));
  share();
}

void TreeDispatch::share() {
  struct Found {
    bool data, relation;
    std::uint32_t depth;
    Shared shared;
    std::vector<SlotIndex> slots;
    std::vector<std::uint32_t> users;
  };
  std::vector<Found> found;
  std::map<std::tuple<SlotIndex, std::int64_t, std::int64_t>, std::size_t> known;
  const auto depth_of = [](const std::vector<GuardTree::Slot>& slots, SlotIndex s) {
    std::uint32_t depth = 0;
    while (s < slots.size() && slots[s].edge != kNoSlot && depth <= 64) s = slots[s].edge, ++depth;
    return depth;
  };
  for (std::uint32_t e = 0; e < entries_.size(); ++e) {
    const GuardTree& tree = entries_[e];
    for (const detail::TreeTest& t : tree.tests_) {
      const std::vector<SlotIndex> slots(tree.reads_.begin() + t.first_slot,
                                         tree.reads_.begin() + t.first_slot + t.slots);
      if (t.program < 0) {
        const auto [it, is_new] = known.try_emplace({slots.front(), t.lo, t.hi}, found.size());
        if (!is_new) {
          if (found[it->second].users.back() != e) found[it->second].users.push_back(e);
          continue;
        }
      }
      const detail::TreeUnit& unit = (*tree.units_)[t.unit];
      std::uint32_t depth = 0;
      for (const SlotIndex s : slots) depth = std::max(depth, depth_of(*tree.slots_, s));
      const Program* program = t.program < 0 ? nullptr : &(*tree.programs_)[static_cast<std::size_t>(t.program)];
      found.push_back({unit.from_data, unit.object.empty(), depth, {t, program}, slots, {e}});
    }
  }
  std::ranges::stable_sort(found, {}, [](const Found& f) { return std::tuple(f.data, f.relation, f.depth); });
  shared_.clear();
  reads_.clear();
  test_words_ = (found.size() + 63) / 64;
  entry_words_ = (entries_.size() + 63) / 64;
  tests_of_.assign(test_words_ * entries_.size(), 0);
  users_of_.assign(entry_words_ * found.size(), 0);
  for (std::size_t i = 0; i < found.size(); ++i) {
    Shared s = found[i].shared;
    s.test.first_slot = static_cast<std::uint32_t>(reads_.size());
    reads_.insert(reads_.end(), found[i].slots.begin(), found[i].slots.end());
    shared_.push_back(s);
    for (const std::uint32_t e : found[i].users) {
      tests_of_[e * test_words_ + i / 64] |= std::uint64_t{1} << (i % 64);
      users_of_[i * entry_words_ + e / 64] |= std::uint64_t{1} << (e % 64);
    }
  }
}

std::int32_t TreeDispatch::scan(LazySnapshot& at) const noexcept {
  for (std::size_t e = 0; e < entries_.size(); ++e)
    if (entries_[e].check(at) == kPass) return static_cast<std::int32_t>(e);
  return kMiss;
}

std::int32_t TreeDispatch::find(LazySnapshot& at, SlotSource& source) const noexcept {
  at.begin(source);
  if (entries_.size() < 2 || test_words_ > kMostWords || entry_words_ > kMostWords) return scan(at);
  std::array<std::uint64_t, kMostWords> held, out;  // tests that held; entries that are out
  std::fill_n(held.begin(), test_words_, 0);
  std::fill_n(out.begin(), entry_words_, 0);
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    if (((out[e / 64] >> (e % 64)) & 1U) != 0) continue;
    bool accepts = true;
    for (std::size_t w = 0; w < test_words_ && accepts; ++w) {
      std::uint64_t left = tests_of_[e * test_words_ + w] & ~held[w];
      for (; left != 0; left &= left - 1) {
        const std::size_t i = w * 64 + static_cast<std::size_t>(std::countr_zero(left));
        const Shared& s = shared_[i];
        if (!detail::holds(s.test, reads_.data() + s.test.first_slot, s.program, at)) {
          for (std::size_t k = 0; k < entry_words_; ++k) out[k] |= users_of_[i * entry_words_ + k];
          accepts = false;
          break;
        }
        held[w] |= left & (~left + 1);
      }
    }
    if (accepts) return static_cast<std::int32_t>(e);
  }
  return kMiss;
}

}  // namespace dimgate
