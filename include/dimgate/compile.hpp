// From guards to what checks them: a Program, or C source.
//
// Works on the formulas as they stand (raw or canonical), so that a program agrees with the reference evaluator on the
// same tree; common subterms are shared because nodes are. Linear in the DAG; stack-safe.
// Tested by tests/compile: random formulas, int64 edges, zero divisors and missing slots against `evaluate`.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "dimgate/expr.hpp"
#include "dimgate/program.hpp"
#include "dimgate/result.hpp"
#include "dimgate/world.hpp"

namespace dimgate {

struct CompileOptions {
  /// Widest exact arithmetic allowed; a guard whose bound is above is refused.
  unsigned max_bits = 4096;
  /// How often each guard failed relative to the others (observed); empty: unknown. Orders guards of equal readability.
  std::span<const double> failure_rates = {};
  /// Makes machine code as well; null: the interpreter serves.
  std::shared_ptr<Jit> jit = nullptr;
};

/// The program that passes exactly where every guard is true. A symbol is the slot of the layout with its name; enum
/// constants are interned in the layout's names. Errors: a symbol without a slot, a slot of another sort, a guard that
/// is not Bool, a bound above `max_bits`, a guard too large (named by its index and text).
Result<Program> compile(Context& ctx, std::span<const Expr> guards, const Layout& layout,
                        const CompileOptions& options = {});

/// A self-contained C11 function `int NAME(const int64_t* slots)` (slots in layout order, all present) that returns -1
/// if every guard is true, else the index of one that is not. Needs nothing but <stdint.h> (<string.h> if floats are
/// compared); compiles without warnings. Enum constants appear as the ids of the layout's names, listed in its first
/// comment.
Result<std::string> emit_c(Context& ctx, std::span<const Expr> guards, const Layout& layout, std::string_view name);
/// The same for a compiled program, without the comment.
std::string emit_c(const Program& program, std::string_view name);

}  // namespace dimgate
