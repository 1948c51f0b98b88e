// Which failed guard tells what changed.
//
// An entry's checks run in a fixed order: backend, global state, torch function modes and default device, then value by
// value (type, then what hangs on it; of a tensor: type, dispatch keys, dtype, device, requires_grad, rank, sizes,
// strides), aliasing and shape guards last. Each older entry reports its first failure, so the entry that failed latest
// has passed most and differs least from the call. Global state lists every flag that differs: fewer is nearer.
// What hangs on a value is checked after it. Between different tensors sizes rank below the rest: they vary on their
// own from call to call. Ties: PyTorch's order.
#include "explain/weigh.hpp"

#include "dimgate/explain.hpp"

namespace dimgate {

namespace explain {

int depth_of(CauseKind kind) {
  switch (kind) {
    case CauseKind::broken_guard:
    case CauseKind::unrecognised:
      return 0;
    case CauseKind::backend:
      return 1;
    case CauseKind::weakref:
      return 2;
    case CauseKind::global_state:
      return 10;
    case CauseKind::torch_function_mode:
      return 11;
    case CauseKind::default_device:
    case CauseKind::hooks:
      return 12;
    case CauseKind::tensor_aliasing:
      return 40;
    case CauseKind::shape_guard:
    case CauseKind::shape_guard_int:
    case CauseKind::shape_guard_duck:
      return 50;
    default:
      return 20;
  }
}

int step_in_tensor(CauseKind kind) {
  switch (kind) {
    case CauseKind::tensor_python_type:
      return 1;
    case CauseKind::tensor_dispatch_keys:
      return 2;
    case CauseKind::tensor_dtype:
      return 3;
    case CauseKind::tensor_device:
      return 4;
    case CauseKind::requires_grad:
      return 5;
    case CauseKind::tensor_rank:
      return 6;
    case CauseKind::tensor_size:
      return 7;
    case CauseKind::tensor_stride:
      return 8;
    default:
      return 0;
  }
}

namespace {

bool varies_freely(CauseKind kind) { return kind == CauseKind::tensor_size || kind == CauseKind::tensor_stride; }

/// True if there was no tensor at all.
bool is_gone(const Cause& cause) { return cause.kind == CauseKind::tensor_python_type && cause.actual == "NoneType"; }

/// True if `inner` hangs on `outer`: `kwargs['x']` on `kwargs`.
bool within(const std::string& inner, const std::string& outer) {
  return !outer.empty() && inner.size() > outer.size() && inner.starts_with(outer) &&
         (inner[outer.size()] == '[' || inner[outer.size()] == '.');
}

}  // namespace

bool nearer(const Cause& a, const Cause& b) {
  if (depth_of(a.kind) != depth_of(b.kind)) return depth_of(a.kind) > depth_of(b.kind);
  if (a.kind == CauseKind::global_state) return a.flags.size() < b.flags.size();
  if (within(a.source, b.source)) return true;
  if (within(b.source, a.source)) return false;
  const int step_a = step_in_tensor(a.kind);
  const int step_b = step_in_tensor(b.kind);
  if (step_a == 0 || step_b == 0) return false;
  if (a.source == b.source) return step_a != step_b ? step_a > step_b : a.index > b.index;
  if (is_gone(a)) return false;  // another structure altogether
  return !varies_freely(a.kind) && varies_freely(b.kind);
}

}  // namespace explain

const FailedGuard* changed(const Recompile& recompile) {
  if (recompile.nearest_first && !recompile.reasons.empty()) return &recompile.reasons.front();
  const FailedGuard* best = nullptr;
  for (const FailedGuard& reason : recompile.reasons)
    if (best == nullptr || explain::nearer(reason.cause, best->cause)) best = &reason;
  return best;
}

}  // namespace dimgate
