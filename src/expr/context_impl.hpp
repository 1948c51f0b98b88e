// The hash-cons table behind Context: one open-addressing table of nodes, one of symbols and names.
// Interning is O(arguments); a fresh Context costs a few small allocations. Tested by tests/expr/canonical_test.cpp.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/arena.hpp"
#include "dimgate/expr.hpp"

namespace dimgate {

using detail::Node;

/// What a Context knows of one symbol.
struct SymbolInfo {
  std::string name;
  const Node* node = nullptr;
  bool is_size = false;
};

struct Context::Impl {
  Impl();
  ~Impl();

  const Node* intern(Op op, Sort sort, std::span<const Node* const> args);
  const Node* intern_integer(const Integer& v);
  const Node* intern_leaf(Op op, Sort sort, std::uint64_t payload, std::uint64_t name_hash);
  const Node* intern_symbol(std::string_view name, Sort sort);

  Arena arena;
  std::vector<const Node*> table;  // power of two, null = free
  std::uint32_t nodes = 0;
  std::uint32_t marks = 0;
  std::deque<SymbolInfo> symbols;
  std::deque<std::string> names;  // EnumConst
  std::unordered_map<std::string_view, std::uint32_t> symbol_index, name_index;
  std::vector<Integer*> big;  // constants that own memory
  static constexpr std::int64_t kSmallest = -8, kLargest = 64;
  const Node* small[kLargest - kSmallest + 1] = {};  // constants used already, for intern_integer
  const Node *zero = nullptr, *one = nullptr, *yes = nullptr, *no = nullptr;

 private:
  const Node** slot(std::uint64_t hash, Op op, std::uint64_t payload, const Integer* integer);
  Node* create(Op op, Sort sort, std::uint64_t hash, std::size_t args);
  void grow();
};

/// Order by structure and symbol names (natural: s2 before s10). See Context::order.
int order_nodes(const Context::Impl& impl, const Node* a, const Node* b);

}  // namespace dimgate
