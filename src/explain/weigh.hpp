// The order in which PyTorch checks an entry's guards (weigh.cpp).
#pragma once

#include "dimgate/logs.hpp"

namespace dimgate::explain {

/// How far the checks of an entry got before this cause.
int depth_of(CauseKind kind);
/// The order of checks on one tensor; 0: not a check on a tensor.
int step_in_tensor(CauseKind kind);
/// True if `a` is nearer to the call than `b`.
bool nearer(const Cause& a, const Cause& b);

}  // namespace dimgate::explain
