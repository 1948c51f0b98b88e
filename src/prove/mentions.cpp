#include "prove/mentions.hpp"

#include <algorithm>

#include "expr/symbols.hpp"

namespace dimgate {

void Mentions::extend(Context& ctx, std::span<const Expr> formulas) {
  while (symbols_end_.size() < formulas.size()) {
    const auto id = static_cast<FactId>(symbols_end_.size());
    const std::size_t begin = symbols_.size();
    each_symbol(ctx, formulas[id], [&](Expr s) { symbols_.push_back(s); });
    for (std::size_t i = begin; i < symbols_.size(); ++i) by_symbol_[symbols_[i].node()].push_back(id);
    symbols_end_.push_back(static_cast<std::uint32_t>(symbols_.size()));
    if (begin == symbols_.size()) constants_.push_back(id);
  }
}

std::span<const Expr> Mentions::symbols_of(FactId f) const {
  const std::size_t begin = f == 0 ? 0 : symbols_end_[f - 1];
  return {symbols_.data() + begin, symbols_end_[f] - begin};
}

std::vector<FactId> Mentions::about(std::span<const Expr> symbols, bool closure) const {
  NodeMap<bool, 16> in;
  SmallVector<Expr, 16> todo;
  for (const Expr s : symbols)
    if (in.try_emplace(s.node()).second) todo.push_back(s);
  std::vector<FactId> out;
  out.reserve(std::min<std::size_t>(symbols_end_.size(), 8));
  SmallVector<std::uint64_t, 4> taken;  // bits by fact
  taken.resize(symbols_end_.size() / 64 + 1);
  while (!todo.empty()) {
    const FactIds* mention = of(todo.back());
    todo.pop_back();
    if (mention == nullptr) continue;
    for (const FactId f : *mention) {
      const std::uint64_t bit = std::uint64_t{1} << (f % 64);
      if ((taken[f / 64] & bit) != 0) continue;
      const std::span<const Expr> all = symbols_of(f);
      if (!closure && !std::all_of(all.begin(), all.end(), [&](Expr x) { return in.contains(x.node()); })) continue;
      taken[f / 64] |= bit;
      out.push_back(f);
      for (const Expr x : all)
        if (closure && in.try_emplace(x.node()).second) todo.push_back(x);
    }
  }
  out.insert(out.end(), constants_.begin(), constants_.end());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace dimgate
