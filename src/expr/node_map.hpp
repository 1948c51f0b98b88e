// A map from nodes to values that costs no allocation while it is small: keys and values lie in order of insertion,
// found by a scan while there are few and through an index of their structural hashes beyond. O(1) either way; walking
// it follows insertion, never addresses. Nothing is erased but all at once. Tested by tests/expr/canonical_test.cpp.
#pragma once

#include <bit>
#include <vector>

#include "base/small_vector.hpp"
#include "dimgate/expr.hpp"

namespace dimgate {

template <class V, std::size_t N = 16>
class NodeMap {
 public:
  using Node = detail::Node;

  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  [[nodiscard]] bool empty() const { return keys_.empty(); }
  [[nodiscard]] const Node* key(std::size_t i) const { return keys_[i]; }
  [[nodiscard]] V& value(std::size_t i) { return values_[i]; }
  [[nodiscard]] const V& value(std::size_t i) const { return values_[i]; }

  [[nodiscard]] V* find(const Node* n) {
    const std::size_t i = position(n);
    return i == kNone ? nullptr : &values_[i];
  }
  [[nodiscard]] const V* find(const Node* n) const { return const_cast<NodeMap*>(this)->find(n); }
  [[nodiscard]] bool contains(const Node* n) const { return position(n) != kNone; }

  /// The value of n, made from `args` if n is new; whether it is new. References last until the next insertion.
  template <class... Args>
  std::pair<V&, bool> try_emplace(const Node* n, Args&&... args) {
    const std::size_t i = position(n);
    if (i != kNone) return {values_[i], false};
    keys_.push_back(n);
    values_.emplace_back(std::forward<Args>(args)...);
    if (keys_.size() > N) add_to_index();
    return {values_.back(), true};
  }
  V& operator[](const Node* n) { return try_emplace(n).first; }

  void clear() {
    keys_.clear();
    values_.clear();
    index_.clear();
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  [[nodiscard]] std::size_t position(const Node* n) const {
    if (index_.empty()) {
      for (std::size_t i = 0; i < keys_.size(); ++i)
        if (keys_[i] == n) return i;
      return kNone;
    }
    const std::size_t mask = index_.size() - 1;
    for (std::size_t at = n->hash & mask; index_[at] != 0; at = (at + 1) & mask)
      if (keys_[index_[at] - 1] == n) return index_[at] - 1;
    return kNone;
  }
  void put(std::size_t i) {
    const std::size_t mask = index_.size() - 1;
    std::size_t at = keys_[i]->hash & mask;
    while (index_[at] != 0) at = (at + 1) & mask;
    index_[at] = static_cast<std::uint32_t>(i + 1);
  }
  void add_to_index() {
    if (2 * keys_.size() <= index_.size()) return put(keys_.size() - 1);
    std::size_t slots = std::bit_ceil(8 * N);
    while (slots < 4 * keys_.size()) slots *= 2;
    index_.assign(slots, 0);
    for (std::size_t i = 0; i < keys_.size(); ++i) put(i);
  }

  SmallVector<const Node*, N> keys_;
  SmallVector<V, N> values_;
  std::vector<std::uint32_t> index_;  // power of two; position + 1, 0 = free; empty while there are few
};

}  // namespace dimgate
