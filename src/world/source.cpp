// Texts of sources (`L['x'].size()[0]`) taken apart from behind: property, index, base. What is no known property is a
// plain value of that name. Linear in the text. Checked by tests/world/source_test.cpp.
#include <array>
#include <charconv>

#include "dimgate/world.hpp"

namespace dimgate {
namespace {

struct Suffix {
  std::string_view text;
  Property property;
};

// Spellings after the base, without an index.
constexpr std::array kPlain{
    Suffix{".dim()", Property::rank},
    Suffix{".ndim", Property::rank},
    Suffix{".ndimension()", Property::rank},
    Suffix{".storage_offset()", Property::storage_offset},
    Suffix{".dtype", Property::dtype},
    Suffix{".device", Property::device},
    Suffix{".requires_grad", Property::requires_grad},
    Suffix{".layout", Property::layout},
};
// Spellings before an index in brackets, and before one in parentheses.
constexpr std::array kBracketed{Suffix{".size()", Property::size}, Suffix{".shape", Property::size},
                                Suffix{".stride()", Property::stride}};
constexpr std::array kCalled{Suffix{".size", Property::size}, Suffix{".stride", Property::stride}};
// Functions of the base.
constexpr std::array kFunctions{
    Suffix{"type", Property::type},
    Suffix{"id", Property::identity},
    Suffix{"len", Property::length},
    Suffix{"storage", Property::storage},
};

/// Cuts `OPEN digits CLOSE` off the end.
std::optional<std::uint32_t> take_index(std::string_view& text, char open, char close) {
  if (text.empty() || text.back() != close) return std::nullopt;
  const std::size_t at = text.rfind(open);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view digits = text.substr(at + 1, text.size() - at - 2);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  // "01" is left alone: text() must give back what was parsed.
  if (error != std::errc{} || end != digits.data() + digits.size() || (digits.size() > 1 && digits[0] == '0'))
    return std::nullopt;
  text = text.substr(0, at);
  return value;
}

bool cut_suffix(std::string_view& text, std::string_view suffix) {
  if (text.size() <= suffix.size() || !text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

/// The argument of `name(argument)` where the parentheses belong together.
std::optional<std::string_view> argument_of(std::string_view text, std::string_view name) {
  if (text.size() < name.size() + 3 || !text.starts_with(name) || text[name.size()] != '(' || text.back() != ')')
    return std::nullopt;
  const std::string_view inner = text.substr(name.size() + 1, text.size() - name.size() - 2);
  int open = 0;
  for (const char c : inner) {
    if (c == '(') ++open;
    if (c == ')' && --open < 0) return std::nullopt;
  }
  return open == 0 ? std::optional(inner) : std::nullopt;
}

}  // namespace

Source Source::parse(std::string_view text) {
  std::string_view rest = text;
  if (const auto index = take_index(rest, '[', ']'))
    for (const Suffix& s : kBracketed)
      if (std::string_view base = rest; cut_suffix(base, s.text)) return {std::string(base), s.property, *index};
  rest = text;
  if (const auto index = take_index(rest, '(', ')'))
    for (const Suffix& s : kCalled)
      if (std::string_view base = rest; cut_suffix(base, s.text)) return {std::string(base), s.property, *index};
  for (const Suffix& s : kPlain)
    if (std::string_view base = text; cut_suffix(base, s.text)) return {std::string(base), s.property, 0};
  for (const Suffix& s : kFunctions)
    if (const auto inner = argument_of(text, s.text)) return {std::string(*inner), s.property, 0};
  return {std::string(text), Property::value, 0};
}

std::string Source::text() const {
  switch (property) {
    case Property::value:
      return base;
    case Property::size:
      return base + ".size()[" + std::to_string(index) + "]";
    case Property::stride:
      return base + ".stride()[" + std::to_string(index) + "]";
    default:
      break;
  }
  for (const Suffix& s : kFunctions)
    if (s.property == property) return std::string(s.text) + "(" + base + ")";
  for (const Suffix& s : kPlain)
    if (s.property == property) return base + std::string(s.text);
  return base;
}

std::string_view to_string(SlotSort sort) noexcept {
  switch (sort) {
    case SlotSort::integer:
      return "Int";
    case SlotSort::boolean:
      return "Bool";
    case SlotSort::floating:
      return "Float";
    case SlotSort::name:
      return "Enum";
  }
  return "?";
}

}  // namespace dimgate
