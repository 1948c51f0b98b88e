// Replacing subterms of canonical formulas; the result is canonical again. Linear in the DAG, stack-safe.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/small_vector.hpp"
#include "dimgate/expr.hpp"

namespace dimgate {

using Replacements = SmallVector<std::pair<Expr, Expr>, 1>;  // node, what stands for it

/// e with each node that is a key replaced by its value (outermost first), canonicalised.
Expr replace(Context& ctx, Expr e, const Replacements& with);

/// True if `part` occurs in e.
bool occurs(Context& ctx, Expr e, Expr part);

/// Divisors of the quotients in a canonical term or formula that could be zero.
/// `conditional`: also those inside branches of an if-then-else and operands of and, or, implies, which a defined
/// formula need not reach.
SmallVector<Expr, 8> partial_divisors(Context& ctx, Expr e, bool conditional);

/// Classical formulas for the two questions a prover asks. Quotients by zero are arbitrary in them.
/// implied by "f is true":
Expr necessary_if_true(Context& ctx, Expr f);
/// implied by "f is not true" (false or undefined):
Expr necessary_if_not_true(Context& ctx, Expr f);

}  // namespace dimgate
