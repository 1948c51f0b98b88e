// Integer feasibility of rows without equalities: simplex, gcd tests, Gomory's cuts at the root, then branching.
//
// Algorithm: the rational problem first. At its vertex a fractional row is tested by the gcd of what is not fixed, and
// gives the fractional cut  sum_j (a_j mod d) t_j >= -v mod d  over the distances t_j >= 0 of the nonbasic variables
// from their bounds (Gomory 1958; all numbers integers here). What stays fractional is branched on depth first; a side
// whose conflict does not use its branch closes the node at once; cores of both sides are united.
// Cost and limits: steps; `nodes` limits the branches (an unbounded problem may branch for ever: see
// linear_component.hpp). Determinism: ties go to the least column.
// Tests: tests/prove/linear_test.cpp (through LinearCore).
#pragma once

#include <cstdint>
#include <vector>

#include "prove/linear_reasons.hpp"
#include "prove/linear_rows.hpp"
#include "prove/linear_tableau.hpp"

namespace dimgate::linear {

template <class T>
class BranchAndCut {
 public:
  /// feasible (values set), conflict (conflict set), too_wide, out_of_steps; unbounded means: the nodes ran out.
  Outcome run(const Rows& rows, Reasons& reasons, std::uint64_t nodes, std::uint64_t& steps);
  /// By column of the rows; dead columns are 0.
  [[nodiscard]] const std::vector<Integer>& values() const { return values_; }
  [[nodiscard]] const std::vector<Reason>& conflict() const { return conflict_; }

 private:
  using Var = typename Tableau<T>::Var;
  struct Node {
    Var var = 0;
    T floor{};
    bool upper = false;  // now on the side x >= floor + 1
    std::size_t trail = 0;
    std::vector<Reason> core;  // of the side x <= floor, without this branch
  };

  Outcome cut(Reasons& reasons, std::uint64_t& steps);
  Outcome cut_row(Var x, Reasons& reasons, bool& added);
  Outcome branch(std::uint64_t nodes, std::uint64_t& steps);
  bool backtrack();
  Var fractional() const;
  void read_values(const Rows& rows);

  Tableau<T> tableau_;
  Var integers_ = 0;  // the first variables are the columns
  std::vector<std::size_t> column_of_;
  std::vector<Var> place_;
  std::vector<typename Tableau<T>::Term> terms_;
  std::vector<Reason> parts_, conflict_;
  std::vector<Node> stack_;
  std::size_t depth_ = 0;
  std::vector<Integer> values_;
};

extern template class BranchAndCut<std::int64_t>;
extern template class BranchAndCut<Int128>;
extern template class BranchAndCut<Integer>;

}  // namespace dimgate::linear
