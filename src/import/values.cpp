#include "import/values.hpp"

#include <bit>
#include <charconv>

namespace dimgate {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string shown(std::string_view text) {
  return text.size() > 60 ? std::string(text.substr(0, 57)) + "..." : std::string(text);
}

Result<Value> read_value(const Table& table, std::size_t row, std::size_t column, Sort sort) {
  const auto cell = table.cell(row, column);
  const std::string& name = table.columns()[column];
  const auto bad = [&](const std::string& what) {
    return table.error_at(row, column, "'" + shown(*cell) + "' in column '" + name + "' is no " + what);
  };
  if (!cell) return table.error_at(row, column, "no value in column '" + name + "'");
  const std::string_view text = trimmed(*cell);
  switch (sort) {
    case Sort::Int: {
      std::int64_t small = 0;
      const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), small);
      if (code == std::errc{} && end == text.data() + text.size()) return Value::of(small);
      if (auto any = Integer::parse(text)) return Value::of(*std::move(any));
      return bad("integer");
    }
    case Sort::Bool:
      if (text == "true" || text == "True" || text == "1") return Value::of(true);
      if (text == "false" || text == "False" || text == "0") return Value::of(false);
      return bad("truth value; expected true or false");
    case Sort::Float: {
      double value = 0;
      const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (code == std::errc{} && end == text.data() + text.size())
        return Value::of_float_bits(std::bit_cast<std::uint64_t>(value));
      return bad("number");
    }
    case Sort::Enum:
      return Value::of_enum(std::string(*cell));
  }
  return bad("value");
}

}  // namespace dimgate
