// Operands: constants, sources, brackets, calls, and the prefix operators before them.
#include <algorithm>

#include "expr/names.hpp"
#include "expr/operator_parser.hpp"

namespace dimgate::detail {

bool OperatorParser::read_operand(bool& operand) {
  const Token& t = token();
  const Kind top = pending_.empty() ? Kind::group : pending_.back().kind;
  if (top == Kind::piecewise && !pending_.empty()) {
    if (t.kind != Tok::left_paren) return fail(at_, "expected '(value, condition)' in Piecewise, found " + found());
    open(Kind::piece, nullptr);
    return true;
  }
  switch (t.kind) {
    case Tok::integer:
    case Tok::floating:
      number(at_, false);
      break;
    case Tok::string:
      push_leaf(Op::EnumConst, at_, name(enum_name_of_string(string_content(spelling(at_)))));
      ++at_;
      break;
    case Tok::name:
      return read_name(operand);
    case Tok::plus:
      ++at_;
      return true;
    case Tok::minus:
      if (!signed_constant()) {
        push_operator({Kind::prefix, Level::kUnary, Op::Neg, false, at_, size()});
        ++at_;
        return true;
      }
      break;
    case Tok::tilde:
      push_operator({Kind::prefix, Level::kUnary, Op::Not, false, at_, size()});
      ++at_;
      return true;
    case Tok::kw_not:
      if (!pending_.empty() && !is_frame(pending_.back().kind) && pending_.back().level > Level::kNot)
        return fail(at_, "expected an operand after " + shown(spelling(pending_.back().token)) +
                             ", found 'not': put it in parentheses, (not ...)");
      push_operator({Kind::prefix, Level::kNot, Op::Not, false, at_, size()});
      ++at_;
      return true;
    case Tok::left_paren:
    case Tok::left_bracket:
    case Tok::left_brace:
      if (t.literal) {
        const std::size_t last = t.match + 1;
        const std::uint32_t start = at_;
        at_ = static_cast<std::uint32_t>(last);
        push_leaf(Op::EnumConst, start, name(normal_text(tokens_, start, last)));
        break;
      }
      if (t.kind != Tok::left_paren)
        return fail(at_, "expected an operand, found " + found() + ": a set or list of terms can only follow 'in'");
      open(Kind::group, nullptr);
      return true;
    default:
      return expected_operand();
  }
  values_.back().end = at_;
  operand = false;
  return true;
}

bool OperatorParser::expected_operand() {
  const bool first = at_ == 0 || tokens_.tokens[at_ - 1].kind == Tok::separator;
  if (first && (kind() == Tok::end || kind() == Tok::separator)) return fail(at_, "expected a formula, found nothing");
  return fail(at_, "expected an operand" + (first ? std::string() : " after " + shown(spelling(at_ - 1))) + ", found " +
                       found());
}

bool OperatorParser::signed_constant() {
  const Token& next = tokens_.tokens[at_ + 1];
  const bool word = next.kind == Tok::name && (spelling(at_ + 1) == "nan" || spelling(at_ + 1) == "inf");
  if (next.kind != Tok::integer && next.kind != Tok::floating && !word) return false;
  const Tok after = tokens_.tokens[at_ + 2].kind;
  if (after == Tok::power) return false;
  if (word) {
    if (after == Tok::dot || after == Tok::left_bracket || after == Tok::left_paren) return false;
    float_word(at_ + 1, true);
    at_ += 2;
    return true;
  }
  ++at_;
  number(at_ - 1, true);
  return true;
}

void OperatorParser::number(std::uint32_t place, bool negative) {
  const std::string_view text = spelling(at_);
  if (token().kind == Tok::floating) {
    std::uint64_t bits = float_token_bits(text);
    if (negative) bits ^= 1ULL << 63U;
    out_.floats.push_back(bits);
    push_leaf(Op::FloatConst, place, static_cast<std::uint32_t>(out_.floats.size() - 1));
    out_.nodes.back().literal = at_ + 1;
  } else {
    Integer value = integer_value(text);
    out_.integers.push_back(negative ? -value : std::move(value));
    push_leaf(Op::IntConst, place, static_cast<std::uint32_t>(out_.integers.size() - 1));
  }
  ++at_;
}

Integer OperatorParser::integer_value(std::string_view text) {
  std::string digits;
  if (text.size() > 1 && (text[1] == 'x' || text[1] == 'X')) {
    Integer value = 0;
    for (const char c : text.substr(2))
      value = value * Integer(16) + Integer(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    return value;
  }
  for (const char c : text)
    if (c != '_') digits += c;
  return Integer::parse(digits).value_or(Integer(0));
}

void OperatorParser::float_word(std::uint32_t i, bool negative) {
  std::uint64_t bits = spelling(i) == "inf" ? 0x7ff0000000000000ULL : 0x7ff8000000000000ULL;
  if (negative) bits ^= 1ULL << 63U;
  out_.floats.push_back(bits);
  push_leaf(Op::FloatConst, i, static_cast<std::uint32_t>(out_.floats.size() - 1));
}

bool OperatorParser::read_name(bool& operand) {
  const std::string_view word = spelling(at_);
  std::size_t paren = 0;
  if (const Function* f = function_called_at(tokens_, at_, paren)) return read_call(*f, paren, operand);
  if (is_reserved_word(word)) {
    if (word == "nan" || word == "inf")
      float_word(at_, false);
    else if (word == "none" || word == "null")
      return fail(at_, shown(word) + " is not a symbol: write None");
    else if (word == "None")
      push_leaf(Op::EnumConst, at_, name("None"));
    else
      push_leaf(Op::BoolConst, at_, word == "True" || word == "true" ? 1 : 0);
    ++at_;
  } else {
    SourceText source = read_source(tokens_, at_);
    if (source.kind == SourceKind::unknown_function || source.kind == SourceKind::unknown_constant) {
      const bool function = source.kind == SourceKind::unknown_function;
      std::string message = (function ? "unknown function " : "unknown constant ") + shown(source.name);
      const std::string_view last = std::string_view(source.name).substr(source.name.rfind('.') + 1);
      const auto near = function ? closest_function(last) : std::nullopt;
      if (near) message += "; did you mean " + shown(*near) + "?";
      return skip_opaque(at_, source.next, std::move(message), operand);
    }
    if (source.kind == SourceKind::broken)
      return fail(source.next, "expected a name after '.', found " + shown_token(source.next));
    if (source.kind == SourceKind::constant)
      push_leaf(Op::EnumConst, at_, name(std::move(source.name)));
    else if (source.kind == SourceKind::float_word)
      float_word(static_cast<std::uint32_t>(source.next) - 1, false);
    else
      push(out_.add_symbol(std::move(source.name), text_, token().begin), at_, at_);
    at_ = static_cast<std::uint32_t>(source.next);
  }
  values_.back().end = at_;
  operand = false;
  return true;
}

bool OperatorParser::skip_opaque(std::uint32_t from, std::size_t to, std::string message, bool& operand) {
  Operand out{Operand::Kind::node, false, 0, from, static_cast<std::uint32_t>(to)};
  if (!refuse(from, std::move(message), out)) return false;
  values_.push_back(out);
  at_ = out.end;
  operand = false;
  return true;
}

bool OperatorParser::read_call(const Function& f, std::size_t paren, bool& operand) {
  const std::uint32_t close = tokens_.tokens[paren].match;
  const bool one = close == paren + 2;
  switch (f.kind) {
    case CallKind::symbol:
      if (!one || tokens_.tokens[paren + 1].kind != Tok::string)
        return fail(paren + 1, "expected a string in Symbol('...'), found " + shown_token(paren + 1));
      push(out_.add_symbol(string_content(spelling(paren + 1)), text_, token().begin), at_, at_);
      break;
    case CallKind::float_of: {
      std::string_view digits = one ? spelling(paren + 1) : std::string_view();
      if (one && tokens_.tokens[paren + 1].kind == Tok::string) digits = digits.substr(1, digits.size() - 2);
      std::uint64_t bits = 0;
      if (!read_float(digits, bits)) {
        if (close != paren + 1 && !(one && tokens_.tokens[paren + 1].kind == Tok::string))
          return read_call(*find_function("ToFloat"), paren, operand);
        return fail(paren + 1, "expected a number in float('...'), found " + shown_token(paren + 1));
      }
      out_.floats.push_back(bits);
      push_leaf(Op::FloatConst, at_, static_cast<std::uint32_t>(out_.floats.size() - 1));
      if (tokens_.tokens[paren + 1].kind != Tok::string)
        out_.nodes.back().literal = static_cast<std::uint32_t>(paren) + 2;
      break;
    }
    case CallKind::float_bits: {
      if (!one || tokens_.tokens[paren + 1].kind != Tok::integer || spelling(paren + 1).size() > 20)
        return fail(paren + 1,
                    "expected the 64 bits as an integer in float_bits(0x...), found " + shown_token(paren + 1));
      const Integer value = integer_value(spelling(paren + 1));
      if (value.bit_length() > 64) return fail(paren + 1, "more than 64 bits in float_bits(...)");
      const Integer low = floor_mod(value, Integer::from_u64(1ULL << 32U));
      const Integer high = floor_div(value, Integer::from_u64(1ULL << 32U));
      out_.floats.push_back((static_cast<std::uint64_t>(high.small()) << 32U) |
                            static_cast<std::uint64_t>(low.small()));
      push_leaf(Op::FloatConst, at_, static_cast<std::uint32_t>(out_.floats.size() - 1));
      break;
    }
    case CallKind::outside: {
      const std::string_view named = spelling(paren - 1), instead = instead_of(named);
      std::string message = shown(named) + " is arithmetic of floats, which has no exact meaning here";
      if (!instead.empty()) (message += "; say it by ") += instead;
      return skip_opaque(at_, close + 1, std::move(message), operand);
    }
    default: {
      const std::uint32_t start = at_;
      at_ = static_cast<std::uint32_t>(paren);
      const bool list = (f.kind == CallKind::any || f.kind == CallKind::all) && is_list_alone(paren);
      if (list) ++at_;
      open(f.kind == CallKind::piecewise ? Kind::piecewise : Kind::call, &f);
      pending_.back().token = start;
      pending_.back().listed = list;
      const bool empty = kind() == Tok::right_paren || kind() == Tok::right_bracket || kind() == Tok::right_brace;
      return empty ? close_frame(operand) : true;
    }
  }
  at_ = close + 1;
  values_.back().end = at_;
  operand = false;
  return true;
}

bool OperatorParser::is_list_alone(std::size_t paren) const {
  const Token& inner = tokens_.tokens[paren + 1];
  if (inner.kind != Tok::left_bracket && inner.kind != Tok::left_brace && inner.kind != Tok::left_paren) return false;
  if (inner.match + 1 != tokens_.tokens[paren].match) return false;
  if (inner.kind != Tok::left_paren || inner.match == paren + 2) return true;
  for (std::uint32_t i = static_cast<std::uint32_t>(paren) + 2; i < inner.match; ++i) {
    if (tokens_.tokens[i].kind == Tok::comma) return true;
    i = std::max(i, tokens_.tokens[i].match);  // a closing bracket's partner lies before it
  }
  return false;
}

bool OperatorParser::read_float(std::string_view text, std::uint64_t& bits) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "nan" || text == "inf" || text == "infinity") {
    bits = text == "nan" ? 0x7ff8000000000000ULL : 0x7ff0000000000000ULL;
  } else {
    TokenList t;
    TextFault ignored;
    if (!lex(text, false, t, ignored) || t.tokens.size() != 2) return false;
    if (t.tokens[0].kind != Tok::integer && t.tokens[0].kind != Tok::floating) return false;
    bits = float_token_bits(text);
  }
  if (negative) bits ^= 1ULL << 63U;
  return true;
}

}  // namespace dimgate::detail
