// The kind of cause behind a failed guard, from its text. The texts are those of torch/csrc/dynamo/guards.cpp and
// torch/_dynamo/guards.py, 2.0 to 2.13. No quoting rules hold in them: `tensor 'kwargs['x']' …` nests.
#include <algorithm>
#include <array>
#include <charconv>

#include "dimgate/logs.hpp"
#include "import/guard_comment.hpp"
#include "import/literal.hpp"

namespace dimgate {

namespace {

using std::string;
using std::string_view;

bool has(string_view text, string_view part) { return text.find(part) != string_view::npos; }

string_view between(string_view text, string_view from, string_view to) {
  const std::size_t a = text.find(from);
  if (a == string_view::npos) return {};
  const std::size_t start = a + from.size();
  const std::size_t b = text.find(to, start);
  return b == string_view::npos ? string_view{} : text.substr(start, b - start);
}

Cause made(CauseKind kind, string_view source = {}) {
  Cause cause;
  cause.kind = kind;
  cause.source = source;
  return cause;
}

/// `… expected 4, actual 5. Guard failed on a parameter, …`
void expected_actual(string_view text, Cause& cause) {
  std::size_t at = text.find("xpected ");
  if (at == string_view::npos) return;
  string_view rest = text.substr(at + 8);
  if (rest.starts_with("device index to be ")) rest.remove_prefix(19);
  const std::size_t comma = rest.find(", actual ");
  cause.expected = rest.substr(0, std::min(comma, rest.find(". ")));
  if (comma == string_view::npos) {
    while (!cause.expected.empty() && cause.expected.back() == '.') cause.expected.pop_back();
    return;
  }
  string_view actual = rest.substr(comma + 9);
  actual = actual.substr(0, actual.find(". "));
  cause.actual = actual;
}

/// `tensor 'x' size mismatch at index 0. expected 4, actual 5`
bool tensor_mismatch(string_view guard, Cause& cause) {
  static constexpr std::array<std::pair<string_view, CauseKind>, 9> kinds{{
      {"' size mismatch", CauseKind::tensor_size},
      {"' stride mismatch", CauseKind::tensor_stride},
      {"' strides mismatch", CauseKind::tensor_stride},
      {"' rank mismatch", CauseKind::tensor_rank},
      {"' dtype mismatch", CauseKind::tensor_dtype},
      {"' requires_grad mismatch", CauseKind::requires_grad},
      {"' dispatch key set mismatch", CauseKind::tensor_dispatch_keys},
      {"' device index mismatch", CauseKind::tensor_device},
      {"' Tensor device index mismatch", CauseKind::tensor_device},
  }};
  if (!guard.starts_with("tensor '")) return false;
  for (const auto& [phrase, kind] : kinds) {
    const std::size_t at = guard.find(phrase);
    if (at == string_view::npos) continue;
    cause.kind = kind;
    cause.source = guard.substr(8, at - 8);
    const std::size_t index = guard.find("at index ", at);
    if (index != string_view::npos) {
      const string_view digits = guard.substr(index + 9);
      std::from_chars(digits.data(), digits.data() + digits.size(), cause.index);
    }
    expected_actual(guard.substr(at), cause);
    return true;
  }
  return false;
}

/// The state that early versions checked one function at a time.
string_view state_function(string_view guard) {
  static constexpr std::array<std::pair<string_view, string_view>, 6> names{{
      {"is_grad_enabled()", "grad_mode"},
      {"deterministic_algorithms_enabled()", "deterministic_algorithms"},
      {"is_inference_mode_enabled()", "inference_mode"},
      {"is_autocast_enabled(", "autocast"},
      {"get_default_dtype()", "default_dtype"},
      {"get_num_threads()", "num_threads"},
  }};
  for (const auto& [text, name] : names)
    if (has(guard, text)) return name;
  return {};
}

Cause global_state(string_view names) {
  Cause cause = made(CauseKind::global_state);
  while (!names.empty()) {
    const std::size_t at = names.find_first_not_of(' ');
    if (at == string_view::npos) break;
    names.remove_prefix(at);
    const std::size_t end = std::min(names.find(' '), names.size());
    cause.flags.emplace_back(names.substr(0, end));
    names.remove_prefix(end);
  }
  return cause;
}

bool reads_shape(string_view text) {
  return has(text, ".size()[") || has(text, ".stride()[") || has(text, ".storage_offset()") || has(text, "dim_size") ||
         has(text, ".numel()") || has(text, ".shape[");
}

/// `a.size()[0] == b.size()[1]`, both sides one dim.
bool ties_two_dims(string_view guard) {
  string_view left;
  string_view right;
  if (guard.starts_with("Eq(") && guard.ends_with(")")) {
    const std::size_t comma = guard.find(", ");
    if (comma == string_view::npos) return false;
    left = guard.substr(3, comma - 3);
    right = guard.substr(comma + 2, guard.size() - comma - 3);
  } else {
    const std::size_t at = guard.find(" == ");
    if (at == string_view::npos) return false;
    left = guard.substr(0, at);
    right = guard.substr(at + 4);
  }
  const auto one_dim = [](string_view side) {
    const std::size_t at = std::max(side.rfind(".size()[") + 1, side.rfind(".stride()[") + 1);
    if (at == 0 || side.find_first_of("+*/% ()", 0) != side.find("()")) return false;
    return side.ends_with("]") && !has(side, " ");
  };
  return one_dim(left) && one_dim(right);
}

CauseKind kind_of_literal(string_view literal) {
  switch (logs::literal_kind(literal)) {
    case logs::Literal::boolean:
      return CauseKind::bool_value;
    case logs::Literal::integer:
      return CauseKind::int_value;
    case logs::Literal::real:
      return CauseKind::float_value;
    case logs::Literal::text:
      return CauseKind::str_value;
    case logs::Literal::none:
      return CauseKind::none_ness;
    case logs::Literal::other:
      break;
  }
  return CauseKind::constant_value;
}

/// `x == 3`, `x is None`, `x != 2`
bool value(string_view guard, Cause& cause) {
  for (const string_view op :
       {string_view(" == "), string_view(" is not "), string_view(" is "), string_view(" != ")}) {
    const std::size_t at = guard.find(op);
    if (at == string_view::npos) continue;
    const string_view left = guard.substr(0, at);
    const string_view right = guard.substr(at + op.size());
    if (!logs::is_source(left)) return false;
    if (op[1] == 'i' && right != "None") {
      if (!logs::is_source(right)) return false;
      cause = made(right == "True" || right == "False" ? CauseKind::bool_value : CauseKind::tensor_aliasing, left);
      cause.expected = right;
      return true;
    }
    if (op[1] == '=' && logs::is_source(right) && logs::literal_kind(right) == logs::Literal::other &&
        !right.starts_with("torch."))
      return false;  // a relation between two values
    cause = made(kind_of_literal(right), left);
    cause.expected = (op == " != " || op == " is not " ? "not " : "") + string(right);
    return true;
  }
  return false;
}

}  // namespace

Cause classify_guard(string_view guard) {
  while (!guard.empty() && guard.back() == ' ') guard.remove_suffix(1);
  while (!guard.empty() && guard.front() == ' ') guard.remove_prefix(1);
  Cause cause;
  if (tensor_mismatch(guard, cause)) return cause;
  if (guard.starts_with("GLOBAL_STATE changed:")) return global_state(guard.substr(21));
  if (has(guard, "___check_global_state()")) return made(CauseKind::global_state);
  if (guard.starts_with("BACKEND_MATCH") || has(guard, "___check_current_backend") ||
      has(guard, "___skip_backend_check") || has(guard, "___lookup_backend"))
    return made(CauseKind::backend);
  if (has(guard, "___check_torch_function_mode_stack") || has(guard, "is_torch_function_enabled") ||
      has(guard, "torch_function_mode"))
    return made(CauseKind::torch_function_mode);
  if (has(guard, "saved_tensors_hooks")) return made(CauseKind::hooks, "saved_tensors_hooks");
  if (has(guard, "CURRENT_DEVICE")) {
    cause = made(CauseKind::default_device, "utils_device.CURRENT_DEVICE");
    if (const std::size_t at = guard.find(" == "); at != string_view::npos) cause.expected = guard.substr(at + 4);
    return cause;
  }
  if (guard.starts_with("expected type of '")) {
    const std::size_t end = guard.find("' to be a tensor type");
    cause = made(CauseKind::tensor_python_type, end == string_view::npos ? string_view{} : guard.substr(18, end - 18));
    cause.actual = between(guard, "but found <class '", "'>");
    return cause;
  }
  if (guard.starts_with("Duplicate tensor") || has(guard, "check_no_aliasing") || has(guard, "NO_TENSOR_ALIASING") ||
      has(guard, "overlap"))
    return made(CauseKind::tensor_aliasing);
  for (const auto& [name, kind] : {std::pair{string_view("___check_type_id("), CauseKind::python_type},
                                   std::pair{string_view("___check_obj_id("), CauseKind::object_identity}}) {
    const std::size_t at = guard.find(name);
    if (at == string_view::npos) continue;
    const string_view inside = guard.substr(at + name.size());
    const std::size_t comma =
        inside.rfind(", ", inside.find("), type=") == string_view::npos ? string_view::npos : inside.find("), type="));
    cause = made(kind, inside.substr(0, comma));
    const string_view type = between(guard, "type=<class '", "'>");
    if (!type.empty()) {
      cause.expected = type;
    } else if (comma != string_view::npos) {
      cause.expected = inside.substr(comma + 2, inside.find(')', comma) - comma - 2);
    }
    return cause;
  }
  if (const string_view state = state_function(guard); !state.empty()) return global_state(state);
  if (has(guard, "___dict_contains(") || has(guard, "___set_contains(")) {
    cause = made(CauseKind::dict_key_presence);
    const string_view inside = guard.substr(guard.find("_contains(") + 10);
    const std::size_t comma = inside.rfind(", ");
    if (comma != string_view::npos) {
      cause.source = inside.substr(comma + 2, inside.rfind(')') - comma - 2);
      cause.expected = (guard.starts_with("not ") ? "without " : "with ") + string(inside.substr(0, comma));
    }
    return cause;
  }
  if (has(guard, ".keys(") || has(guard, "___dict_version(") || has(guard, "___dict_keys") ||
      has(guard, "___key_to_id") || guard.starts_with("dict_keys") || has(guard, "__dict_const_keys")) {
    cause = made(CauseKind::dict_keys);
    if (string_view in = between(guard, "dict.keys(", ")"); !in.empty())
      cause.source = in;
    else if (in = between(guard, "list(", ".keys("); !in.empty())
      cause.source = in;
    else if (in = between(guard, "___dict_version(", ")"); !in.empty())
      cause.source = in;
    if (const std::size_t at = guard.rfind(" == "); at != string_view::npos) cause.expected = guard.substr(at + 4);
    return cause;
  }
  if (guard.starts_with("len(") || guard.starts_with("not len(")) {
    cause = made(CauseKind::container_length);
    const std::size_t open = guard.find("len(") + 4;
    const std::size_t op = guard.find_first_of("=!<>", open);
    const std::size_t close = guard.rfind(')', op);
    if (close != string_view::npos && close > open) cause.source = guard.substr(open, close - open);
    if (const std::size_t at = guard.find(" == "); at != string_view::npos) cause.expected = guard.substr(at + 4);
    if (const std::size_t at = guard.find(" != "); at != string_view::npos)
      cause.actual = "not " + string(guard.substr(at + 4));
    if (guard.find(" != ") != string_view::npos) {  // 2.13 prints the check that failed, of a dict
      cause.expected = guard.substr(guard.find(" != ") + 4);
      cause.actual.clear();
    }
    return cause;
  }
  if (guard.starts_with("not ") && logs::is_source(guard.substr(4))) {
    cause = made(CauseKind::container_length, guard.substr(4));
    cause.expected = "0";
    return cause;
  }
  if (guard.starts_with("name '") && has(guard, "is not defined")) return made(CauseKind::broken_guard);
  if (has(guard, "weakref") || has(guard, "invalidated") || has(guard, "no longer alive") || has(guard, "deallocated"))
    return made(CauseKind::weakref);
  if (guard.starts_with("hasattr(") || guard.starts_with("not hasattr(") || has(guard, "KeyError") ||
      has(guard, "AttributeError") || has(guard, "has no attribute") || has(guard, "IndexError") ||
      has(guard, "not found") || has(guard, "missing")) {
    cause = made(CauseKind::missing);
    if (const string_view in = between(guard, "hasattr(", ")"); !in.empty()) cause.source = in;
    return cause;
  }
  if (has(guard, "isnan(")) {
    cause = made(CauseKind::float_value, between(guard, "isnan(", ")"));
    cause.expected = guard.starts_with("not ") ? "not nan" : "nan";
    return cause;
  }
  if (reads_shape(guard)) {
    cause = made(ties_two_dims(guard) ? CauseKind::shape_guard_duck : CauseKind::shape_guard);
    cause.expected = guard;
    cause.source = logs::first_shape_source(guard, cause.index);
    return cause;
  }
  if (value(guard, cause)) return cause;
  if (logs::is_int_relation(guard)) {
    cause = made(CauseKind::shape_guard_int, logs::first_source(guard));
    cause.expected = guard;
    return cause;
  }
  cause = made(CauseKind::unrecognised);
  cause.expected = guard;
  return cause;
}

FailedGuard parse_failed_guard(string_view text) {
  FailedGuard out;
  out.text = text;
  const logs::Commented parts = logs::split_comment(text);
  if (!parts.user_line.starts_with("duck sizing added ")) out.user_line = parts.user_line;
  out.place = parts.place;
  out.cause = classify_guard(parts.guard);
  return out;
}

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
