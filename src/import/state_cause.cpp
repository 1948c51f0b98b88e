// State outside the call: grad mode, default dtype and device, hooks, function modes, backends.
#include <algorithm>
#include <array>

#include "import/cause_forms.hpp"
#include "import/log_text.hpp"

namespace dimgate::logs {

using std::string;
using std::string_view;

namespace {

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

}  // namespace

std::optional<Cause> state_form(string_view guard) {
  if (guard.starts_with("GLOBAL_STATE changed:")) return global_state(guard.substr(21));
  if (has(guard, "___check_global_state()")) return made(CauseKind::global_state);
  if (guard.starts_with("BACKEND_MATCH") || has(guard, "___check_current_backend") ||
      has(guard, "___skip_backend_check") || has(guard, "___lookup_backend"))
    return made(CauseKind::backend);
  if (has(guard, "___check_torch_function_mode_stack") || has(guard, "is_torch_function_enabled(") ||
      guard.starts_with("torch function mode"))
    return made(CauseKind::torch_function_mode);
  if (has(guard, "top_saved_tensors_hooks")) return made(CauseKind::hooks, "saved_tensors_hooks");
  if (guard.starts_with("utils_device.CURRENT_DEVICE")) {
    Cause cause = made(CauseKind::default_device, "utils_device.CURRENT_DEVICE");
    cause.expected = after(guard, " == ");
    return cause;
  }
  if (const string_view state = state_function(guard); !state.empty()) return global_state(state);
  return std::nullopt;
}

}  // namespace dimgate::logs
