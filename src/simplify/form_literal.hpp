// A canonical literal as a condition on the value of one linear form: `2*a + b >= 7`, `a*b != 3`, `16 | a + b + 3`.
// Guards about the same form are compared by their values alone, at O(1) a pair and without a prover. Says nothing
// about two different forms. Tested by tests/simplify (minimise against brute force).
#pragma once

#include <optional>

#include "prove/domain.hpp"

namespace dimgate::simplify {

struct FormLiteral {
  Expr form;                         // without its constant
  Domain domain;                     // values of the form that make the literal true, or a superset (see `excluded`)
  std::optional<Integer> excluded;   // `form != c`: every value but c
  std::optional<Congruence> barred;  // `not k | form + c`: every value outside the class
};

/// The literal's form, for total Int literals; nullopt for other formulas.
std::optional<FormLiteral> form_literal(Context& ctx, Expr canonical);

/// Every value in `values` makes the literal true.
bool implied_by(const FormLiteral& literal, const Domain& values, std::span<const Integer> excluded);

/// A disjunction of conditions on one form that is one condition: `a < b or a == b` is `a <= b`. Null: it is true.
/// nullopt: it is none.
std::optional<Expr> unite_forms(Context& ctx, Expr canonical);

}  // namespace dimgate::simplify
