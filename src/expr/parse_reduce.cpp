// Operators and frames that are complete become nodes.
#include <algorithm>
#include <array>
#include <utility>

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
  if (top.kind == Kind::otherwise) std::swap(values_[top.first], values_[top.first + 1]);  // x, condition, y
  return fold(top.op, top.token, top.first, at_);
}

bool OperatorParser::reduce_chain(const Pending& top) {
  const std::uint32_t count = static_cast<std::uint32_t>(links_.size()) - top.link;
  Operand whole{Operand::Kind::opaque, false, 0, values_[top.first].begin, at_};
  bool opaque = false;
  for (std::uint32_t i = 0; i <= count; ++i) {
    const Operand& operand = values_[top.first + i];
    opaque = opaque || operand.kind == Operand::Kind::opaque;
    if (is_set(operand)) opaque = opaque || any_opaque(sets_[operand.index]);
    if (operand.bits && count > 1)
      return fail(operand.begin, "expected brackets around " + shown_tokens(operand) +
                                     ": bit operations bind tighter than '==', as in Python: write (a == b) & (c == d) "
                                     "for both, (a & b) == c for bits");
  }
  std::vector<std::uint32_t> parts;
  for (std::uint32_t i = 0; i < count && !opaque; ++i) {
    std::uint32_t part = 0;
    if (!link(links_[top.link + i], values_[top.first + i], values_[top.first + i + 1], part, opaque)) return false;
    parts.push_back(part);
  }
  if (opaque)
    whole.index = opaque_formula(whole);
  else
    whole.index = count == 1 ? parts[0] : node(Op::And, top.token, parts);
  whole.kind = Operand::Kind::node;
  links_.resize(top.link);
  values_.resize(top.first);
  values_.push_back(whole);
  return true;
}

bool OperatorParser::link(const Link& link, const Operand& left, const Operand& right, std::uint32_t& part,
                          bool& opaque) {
  Operand out{Operand::Kind::node, false, 0, left.begin, right.end};
  if (is_set(right)) {
    std::vector<Operand> elements = sets_[right.index];
    elements.insert(elements.begin(), left);
    if (!combine(Op::In, link.token, elements, out)) return false;
    if (link.negated && out.kind == Operand::Kind::node) out.index = node(Op::Not, link.token, {out.index});
  } else {
    std::array<Operand, 2> both{left, right};
    if (!combine(link.op, link.token, both, out)) return false;
    if (out.kind == Operand::Kind::node) out_.nodes[out.index].identity = link.identity;
  }
  opaque = out.kind == Operand::Kind::opaque;
  part = out.index;
  return true;
}

bool OperatorParser::check_exponent(std::uint32_t place, Operand& exponent) {
  if (exponent.kind != Operand::Kind::node) return fail(place, "expected a constant exponent >= 0 after '**'");
  const SyntaxNode e = out_.nodes[exponent.index];
  if (e.op == Op::IntConst && out_.integers[e.payload].sign() >= 0) {
    if (out_.integers[e.payload] <= Integer(kLargestExponent)) return true;
    return fail(place, "expected an exponent of at most " + std::to_string(kLargestExponent) + " after '**'");
  }
  if (e.op == Op::Pow) {
    const Integer* base = constant_of(out_.children[e.first]);
    const Integer* power = constant_of(out_.children[e.first + 1]);
    if (base != nullptr && power != nullptr && *power <= Integer(64) && base->sign() >= 0 && base->bit_length() <= 64) {
      exponent.index = constant(exponent.begin, pow(*base, static_cast<unsigned>(power->small())));
      return true;
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
      const Operand set{Operand::Kind::set, false, static_cast<std::uint32_t>(sets_.size()), frame.token, at_ + 1};
      sets_.emplace_back(values_.begin() + frame.first, values_.end());
      values_.resize(frame.first);
      values_.push_back(set);
      break;
    }
    case Kind::piece:
      if (count != 2) return fail(at_, "expected ', condition' in the Piecewise case, found ')'");
      settle(values_.back());
      break;
    case Kind::piecewise:
      if (!finish_piecewise(frame, count)) return false;
      break;
    case Kind::call:
      if (frame.listed) {
        ++at_;
        if (kind() != Tok::right_paren) return fail(at_, "expected ')' after the list, found " + found());
      }
      if (!finish_call(frame, count)) return false;
      break;
    case Kind::group:
      values_.back().begin = frame.token;
      values_.back().end = at_ + 1;
      values_.back().bits = false;
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
  if (f.kind == CallKind::op) return fold(f.op, frame.token, frame.first, at_ + 1);
  std::vector<Operand> args(values_.begin() + frame.first, values_.end());
  Operand out{Operand::Kind::node, false, 0, frame.token, at_ + 1};
  if (!call(f, frame.token, args, out)) return false;
  values_.resize(frame.first);
  values_.push_back(out);
  return true;
}

bool OperatorParser::finish_piecewise(const Pending& frame, std::uint32_t count) {
  if (count == 0) return fail(frame.token, "'Piecewise' takes at least 1 case, found 0");
  std::uint32_t last = count - 2;
  Operand whole = values_[frame.first + last];
  const Operand& last_condition = values_.back();
  const bool is_node = last_condition.kind == Operand::Kind::node;
  const bool always =
      is_node && out_.nodes[last_condition.index].op == Op::BoolConst && out_.nodes[last_condition.index].payload == 1;
  if (!always) {
    // Undefined, of whatever sort the cases have: a choice by `0 divides 0`.
    std::array<Operand, 3> never{Operand{}, whole, whole};
    never[0].index = nowhere(frame.token);
    if (!combine(Op::Ite, frame.token, never, whole)) return false;
    last += 2;
  }
  whole.begin = frame.token;
  whole.end = at_ + 1;
  while (last > 0) {
    last -= 2;
    std::array<Operand, 3> choice{values_[frame.first + last + 1], values_[frame.first + last], whole};
    if (!combine(Op::Ite, frame.token, choice, whole)) return false;
  }
  values_.resize(frame.first);
  values_.push_back(whole);
  return true;
}

bool OperatorParser::fold(Op op, std::uint32_t place, std::uint32_t first, std::uint32_t end) {
  Operand out{Operand::Kind::node, false, 0, place, end};
  for (std::uint32_t i = first; i < size(); ++i) out.begin = std::min(out.begin, values_[i].begin);
  if (!combine(op, place, std::span(values_).subspan(first), out)) return false;
  values_.resize(first);
  values_.push_back(out);
  return true;
}

bool OperatorParser::combine(Op op, std::uint32_t place, Operands args, Operand& out) {
  out.kind = Operand::Kind::node;
  bool done = false;
  if (any_opaque(args)) {
    combine_opaque(op, args, out, done);
    if (done) return true;
  }
  if (!bit_operator(op, place, args, out, done)) return false;
  if (done) return true;
  const bool slash = tokens_.tokens[place].kind == Tok::slash;
  bool fractions = slash;
  for (const Operand& a : args) fractions = fractions || a.kind == Operand::Kind::fraction;
  const OpInfo& row = info(op);
  if (row.args == ArgSorts::ints && row.result == Sort::Int)
    for (const Operand& a : args) fractions = fractions || is_float(a);
  if (row.args == ArgSorts::ints || op == Op::Eq || op == Op::Ne)
    if (args.size() == 2 && is_fraction_comparison(op, args[0], args[1])) fractions = true;
  if (fractions) return fraction_operator(op, place, args, out);
  if (op == Op::Pow) {
    const Integer* base = constant_of(args[0].index);
    const bool unknown = constant_of(args[1].index) == nullptr && out_.nodes[args[1].index].op != Op::Pow;
    if (unknown && base != nullptr && *base >= Integer(2)) return power(place, *base, args[1].index, out), true;
    if (!check_exponent(place, args[1])) return false;
  }
  std::vector<std::uint32_t> nodes;
  for (const Operand& a : args) nodes.push_back(a.index);
  out.index = node(op, place, nodes);
  return true;
}

std::uint32_t OperatorParser::node(Op op, std::uint32_t place, std::initializer_list<std::uint32_t> operands) {
  return node(op, place, std::span(operands.begin(), operands.size()));
}

std::uint32_t OperatorParser::node(Op op, std::uint32_t place, std::span<const std::uint32_t> operands) {
  return out_.add({op, false, text_, tokens_.tokens[place].begin}, operands.data(), operands.size());
}

std::uint32_t OperatorParser::constant(std::uint32_t place, Integer value) {
  out_.integers.push_back(std::move(value));
  return out_.add_leaf(Op::IntConst, text_, tokens_.tokens[place].begin,
                       static_cast<std::uint32_t>(out_.integers.size() - 1));
}

std::uint32_t OperatorParser::truth(std::uint32_t place, bool value) {
  return out_.add_leaf(Op::BoolConst, text_, tokens_.tokens[place].begin, value ? 1 : 0);
}

std::uint32_t OperatorParser::nowhere(std::uint32_t place) {
  const std::uint32_t zero = constant(place, 0);
  return node(Op::Divides, place, {zero, zero});
}

const Integer* OperatorParser::constant_of(std::uint32_t node) const {
  return out_.nodes[node].op == Op::IntConst ? &out_.integers[out_.nodes[node].payload] : nullptr;
}

std::uint32_t OperatorParser::scaled(std::uint32_t place, std::uint32_t node, const Integer& by) {
  if (by == Integer(1)) return node;
  if (const Integer* value = constant_of(node)) return constant(place, *value * by);
  const std::uint32_t factor = constant(place, by);
  return this->node(Op::Mul, place, {factor, node});
}

std::uint32_t OperatorParser::sum(std::uint32_t place, std::uint32_t a, std::uint32_t b) {
  const Integer *x = constant_of(a), *y = constant_of(b);
  if (x != nullptr && y != nullptr) return constant(place, *x + *y);
  if (x != nullptr && x->is_zero()) return b;
  if (y != nullptr && y->is_zero()) return a;
  return node(Op::Add, place, {a, b});
}

std::uint32_t OperatorParser::product(std::uint32_t place, std::uint32_t a, std::uint32_t b) {
  if (const Integer* x = constant_of(a)) return scaled(place, b, *x);
  if (const Integer* y = constant_of(b)) return scaled(place, a, *y);
  return node(Op::Mul, place, {a, b});
}

}  // namespace dimgate::detail
