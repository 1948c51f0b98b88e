// What the values seen have in common.
#include <algorithm>
#include <set>

#include "dimgate/simplify.hpp"
#include "simplify/affine.hpp"

namespace dimgate {

namespace {
constexpr std::size_t kDistinctForResidue = 3;
}

std::vector<Guess> suggest(Context& ctx, std::span<const Expr> symbols, std::span<const std::vector<Integer>> rows) {
  std::vector<Guess> out;
  if (rows.empty()) return out;
  std::vector<std::size_t> order(symbols.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return ctx.symbol_name(symbols[a]) < ctx.symbol_name(symbols[b]); });

  std::vector<std::size_t> varying;
  for (const std::size_t k : order) {
    const bool constant = std::all_of(rows.begin(), rows.end(), [&](const auto& r) { return r[k] == rows[0][k]; });
    if (constant)
      out.push_back({Guess::Kind::constant, ctx.make(Op::Eq, {symbols[k], ctx.integer(rows[0][k])})});
    else
      varying.push_back(k);
  }
  if (varying.size() > 1) {
    simplify::AffineHull hull(varying.size());
    std::vector<Expr> names;
    for (const std::size_t k : varying) names.push_back(symbols[k]);
    std::vector<Integer> row(varying.size());
    for (const auto& r : rows) {
      for (std::size_t i = 0; i < varying.size(); ++i) row[i] = r[varying[i]];
      hull.add(row);
    }
    // Two points always lie on a line: a relation needs one more row than it has freedom.
    const std::set<std::vector<Integer>> distinct(rows.begin(), rows.end());
    if (distinct.size() >= hull.rank() + 2)
      for (const simplify::LinearEquation& e : hull.equations(names))
        out.push_back({Guess::Kind::relation, simplify::spell_equation(ctx, e)});
  }
  for (const std::size_t k : varying) {
    Integer g = 0;
    std::set<Integer> distinct;
    for (const auto& r : rows) {
      g = gcd(g, r[k] - rows[0][k]);
      if (distinct.size() < kDistinctForResidue) distinct.insert(r[k]);
    }
    if (g > Integer(1) && distinct.size() >= kDistinctForResidue)
      out.push_back({Guess::Kind::residue, ctx.make(Op::Eq, {ctx.make(Op::Mod, {symbols[k], ctx.integer(g)}),
                                                             ctx.integer(floor_mod(rows[0][k], g))})});
  }
  for (const std::size_t k : varying) {
    const auto [lo, hi] =
        std::minmax_element(rows.begin(), rows.end(), [k](const auto& a, const auto& b) { return a[k] < b[k]; });
    out.push_back({Guess::Kind::range, ctx.make(Op::And, {ctx.make(Op::Le, {ctx.integer((*lo)[k]), symbols[k]}),
                                                          ctx.make(Op::Le, {symbols[k], ctx.integer((*hi)[k])})})});
  }
  return out;
}

}  // namespace dimgate
