#include "components.hpp"

#include <algorithm>
#include <numeric>

namespace dimgate::z3 {

namespace {

class UnionFind {
 public:
  explicit UnionFind(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace

std::vector<Component> components(const Facts& facts, Expr focus) {
  Context& ctx = facts.context();
  std::vector<FactId> ids;
  for (FactId id = 0; id < facts.size(); ++id)
    if (!facts[id].canonical.is_true()) ids.push_back(id);
  std::sort(ids.begin(), ids.end(), [&](FactId a, FactId b) {
    const int c = ctx.order(facts[a].canonical, facts[b].canonical);
    return c != 0 ? c < 0 : a < b;
  });
  ids.erase(
      std::unique(ids.begin(), ids.end(), [&](FactId a, FactId b) { return facts[a].canonical == facts[b].canonical; }),
      ids.end());

  // Items 0..n-1 are facts, n is the focus; each symbol remembers the first item that has it.
  const std::size_t n = ids.size();
  UnionFind sets(n + 1);
  std::vector<std::size_t> first_with(ctx.symbol_count(), n + 1);
  std::vector<std::vector<Expr>> symbols(n + 1);
  for (std::size_t i = 0; i <= n; ++i) {
    const Expr e = i < n ? facts[ids[i]].canonical : focus;
    if (!e) continue;
    symbols[i] = symbols_of(ctx, e);
    for (const Expr s : symbols[i]) {
      std::size_t& first = first_with[s.index()];
      if (first > n) first = i;
      sets.join(first, i);
    }
  }

  std::vector<Component> out;
  std::vector<std::size_t> place(n + 1, n + 1);
  const auto group_of = [&](std::size_t item) -> Component& {
    std::size_t& at = place[sets.find(item)];
    if (at > n) {
      at = out.size();
      out.emplace_back();
    }
    return out[at];
  };
  if (focus) group_of(n).symbols = symbols[n];
  for (std::size_t i = 0; i < n; ++i) {
    Component& group = group_of(i);
    group.formulas.push_back(facts[ids[i]].canonical);
    group.ids.push_back(ids[i]);
    group.symbols.insert(group.symbols.end(), symbols[i].begin(), symbols[i].end());
  }
  for (Component& group : out) {
    std::sort(group.symbols.begin(), group.symbols.end(), [](Expr a, Expr b) { return a.index() < b.index(); });
    group.symbols.erase(std::unique(group.symbols.begin(), group.symbols.end()), group.symbols.end());
  }
  return out;
}

}  // namespace dimgate::z3
