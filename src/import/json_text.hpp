// The JSON of one line, by simdjson: the whole text is checked before any of it is given out, some 1.8 GB/s.
//
// Does not read (and is counted by whoever asked): what RFC 8259 forbids, NaN and Infinity among it; bytes that are not
// UTF-8 and lone surrogates; integers beyond 64 bits; nesting over 1,024; texts over kLongestJson. No recursion.
// Memory: some 14 bytes for each byte of a text, given back after long ones. Tested by tests/import/json_text_test.cpp.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace dimgate::logs {

using JsonObject = simdjson::dom::object;
using JsonArray = simdjson::dom::array;
/// A value, or none: a member that is not there.
using JsonValue = std::optional<simdjson::dom::element>;

constexpr std::size_t kLongestJson = 8U << 20U;

/// Reads one text at a time: objects, arrays and values live until the next.
class JsonText {
 public:
  JsonText();
  ~JsonText();
  /// nullopt: no well-formed object (array).
  std::optional<JsonObject> object(std::string_view text);
  std::optional<JsonArray> array(std::string_view text);

 private:
  JsonValue read(std::string_view text);
  // Not in place: its size depends on macros of whoever includes this.
  std::unique_ptr<simdjson::dom::parser> parser_;
};

/// The member of a key, the last where it stands twice.
JsonValue member(const JsonObject& object, std::string_view key);
JsonValue member(const std::optional<JsonObject>& object, std::string_view key);
std::optional<JsonObject> object_in(const JsonValue& value);
std::optional<JsonArray> array_in(const JsonValue& value);
/// A string as it is, null and none as "", anything else as JSON writes it; at most `most` bytes.
std::string json_text(const JsonValue& value, std::size_t most);
/// nullopt: no number, no integer of that type.
std::optional<double> json_number(const JsonValue& value);
std::optional<std::int64_t> json_int(const JsonValue& value);
std::optional<std::uint64_t> json_count(const JsonValue& value);
bool is_string(const JsonValue& value);
bool is_true(const JsonValue& value);

}  // namespace dimgate::logs
