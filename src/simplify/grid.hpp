// Points to look at formulas over a few slots: around the constants they name, inside what each slot may be.
// What holds on a grid is a guess. Tested through minimise.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "simplify/int_set.hpp"
#include "simplify/tape.hpp"

namespace dimgate::simplify {

struct Grid {
  static constexpr std::size_t kMaxSlots = 3;
  /// Values per slot for 1, 2, 3 slots. What is not a product of sets on the coarse grid is none on the full one.
  static constexpr std::size_t kCoarse[] = {0, 200, 8, 5}, kFull[] = {0, 200, 48, 16};

  std::vector<Expr> symbols;  // by name
  std::vector<std::vector<std::int64_t>> values;

  /// nullopt: a slot is no Int, or has no value.
  static std::optional<Grid> around(Context& ctx, const std::vector<Expr>& symbols, std::span<const Expr> formulas,
                                    const std::size_t* sizes, const std::function<const IntSet&(Expr)>& allowed);

  /// Calls f(point, values) for every point.
  template <class F>
  void for_each(F f) const {
    std::vector<std::size_t> at(symbols.size(), 0);
    std::vector<std::int64_t> v(at.size());
    Point p;
    while (true) {
      for (std::size_t i = 0; i < at.size(); ++i) {
        v[i] = values[i][at[i]];
        p.set(symbols[i], v[i]);
      }
      f(p, v);
      std::size_t i = 0;
      while (i < at.size() && ++at[i] == values[i].size()) at[i++] = 0;
      if (i == at.size()) return;
    }
  }
};

/// Adds the constants of a formula, each once, up to twelve in all.
void collect_constants(Expr f, std::vector<std::int64_t>& out);

/// At each point: 1 true, 0 not, 2 overflow.
std::vector<char> truth_on(const Grid& grid, const Tape& tape);

}  // namespace dimgate::simplify
