// What causes are called.
#include "dimgate/logs.hpp"

namespace dimgate {

using std::string;
using std::string_view;

string_view to_string(CauseKind kind) noexcept {
  switch (kind) {
    case CauseKind::tensor_size:
      return "tensor size";
    case CauseKind::tensor_stride:
      return "tensor stride";
    case CauseKind::tensor_rank:
      return "tensor rank";
    case CauseKind::tensor_dtype:
      return "tensor dtype";
    case CauseKind::tensor_device:
      return "tensor device";
    case CauseKind::tensor_dispatch_keys:
      return "tensor dispatch keys";
    case CauseKind::tensor_python_type:
      return "tensor python type";
    case CauseKind::tensor_aliasing:
      return "tensor aliasing";
    case CauseKind::requires_grad:
      return "requires_grad";
    case CauseKind::shape_guard:
      return "shape guard";
    case CauseKind::shape_guard_int:
      return "shape guard (int symbol)";
    case CauseKind::shape_guard_duck:
      return "shape guard (duck)";
    case CauseKind::int_value:
      return "int value";
    case CauseKind::float_value:
      return "float value";
    case CauseKind::bool_value:
      return "bool value";
    case CauseKind::str_value:
      return "str value";
    case CauseKind::none_ness:
      return "None-ness";
    case CauseKind::constant_value:
      return "constant value";
    case CauseKind::python_type:
      return "python type";
    case CauseKind::object_identity:
      return "object identity";
    case CauseKind::container_length:
      return "container length";
    case CauseKind::dict_keys:
      return "dict keys";
    case CauseKind::dict_key_presence:
      return "dict key presence";
    case CauseKind::missing:
      return "missing key/attr";
    case CauseKind::hooks:
      return "hooks";
    case CauseKind::dim_marking:
      return "dim marking";
    case CauseKind::weakref:
      return "weakref/invalidated";
    case CauseKind::backend:
      return "backend";
    case CauseKind::torch_function_mode:
      return "torch function mode";
    case CauseKind::default_device:
      return "default device";
    case CauseKind::global_state:
      return "global state";
    case CauseKind::broken_guard:
      return "broken guard";
    case CauseKind::unrecognised:
      return "unrecognised";
  }
  return "unrecognised";
}

string Cause::label() const {
  string out(to_string(kind));
  if (kind != CauseKind::global_state || flags.empty()) return out;
  out += ": ";
  for (std::size_t i = 0; i < flags.size(); ++i) out += (i == 0 ? "" : ",") + flags[i];
  return out;
}

}  // namespace dimgate
