// Operators and frames that are complete become nodes.
#include "expr/functions.hpp"
#include "expr/operator_parser.hpp"

namespace dimgate::detail {

bool OperatorParser::reduce_above(Level level, bool left_associative) {
  while (!pending_.empty() && !is_frame(pending_.back().kind)) {
    const Pending& top = pending_.back();
    const bool same_run = top.kind == Kind::infix && top.level == level && top.run && same_operator(top);
    if (top.level < level || (top.level == level && (!left_associative || same_run))) break;
    if (!reduce()) return false;
  }
  return true;
}

bool OperatorParser::same_operator(const Pending& top) const {
  Infix in{};
  return infix_of(kind(), in) && in.op == top.op && in.level == top.level;
}

bool OperatorParser::reduce_to_frame() {
  while (!pending_.empty() && !is_frame(pending_.back().kind))
    if (!reduce()) return false;
  return true;
}

bool OperatorParser::reduce() {
  const Pending top = pending_.back();
  pending_.pop_back();
  if (top.kind == Kind::compare) return reduce_chain(top);
  if (is_set(values_.back())) return misplaced_set();
  if (top.kind == Kind::otherwise) {  // x, condition, y
    const std::uint32_t x = values_[top.first];
    values_[top.first] = values_[top.first + 1];
    values_[top.first + 1] = x;
  }
  if (top.op == Op::Pow && !check_exponent(top.token, values_.back())) return false;
  fold(top.op, top.token, top.first);
  return true;
}

bool OperatorParser::reduce_chain(const Pending& top) {
  const std::uint32_t count = static_cast<std::uint32_t>(links_.size()) - top.link;
  std::vector<std::uint32_t> parts;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Link link = links_[top.link + i];
    const std::uint32_t left = values_[top.first + i], right = values_[top.first + i + 1];
    std::uint32_t part = 0;
    if (is_set(right)) {
      std::vector<std::uint32_t>& elements = sets_[right & ~kSet];
      elements.insert(elements.begin(), left);
      part = node(Op::In, link.token, elements);
      if (link.negated) part = node(Op::Not, link.token, {part});
    } else {
      part = node(link.op, link.token, {left, right});
      out_.nodes[part].identity = link.identity;
    }
    parts.push_back(part);
  }
  const std::uint32_t whole = count == 1 ? parts[0] : node(Op::And, top.token, parts);
  links_.resize(top.link);
  values_.resize(top.first);
  values_.push_back(whole);
  return true;
}

bool OperatorParser::check_exponent(std::uint32_t place, std::uint32_t& exponent) {
  const SyntaxNode e = out_.nodes[exponent];
  if (e.op == Op::IntConst && out_.integers[e.payload].sign() >= 0) {
    if (out_.integers[e.payload] <= Integer(kLargestExponent)) return true;
    return fail(place, "expected an exponent of at most " + std::to_string(kLargestExponent) + " after '**'");
  }
  if (e.op == Op::Pow) {
    const SyntaxNode& base_node = out_.nodes[out_.children[e.first]];
    const Integer power = out_.integers[out_.nodes[out_.children[e.first + 1]].payload];
    if (base_node.op == Op::IntConst && power <= Integer(64)) {
      const Integer base = out_.integers[base_node.payload];
      if (base.sign() >= 0 && base.bit_length() <= 64) {
        out_.integers.push_back(pow(base, static_cast<unsigned>(power.small())));
        exponent = out_.add_leaf(Op::IntConst, text_, e.at, static_cast<std::uint32_t>(out_.integers.size() - 1));
        return true;
      }
    }
  }
  return fail(place, "expected a constant exponent >= 0 after '**'");
}

bool OperatorParser::close_frame(bool& operand) {
  if (!reduce_to_frame()) return false;
  if (pending_.empty()) return fail(at_, "unmatched " + found());
  const Pending frame = pending_.back();
  if (frame.kind == Kind::condition) return fail(at_, "expected 'else' to go with 'if', found " + found());
  pending_.pop_back();
  const std::uint32_t count = size() - frame.first;
  switch (frame.kind) {
    case Kind::set: {
      sets_.emplace_back(values_.begin() + frame.first, values_.end());
      values_.resize(frame.first);
      values_.push_back(kSet | static_cast<std::uint32_t>(sets_.size() - 1));
      break;
    }
    case Kind::piece:
      if (count != 2) return fail(at_, "expected ', condition' in the Piecewise case, found ')'");
      break;
    case Kind::piecewise:
      if (!finish_piecewise(frame, count)) return false;
      break;
    case Kind::call:
      if (!finish_call(frame, count)) return false;
      break;
    default:
      break;
  }
  ++at_;
  operand = false;
  return true;
}

bool OperatorParser::finish_call(const Pending& frame, std::uint32_t count) {
  const Function& f = *frame.function;
  if (count < f.min_args || (f.max_args != kVariadic && count > f.max_args)) {
    std::string want = std::to_string(f.min_args);
    if (f.max_args == kVariadic) want = "at least " + want;
    return fail(frame.token, shown(f.name) + " takes " + want + (f.min_args == 1 ? " argument" : " arguments") +
                                 ", found " + std::to_string(count));
  }
  if (f.kind == CallKind::identity) return true;
  if (f.kind == CallKind::modular_indexing) {
    const std::uint32_t quotient = node(Op::FloorDiv, frame.token, {values_[frame.first], values_[frame.first + 1]});
    const std::uint32_t whole = node(Op::Mod, frame.token, {quotient, values_[frame.first + 2]});
    values_.resize(frame.first);
    values_.push_back(whole);
    return true;
  }
  if (f.kind == CallKind::op && f.op == Op::Pow && !check_exponent(frame.token, values_.back())) return false;
  fold(f.op, frame.token, frame.first);
  return true;
}

bool OperatorParser::finish_piecewise(const Pending& frame, std::uint32_t count) {
  if (count == 0) return fail(frame.token, "'Piecewise' takes at least 1 case, found 0");
  std::uint32_t whole = 0;
  std::uint32_t last = count - 2;
  const SyntaxNode& final_condition = out_.nodes[values_.back()];
  if (final_condition.op == Op::BoolConst && final_condition.payload == 1) {
    whole = values_[frame.first + last];
  } else {
    // Undefined, of whatever sort the cases have: a choice by `0 divides 0`.
    const std::uint32_t value = values_[frame.first + last];
    const std::uint32_t zero = integer_node(frame.token, 0);
    const std::uint32_t never = node(Op::Divides, frame.token, {zero, zero});
    whole = node(Op::Ite, frame.token, {never, value, value});
    last += 2;
  }
  while (last > 0) {
    last -= 2;
    whole = node(Op::Ite, frame.token, {values_[frame.first + last + 1], values_[frame.first + last], whole});
  }
  values_.resize(frame.first);
  values_.push_back(whole);
  return true;
}

void OperatorParser::fold(Op op, std::uint32_t place, std::uint32_t first) {
  const std::uint32_t made =
      out_.add({op, false, text_, tokens_.tokens[place].begin}, values_.data() + first, values_.size() - first);
  values_.resize(first);
  values_.push_back(made);
}

std::uint32_t OperatorParser::node(Op op, std::uint32_t place, const std::vector<std::uint32_t>& operands) {
  return out_.add({op, false, text_, tokens_.tokens[place].begin}, operands.data(), operands.size());
}

std::uint32_t OperatorParser::integer_node(std::uint32_t place, int value) {
  out_.integers.emplace_back(value);
  return out_.add_leaf(Op::IntConst, text_, tokens_.tokens[place].begin,
                       static_cast<std::uint32_t>(out_.integers.size() - 1));
}

}  // namespace dimgate::detail
