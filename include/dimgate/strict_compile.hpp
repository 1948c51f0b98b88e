// Guards to a program in strict mode (strict.hpp), with the reference evaluator on the guards as its judge.
//
// Keeps its own copy of the guards in a Context of its own, under a lock: the program may be checked by any thread and
// outlive the Context it came from. Tested by tests/compile/strict_test.cpp.
#pragma once

#include "dimgate/compile.hpp"
#include "dimgate/strict.hpp"

namespace dimgate {

/// As `compile`; the layout's slots are copied. Errors are those of `compile`.
Result<Program> compile_strict(Context& ctx, std::span<const Expr> guards, const Layout& layout,
                               const CompileOptions& options = {}, OnDifference on_difference = abort_on_difference);

}  // namespace dimgate
