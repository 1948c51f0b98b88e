// A formula flattened for fast evaluation at many integer points (guessing, never proving by itself).
//
// Meaning: as the reference evaluator, in int64; where a value would leave int64 the result is `overflow` and the
// caller asks the reference evaluator. Cost: a few ns a node; formulas above kMaxTape nodes are refused (has() is
// false). Tested by tests/simplify/unary_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate::simplify {

/// Values by symbol index of the Context: an Int's value, a Bool's 0/1, a Float's bits, an EnumConst's index.
class Point {
 public:
  void set(Expr symbol, std::int64_t v) {
    if (symbol.index() >= values_.size()) values_.resize(symbol.index() + 1);
    values_[symbol.index()] = {v, true};
  }
  [[nodiscard]] bool has(std::uint32_t index) const { return index < values_.size() && values_[index].known; }
  [[nodiscard]] std::int64_t at(std::uint32_t index) const { return values_[index].v; }
  void unset(Expr symbol) {
    if (symbol.index() < values_.size()) values_[symbol.index()] = {};
  }

 private:
  struct Slot {
    std::int64_t v = 0;
    bool known = false;
  };
  std::vector<Slot> values_;
};

class Tape {
 public:
  static constexpr std::uint32_t kMaxTape = 20'000;
  enum class State : std::uint8_t { value, undefined, overflow };
  struct Cell {
    std::int64_t v = 0;
    State state = State::value;
  };

  Tape() = default;
  explicit Tape(Expr e);
  [[nodiscard]] bool has() const noexcept { return !code_.empty(); }
  [[nodiscard]] Cell run(const Point& at, std::vector<Cell>& stack) const;

 private:
  struct Step {
    Op op;
    Sort sort;            // of the operands, for ==
    std::uint32_t count;  // operands; symbol: its index
    std::int64_t value;   // constants
  };
  static constexpr std::size_t kPlainDepth = 24;
  [[nodiscard]] bool is_plain() const;
  bool run_plain(const Point& at, std::int64_t& out) const;

  std::vector<Step> code_;
  bool plain_ = false;
};

}  // namespace dimgate::simplify
