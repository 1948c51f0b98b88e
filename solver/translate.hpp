// Formulas as Z3 terms, two-valued: a Bool node becomes a pair (T, F) of Z3 formulas, every other node a value and the
// condition under which it is defined.
//
// T and F follow the meanings of expr.hpp: `and or not implies` are strong Kleene, other operators strict, if-then-else
// is undefined where its condition or its chosen branch is. So T(f) and F(f) never hold together, and both fail where f
// is undefined. SMT-LIB's own `div` and `mod` are Euclidean (the remainder is never negative) and total (x div 0 is
// some value): floor division by d is written as `div` by |d|, and every value that came from a zero divisor is cut off
// by its definedness. Int is Int. Float is a 64-bit vector. Enum is Int, each constant its own number, by name order.
//
// Cost: linear in the DAG. Stack-safe; what would overflow Z3's own recursion is refused (see `failure`).
// Tested by tests/solver/meaning_test.cpp against the reference evaluator on random formulas with zero divisors.
#pragma once

#include <z3.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate::z3 {

/// What a node denotes. Bool: `first` is T, `second` is F. Else: `first` is the value, `second` where it is defined,
/// null for everywhere.
struct Denotation {
  Z3_ast first = nullptr;
  Z3_ast second = nullptr;
};

class Translator {
 public:
  Translator(Z3_context context, const Context& formulas) : z3_(context), formulas_(formulas) {}

  /// Numbers the Enum constants of these formulas. Call once, before `denote`, with all that will be translated, so
  /// that numbers follow names and not the order of translation.
  void number_names(const std::vector<Expr>& formulas);

  /// Raw or canonical. {nullptr, nullptr} and `failure()` set: not translatable.
  Denotation denote(Expr e);
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }

  /// Symbols seen, in order of first translation.
  [[nodiscard]] const std::vector<Expr>& symbols() const noexcept { return symbols_; }
  [[nodiscard]] Z3_ast constant_of(Expr symbol);
  /// The name of an Enum value: a constant's, or one that no constant has.
  [[nodiscard]] std::string name_of(const Integer& number) const;

  Z3_ast both(Z3_ast a, Z3_ast b);  // conjunction; null counts as true
  Z3_ast integer(const Integer& value);

 private:
  Denotation build(Expr e, const std::vector<Denotation>& args);
  Denotation build_division(Op op, Expr e, const std::vector<Denotation>& args);
  Denotation build_truth(Expr e, const std::vector<Denotation>& args);
  Denotation strict(Expr e, const std::vector<Denotation>& args, Z3_ast truth);
  Z3_ast equal(Sort sort, const Denotation& a, const Denotation& b);
  Z3_ast is_nan(Z3_ast bits);
  Z3_ast all(const std::vector<Z3_ast>& parts);
  Z3_ast any(const std::vector<Z3_ast>& parts);
  Z3_ast negation(Z3_ast a);
  Z3_ast zero() { return integer(0); }

  Z3_context z3_;
  const Context& formulas_;
  std::unordered_map<const detail::Node*, Denotation> memo_;
  std::unordered_map<const detail::Node*, unsigned> depth_;
  std::unordered_map<std::string, std::int64_t> name_numbers_;
  std::vector<std::string> names_;
  std::vector<Expr> symbols_;
  std::string failure_;
};

}  // namespace dimgate::z3
