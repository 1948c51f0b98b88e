// Drops what no root needs, with every index renumbered; see syntax.hpp.
#include "expr/syntax.hpp"

namespace dimgate::detail {

void Syntax::keep_needed() {
  std::vector<char> needed(nodes.size(), 0);
  for (const Root& r : roots) needed[r.node] = 1;
  for (std::size_t n = nodes.size(); n-- > 0;)
    for (std::uint32_t i = 0; needed[n] != 0 && i < nodes[n].count; ++i) needed[children[nodes[n].first + i]] = 1;
  Syntax kept;
  std::vector<std::uint32_t> moved(nodes.size());
  std::vector<std::uint32_t> operands;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (needed[n] == 0) continue;
    const SyntaxNode& e = nodes[n];
    if (e.op == Op::Symbol) {
      moved[n] = kept.add_symbol(symbols[e.payload].name, e.text, e.at);
      kept.nodes.back().formula = e.formula;
      kept.nodes.back().integer = e.integer;
      continue;
    }
    operands.clear();
    for (std::uint32_t i = 0; i < e.count; ++i) operands.push_back(moved[children[e.first + i]]);
    moved[n] = kept.add(e, operands.data(), operands.size());
  }
  for (const Root& r : roots) kept.roots.push_back({moved[r.node], r.text});
  kept.integers = std::move(integers);
  kept.floats = std::move(floats);
  kept.names = std::move(names);
  *this = std::move(kept);
}

}  // namespace dimgate::detail
