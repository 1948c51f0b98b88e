// Which fact mentions which symbol, and with that which facts a question can rest on. Kept beside the facts of an index
// and extended as they grow (O(fact size) each). Tested by tests/prove/stages_test.cpp and native_test.cpp.
#pragma once

#include <vector>

#include "dimgate/facts.hpp"
#include "expr/node_map.hpp"

namespace dimgate {

using FactIds = SmallVector<FactId, 6>;

class Mentions {
 public:
  /// The canonical formulas of all facts, those seen before first.
  void extend(Context& ctx, std::span<const Expr> formulas);
  /// Facts that mention the symbol, ascending; null if none does.
  [[nodiscard]] const FactIds* of(Expr symbol) const { return by_symbol_.find(symbol.node()); }
  /// Facts whose symbols are all among `symbols`, or (closure) all facts connected with them, ascending. Facts about
  /// nothing (a plain `False`) concern everyone.
  [[nodiscard]] std::vector<FactId> about(std::span<const Expr> symbols, bool closure) const;

 private:
  [[nodiscard]] std::span<const Expr> symbols_of(FactId f) const;

  NodeMap<FactIds, 4> by_symbol_;
  SmallVector<Expr, 16> symbols_;              // of fact 0, then of fact 1, ...
  SmallVector<std::uint32_t, 8> symbols_end_;  // by fact: where its symbols end
  FactIds constants_;                          // facts about nothing
};

}  // namespace dimgate
