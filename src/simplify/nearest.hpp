// Which guards lie nearest to one in shape: those whose symbols are all met already (they close a triangle, or bound
// what is there), then those that bring one new symbol, and so on; what a guard brings is met from then on.
//
// A guard that is implied mostly follows from guards over the same few symbols, so nearness by shared symbols alone
// misses it where many guards share one. Building is linear in the guards' symbols; a question costs what it looks at
// (no hashing, nothing is cleared): at each symbol a fixed number of guards. Tested in tests/simplify/search_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate::simplify {

class Nearest {
 public:
  /// Guards by position; each with its symbols.
  explicit Nearest(std::span<const std::span<const Expr>> symbols);

  /// Positions of guards other than `from` that are not forgotten, nearest first, up to `most`.
  void of(std::size_t from, std::size_t most, std::vector<std::size_t>& out);
  /// A guard that went is near to none.
  void forget(std::size_t guard);

  static constexpr std::size_t kAlone = 16;    // guards about one symbol alone that are looked at for each symbol
  static constexpr std::size_t kShared = 256;  // and others

 private:
  void meet(std::uint32_t symbol);

  struct AtSymbol {
    std::vector<std::uint32_t> alone, shared;  // guards about this symbol alone, and others
    std::size_t forgotten = 0;
  };
  std::vector<std::vector<std::uint32_t>> symbols_;  // by guard
  std::vector<AtSymbol> at_;                         // by symbol
  std::vector<char> forgotten_;                      // by guard
  std::vector<std::uint64_t> seen_, met_;            // by guard, by symbol: the last question that met it
  std::vector<std::uint32_t> missing_;               // by guard: symbols not met yet, in that question
  std::uint64_t question_ = 0;
  static constexpr std::size_t kLevels = 4;
  struct Level {
    std::vector<std::uint32_t> guards;
    std::size_t next = 0;
  };
  std::array<Level, kLevels> levels_;  // guards by symbols missing, in the order in which they were met
};

}  // namespace dimgate::simplify
