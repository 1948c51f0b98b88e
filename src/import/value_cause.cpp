// Values and formulas: `x == 3`, `x is None`, `x.size()[0] % 8 == 0`.
#include <algorithm>

#include "import/cause_forms.hpp"
#include "import/literal.hpp"
#include "import/log_text.hpp"

namespace dimgate::logs {

using std::string;
using std::string_view;

namespace {

bool reads_shape(string_view text) {
  return has(text, ".size()[") || has(text, ".stride()[") || has(text, ".storage_offset()") || has(text, ".numel()") ||
         has(text, ".shape[");
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
  switch (literal_kind(literal)) {
    case Literal::boolean:
      return CauseKind::bool_value;
    case Literal::integer:
      return CauseKind::int_value;
    case Literal::real:
      return CauseKind::float_value;
    case Literal::text:
      return CauseKind::str_value;
    case Literal::none:
      return CauseKind::none_ness;
    case Literal::other:
      break;
  }
  return CauseKind::constant_value;
}

/// A formula that compares with a number that has a point.
bool compares_float(string_view guard) {
  for (const string_view op : {" == ", " != ", " <= ", " >= ", " < ", " > "}) {
    const std::size_t at = guard.find(op);
    if (at == string_view::npos) continue;
    const string_view left = guard.substr(0, at);
    const string_view right = guard.substr(at + op.size());
    return (is_source(left) && literal_kind(right) == Literal::real) ||
           (is_source(right) && literal_kind(left) == Literal::real);
  }
  return false;
}

}  // namespace

std::optional<Cause> shape_form(string_view guard) {
  if (!reads_shape(guard)) return std::nullopt;
  Cause cause = made(ties_two_dims(guard) ? CauseKind::shape_guard_duck : CauseKind::shape_guard);
  cause.expected = guard;
  cause.source = first_shape_source(guard, cause.index);
  return cause;
}

std::optional<Cause> int_form(string_view guard) {
  if (!is_int_relation(guard) && !compares_float(guard)) return std::nullopt;
  Cause cause = made(compares_float(guard) ? CauseKind::float_value : CauseKind::shape_guard_int, first_source(guard));
  cause.expected = guard;
  return cause;
}

std::optional<Cause> value_form(string_view guard) {
  if (has(guard, "__math_isnan(") || has(guard, "__numpy_isnan(") || guard.starts_with("not math.isnan(") ||
      guard.starts_with("math.isnan(") || guard.starts_with("not isnan(") || guard.starts_with("isnan(")) {
    Cause cause = made(CauseKind::float_value, between(guard, "isnan(", ")"));
    cause.expected = guard.starts_with("not ") ? "not nan" : "nan";
    return cause;
  }
  for (const string_view op :
       {string_view(" == "), string_view(" is not "), string_view(" is "), string_view(" != ")}) {
    const std::size_t at = guard.find(op);
    if (at == string_view::npos) continue;
    const string_view left = guard.substr(0, at);
    const string_view right = guard.substr(at + op.size());
    if (!is_source(left)) return std::nullopt;
    if (op[1] == 'i' && right != "None") {
      if (!is_source(right)) return std::nullopt;
      Cause cause =
          made(right == "True" || right == "False" ? CauseKind::bool_value : CauseKind::tensor_aliasing, left);
      cause.expected = (op == " is not " ? "not " : "") + string(right);
      return cause;
    }
    if (op[1] == '=' && is_source(right) && literal_kind(right) == Literal::other && !right.starts_with("torch."))
      return std::nullopt;                                          // a relation between two values
    if (op == " != " && literal_kind(right) == Literal::integer) {  // of a symbol: entries guard on a branch
      Cause cause = made(CauseKind::shape_guard_int, left);
      cause.expected = guard;
      return cause;
    }
    Cause cause = made(kind_of_literal(right), left);
    cause.expected = (op == " != " || op == " is not " ? "not " : "") + string(plain_scalar(right));
    return cause;
  }
  return std::nullopt;
}

}  // namespace dimgate::logs
