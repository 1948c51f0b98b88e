// Pieces of messages that several readers share. Views into the text; no allocation.
#pragma once

#include <string_view>

namespace dimgate::logs {

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return text;
}
inline bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
/// The text before `part`; all of it where `part` is not there.
inline std::string_view before(std::string_view text, std::string_view part) { return text.substr(0, text.find(part)); }
/// The text after `part`; empty where it is not there.
inline std::string_view after(std::string_view text, std::string_view part) {
  const std::size_t at = text.find(part);
  return at == std::string_view::npos ? std::string_view{} : text.substr(at + part.size());
}
/// Takes `0/3: ` or `0/3_1: ` off the front and returns `0/3`; empty: none there.
inline std::string_view take_entry(std::string_view& text) {
  std::size_t at = 0;
  bool slash = false;
  while (at < text.size() &&
         ((text[at] >= '0' && text[at] <= '9') || text[at] == '_' || text[at] == '!' || (text[at] == '/' && at > 0))) {
    slash = slash || text[at] == '/';
    ++at;
  }
  if (!slash || text[at == 0 ? 0 : at - 1] == '/' || !text.substr(at).starts_with(": ")) return {};
  const std::string_view entry = text.substr(0, at);
  text.remove_prefix(at + 2);
  return entry;
}

}  // namespace dimgate::logs
