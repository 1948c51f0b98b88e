// What comparison operators have in common. Constant cost; tested through those that use it (tests/expr,
// tests/simplify, tests/trace).
#pragma once

#include "dimgate/expr.hpp"

namespace dimgate {

/// The operator that says of (b, a) what `op` says of (a, b); operators that are no inequality stay.
constexpr Op mirrored(Op op) noexcept {
  switch (op) {
    case Op::Lt:
      return Op::Gt;
    case Op::Le:
      return Op::Ge;
    case Op::Gt:
      return Op::Lt;
    case Op::Ge:
      return Op::Le;
    default:
      return op;
  }
}

}  // namespace dimgate
