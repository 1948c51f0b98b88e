// The integer solutions of one component: rows that share variables.
//
// Stages: equalities away (linear_rows.hpp); cut and branch with few nodes (linear_branch.hpp), at the first width that
// holds; and where the nodes run out, the rows that are unbounded over the integers are set aside: a row that some
// recession direction r raises for ever (A r >= 0, a_i r > 0) cannot make the others unsolvable, since a solution of
// the others plus a large multiple of r satisfies it (Bromberger, IJCAR 2018). The rest lies in a bounded body after a
// unimodular change of columns, where branching ends. One linear program finds all such rows at once: maximise
// sum s_i under a_i r >= s_i, 0 <= s_i <= 1.
// Cost: steps. Tests: tests/prove/linear_test.cpp (through LinearCore).
#pragma once

#include <cstdint>
#include <vector>

#include "prove/linear_branch.hpp"
#include "prove/linear_reasons.hpp"
#include "prove/linear_rows.hpp"

namespace dimgate::linear {

class Component {
 public:
  /// Fill with reset(), add() and coefficient() before solve().
  Rows& rows() { return rows_; }
  Reasons& reasons() { return reasons_; }
  /// feasible, conflict or out_of_steps.
  Outcome solve(std::uint64_t& steps);
  [[nodiscard]] const std::vector<Integer>& values() const { return values_; }
  [[nodiscard]] const std::vector<Reason>& conflict() const { return conflict_; }

 private:
  template <class T>
  Outcome search(BranchAndCut<T>& with, const Rows& rows, std::uint64_t nodes, std::uint64_t& steps);
  Outcome search(const Rows& rows, std::uint64_t nodes, std::uint64_t& steps);
  Outcome search_bounded(std::uint64_t& steps);
  Outcome recession(std::uint64_t& steps);

  Reasons reasons_;
  Rows rows_{reasons_}, bounded_{reasons_};
  BranchAndCut<std::int64_t> narrow_;
  BranchAndCut<Int128> wide_;
  BranchAndCut<Integer> exact_;
  std::vector<Integer> found_, values_;
  std::vector<Reason> conflict_;
  std::vector<bool> unbounded_;     // by row
  std::vector<Integer> direction_;  // by column: raises every unbounded row by at least 1, leaves the others
};

}  // namespace dimgate::linear
