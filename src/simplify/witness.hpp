// Points inside guard sets, for telling cheaply that one set does not lie inside another.
//
// A point is checked exactly: facts and guard are true there. So if another guard is not true there, the first set does
// not lie inside the second, and no prover need be asked. No point found means nothing. Deterministic.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "simplify/questions.hpp"
#include "simplify/tape.hpp"

namespace dimgate::simplify {

class Witnesses {
 public:
  /// `symbols`: all slots that any of the guards to be compared mentions; each point gives all of them a value.
  Witnesses(Questions& questions, std::vector<Expr> symbols);
  /// A point where facts and guard are true, if a short search finds one.
  std::optional<Point> find(Expr guard);

 private:
  Questions& questions_;
  std::vector<Expr> symbols_;
};

/// True if the formula is surely not true at the point (false or undefined).
bool surely_not_true(const Tape& tape, const Point& at, std::vector<Tape::Cell>& scratch);

}  // namespace dimgate::simplify
