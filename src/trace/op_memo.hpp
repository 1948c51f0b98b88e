// A hash table from (operator, operand, operand) to the canonical node that it made, so that arithmetic repeated in a
// loop costs one probe instead of building and normalising terms again.
//
// Operands are node addresses or small constants, told apart by the tag; addresses serve identity only and never an
// order. Open addressing, at most half full; grows by doubling.
#pragma once

#include <cstdint>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate {

class OpMemo {
 public:
  struct Key {
    std::uint64_t a = 0, b = 0;
    std::uint32_t tag = 0;  // operator and which operands are constants; never 0
    friend bool operator==(const Key&, const Key&) = default;
  };

  OpMemo() : slots_(64) {}

  /// The slot of `key`: its node is null if the key is new; then fill it with `insert`.
  [[nodiscard]] const detail::Node* find(const Key& key) const noexcept {
    for (std::size_t i = hash(key) & mask();; i = (i + 1) & mask()) {
      const Slot& s = slots_[i];
      if (s.node == nullptr) return nullptr;
      if (s.key == key) return s.node;
    }
  }
  void insert(const Key& key, const detail::Node* node) {
    if (2 * (++count_) > slots_.size()) grow();
    place(key, node);
  }

 private:
  struct Slot {
    Key key;
    const detail::Node* node = nullptr;
  };
  [[nodiscard]] std::size_t mask() const noexcept { return slots_.size() - 1; }
  static std::size_t hash(const Key& k) noexcept {
    std::uint64_t h = (k.a * 0x9E3779B97F4A7C15U) ^ ((k.b + k.tag) * 0xC2B2AE3D27D4EB4FU);
    h ^= h >> 29U;
    h *= 0xBF58476D1CE4E5B9U;
    return h ^ (h >> 32U);
  }
  void place(const Key& key, const detail::Node* node) {
    std::size_t i = hash(key) & mask();
    while (slots_[i].node != nullptr) i = (i + 1) & mask();
    slots_[i] = {key, node};
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& s : old)
      if (s.node != nullptr) place(s.key, s.node);
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace dimgate
