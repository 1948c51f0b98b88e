// What changed, in one word or two. The labels are PyTorch's view (a number in a closure is an "int value"); these are
// the user's: what to look for in the program.
#include "dimgate/explain.hpp"
#include "import/literal.hpp"
#include "import/log_text.hpp"

namespace dimgate {

namespace {

using logs::has;

bool in_closure(const std::string& source) {
  return has(source, "__closure__") || has(source, "cell_contents") || has(source, "__defaults__") ||
         has(source, "__kwdefaults__");
}

std::string_view of_shape_guard(const Cause& cause) {
  if (has(cause.expected, " % ") || has(cause.expected, "Mod(") || has(cause.expected, "divides("))
    return "divisibility";
  // Two different dims in one formula tie them.
  std::size_t dims = 0;
  std::string_view first;
  std::string_view rest = cause.expected;
  for (;;) {
    const std::size_t at = rest.find("()[");
    if (at == std::string_view::npos) break;
    const std::size_t last = at == 0 ? std::string_view::npos : rest.find_last_of(" (*+-,", at - 1);
    const std::size_t from = last == std::string_view::npos ? 0 : last + 1;
    const std::string_view slot = rest.substr(from, rest.find(']', at) - from);
    if (dims == 0) first = slot;
    if (slot != first) return "relational shape";
    ++dims;
    rest.remove_prefix(at + 3);
  }
  return "range";
}

/// `n < m`: two ints are tied.
std::string_view of_int_guard(const Cause& cause) {
  const std::string_view kind = of_shape_guard(cause);
  if (kind != "range") return kind;
  const std::string_view first = logs::first_source(cause.expected);
  std::string_view rest = logs::after(cause.expected, first);
  for (std::string_view next; !(next = logs::first_source(rest)).empty(); rest = logs::after(rest, next))
    if (next != first) return "relational shape";
  return kind;
}

}  // namespace

std::string_view kind_of_change(const FailedGuard& reason) {
  const Cause& cause = reason.cause;
  const bool hook = has(cause.source, "_hooks");
  switch (cause.kind) {
    case CauseKind::tensor_size:
      return "size";
    case CauseKind::tensor_stride:
      return "stride";
    case CauseKind::tensor_rank:
      return "rank";
    case CauseKind::tensor_dtype:
      return "dtype";
    case CauseKind::tensor_device:
      return "device";
    case CauseKind::tensor_dispatch_keys:
      return "dispatch keys";
    case CauseKind::tensor_python_type:
    case CauseKind::python_type:
      return hook ? "hook" : "type";
    case CauseKind::tensor_aliasing:
      return "aliasing";
    case CauseKind::requires_grad:
      return "requires_grad";
    case CauseKind::shape_guard:
      return of_shape_guard(cause);
    case CauseKind::shape_guard_int:
      return of_int_guard(cause);
    case CauseKind::shape_guard_duck:
      return "relational shape";
    case CauseKind::int_value:
      return in_closure(cause.source) ? "closure" : "int";
    case CauseKind::float_value:
      return in_closure(cause.source) ? "closure" : "float";
    case CauseKind::bool_value:
      return in_closure(cause.source) ? "closure" : "bool";
    case CauseKind::str_value:
      return in_closure(cause.source) ? "closure" : "string";
    case CauseKind::none_ness:
      return hook ? "hook" : "None";
    case CauseKind::constant_value:
      return "constant";
    case CauseKind::object_identity:
      return hook ? "hook" : in_closure(cause.source) ? "closure" : "identity";
    case CauseKind::container_length:
      return hook ? "hook" : "length";
    case CauseKind::dict_keys:
    case CauseKind::dict_key_presence:
      return hook ? "hook" : "dict keys";
    case CauseKind::missing:
      return hook ? "hook" : "attribute";
    case CauseKind::hooks:
      return "hook";
    case CauseKind::dim_marking:
      return "marking";
    case CauseKind::weakref:
      return "weakref";
    case CauseKind::backend:
      return "backend";
    case CauseKind::torch_function_mode:
      return "torch function mode";
    case CauseKind::default_device:
      return "default device";
    case CauseKind::global_state:
      return cause.flags.size() == 1 && cause.flags[0] == "default_dtype" ? "default dtype" : "global flag";
    case CauseKind::broken_guard:
      return "broken guard";
    case CauseKind::unrecognised:
      break;
  }
  return "unrecognised";
}

}  // namespace dimgate
