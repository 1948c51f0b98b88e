#include "simplify/nearest.hpp"

#include <unordered_map>

namespace dimgate::simplify {

Nearest::Nearest(std::span<const std::span<const Expr>> symbols) : symbols_(symbols.size()), seen_(symbols.size(), 0) {
  std::unordered_map<Expr, std::uint32_t> ids;
  for (std::uint32_t g = 0; g < symbols.size(); ++g)
    for (const Expr s : symbols[g]) {
      const auto [it, fresh] = ids.try_emplace(s, static_cast<std::uint32_t>(guards_.size()));
      if (fresh) guards_.emplace_back();
      symbols_[g].push_back(it->second);
      guards_[it->second].push_back(g);
    }
  reached_.assign(guards_.size(), 0);
}

void Nearest::of(std::size_t from, std::span<const char> gone, std::size_t most, std::vector<std::size_t>& out) {
  out.clear();
  ++question_;
  seen_[from] = question_;
  ring_.assign(symbols_[from].begin(), symbols_[from].end());
  for (const std::uint32_t s : ring_) reached_[s] = question_;
  while (!ring_.empty() && out.size() < most) {
    next_.clear();
    for (const std::uint32_t s : ring_)
      for (const std::uint32_t g : guards_[s]) {
        if (out.size() >= most) return;
        if (gone[g] != 0 || seen_[g] == question_) continue;
        seen_[g] = question_;
        out.push_back(g);
        for (const std::uint32_t t : symbols_[g])
          if (reached_[t] != question_) {
            reached_[t] = question_;
            next_.push_back(t);
          }
      }
    ring_.swap(next_);
  }
}

}  // namespace dimgate::simplify
