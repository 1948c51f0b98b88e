// Tightest interval and congruence of a term by repeated questions to one session.
//
// Upper end: is a value above 2^128 possible (then the end is open)? Else double the step above the greatest value seen
// until one is refuted, then halve what lies between. Every satisfiable question brings a new value, often far ahead of
// what was asked. The lower end likewise, on the negated term.
// Congruence: the gcd g of differences of values seen; while a value off `v mod g` exists, g shrinks to a divisor, so
// it takes at most log2(first difference) questions. Where a g can be neither proved nor broken, its divisors are
// tried. Only what was proved is reported: unknown answers widen. An end that exists beyond 2^128 is reported open.
// Cost: about 2 log2(width) + log2(g) checks. Tested by tests/solver/bound_test.cpp against brute force.
#pragma once

#include <optional>
#include <vector>

#include "question.hpp"

namespace dimgate::z3 {

class BoundSearch {
 public:
  BoundSearch(Context& ctx, const Component& component, Expr term, std::uint64_t rlimit, unsigned watchdog_ms);
  /// Of the term under the component's facts, both canonical.
  Bounds run();

 private:
  Outcome ask(Z3_ast constraint);
  bool confirmed(const Values& values, const Integer& value) const;
  /// Greatest value of sign * term: proved end (or none) and whether a value reaches it.
  void find_end(int sign, std::optional<Integer>& end, bool& tight);
  Congruence find_congruence();
  bool proves_congruence(const Integer& modulus, const Integer& residue, bool& broken);
  [[nodiscard]] Integer greatest(int sign) const;

  Context& ctx_;
  const Component& component_;
  Expr term_;
  Question question_;
  Denotation meaning_;
  std::vector<Integer> seen_;  // values the term takes, each confirmed by the reference evaluator
};

}  // namespace dimgate::z3
