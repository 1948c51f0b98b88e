// Takes the arguments of check_tensor apart, by commas outside brackets; see tensor_guard.hpp.
#include "explain/tensor_guard.hpp"

#include <charconv>

#include "explain/values.hpp"
#include "import/log_text.hpp"

namespace dimgate::explain {

std::optional<TensorGuard> read_tensor_guard(std::string_view text) {
  constexpr std::string_view kCall = "check_tensor(";
  const std::size_t call = text.find(kCall);
  const std::size_t keys = text.find(", DispatchKeySet(");
  const std::size_t at = text.find(", size=[");
  if (call == std::string_view::npos || keys == std::string_view::npos || at == std::string_view::npos) return {};
  const std::string_view inside = text.substr(call + kCall.size(), keys - call - kCall.size());
  TensorGuard out;
  out.source = plain_source(inside.substr(0, inside.rfind(", ")));
  std::string_view list = logs::before(text.substr(at + 8), "]");
  while (!list.empty() && out.size.size() < 16) {
    const std::string_view one = logs::trimmed(list.substr(0, list.find(',')));
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(one.data(), one.data() + one.size(), value);
    out.size.push_back(error == std::errc() && end == one.data() + one.size() ? std::optional(value) : std::nullopt);
    const std::size_t comma = list.find(',');
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  return out;
}

}  // namespace dimgate::explain
