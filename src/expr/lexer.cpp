#include "expr/lexer.hpp"

#include <array>
#include <optional>
#include <utility>

#include "base/ascii.hpp"
#include "expr/utf8.hpp"

namespace dimgate::detail {
namespace {

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
// Bytes of characters beyond ASCII count as letters: Python allows them in names.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

constexpr std::array<std::pair<std::string_view, Tok>, 7> kKeywords{{{"and", Tok::kw_and},
                                                                     {"or", Tok::kw_or},
                                                                     {"not", Tok::kw_not},
                                                                     {"in", Tok::kw_in},
                                                                     {"is", Tok::kw_is},
                                                                     {"if", Tok::kw_if},
                                                                     {"else", Tok::kw_else}}};

// Longest first.
constexpr std::array<std::pair<std::string_view, Tok>, 32> kMarks{{
    {"**", Tok::power},
    {"//", Tok::floor_div},
    {"==", Tok::eq},
    {"!=", Tok::ne},
    {"<=", Tok::le},
    {">=", Tok::ge},
    {"<<", Tok::shift_left},
    {">>", Tok::shift_right},
    {"^", Tok::caret},
    {"<", Tok::lt},
    {">", Tok::gt},
    {"(", Tok::left_paren},
    {")", Tok::right_paren},
    {"[", Tok::left_bracket},
    {"]", Tok::right_bracket},
    {"{", Tok::left_brace},
    {"}", Tok::right_brace},
    {",", Tok::comma},
    {".", Tok::dot},
    {":", Tok::colon},
    {"=", Tok::assign},
    {"+", Tok::plus},
    {"-", Tok::minus},
    {"*", Tok::star},
    {"/", Tok::slash},
    {"%", Tok::percent},
    {"&", Tok::amp},
    {"|", Tok::pipe},
    {"~", Tok::tilde},
    {";", Tok::separator},
    {"\xE2\x89\xA4", Tok::le},
    {"\xE2\x89\xA5", Tok::ge},
}};

bool is_open(Tok t) { return t == Tok::left_paren || t == Tok::left_bracket || t == Tok::left_brace; }
bool starts_an_item(Tok before) { return is_open(before) || before == Tok::comma || before == Tok::colon; }
bool is_close(Tok t) { return t == Tok::right_paren || t == Tok::right_bracket || t == Tok::right_brace; }

class Lexer {
 public:
  Lexer(TokenList& out, bool list_mode, TextFault& fault)
      : out_(out), text_(out.text), list_(list_mode), fault_(fault) {}

  bool run() {
    if (text_.size() > 0x7fffffffU) return fail(0, "text longer than 2^31 bytes");
    if (const std::size_t bad = first_invalid_utf8(text_); bad < text_.size()) return fail(bad, "text is not UTF-8");
    while (at_ < text_.size())
      if (!step()) return false;
    push(Tok::end, at_);
    if (!open_.empty()) {
      const std::size_t opener = open_.back().token;
      return fail(out_.tokens[opener].begin, shown(out_.spelling(opener)) + " is never closed");
    }
    return true;
  }

 private:
  struct Open {
    std::size_t token;
    bool literal = true;  // nothing but constants so far
    bool comma = false;
  };

  bool step() {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') return ++at_, true;
    if (c == '\n') {
      if (list_ && open_.empty()) push(Tok::separator, at_ + 1);
      return ++at_, true;
    }
    if (c == '#') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      return true;
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(1)) && !continues_a_source())) return number();
    if (c == '"' || c == '\'') return string();
    for (const auto& [mark, kind] : kMarks)
      if (text_.substr(at_, mark.size()) == mark) return punctuation(kind, mark.size());
    if (is_letter(c)) return word();
    return strange();
  }

  // `x.5` is not a number after x.
  [[nodiscard]] bool continues_a_source() const {
    if (out_.tokens.empty() || out_.tokens.back().end != at_) return false;
    const Tok t = out_.tokens.back().kind;
    return t == Tok::name || t == Tok::string || is_close(t);
  }

  bool number() {
    const std::size_t start = at_;
    Tok kind = Tok::integer;
    if (text_[at_] == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
      at_ += 2;
      while (at_ < text_.size() && is_hex(text_[at_])) ++at_;
      if (at_ == start + 2) return fail(start, "expected hexadecimal digits after '0x'");
    } else {
      digits();
      if (at_ < text_.size() && text_[at_] == '.') ++at_, kind = Tok::floating, digits();
      if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
        std::size_t p = at_ + 1;
        if (p < text_.size() && (text_[p] == '+' || text_[p] == '-')) ++p;
        if (p < text_.size() && is_digit(text_[p])) at_ = p, kind = Tok::floating, digits();
      }
    }
    if (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) {
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
      return fail(start, "malformed number " + shown(text_.substr(start, at_ - start)));
    }
    push(kind, start, at_);
    return true;
  }
  void digits() {
    while (at_ < text_.size() && (is_digit(text_[at_]) || (text_[at_] == '_' && is_digit(peek(1))))) ++at_;
  }

  bool string() {
    const std::size_t start = at_;
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size() || text_[at_] != quote)
      return fail(start, std::string("string without its closing ") + quote);
    push(Tok::string, start, ++at_);
    return true;
  }

  bool word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) {
      if (const std::string_view rest = text_.substr(at_, 3); rest == "\xE2\x89\xA4" || rest == "\xE2\x89\xA5") break;
      ++at_;
    }
    const std::string_view spelling = text_.substr(start, at_ - start);
    for (const auto& [keyword, kind] : kKeywords)
      if (keyword == spelling) return push(kind, start, at_), not_literal(), true;
    if (spelling != "True" && spelling != "False" && spelling != "None" && spelling != "nan" && spelling != "inf")
      not_literal();
    push(Tok::name, start, at_);
    return true;
  }

  bool punctuation(Tok kind, std::size_t length) {
    const std::size_t start = at_;
    at_ += length;
    if (is_open(kind)) {
      open_.push_back({out_.tokens.size()});
      push(kind, start, at_);
    } else if (is_close(kind)) {
      return close(kind, start);
    } else {
      if (kind == Tok::comma && !open_.empty()) open_.back().comma = true;
      const bool sign = kind == Tok::minus && !out_.tokens.empty() && starts_an_item(out_.tokens.back().kind);
      if (kind != Tok::comma && kind != Tok::colon && !sign) not_literal();
      if (kind == Tok::separator && !open_.empty()) {
        const std::string_view opener = out_.spelling(open_.back().token);
        return fail(out_.tokens[open_.back().token].begin, shown(opener) + " is never closed before ';'");
      }
      push(kind, start, at_);
    }
    return true;
  }

  bool close(Tok kind, std::size_t start) {
    const std::string_view spelling = text_.substr(start, 1);
    if (open_.empty()) return fail(start, "unmatched " + shown(spelling));
    const Open open = open_.back();
    const std::size_t opener = open.token;
    const Tok want = static_cast<Tok>(static_cast<int>(out_.tokens[opener].kind) + 1);
    if (want != kind) {
      const char* name = want == Tok::right_paren ? ")" : want == Tok::right_bracket ? "]" : "}";
      unsigned line = 0, column = 0;
      locate(text_, out_.tokens[opener].begin, 1, line, column);
      return fail(start, "expected " + shown(name) + " to close the " + shown(out_.spelling(opener)) + " at column " +
                             std::to_string(column) + ", found " + shown(spelling));
    }
    open_.pop_back();
    const bool empty = opener + 1 == out_.tokens.size();
    const bool tuple = open.literal && (empty || open.comma || want != Tok::right_paren);
    out_.tokens[opener].match = static_cast<std::uint32_t>(out_.tokens.size());
    out_.tokens[opener].literal = tuple;
    if (!tuple) not_literal();
    push(kind, start, at_);
    out_.tokens.back().match = static_cast<std::uint32_t>(opener);
    return true;
  }

  bool strange() {
    const char c = text_[at_];
    if (c == '!') return fail(at_, "unexpected '!': write 'not' (or '!=')");
    return fail(at_, "unexpected character " + shown(text_.substr(at_, 1)));
  }

  // Only the innermost bracket is told; closing it tells the next one out.
  void not_literal() {
    if (!open_.empty()) open_.back().literal = false;
  }
  [[nodiscard]] char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void push(Tok kind, std::size_t begin, std::size_t end) {
    out_.tokens.push_back({kind, false, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), 0});
  }
  void push(Tok kind, std::size_t end) { push(kind, at_, end); }
  bool fail(std::size_t at, std::string message) {
    fault_ = {static_cast<std::uint32_t>(at), std::move(message)};
    return false;
  }

  TokenList& out_;
  std::string_view text_;
  bool list_;
  TextFault& fault_;
  std::size_t at_ = 0;
  std::vector<Open> open_;
};

}  // namespace

bool lex(std::string_view text, bool list_mode, TokenList& out, TextFault& fault) {
  out.text = text;
  out.tokens.clear();
  return Lexer(out, list_mode, fault).run();
}

void locate(std::string_view text, std::uint32_t at, unsigned first_line, unsigned& line, unsigned& column) {
  line = first_line;
  column = 1;
  for (std::size_t i = 0; i < at && i < text.size(); ++i) {
    if (text[i] == '\n') {
      ++line;
      column = 1;
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {
      ++column;
    }
  }
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string out = "'";
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c & 0xC0U) != 0x80U && ++count > kMost) {
      out += "...";
      break;
    }
    out += c < 0x20 || c == 0x7f ? '?' : text[i];
  }
  return out += "'";
}

}  // namespace dimgate::detail
