// Random raw formulas and terms from a seed: all operators, small constants, zero divisors on purpose.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate::test {

struct RandomOptions {
  std::vector<Expr> ints;         // Int symbols to use; at least one
  std::vector<Expr> bools;        // Bool symbols, may be empty
  std::int64_t constant = 5;      // constants from [-constant, constant]
  bool products = true;           // products of two terms (else only by constants)
  bool symbolic_divisors = true;  // divisors that are terms (else constants, zero included)
  /// If-then-else and Piecewise, with and without a default, in every third place; operands get smaller faster, so that
  /// conditionals nest in conditions without formulas of 2^depth nodes.
  bool conditionals = false;
};

class RandomFormulas {
 public:
  RandomFormulas(Context& ctx, RandomOptions options, std::uint64_t seed)
      : ctx_(ctx), options_(std::move(options)), rng_(seed) {}
  /// Choices come from bytes (a fuzzer's input); after the last one always the least.
  RandomFormulas(Context& ctx, RandomOptions options, std::span<const std::uint8_t> choices)
      : ctx_(ctx), options_(std::move(options)), choices_(choices), from_bytes_(true) {}

  /// About 2^depth nodes at most.
  Expr term(int depth);
  Expr formula(int depth);
  /// A fact as people declare it: a range, a residue, an equality, a comparison of two symbols.
  Expr fact();
  std::int64_t number(std::int64_t lo, std::int64_t hi);
  [[nodiscard]] const std::vector<Expr>& ints() const { return options_.ints; }
  [[nodiscard]] const std::vector<Expr>& bools() const { return options_.bools; }

 private:
  Expr constant() { return ctx_.integer(number(-options_.constant, options_.constant)); }
  Expr symbol() { return pick(options_.ints); }
  Expr pick(const std::vector<Expr>& from) {
    return from[static_cast<std::size_t>(number(0, static_cast<std::int64_t>(from.size()) - 1))];
  }
  Expr division(Op op, int depth);
  Expr conditional(int depth);
  // The depth of an operand: one less, or with conditionals any less.
  int below(int depth) { return options_.conditionals ? static_cast<int>(number(0, depth - 1)) : depth - 1; }

  Context& ctx_;
  RandomOptions options_;
  std::mt19937_64 rng_;
  std::span<const std::uint8_t> choices_;
  bool from_bytes_ = false;
};

}  // namespace dimgate::test
