// What is said when a guard does not hold: the part that fails, with expected and actual value.
//
// In PyTorch's words where it has them (`tensor 'x' size mismatch at index 0. expected 2, actual 4`,
// `GLOBAL_STATE changed: grad_mode`), else `FORMULA: expected ..., actual ...`; a shape also as a whole (`shape guard
// failed on x: expected (2, 3), got (4, 5)`). A guard whose formula is undefined says what was missing or which divisor
// was zero. Cold; reads only slots already in the view. Tested by tests/guard.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dimgate/guard.hpp"
#include "dimgate/world.hpp"

namespace dimgate {

/// "frame", "tensor", "global", "container".
std::string_view to_string(GuardFamily family) noexcept;

struct GuardFailure {
  std::string text;        // one line, PyTorch's form where there is one
  std::string whole;       // the whole-shape form of a shape or stride guard; else empty
  std::string source;      // what was looked at, as PyTorch spells it: "L['x'].size()[0]"; empty for a relation
  std::string expected;    // "2"
  std::string actual;      // "4"; "missing"
  bool undefined = false;  // neither true nor false: a missing slot or a zero divisor
};

/// The first part of the guard's conjunction that is not true at the view, told; empty texts if the guard holds.
GuardFailure explain_failure(const Context& ctx, const Guard& guard, const Layout& layout, SnapshotView at);
/// Every part that is not true.
std::vector<GuardFailure> explain_failures(const Context& ctx, const Guard& guard, const Layout& layout,
                                           SnapshotView at);

/// Makes the layout's slots symbols of the Context, each with its sort, so that formula texts over them read right
/// (`storage(a) == storage(b)` alone does not say that it compares names).
void declare_slots(Context& ctx, const Layout& layout);

/// The guard's value at the view by the reference evaluator.
Value value_at(const Context& ctx, Expr formula, const Layout& layout, SnapshotView at);

}  // namespace dimgate
