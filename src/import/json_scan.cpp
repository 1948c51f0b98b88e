#include "import/json_scan.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace dimgate::logs {

namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool digit(char c) { return c >= '0' && c <= '9'; }
int hex(char c) {
  if (digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}
void skip_blanks(std::string_view text, std::size_t& at) {
  while (at < text.size() && blank(text[at])) ++at;
}

/// True if one of the eight bytes is a quote, a backslash or a control character.
bool has_special(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, 8);
  constexpr std::uint64_t ones = 0x0101010101010101ULL;
  constexpr std::uint64_t highs = 0x8080808080808080ULL;
  const auto zero = [&](std::uint64_t x) { return (x - ones) & ~x & highs; };
  const std::uint64_t control = (word - ones * 0x20) & ~word & highs;
  return (zero(word ^ ones * '"') | zero(word ^ ones * '\\') | control) != 0;
}

/// From a quote to behind its closing one; false: none.
bool pass_string(std::string_view text, std::size_t& at) {
  for (++at; at < text.size();) {
    if (at + 8 <= text.size() && !has_special(text.data() + at)) {
      at += 8;
      continue;
    }
    const char c = text[at++];
    if (c == '"') return true;
    if (static_cast<unsigned char>(c) < 0x20) return false;
    if (c != '\\') continue;
    if (at == text.size() || std::strchr("\"\\/bfnrtu", text[at]) == nullptr || text[at] == 0) return false;
    if (text[at++] == 'u') {
      for (int i = 0; i < 4; ++i, ++at)
        if (at == text.size() || hex(text[at]) < 0) return false;
    }
  }
  return false;
}

bool pass_number(std::string_view text, std::size_t& at) {
  const auto digits = [&] {
    const std::size_t from = at;
    while (at < text.size() && digit(text[at])) ++at;
    return at > from;
  };
  if (text[at] == '-') ++at;
  const bool zero = at < text.size() && text[at] == '0';
  const std::size_t from = at;
  if (!digits() || (zero && at - from > 1)) return false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (!digits()) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (!digits()) return false;
  }
  return true;
}

/// A string, number, true, false, null; also NaN and Infinity, which Python's json writes.
bool pass_scalar(std::string_view text, std::size_t& at) {
  if (text[at] == '"') return pass_string(text, at);
  for (const std::string_view word :
       {std::string_view("true"), std::string_view("false"), std::string_view("null"), std::string_view("NaN"),
        std::string_view("Infinity"), std::string_view("-Infinity")})
    if (text.substr(at).starts_with(word)) {
      at += word.size();
      return true;
    }
  return pass_number(text, at);
}

void append_utf8(std::uint32_t code, std::string& out) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6U);
    out += static_cast<char>(0x80 | (code & 0x3fU));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | code >> 12U);
    out += static_cast<char>(0x80 | (code >> 6U & 0x3fU));
    out += static_cast<char>(0x80 | (code & 0x3fU));
  } else {
    out += static_cast<char>(0xf0 | code >> 18U);
    out += static_cast<char>(0x80 | (code >> 12U & 0x3fU));
    out += static_cast<char>(0x80 | (code >> 6U & 0x3fU));
    out += static_cast<char>(0x80 | (code & 0x3fU));
  }
}

/// The four digits after `\u`.
std::uint32_t unit(std::string_view digits) {
  std::uint32_t code = 0;
  for (const char c : digits.substr(0, 4)) code = code << 4U | static_cast<std::uint32_t>(hex(c) & 15);
  return code;
}

/// What `\x` stands for; `at` is behind it afterwards.
void append_escape(std::string_view text, std::size_t& at, std::string& out) {
  static constexpr std::string_view names = "bfnrt";
  static constexpr std::string_view bytes = "\b\f\n\r\t";
  const char c = text[at++];
  if (c != 'u') {
    const std::size_t name = names.find(c);
    out += name == std::string_view::npos ? c : bytes[name];
    return;
  }
  std::uint32_t code = unit(text.substr(at));
  at += 4;
  if (code >= 0xd800 && code < 0xdc00 && text.substr(at).starts_with("\\u")) {
    const std::uint32_t low = unit(text.substr(at + 2));
    if (low >= 0xdc00 && low < 0xe000) {
      code = 0x10000 + ((code - 0xd800) << 10U) + (low - 0xdc00);
      at += 6;
    }
  }
  append_utf8(code >= 0xd800 && code < 0xe000 ? 0xfffd : code, out);
}

}  // namespace

std::string_view JsonMembers::at(std::string_view key) const {
  for (auto member = members_.rbegin(); member != members_.rend(); ++member)
    if (member->first == key) return member->second;
  return {};
}

bool JsonMembers::read(std::string_view text, char open) {
  members_.clear();
  open_.clear();
  std::size_t at = 0;
  skip_blanks(text, at);
  if (at == text.size() || text[at] != open) return false;
  std::string_view key;        // of the outermost object's member
  std::size_t value_from = 0;  // where that member's value begins
  const auto fail = [&] {
    members_.clear();
    return false;
  };
  bool after_open = false;  // behind a bracket: it may close at once
  bool want_value = true;
  for (;;) {
    skip_blanks(text, at);
    if (at == text.size()) return fail();
    const char c = text[at];
    bool closes = false;
    if (want_value && !(after_open && (c == '}' || c == ']'))) {
      if (!open_.empty() && open_.back()) {  // "key":
        const std::size_t from = at + 1;
        if (c != '"' || !pass_string(text, at)) return fail();
        if (open_.size() == 1) key = text.substr(from, at - from - 1);
        skip_blanks(text, at);
        if (at == text.size() || text[at] != ':') return fail();
        ++at;
        skip_blanks(text, at);
        if (at == text.size()) return fail();
      }
      if (open_.size() == 1) value_from = at;
      if (text[at] == '{' || text[at] == '[') {
        open_.push_back(text[at++] == '{');
        after_open = true;
        continue;
      }
      if (!pass_scalar(text, at)) return fail();
      want_value = false;
    } else if (c == ',' && !want_value) {
      ++at;
      want_value = true;
      after_open = false;
      continue;
    } else if ((c == '}' || c == ']') && open_.back() == (c == '}')) {
      ++at;
      open_.pop_back();
      want_value = false;
      closes = true;
    } else {
      return fail();
    }
    after_open = false;
    if (open_.size() == 1) members_.emplace_back(key, text.substr(value_from, at - value_from));
    if (open_.empty()) {
      skip_blanks(text, at);
      return closes && at == text.size() ? true : fail();
    }
  }
}

std::string json_text(std::string_view raw, std::size_t most) {
  if (raw == "null") return {};
  if (!is_json_string(raw)) return std::string(raw.substr(0, most));
  const std::string_view inside = raw.substr(1, raw.size() - 2);
  std::string out;
  for (std::size_t at = 0; at < inside.size() && out.size() < most;) {
    const std::size_t end = std::min(inside.find('\\', at), inside.size());
    out += inside.substr(at, end - at);
    at = end + 1;
    if (at < inside.size()) append_escape(inside, at, out);
  }
  if (out.size() > most) out.resize(most);
  return out;
}

std::optional<double> json_number(std::string_view raw) {
  double value = 0;
  const auto [end, error] = std::from_chars(raw.data(), raw.data() + raw.size(), value);
  if (error != std::errc() || end != raw.data() + raw.size() || raw.empty() || (raw[0] != '-' && !digit(raw[0])))
    return std::nullopt;
  return value;
}

}  // namespace dimgate::logs
