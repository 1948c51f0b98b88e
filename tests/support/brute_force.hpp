// The slow obvious reference: every point of a box, each formula by the reference evaluator.
// Cost: (hi - lo + 1)^symbols evaluations. Says nothing about points outside the box.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "dimgate/facts.hpp"
#include "dimgate/prove.hpp"

namespace dimgate::test {

/// Values tried for each Int symbol. Sizes skip the negative ones. Bool symbols take both values, Float symbols
/// {0.0, -0.0, 1.5, -inf, nan}, Enum symbols every name of the formulas and one more.
struct Box {
  std::int64_t lo = -6;
  std::int64_t hi = 6;
};

/// Calls `visit` for each point over the symbols until it returns false.
void for_each_point(Context& ctx, std::span<const Expr> symbols, const Box& box,
                    const std::function<bool(const Assignment&)>& visit, std::span<const Expr> names_from = {});

/// Symbols of several formulas, each once.
std::vector<Expr> symbols_of_all(Context& ctx, std::span<const Expr> formulas);

/// What is true of the box.
struct BruteForce {
  bool satisfiable = false;                            // some point makes every fact true
  bool holds = true;                                   // the claim is true at every such point
  std::vector<std::pair<Expr, Value>> counterexample;  // first point where it is not
  // For a term: over the points where it is defined.
  std::optional<Integer> least, greatest;
  Integer gcd_of_differences = 0;
};

BruteForce prove(Context& ctx, std::span<const Expr> facts, Expr claim, const Box& box = {});
BruteForce bound(Context& ctx, std::span<const Expr> facts, Expr term, const Box& box = {});

/// The raw formulas of a fact set.
std::vector<Expr> formulas_of(const Facts& facts);

}  // namespace dimgate::test
