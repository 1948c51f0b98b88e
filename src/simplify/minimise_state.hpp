// What the stages of minimise share: the guards in processing order, which still stand, and why the others went.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "simplify/guard_item.hpp"

namespace dimgate::simplify {

/// Why a guard went. Guards named here stood when it went, so reasons never run in a circle.
struct Reason {
  std::vector<std::size_t> guards;
  std::vector<FactId> facts;
  std::string stage;
  bool by_sets = false;  // guards and facts are filled in at the end, from the sets of what stays
};

struct MinimiseState {
  std::vector<GuardItem> items;
  std::vector<std::size_t> order;  // dearest first; of equally dear ones the canonically last first
  std::vector<char> dropped;
  std::vector<Reason> reasons;
  // Set once guards and facts are found to contradict each other.
  bool contradictory = false;
  std::vector<std::size_t> core;
  std::vector<FactId> core_facts;
  std::string core_stage;

  void drop(std::size_t i, Reason reason) {
    dropped[i] = 1;
    reasons[i] = std::move(reason);
  }
  void contradict(std::vector<std::size_t> guards, std::vector<FactId> facts, std::string stage) {
    if (contradictory) return;
    contradictory = true;
    core = std::move(guards);
    core_facts = std::move(facts);
    core_stage = std::move(stage);
  }
};

template <class T>
void sort_unique(std::vector<T>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

/// Symbols that occur together in a guard or fact, as connected components.
class SymbolGroups {
 public:
  void link(std::span<const Expr> symbols) {
    for (const Expr s : symbols) {
      const std::uint32_t a = root(id(s));
      const std::uint32_t b = root(id(symbols[0]));
      parent_[std::max(a, b)] = std::min(a, b);
    }
  }
  std::uint32_t group(Expr symbol) { return root(id(symbol)); }

 private:
  std::uint32_t id(Expr s) {
    const auto [it, fresh] = ids_.try_emplace(s, static_cast<std::uint32_t>(parent_.size()));
    if (fresh) parent_.push_back(it->second);
    return it->second;
  }
  std::uint32_t root(std::uint32_t s) {
    while (parent_[s] != s) s = parent_[s] = parent_[parent_[s]];
    return s;
  }
  std::unordered_map<Expr, std::uint32_t> ids_;
  std::vector<std::uint32_t> parent_;
};

}  // namespace dimgate::simplify
