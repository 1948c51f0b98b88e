#include "expr/names.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "expr/functions.hpp"

namespace dimgate::detail {
namespace {

void append_utf8(std::string& out, std::uint32_t c) {
  const auto byte = [&](std::uint32_t b) { out += static_cast<char>(static_cast<unsigned char>(b)); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0U | (c >> 6U)), byte(0x80U | (c & 0x3FU));
  } else if (c < 0x10000) {
    byte(0xE0U | (c >> 12U)), byte(0x80U | ((c >> 6U) & 0x3FU)), byte(0x80U | (c & 0x3FU));
  } else {
    byte(0xF0U | ((c >> 18U) & 7U)), byte(0x80U | ((c >> 12U) & 0x3FU));
    byte(0x80U | ((c >> 6U) & 0x3FU)), byte(0x80U | (c & 0x3FU));
  }
}

// The whole text as one token list, or nothing.
bool lex_name(std::string_view text, TokenList& tokens) {
  TextFault fault;
  return lex(text, false, tokens, fault);
}

bool is_word(Tok t) {
  return t == Tok::name || t == Tok::integer || t == Tok::floating || t == Tok::string || t >= Tok::kw_and;
}

// A name that is a constant's own spelling when read without quotes.
bool reads_as_constant(std::string_view name) {
  if (name == "None") return true;
  const bool tuple = !name.empty() && (name[0] == '(' || name[0] == '[' || name[0] == '{');
  if (!tuple && !name.starts_with("torch.")) return false;
  TokenList t;
  if (!lex_name(name, t)) return false;
  if (tuple)
    return t.tokens[0].literal && t.tokens[0].match + 2 == t.tokens.size() &&
           normal_text(t, 0, t.tokens.size() - 1) == name;
  const SourceText source = read_source(t, 0);
  return source.kind == SourceKind::constant && source.next + 1 == t.tokens.size() && source.name == name;
}

// The content of `name` if that is a string literal just as `quoted` writes it.
bool unquote(std::string_view name, std::string& content) {
  if (name.size() < 2 || (name[0] != '\'' && name[0] != '"') || name.back() != name[0]) return false;
  content = string_content(name);
  return quoted(content) == name;
}

// Names that only a string can spell with its quotes kept: the bare constants
// in any number of quotes. (torch.float32 quoted is the same name as unquoted:
// front ends write both.)
bool keeps_its_quotes(std::string_view content) {
  std::string now(content), inner;
  while (unquote(now, inner)) now = inner;
  return !now.starts_with("torch.") && reads_as_constant(now);
}

// Libraries whose functions compute: a call of one is never something that a
// front end reads. (torch's may be.)
bool is_library(std::string_view head) {
  constexpr std::array<std::string_view, 10> kLibraries{"math", "cmath", "np",       "numpy", "sympy",
                                                        "jnp",  "jax",   "operator", "tir",   "tvm"};
  return std::find(kLibraries.begin(), kLibraries.end(), head) != kLibraries.end();
}

// A call that is given a variable computes something from it: no source, whose
// arguments are constants.
bool mentions_a_name(const TokenList& tokens, std::size_t open) {
  if (is_reading_function(tokens.spelling(open - 1))) return false;  // `.__getitem__(…)`
  for (std::size_t i = open + 1; i < tokens.tokens[open].match; ++i) {
    const Tok before = tokens.tokens[i - 1].kind, after = tokens.tokens[i + 1].kind;
    if (tokens.tokens[i].kind != Tok::name || before == Tok::dot || after == Tok::assign) continue;
    if (!is_reserved_word(tokens.spelling(i)) && tokens.spelling(i) != "torch") return true;
  }
  return false;
}

}  // namespace

std::string string_content(std::string_view literal) {
  std::string out;
  const std::size_t last = literal.size() - 1;
  for (std::size_t i = 1; i < last; ++i) {
    if (literal[i] != '\\' || i + 1 >= last) {
      out += literal[i];
      continue;
    }
    const char c = literal[++i];
    const std::size_t length = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    std::uint32_t value = 0;
    if (c == 'n') {
      out += '\n';
    } else if (c == 't') {
      out += '\t';
    } else if (c == 'r') {
      out += '\r';
    } else if (c == '\\' || c == '\'' || c == '"') {
      out += c;
    } else if (length != 0 && i + length < last &&
               std::from_chars(literal.data() + i + 1, literal.data() + i + 1 + length, value, 16).ptr ==
                   literal.data() + i + 1 + length &&
               value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF)) {
      append_utf8(out, value);
      i += length;
    } else {
      (out += '\\') += c;
    }
  }
  return out;
}

std::string quoted(std::string_view content) {
  const bool single = content.find('\'') == std::string_view::npos || content.find('"') != std::string_view::npos;
  const char quote = single ? '\'' : '"';
  std::string out(1, quote);
  constexpr std::string_view kHex = "0123456789abcdef";
  for (const char c : content) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\' || c == quote) {
      (out += '\\') += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      ((out += "\\x") += kHex[byte >> 4U]) += kHex[byte & 15U];
    } else {
      out += c;
    }
  }
  return out += quote;
}

std::string normal_text(const TokenList& tokens, std::size_t first, std::size_t last) {
  std::string out;
  std::vector<Tok> open;
  for (std::size_t i = first; i < last; ++i) {
    const Tok kind = tokens.tokens[i].kind;
    const bool closing = kind == Tok::right_paren || kind == Tok::right_bracket || kind == Tok::right_brace;
    if (i > first) {
      const Tok before = tokens.tokens[i - 1].kind;
      const bool in_dict = !open.empty() && open.back() == Tok::left_brace;  // `{'a': 1}`, but a slice is `[1:2]`
      const bool after_mark = (before == Tok::comma && !closing) || (before == Tok::colon && in_dict);
      const bool words = is_word(before) && is_word(kind);
      if (after_mark || words || (before == Tok::integer && kind == Tok::dot)) out += ' ';
    }
    if (kind == Tok::left_paren || kind == Tok::left_bracket || kind == Tok::left_brace) open.push_back(kind);
    if (closing && !open.empty()) open.pop_back();
    if (kind == Tok::string)
      out += quoted(string_content(tokens.spelling(i)));
    else
      out += tokens.spelling(i);
  }
  return out;
}

const Function* function_called_at(const TokenList& tokens, std::size_t i, std::size_t& open) {
  const auto kind_at = [&](std::size_t k) { return tokens.tokens[k].kind; };
  open = i + 1;
  if (kind_at(open) == Tok::left_paren) return find_function(tokens.spelling(i));
  // `torch.sym_max(a, b)`, `math.floor(x)`, `tvm.tir.floordiv(a, b)`: an
  // operator behind its library's name. Only those of torch that say sym_:
  // `torch.foo(…)` is what a front end reads.
  const std::string_view head = tokens.spelling(i);
  if (head != "torch" && !is_library(head)) return nullptr;
  while (kind_at(open) == Tok::dot && kind_at(open + 1) == Tok::name) open += 2;
  if (open == i + 1 || kind_at(open) != Tok::left_paren) return nullptr;
  const std::string_view name = tokens.spelling(open - 1);
  if (head == "torch" && (open != i + 3 || !name.starts_with("sym_"))) return nullptr;
  return find_function(name);
}

SourceText read_source(const TokenList& tokens, std::size_t first) {
  const auto kind_at = [&](std::size_t i) { return tokens.tokens[i].kind; };
  std::size_t i = first + 1;
  bool dotted_only = true, called_first = kind_at(i) == Tok::left_paren;
  std::size_t called = 0;  // the bracket of `a.b(…)`, the first call of a dotted name
  for (;;) {
    const Tok kind = kind_at(i);
    if (kind == Tok::dot) {
      const Tok after = kind_at(i + 1);
      if (after != Tok::name && after < Tok::kw_and) return {SourceKind::broken, {}, i + 1};
      i += 2;
    } else if (kind == Tok::left_bracket || kind == Tok::left_paren) {
      if (kind == Tok::left_paren && dotted_only && i > first + 1) called = i;
      dotted_only = false;
      i = tokens.tokens[i].match + 1;
    } else {
      break;
    }
  }
  const std::string_view head = tokens.spelling(first);
  if (called_first && !is_reading_function(head)) return {SourceKind::unknown_function, std::string(head), i};
  const bool computes = head == "torch" && tokens.spelling(first + 2).starts_with("sym_");
  if (called != 0 && (is_library(head) || computes || (!is_reading_function(head) && mentions_a_name(tokens, called))))
    return {SourceKind::unknown_function, normal_text(tokens, first, called), i};
  std::string name = normal_text(tokens, first, i);
  if (dotted_only && i > first + 1 && is_library(head)) {
    const std::string_view last = tokens.spelling(i - 1);
    return {last == "inf" || last == "nan" ? SourceKind::float_word : SourceKind::unknown_constant, std::move(name), i};
  }
  const bool constant = dotted_only && head == "torch" && i > first + 1;
  return {constant ? SourceKind::constant : SourceKind::symbol, std::move(name), i};
}

std::string enum_name_of_string(std::string_view content) {
  return keeps_its_quotes(content) ? quoted(content) : std::string(content);
}

std::string enum_spelling(std::string_view name) {
  if (is_bare_constant(name)) return std::string(name);
  if (std::string content; unquote(name, content) && keeps_its_quotes(content)) return std::string(name);
  return quoted(name);
}

bool is_bare_constant(std::string_view name) { return reads_as_constant(name); }

bool is_reserved_word(std::string_view name) {
  constexpr std::array<std::string_view, 9> kWords{"True", "False", "None", "nan", "inf",
                                                   "true", "false", "none", "null"};
  return std::find(kWords.begin(), kWords.end(), name) != kWords.end();
}

bool is_plain_symbol(std::string_view name) {
  TokenList t;
  if (!lex_name(name, t) || t.tokens[0].kind != Tok::name) return false;
  if (t.tokens.size() == 2) return t.tokens[0].begin == 0 && t.tokens[0].end == name.size() && !is_reserved_word(name);
  if (is_reserved_word(t.spelling(0))) return false;
  if (std::size_t open = 0; function_called_at(t, 0, open) != nullptr) return false;
  const SourceText source = read_source(t, 0);
  return source.kind == SourceKind::symbol && source.next + 1 == t.tokens.size() && source.name == name;
}

std::string symbol_spelling(std::string_view name) {
  return is_plain_symbol(name) ? std::string(name) : "Symbol(" + quoted(name) + ")";
}

std::string float_spelling(std::uint64_t bits) {
  constexpr std::uint64_t kSign = 1ULL << 63U, kNan = 0x7ff8000000000000ULL;
  if ((bits & ~kSign) == kNan) return bits == kNan ? "nan" : "-nan";
  const double value = std::bit_cast<double>(bits);
  std::array<char, 40> buffer{};
  if (std::isnan(value)) {
    const auto r = std::to_chars(buffer.data(), buffer.data() + buffer.size(), bits, 16);
    return "float_bits(0x" + std::string(buffer.data(), r.ptr) + ")";
  }
  const auto r = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string out(buffer.data(), r.ptr);
  if (out.find_first_not_of("-0123456789") == std::string::npos) out += ".0";
  return out;
}

std::uint64_t float_token_bits(std::string_view digits) {
  std::string clean;
  for (const char c : digits)
    if (c != '_') clean += c;
  double value = 0;
  const auto r = std::from_chars(clean.data(), clean.data() + clean.size(), value);
  if (r.ec == std::errc::result_out_of_range) {
    // Too large or too small? Compare the decimal exponent of the first nonzero
    // digit with 0.
    const std::size_t e = clean.find_first_of("eE");
    const std::string_view mantissa = std::string_view(clean).substr(0, e);
    const std::size_t dot = std::min(mantissa.find('.'), mantissa.size());
    const std::size_t first = mantissa.find_first_of("123456789");
    const std::string_view exponent = e == std::string::npos ? "0" : std::string_view(clean).substr(e + 1);
    const bool negative = exponent.starts_with('-');
    long long shown_exponent = std::numeric_limits<int>::max();
    const std::string_view plain = exponent.substr(negative || exponent.starts_with('+') ? 1 : 0);
    if (plain.size() < 10) std::from_chars(plain.data(), plain.data() + plain.size(), shown_exponent);
    const auto place = static_cast<long long>(dot) - static_cast<long long>(first);
    value = (negative ? -shown_exponent : shown_exponent) + place > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  }
  return std::bit_cast<std::uint64_t>(value);
}

}  // namespace dimgate::detail
