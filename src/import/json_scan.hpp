// JSON by its surface: whether a text is one well-formed value, and the raw texts of the members of its outermost
// object or array. Values are views into the text; nothing is copied until asked for. One pass, no recursion (a bit for
// each open bracket), some 1 GB/s: lines of a trace are long and few of their members matter.
//
// Laxer than RFC 8259 in one point: bytes of strings are not checked to be UTF-8. Tested by
// tests/import/json_scan_test.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dimgate::logs {

class JsonMembers {
 public:
  /// False: `text` is no well-formed object (array); members() is then empty.
  bool read_object(std::string_view text) { return read(text, '{'); }
  bool read_array(std::string_view text) { return read(text, '['); }
  /// Key (escapes as they stand; empty in arrays) and raw value, in order.
  [[nodiscard]] const std::vector<std::pair<std::string_view, std::string_view>>& members() const { return members_; }
  /// The raw value of a key, the last where it stands twice; empty: not there.
  [[nodiscard]] std::string_view at(std::string_view key) const;

 private:
  bool read(std::string_view text, char open);
  std::vector<std::pair<std::string_view, std::string_view>> members_;
  std::vector<bool> open_;  // true: an object
};

/// True if the raw value is a string.
inline bool is_json_string(std::string_view raw) { return !raw.empty() && raw[0] == '"'; }
/// A string without quotes and escapes, null as "", anything else as it stands; at most `most` bytes.
std::string json_text(std::string_view raw, std::size_t most);
/// nullopt: no number.
std::optional<double> json_number(std::string_view raw);

}  // namespace dimgate::logs
