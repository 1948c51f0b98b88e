// What the lowering knows of each node but small constants: one record a node, found by its id or by open addressing.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "dimgate/expr.hpp"
#include "dimgate/world.hpp"

namespace dimgate::lowering {

using detail::Node;
using Label = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffffU;

/// 32 bytes: half of a line. What only some nodes have shares its place.
class NodeInfo {
 public:
  std::uint32_t parents = 0;                        // edges from above; a test counts as one
  std::uint32_t level : 31 = 0;                     // largest depth of a slot below
  std::uint32_t gate : 1 = 0;                       // a slot below makes another used slot readable
  std::uint32_t value = kNone;                      // index of its kept value
  std::array<std::uint32_t, 2> test{kNone, kNone};  // as a test, by wanted truth

  /// Of a symbol.
  SlotIndex& slot() { return shared_[0]; }
  [[nodiscard]] SlotIndex slot() const { return shared_[0]; }
  /// Of a symbol or a large constant: index of a value that is good for one atom, and that atom.
  std::uint32_t& leaf() { return shared_[1]; }
  [[nodiscard]] std::uint32_t leaf() const { return shared_[1]; }
  std::uint32_t& leaf_atom() { return shared_[2]; }
  [[nodiscard]] std::uint32_t leaf_atom() const { return shared_[2]; }
  /// Of a connective: the guard that took it apart, by wanted truth.
  std::uint32_t& opened(bool truth) { return shared_[truth ? 1 : 0]; }
  /// Of a division: where to go if it is undefined.
  Label& leave() { return shared_[0]; }
  [[nodiscard]] Label leave() const { return shared_[0]; }

 private:
  std::array<std::uint32_t, 3> shared_{kNone, kNone, kNone};
};
static_assert(sizeof(NodeInfo) == 32 && kNone == kNoSlot);

class NodeTable {
 public:
  /// `nodes`: of the Context; `expected`: at most so many will be seen. Where the Context is not much larger, records
  /// are found by the node's id, else by hashing.
  void prepare(std::size_t nodes, std::size_t expected) {
    expected = std::min(nodes, expected);
    infos_.reserve(expected + 1);
    dense_ = nodes <= kSmall || nodes / 8 <= expected;
    if (dense_)
      by_id_.assign(nodes + 1, kNone);
    else
      table_.resize(std::bit_ceil(2 * expected + 2));
  }
  /// The node's record, made on first sight. Valid until the next first sight.
  NodeInfo& operator[](const Node* n) {
    std::uint32_t* place = &find(n);
    if (*place == kNone) {
      *place = static_cast<std::uint32_t>(infos_.size());
      infos_.emplace_back();
      if (!dense_ && 2 * infos_.size() > table_.size()) grow();
      return infos_.back();
    }
    return infos_[*place];
  }
  /// Of a node that was seen.
  [[nodiscard]] NodeInfo& at(const Node* n) { return infos_[find(n)]; }
  [[nodiscard]] const NodeInfo& at(const Node* n) const { return infos_[const_cast<NodeTable*>(this)->find(n)]; }

 private:
  static constexpr std::size_t kSmall = 4096;
  struct Place {
    const Node* node = nullptr;
    std::uint32_t index = kNone;
  };
  std::uint32_t& find(const Node* n) {
    if (dense_) {
      if (n->id >= by_id_.size()) by_id_.resize(n->id + std::size_t{1}, kNone);  // made while compiling
      return by_id_[n->id];
    }
    const std::size_t mask = table_.size() - 1;
    std::size_t i = (n->hash ^ (n->hash >> 32)) & mask;
    while (table_[i].node != nullptr && table_[i].node != n) i = (i + 1) & mask;
    table_[i].node = n;
    return table_[i].index;
  }
  void grow() {
    std::vector<Place> old(table_.size() * 2);
    old.swap(table_);
    for (const Place& p : old)
      if (p.node != nullptr) find(p.node) = p.index;
  }

  bool dense_ = false;
  std::vector<std::uint32_t> by_id_;
  std::vector<Place> table_ = std::vector<Place>(16);
  std::vector<NodeInfo> infos_;
};

}  // namespace dimgate::lowering
