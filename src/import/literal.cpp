#include "import/literal.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

namespace dimgate::logs {

namespace {

bool name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The length of `['…']`, `["…"]` or `[12]` at the start; 0: none.
std::size_t subscript(std::string_view text) {
  if (text.size() < 3 || text[0] != '[') return 0;
  std::size_t at = 1;
  if (text[1] == '\'' || text[1] == '"') {
    for (at = 2; at < text.size() && text[at] != text[1]; ++at)
      if (text[at] == '\\') ++at;
    ++at;
  } else {
    while (at < text.size() && text[at] != ']' && text[at] != '[') ++at;
  }
  return at < text.size() && text[at] == ']' ? at + 1 : 0;
}

/// The length of the source that `text` begins with; 0: none.
std::size_t source_length(std::string_view text) {
  if (text.empty() || !name_start(text[0])) return 0;
  std::size_t at = 0;
  while (at < text.size() && name_part(text[at])) ++at;
  while (at < text.size()) {
    if (text[at] == '.' && at + 1 < text.size() && name_start(text[at + 1])) {
      ++at;
      while (at < text.size() && name_part(text[at])) ++at;
      continue;
    }
    const std::size_t length = subscript(text.substr(at));
    if (length == 0) break;
    at += length;
  }
  return at;
}

}  // namespace

Literal literal_kind(std::string_view text) {
  if (text == "True" || text == "False") return Literal::boolean;
  if (text == "None") return Literal::none;
  if (text.empty()) return Literal::other;
  const std::size_t prefix = text[0] == 'b' || text[0] == 'r' ? 1 : 0;
  if (text.size() > prefix + 1 && (text[prefix] == '\'' || text[prefix] == '"') && text.back() == text[prefix])
    return Literal::text;
  if (text == "inf" || text == "nan" || text == "-inf" || text.starts_with("float(")) return Literal::real;
  std::string_view digits = text;
  if (digits[0] == '-' || digits[0] == '+') digits.remove_prefix(1);
  if (digits.empty() || (std::isdigit(static_cast<unsigned char>(digits[0])) == 0 && digits[0] != '.'))
    return Literal::other;
  if (std::all_of(digits.begin(), digits.end(),
                  [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }))
    return Literal::integer;
  return std::all_of(digits.begin(), digits.end(),
                     [](char c) {
                       return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == 'e' || c == 'E' ||
                              c == '-' || c == '+';
                     })
             ? Literal::real
             : Literal::other;
}

bool is_source(std::string_view text) { return !text.empty() && source_length(text) == text.size(); }

std::string_view first_source(std::string_view guard) {
  for (std::size_t at = 0; at < guard.size();) {
    const std::size_t length = source_length(guard.substr(at));
    if (length == 0) {
      ++at;
      continue;
    }
    const std::string_view found = guard.substr(at, length);
    const bool called = at + length < guard.size() && guard[at + length] == '(';
    if (!called && found != "and" && found != "or" && found != "not" && found != "in") return found;
    at += length;
  }
  return {};
}

bool is_int_relation(std::string_view guard) {
  bool compares = false;
  for (std::size_t at = 0; at < guard.size();) {
    const std::size_t length = source_length(guard.substr(at));
    if (length != 0) {
      const std::string_view found = guard.substr(at, length);
      at += length;
      if (at < guard.size() && guard[at] == '(') {
        static constexpr std::string_view functions[] = {"Eq",  "Ne",  "Mod", "Max", "Min", "FloorDiv",
                                                         "max", "min", "Not", "And", "Or",  "abs"};
        if (std::find(std::begin(functions), std::end(functions), found) == std::end(functions)) return false;
        compares = compares || found == "Eq" || found == "Ne";
      }
      continue;
    }
    const char c = guard[at++];
    if (c == '<' || c == '>' || c == '=' || c == '!') compares = true;
    if (std::string_view("<>=!+-*/%(), 0123456789~&|").find(c) == std::string_view::npos) return false;
  }
  return compares && !first_source(guard).empty();
}

std::string_view first_shape_source(std::string_view guard, int& index) {
  const std::size_t size = guard.find(".size()[");
  const std::size_t stride = guard.find(".stride()[");
  const std::size_t at = std::min(size, stride);
  if (at == std::string_view::npos) return {};
  const std::size_t open = guard.find("()[", at) + 3;
  index = 0;
  std::from_chars(guard.data() + open, guard.data() + guard.size(), index);
  for (std::size_t from = 0; from < at; ++from)  // the longest source that ends there
    if ((from == 0 || !name_part(guard[from - 1])) && source_length(guard.substr(from, at - from)) == at - from)
      return guard.substr(from, at - from);
  return {};
}

}  // namespace dimgate::logs
