// What stands between operands: infix operators, comparison chains, conditions, commas and closing brackets.
#include "expr/operator_parser.hpp"

namespace dimgate::detail {

bool infix_of(Tok t, Infix& out) {
  switch (t) {
    case Tok::kw_or:
      out = {Level::kOr, Op::Or, true};
      return true;
    case Tok::kw_and:
      out = {Level::kAnd, Op::And, true};
      return true;
    case Tok::pipe:
      out = {Level::kBitOr, Op::Or, true};
      return true;
    case Tok::amp:
      out = {Level::kBitAnd, Op::And, true};
      return true;
    case Tok::caret:
      out = {Level::kBitXor, Op::Iff, false};
      return true;
    case Tok::shift_left:
      out = {Level::kShift, Op::Mul, false};
      return true;
    case Tok::shift_right:
      out = {Level::kShift, Op::FloorDiv, false};
      return true;
    case Tok::plus:
      out = {Level::kSum, Op::Add, true};
      return true;
    case Tok::minus:
      out = {Level::kSum, Op::Sub, false};
      return true;
    case Tok::star:
      out = {Level::kProduct, Op::Mul, true};
      return true;
    case Tok::slash:
    case Tok::floor_div:
      out = {Level::kProduct, Op::FloorDiv, false};
      return true;
    case Tok::percent:
      out = {Level::kProduct, Op::Mod, false};
      return true;
    case Tok::power:
      out = {Level::kPower, Op::Pow, false};
      return true;
    case Tok::eq:
      out = {Level::kCompare, Op::Eq, false};
      return true;
    case Tok::ne:
      out = {Level::kCompare, Op::Ne, false};
      return true;
    case Tok::lt:
      out = {Level::kCompare, Op::Lt, false};
      return true;
    case Tok::le:
      out = {Level::kCompare, Op::Le, false};
      return true;
    case Tok::gt:
      out = {Level::kCompare, Op::Gt, false};
      return true;
    case Tok::ge:
      out = {Level::kCompare, Op::Ge, false};
      return true;
    default:
      return false;
  }
}

bool OperatorParser::read_operator(bool& operand) {
  Infix in{};
  const bool after_piece = !pending_.empty() && pending_.back().kind == Kind::piecewise;
  if (after_piece && kind() != Tok::comma && kind() != Tok::right_paren)
    return fail(at_, "expected ',' or ')' after the Piecewise case, found " + found());
  switch (kind()) {
    case Tok::right_paren:
    case Tok::right_bracket:
    case Tok::right_brace:
      return close_frame(operand);
    case Tok::comma:
      return comma(operand);
    case Tok::kw_if:
      return begin_condition(operand);
    case Tok::kw_else:
      return end_condition(operand);
    case Tok::kw_in:
      return comparison({Op::In, false, false, at_}, 1, operand);
    case Tok::kw_is: {
      const bool negated = tokens_.tokens[at_ + 1].kind == Tok::kw_not;
      return comparison({negated ? Op::Ne : Op::Eq, false, true, at_}, negated ? 2 : 1, operand);
    }
    case Tok::kw_not:
      if (tokens_.tokens[at_ + 1].kind != Tok::kw_in)
        return fail(at_, "expected an operator, found 'not' (did you mean 'not in'?)");
      return comparison({Op::In, true, false, at_}, 2, operand);
    case Tok::assign:
      return fail(at_, "unexpected '=': write '==' to compare");
    default:
      break;
  }
  if (!infix_of(kind(), in)) return fail(at_, "expected an operator, found " + found());
  if (in.level == Level::kCompare) return comparison({in.op, false, false, at_}, 1, operand);
  if (!reduce_above(in.level, in.level != Level::kPower)) return false;
  if (is_set(values_.back())) return misplaced_set();
  if (!pending_.empty() && in.run) {
    const Pending& top = pending_.back();
    if (top.kind == Kind::infix && top.level == in.level && top.op == in.op && top.run) return ++at_, operand = true;
  }
  push_operator({Kind::infix, in.level, in.op, in.run, at_, size() - 1});
  ++at_;
  return operand = true;
}

bool OperatorParser::comparison(Link link, std::uint32_t tokens, bool& operand) {
  if (!reduce_above(Level::kCompare, false)) return false;
  if (is_set(values_.back())) return misplaced_set();
  if (pending_.empty() || pending_.back().kind != Kind::compare) {
    push_operator({Kind::compare, Level::kCompare, link.op, false, at_, size() - 1});
    pending_.back().link = static_cast<std::uint32_t>(links_.size());
  }
  links_.push_back(link);
  at_ += tokens;
  operand = true;
  if (link.op != Op::In) return true;
  if (kind() != Tok::left_paren && kind() != Tok::left_bracket && kind() != Tok::left_brace)
    return fail(at_, "expected a set such as {1, 2} after 'in', found " + found());
  const bool empty = token().match == at_ + 1;
  open(Kind::set, nullptr);
  return empty ? close_frame(operand) : true;
}

bool OperatorParser::begin_condition(bool& operand) {
  while (!pending_.empty() && !is_frame(pending_.back().kind) && pending_.back().kind != Kind::otherwise)
    if (!reduce()) return false;
  if (!pending_.empty() && pending_.back().kind == Kind::condition)
    return fail(at_, "expected 'else', found 'if': put the inner 'x if c else y' in parentheses");
  if (is_set(values_.back())) return misplaced_set();
  pending_.push_back({Kind::condition, Level::kElse, Op::Ite, false, at_, size() - 1});
  ++at_;
  return operand = true;
}

bool OperatorParser::end_condition(bool& operand) {
  if (!reduce_to_frame()) return false;
  if (pending_.empty() || pending_.back().kind != Kind::condition) return fail(at_, "unexpected 'else' without 'if'");
  pending_.back().kind = Kind::otherwise;
  ++at_;
  return operand = true;
}

bool OperatorParser::comma(bool& operand) {
  if (!reduce_to_frame()) return false;
  const Kind top = pending_.empty() ? Kind::condition : pending_.back().kind;
  if (pending_.empty()) return fail(at_, "expected an operator or the end, found ','");
  if (top == Kind::condition) return fail(at_, "expected 'else' to go with 'if', found ','");
  if (top == Kind::group) return fail(at_, "expected ')' or an operator, found ','");
  if (top == Kind::piece && size() - pending_.back().first == 2) return fail(at_, "expected ')' after the condition");
  ++at_;
  const Tok next = kind();
  if (next == Tok::right_paren || next == Tok::right_bracket || next == Tok::right_brace) return close_frame(operand);
  return operand = true;
}

}  // namespace dimgate::detail
