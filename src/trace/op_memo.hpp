// A hash table from (operator, operand, operand) to the canonical node that it made, so that arithmetic repeated in a
// loop costs one probe instead of building and normalising terms again.
//
// Operands are node addresses or small constants, told apart by the tag; addresses serve identity only and never an
// order. The entries lie in the order in which they were made, so a program asked again walks them forward; only the
// index, eight bytes a slot with half of the hash beside the position, is read at random, and not even that where the
// entry made next is the one asked for next, as in a loop or a layer that runs again. Two entries share a cache line,
// and hold what a decision asks of the node (is it a constant, its id), so that a decision repeated among many
// touches one line here and none of the term's. Open addressing, at most half full; grows by doubling.
// Tested by tests/trace/sym_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate {

class OpMemo {
 public:
  struct Key {
    std::uint64_t a = 0, b = 0;
    std::uint16_t tag = 0;  // operator and which operands are constants; never 0
  };

  /// What a key made. `id` and `constant` save a look at the node, which may long have left the caches.
  struct Made {
    const detail::Node* node = nullptr;
    std::uint32_t id = 0;
    bool constant = false;
    static Made of(Expr e) { return {e.node(), e.id(), e.is_const()}; }
  };

  OpMemo() : slots_(64) {}

  /// What `key` made; a null node if the key is new; then fill it with `insert`.
  [[nodiscard]] Made find(const Key& key) noexcept {
    if (next_ < entries_.size() && entries_[next_].is(key)) {
      strays_ = 0;
      return entries_[next_++].made();
    }
    const std::uint64_t h = hash(key);
    for (std::size_t i = h & mask();; i = (i + 1) & mask()) {
      const Slot s = slots_[i];
      if (s.position == 0) return {};
      if (s.hash != upper(h)) continue;
      const Entry& e = entries_[s.position - 1];
      if (!e.is(key)) continue;
      if (++strays_ > kStrays) next_ = s.position, strays_ = 0;  // terms shared with what came before stray one by one
      return e.made();
    }
  }
  void insert(const Key& key, const Made& made) {
    entries_.push_back({key.a, key.b, made.node, made.id, key.tag, made.constant});
    if (2 * entries_.size() > slots_.size())
      grow();
    else
      place(key, static_cast<std::uint32_t>(entries_.size()));
  }

 private:
  struct Slot {
    std::uint32_t hash = 0, position = 0;  // entry + 1; 0: free
  };
  struct Entry {
    std::uint64_t a, b;
    const detail::Node* node;
    std::uint32_t id;
    std::uint16_t tag;
    bool constant;
    [[nodiscard]] bool is(const Key& k) const noexcept { return a == k.a && b == k.b && tag == k.tag; }
    [[nodiscard]] Made made() const noexcept { return {node, id, constant}; }
    [[nodiscard]] Key key() const noexcept { return {a, b, tag}; }
  };
  static_assert(sizeof(Entry) == 32);
  static constexpr unsigned kStrays = 4;
  [[nodiscard]] std::size_t mask() const noexcept { return slots_.size() - 1; }
  static std::uint32_t upper(std::uint64_t h) noexcept { return static_cast<std::uint32_t>(h >> 32U); }
  static std::uint64_t hash(const Key& k) noexcept {
    std::uint64_t h = (k.a * 0x9E3779B97F4A7C15U) ^ ((k.b + k.tag) * 0xC2B2AE3D27D4EB4FU);
    h ^= h >> 29U;
    h *= 0xBF58476D1CE4E5B9U;
    return h ^ (h >> 32U);
  }
  void place(const Key& key, std::uint32_t position) {
    const std::uint64_t h = hash(key);
    std::size_t i = h & mask();
    while (slots_[i].position != 0) i = (i + 1) & mask();
    slots_[i] = {upper(h), position};
  }
  void grow() {
    slots_.assign(slots_.size() * 2, {});
    for (std::uint32_t i = 0; i < entries_.size(); ++i) place(entries_[i].key(), i + 1);
  }

  std::vector<Slot> slots_;
  std::vector<Entry> entries_;
  std::size_t next_ = 0;  // the entry guessed to be asked for next
  unsigned strays_ = 0;   // found elsewhere since the last right guess
};

}  // namespace dimgate
