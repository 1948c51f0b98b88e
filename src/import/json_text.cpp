#include "import/json_text.hpp"

namespace dimgate::logs {

namespace {

constexpr std::size_t kKeptBytes = 1U << 20U;  // of the parser, between texts

template <class T>
std::optional<T> as(const JsonValue& value) {
  T out;
  if (!value || value->get(out) != simdjson::SUCCESS) return std::nullopt;
  return out;
}

}  // namespace

JsonText::JsonText() : parser_(new simdjson::dom::parser(kLongestJson)) {}
JsonText::~JsonText() = default;

JsonValue JsonText::read(std::string_view text) {
  if (parser_->capacity() > kKeptBytes && text.size() <= kKeptBytes)
    parser_ = std::make_unique<simdjson::dom::parser>(kLongestJson);
  simdjson::dom::element root;
  if (text.empty() || parser_->parse(text.data(), text.size()).get(root) != simdjson::SUCCESS) return std::nullopt;
  return root;
}

std::optional<JsonObject> JsonText::object(std::string_view text) { return as<JsonObject>(read(text)); }
std::optional<JsonArray> JsonText::array(std::string_view text) { return as<JsonArray>(read(text)); }

JsonValue member(const JsonObject& object, std::string_view key) {
  JsonValue out;
  for (const auto& [name, value] : object)
    if (name == key) out = value;
  return out;
}

JsonValue member(const std::optional<JsonObject>& object, std::string_view key) {
  return object ? member(*object, key) : std::nullopt;
}

std::optional<JsonObject> object_in(const JsonValue& value) { return as<JsonObject>(value); }
std::optional<JsonArray> array_in(const JsonValue& value) { return as<JsonArray>(value); }

std::string json_text(const JsonValue& value, std::size_t most) {
  if (!value || value->is_null()) return {};
  if (const auto text = as<std::string_view>(value)) return std::string(text->substr(0, most));
  return simdjson::minify(*value).substr(0, most);
}

std::optional<double> json_number(const JsonValue& value) { return as<double>(value); }
std::optional<std::int64_t> json_int(const JsonValue& value) { return as<std::int64_t>(value); }
std::optional<std::uint64_t> json_count(const JsonValue& value) { return as<std::uint64_t>(value); }
bool is_string(const JsonValue& value) { return value && value->is_string(); }
bool is_true(const JsonValue& value) { return as<bool>(value).value_or(false); }

}  // namespace dimgate::logs
