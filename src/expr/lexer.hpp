// Splits formula text into tokens and pairs its brackets.
//
// Linear in the text. Brackets are paired here, once, so that the parser can jump over a source such as
// `L['x'].size()[0]` or a tuple constant, and so that a missing bracket is reported where it was opened.
// Tests: tests/expr/parser_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dimgate/result.hpp"

namespace dimgate::detail {

enum class Tok : std::uint8_t {
  end,
  separator,  // separator: `;` or, in a list, a line end outside brackets
  name,
  integer,
  floating,
  string,
  left_paren,
  right_paren,
  left_bracket,
  right_bracket,
  left_brace,
  right_brace,
  comma,
  dot,
  colon,
  assign,
  plus,
  minus,
  star,
  power,
  slash,
  floor_div,
  percent,
  amp,
  pipe,
  caret,
  shift_left,
  shift_right,
  tilde,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  kw_and,
  kw_or,
  kw_not,
  kw_in,
  kw_is,
  kw_if,
  kw_else,
};

struct Token {
  Tok kind;
  bool literal = false;     // an opening bracket: only constants and commas inside, and a comma or nothing (a tuple)
  std::uint32_t begin = 0;  // byte offsets in the text
  std::uint32_t end = 0;
  std::uint32_t match = 0;  // brackets: index of the partner
};

struct TokenList {
  std::string_view text;
  std::vector<Token> tokens;  // the last one is Tok::end
  [[nodiscard]] std::string_view spelling(std::size_t i) const {
    return text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin);
  }
};

/// A fault and the byte offset it is at.
struct TextFault {
  std::uint32_t at = 0;
  std::string message;
};

/// Lexes all of `text`. In list mode line ends outside brackets separate formulas.
bool lex(std::string_view text, bool list_mode, TokenList& out, TextFault& fault);

/// Line and column (in characters, not bytes) of a byte offset; both count from 1.
void locate(std::string_view text, std::uint32_t at, unsigned first_line, unsigned& line, unsigned& column);

/// A token as messages show it: quoted, on one line, cut at 40 characters.
std::string shown(std::string_view text);

}  // namespace dimgate::detail
