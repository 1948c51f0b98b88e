#include "guard/pieces.hpp"

#include "guard/world_layout.hpp"

namespace dimgate::detail {

std::string tuple_text(std::span<const std::optional<std::int64_t>> values) {
  std::string out = "(";
  for (std::size_t i = 0; i < values.size(); ++i)
    out += (i > 0 ? ", " : "") + (values[i] ? std::to_string(*values[i]) : std::string("*"));
  return out + (values.size() == 1 ? ",)" : ")");
}

GuardKind kind_of_global(std::string_view slot) noexcept {
  for (const StateRow& row : state_rows())
    if (row.slot == slot) return row.kind;
  if (slot.starts_with("autocast[")) return GuardKind::autocast;
  if (slot.starts_with("environ[") || slot.ends_with(", environ)")) return GuardKind::environment;
  return GuardKind::flag;
}

}  // namespace dimgate::detail
