// From guards to a GuardTree: conjunctions are taken apart, `slot == constant` and ranges become inline tests, the rest
// small programs. Every guard holds in the tree exactly where it is true (as in `compile`).
// Linear in the formulas. Tested by tests/compile against the reference evaluator and `compile`.
#pragma once

#include <span>

#include "dimgate/compile.hpp"
#include "dimgate/guard_tree.hpp"

namespace dimgate {

struct TreeOptions {
  TreeOrder order = TreeOrder::tree;
  CompileOptions compile = {};  // failure rates are of no use here: see GuardTree::adapted
};

/// Errors as `compile`.
Result<GuardTree> compile_tree(Context& ctx, std::span<const Expr> guards, const Layout& layout,
                               const TreeOptions& options = {});

}  // namespace dimgate
