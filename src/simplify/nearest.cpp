#include "simplify/nearest.hpp"

#include <algorithm>
#include <unordered_map>

namespace dimgate::simplify {

namespace {

constexpr std::uint32_t kTaken = ~std::uint32_t{0};

}  // namespace

Nearest::Nearest(std::span<const std::span<const Expr>> symbols)
    : symbols_(symbols.size()), forgotten_(symbols.size(), 0), seen_(symbols.size(), 0), missing_(symbols.size(), 0) {
  std::unordered_map<Expr, std::uint32_t> ids;
  for (std::uint32_t g = 0; g < symbols.size(); ++g)
    for (const Expr s : symbols[g]) {
      const auto [it, fresh] = ids.try_emplace(s, static_cast<std::uint32_t>(at_.size()));
      if (fresh) at_.emplace_back();
      symbols_[g].push_back(it->second);
      AtSymbol& at = at_[it->second];
      (symbols[g].size() == 1 ? at.alone : at.shared).push_back(g);
    }
  met_.assign(at_.size(), 0);
}

void Nearest::forget(std::size_t guard) {
  forgotten_[guard] = 1;
  const auto gone = [this](std::uint32_t g) { return forgotten_[g] != 0; };
  for (const std::uint32_t s : symbols_[guard]) {
    AtSymbol& at = at_[s];
    if (++at.forgotten * 2 < at.alone.size() + at.shared.size()) continue;
    std::erase_if(at.alone, gone);
    std::erase_if(at.shared, gone);
    at.forgotten = 0;
  }
}

// Guards about the symbol have one symbol less to meet.
void Nearest::meet(std::uint32_t symbol) {
  met_[symbol] = question_;
  const auto look = [this](const std::vector<std::uint32_t>& guards, std::size_t most) {
    for (const std::uint32_t g : guards) {
      if (forgotten_[g] != 0) continue;
      if (most-- == 0) return;
      if (seen_[g] != question_) {
        seen_[g] = question_;
        missing_[g] = static_cast<std::uint32_t>(symbols_[g].size());
      }
      if (missing_[g] == kTaken) continue;
      --missing_[g];
      levels_[std::min<std::size_t>(missing_[g], kLevels - 1)].guards.push_back(g);
    }
  };
  look(at_[symbol].alone, kAlone);
  look(at_[symbol].shared, kShared);
}

void Nearest::of(std::size_t from, std::size_t most, std::vector<std::size_t>& out) {
  out.clear();
  ++question_;
  for (Level& l : levels_) l.guards.clear(), l.next = 0;
  seen_[from] = question_;
  missing_[from] = kTaken;
  for (const std::uint32_t s : symbols_[from]) meet(s);
  while (out.size() < most) {
    const auto level =
        std::find_if(levels_.begin(), levels_.end(), [](const Level& l) { return l.next < l.guards.size(); });
    if (level == levels_.end()) return;
    const std::uint32_t g = level->guards[level->next++];
    const std::size_t listed = static_cast<std::size_t>(level - levels_.begin());
    if (missing_[g] == kTaken || std::min<std::size_t>(missing_[g], kLevels - 1) != listed) continue;  // listed again
    missing_[g] = kTaken;
    out.push_back(g);
    for (const std::uint32_t s : symbols_[g])
      if (met_[s] != question_) meet(s);
  }
}

}  // namespace dimgate::simplify
