#include "simplify/grid.hpp"

#include <algorithm>
#include <set>

namespace dimgate::simplify {

std::optional<Grid> Grid::around(Context& ctx, const std::vector<Expr>& symbols, std::span<const Expr> formulas,
                                 const std::size_t* sizes, const std::function<const IntSet&(Expr)>& allowed) {
  Grid grid;
  grid.symbols = symbols;
  std::sort(grid.symbols.begin(), grid.symbols.end(),
            [&](Expr a, Expr b) { return ctx.symbol_name(a) < ctx.symbol_name(b); });
  std::vector<std::int64_t> corners{0};
  for (const Expr f : formulas) collect_constants(f, corners);
  for (const Expr s : grid.symbols) {
    if (s.sort() != Sort::Int) return std::nullopt;
    std::set<std::int64_t> values;
    const IntSet& may = allowed(s);
    for (const std::int64_t v : may.samples(8)) values.insert(v);
    const std::size_t most = sizes[grid.symbols.size()];
    for (std::size_t reach = 0; values.size() < most && reach < most; ++reach)
      for (const std::int64_t c : corners)
        for (const std::int64_t v : {c + static_cast<std::int64_t>(reach), c - static_cast<std::int64_t>(reach)})
          if (values.size() < most && may.contains(v)) values.insert(v);
    if (values.empty()) return std::nullopt;
    grid.values.emplace_back(values.begin(), values.end());
  }
  return grid;
}

void collect_constants(Expr f, std::vector<std::int64_t>& out) {
  std::vector<Expr> todo{f};
  while (!todo.empty()) {
    const Expr t = todo.back();
    todo.pop_back();
    if (t.is_int()) {
      if (const auto v = t.integer().to_int64(); v && *v < IntSet::kFar && *v > -IntSet::kFar && out.size() < 12 &&
                                                 std::find(out.begin(), out.end(), *v) == out.end())
        out.push_back(*v);
    }
    for (std::size_t i = 0; i < t.size(); ++i) todo.push_back(t[i]);
  }
}

std::vector<char> truth_on(const Grid& grid, const Tape& tape) {
  std::vector<char> out;
  std::vector<Tape::Cell> stack;
  grid.for_each([&](const Point& p, const std::vector<std::int64_t>&) {
    const Tape::Cell c = tape.run(p, stack);
    out.push_back(c.state == Tape::State::overflow ? 2 : c.state == Tape::State::value && c.v == 1 ? 1 : 0);
  });
  return out;
}

}  // namespace dimgate::simplify
