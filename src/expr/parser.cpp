#include "expr/parser.hpp"

#include "expr/names.hpp"
#include "expr/operator_parser.hpp"

namespace dimgate::detail {

bool OperatorParser::all(bool list_mode) {
  for (;;) {
    while (list_mode && kind() == Tok::separator) ++at_;
    if (list_mode && kind() == Tok::end) return true;
    if (!one()) return false;
    if (kind() == Tok::end) return true;
    if (!list_mode) return fail(at_, "expected one formula, found ';'");
  }
}

bool OperatorParser::one() {
  pending_.clear();
  values_.clear();
  links_.clear();
  sets_.clear();
  fractions_.clear();
  truncated_.clear();
  bool operand = true;
  for (;;) {
    if (operand) {
      if (!read_operand(operand)) return false;
    } else {
      if (kind() == Tok::end || kind() == Tok::separator) break;
      if (!read_operator(operand)) return false;
    }
  }
  if (!reduce_to_frame()) return false;
  if (!pending_.empty()) return fail(at_, "expected 'else' to go with 'if', found " + found());
  Operand& whole = values_[0];
  if (whole.kind == Operand::Kind::fraction) {
    const Fraction& f = fractions_[whole.index];
    const bool slash = tokens_.tokens[f.token].kind == Tok::slash, power = f.root == Fraction::Root::power;
    if (!refuse(f.token,
                slash ? "unexpected '/': terms are integers, write '//' for floor division"
                : power
                    ? "a power with an unknown exponent has no form here but in a comparison with a constant"
                    : shown_token(f.token) + " makes a fraction: round it (floor, ceil, trunc, round) or compare it",
                whole))
      return false;
  }
  if (whole.kind == Operand::Kind::opaque) settle(whole);
  out_.roots.push_back({whole.index, text_});
  return true;
}

bool OperatorParser::misplaced_set() {
  const bool last = kind() == Tok::end || kind() == Tok::separator;
  return fail(at_, "expected 'and', 'or' or the end after the set, found " + (last ? std::string("the end") : found()) +
                       ": put parentheses around the membership test");
}

std::string OperatorParser::shown_token(std::size_t i) const {
  const Tok k = tokens_.tokens[i].kind;
  return k == Tok::end                               ? "the end"
         : k == Tok::separator && spelling(i) != ";" ? "the end of the line"
                                                     : shown(spelling(i));
}

std::string OperatorParser::shown_tokens(const Operand& of) const {
  return shown(normal_text(tokens_, of.begin, of.end));
}

bool OperatorParser::fail(std::size_t at_token, std::string message) {
  fault_ = {tokens_.tokens[at_token].begin, std::move(message)};
  return false;
}

std::uint32_t OperatorParser::name(std::string text) {
  out_.names.push_back(std::move(text));
  return static_cast<std::uint32_t>(out_.names.size() - 1);
}

bool parse_tokens(const TokenList& tokens, std::uint32_t text_index, bool list_mode, bool opaque, Syntax& out,
                  TextFault& fault) {
  return OperatorParser(tokens, text_index, opaque, out, fault).all(list_mode);
}

}  // namespace dimgate::detail
