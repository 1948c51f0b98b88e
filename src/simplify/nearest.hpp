// Which guards lie nearest to one, by shared symbols: those that share one with it, then those that share one with
// these, and so on. Building is linear in the guards' symbols; a question costs what it looks at (no hashing, nothing
// is cleared). Tested in tests/simplify/search_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate::simplify {

class Nearest {
 public:
  /// Guards by position; each with its symbols.
  explicit Nearest(std::span<const std::span<const Expr>> symbols);

  /// Positions of guards other than `from` that are not `gone`, nearest first, up to `most`; ring by ring, within one
  /// in ascending order of position for each symbol in turn.
  void of(std::size_t from, std::span<const char> gone, std::size_t most, std::vector<std::size_t>& out);

 private:
  std::vector<std::vector<std::uint32_t>> symbols_;  // by guard
  std::vector<std::vector<std::uint32_t>> guards_;   // by symbol
  std::vector<std::uint64_t> seen_, reached_;        // by guard, by symbol: the last question that met it
  std::uint64_t question_ = 0;
  std::vector<std::uint32_t> ring_, next_;
};

}  // namespace dimgate::simplify
