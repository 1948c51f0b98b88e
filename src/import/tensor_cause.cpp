// What is said of a tensor that another entry was compiled for.
#include <algorithm>
#include <array>
#include <charconv>

#include "import/cause_forms.hpp"
#include "import/log_text.hpp"

namespace dimgate::logs {

using std::string;
using std::string_view;

namespace {

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
Cause mismatch(string_view guard) {
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
  for (const auto& [phrase, kind] : kinds) {
    const std::size_t at = guard.find(phrase);
    if (at == string_view::npos) continue;
    Cause cause = made(kind, guard.substr(8, at - 8));
    if (const string_view digits = after(guard.substr(at), "at index "); !digits.empty())
      std::from_chars(digits.data(), digits.data() + digits.size(), cause.index);
    expected_actual(guard.substr(at), cause);
    return cause;
  }
  const std::size_t end = guard.rfind("' ", guard.find(" mismatch"));
  Cause cause = made(CauseKind::unrecognised, end == string_view::npos || end < 8 ? "" : guard.substr(8, end - 8));
  cause.expected = guard;
  return cause;
}

/// `x.dtype == torch.float32`: an attribute that is a property of the tensor.
std::optional<Cause> property(string_view guard) {
  const std::size_t equals = guard.find(" == ");
  if (equals == string_view::npos) return std::nullopt;
  const string_view left = guard.substr(0, equals);
  const string_view right = guard.substr(equals + 4);
  const auto of = [&](string_view name, CauseKind kind) {
    Cause cause = made(kind, left.substr(0, left.size() - name.size()));
    cause.expected = right;
    return cause;
  };
  if (left.ends_with(".dtype") && right.starts_with("torch.")) return of(".dtype", CauseKind::tensor_dtype);
  if (left.ends_with(".device") && right.starts_with("device(")) return of(".device", CauseKind::tensor_device);
  if (left.ends_with(".requires_grad") && (right == "True" || right == "False"))
    return of(".requires_grad", CauseKind::requires_grad);
  return std::nullopt;
}

}  // namespace

std::optional<Cause> tensor_form(string_view guard) {
  if (guard.starts_with("tensor '") && has(guard, " mismatch")) return mismatch(guard);
  if (guard.starts_with("expected type of '")) {
    const std::size_t end = guard.find("' to be a tensor type");
    const string_view source = end == string_view::npos ? string_view{} : guard.substr(18, end - 18);
    const string_view found = between(guard, "but found <class '", "'>");
    Cause cause = made(found == "NoneType" ? CauseKind::none_ness : CauseKind::tensor_python_type, source);
    cause.expected = found == "NoneType" ? "a tensor" : "";
    cause.actual = found == "NoneType" ? "None" : found;
    return cause;
  }
  if (guard.starts_with("Duplicate tensors found: [\"")) {  // all names of one tensor
    Cause cause = made(CauseKind::tensor_aliasing);
    string_view names = between(guard, "[", "]");
    while (!names.empty()) {
      const string_view name = between(names, "\"", "\"");
      cause.source += (cause.source.empty() ? "" : ", ") + string(name);
      names.remove_prefix(std::min(names.size(), names.find('"') + name.size() + 2));
      if (names.find('"') == string_view::npos) break;
    }
    return cause;
  }
  if (guard.starts_with("_dynamo_") || guard.starts_with("_has_dynamo_dim_marking")) {
    if (!has(guard, " absent")) return std::nullopt;
    Cause cause = made(CauseKind::dim_marking);
    cause.expected = guard.starts_with("_has") ? "no marking" : "without " + string(guard.substr(0, guard.find(' ')));
    cause.actual = "marked";
    return cause;
  }
  if (guard.starts_with("Duplicate tensor") || guard.starts_with("check_no_aliasing(") ||
      guard.starts_with("NO_TENSOR_ALIASING") || guard.starts_with("___check_storage_overlap") ||
      (has(guard, "overlap") && has(guard, "tensor")))
    return made(CauseKind::tensor_aliasing);
  return property(guard);
}

}  // namespace dimgate::logs
