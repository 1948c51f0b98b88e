// Bit operations on integers (of any size, negative ones in two's complement, as in Python), said by remainders:
// `x & 7` is x % 8, `x << 3` is x*8. One operand of `&`, `|`, `^` must be a constant; of two unknowns there is no such
// form. `&`, `|`, `^` and `~` are logical unless an operand is an integer by how it is written.
// Tests: tests/expr/language_test.cpp.
#include <array>
#include <utility>
#include <vector>

#include "expr/operator_parser.hpp"

namespace dimgate::detail {

bool OperatorParser::is_integer(const Operand& a) const {
  if (a.kind == Operand::Kind::fraction) return true;
  return a.kind == Operand::Kind::node && out_.is_number(a.index);
}

void OperatorParser::as_integer(Operand& a) {
  if (a.kind != Operand::Kind::node) return;
  const SyntaxNode e = out_.nodes[a.index];
  const auto is_tilde = [&](std::uint32_t n) {
    return out_.nodes[n].op == Op::Not && tokens_.text[out_.nodes[n].at] == '~';
  };
  bool inverted = false;
  std::uint32_t inner = a.index;
  for (; is_tilde(inner); inverted = !inverted) inner = out_.children[out_.nodes[inner].first];
  if (inner == a.index) return;
  out_.leftovers = true;
  a.index = inner;
  if (!inverted) {
    out_.nodes[inner].integer = true;
    return;
  }
  out_.integers.emplace_back(-1);
  const std::uint32_t minus_one =
      out_.add_leaf(Op::IntConst, text_, e.at, static_cast<std::uint32_t>(out_.integers.size() - 1));
  const std::array<std::uint32_t, 2> both{minus_one, inner};
  a.index = out_.add({Op::Sub, false, text_, e.at}, both.data(), both.size());
}

bool OperatorParser::bit_operator(Op op, std::uint32_t place, Operands args, Operand& out, bool& done) {
  const Tok spelled = tokens_.tokens[place].kind;
  CallKind kind{};
  bool integers = false;
  for (const Operand& a : args) integers = integers || is_integer(a);
  const OpInfo& row = info(op);
  if (row.args == ArgSorts::ints || (integers && (row.args == ArgSorts::same)))
    for (Operand& a : args) as_integer(a);
  switch (spelled) {
    case Tok::tilde:
      kind = CallKind::bit_not;
      break;
    case Tok::amp:
      kind = CallKind::bit_and;
      break;
    case Tok::pipe:
      kind = CallKind::bit_or;
      break;
    case Tok::caret:
      kind = CallKind::bit_xor;
      break;
    case Tok::shift_left:
    case Tok::shift_right:
      kind = spelled == Tok::shift_left ? CallKind::shift_left : CallKind::shift_right;
      integers = true;
      break;
    default:
      return true;
  }
  done = true;
  out_.leftovers = true;
  if (!integers && kind == CallKind::bit_xor) {  // of formulas
    out.index = node(Op::Not, place, {node(Op::Iff, place, {args[0].index, args[1].index})});
    return true;
  }
  if (!integers) return done = false, true;
  for (Operand& a : args) {
    if (a.kind == Operand::Kind::fraction || is_float(a))
      return refuse(place, shown_token(place) + " needs integers: round the fraction (floor, ceil, trunc, round)", out);
    as_integer(a);
  }
  if (kind == CallKind::shift_left || kind == CallKind::shift_right)
    return shift(kind == CallKind::shift_left, place, args[0].index, args[1].index, out);
  out.index = args[0].index;
  if (args.size() == 1) return bits(kind, place, out.index, out.index, out);
  for (std::size_t i = 1; i < args.size(); ++i)
    if (!bits(kind, place, out.index, args[i].index, out)) return false;
  out.bits = true;
  return true;
}

std::uint32_t OperatorParser::masked(std::uint32_t place, std::uint32_t x, const Integer& mask) {
  if (mask.sign() < 0) {  // what is not masked away
    const std::uint32_t away = masked(place, x, -mask - Integer(1));
    return node(Op::Sub, place, {x, away});
  }
  if (mask.is_zero()) return scaled(place, x, Integer(0));
  std::vector<std::uint32_t> parts;
  Integer rest = mask;
  for (unsigned low = 0; !rest.is_zero();) {
    unsigned zeros = 0, ones = 0;  // runs of bits, from the lowest
    for (; floor_mod(rest, Integer(2)).is_zero(); ++zeros) rest = floor_div(rest, Integer(2));
    for (; !floor_mod(rest, Integer(2)).is_zero(); ++ones) rest = floor_div(rest, Integer(2));
    low += zeros;
    std::uint32_t part = x;
    if (low != 0) part = node(Op::FloorDiv, place, {part, constant(place, pow(Integer(2), low))});
    part = node(Op::Mod, place, {part, constant(place, pow(Integer(2), ones))});
    parts.push_back(scaled(place, part, pow(Integer(2), low)));
    low += ones;
  }
  return parts.size() == 1 ? parts[0] : node(Op::Add, place, parts);
}

bool OperatorParser::bits(CallKind kind, std::uint32_t place, std::uint32_t a, std::uint32_t b, Operand& out) {
  if (kind == CallKind::bit_not) {
    const Integer* value = constant_of(a);
    out.index =
        value != nullptr ? constant(place, Integer(-1) - *value) : node(Op::Sub, place, {constant(place, -1), a});
    return true;
  }
  if (constant_of(b) == nullptr) std::swap(a, b);
  const Integer* mask = constant_of(b);
  if (mask == nullptr)
    return refuse(place, shown_token(place) + " of two unknown integers has no form here: one must be a constant", out);
  constexpr unsigned kMostBits = 256;
  if (mask->bit_length() > kMostBits)
    return refuse(place, "expected a mask of at most 256 bits after " + shown_token(place), out);
  const Integer constant_bits = *mask;
  const std::uint32_t both = masked(place, a, constant_bits);
  if (kind == CallKind::bit_and) {
    out.index = both;
    return true;
  }
  // x | m is x + m less what both have; x ^ m lacks that twice.
  const std::uint32_t taken = scaled(place, both, Integer(kind == CallKind::bit_or ? 1 : 2));
  out.index = node(Op::Sub, place, {node(Op::Add, place, {a, constant(place, constant_bits)}), taken});
  return true;
}

bool OperatorParser::shift(bool left, std::uint32_t place, std::uint32_t x, std::uint32_t by, Operand& out) {
  const Integer* count = constant_of(by);
  const Integer* one = constant_of(x);
  if (left && count == nullptr && one != nullptr && *one == Integer(1)) return power(place, Integer(2), by, out), true;
  if (count == nullptr || count->sign() < 0 || *count > Integer(kLargestExponent))
    return refuse(place, "expected a constant from 0 to 4096 after " + shown_token(place), out);
  const Integer power = pow(Integer(2), static_cast<unsigned>(count->small()));
  out.index = left ? scaled(place, x, power) : node(Op::FloorDiv, place, {x, constant(place, power)});
  return true;
}

bool OperatorParser::gcd(std::uint32_t place, std::uint32_t a, std::uint32_t b, Operand& out) {
  if (constant_of(b) == nullptr) std::swap(a, b);
  if (constant_of(b) == nullptr)
    return refuse(place, "gcd of two unknown integers has no form here: one must be a constant", out);
  const Integer whole = *constant_of(b);
  if (whole.is_zero()) {
    out.index = node(Op::Abs, place, {a});
    return true;
  }
  if (whole.bit_length() > 32) return refuse(place, "expected a constant below 2^32 in gcd(...)", out);
  // The largest divisor of the constant that divides a.
  const std::int64_t k = whole.sign() < 0 ? -whole.small() : whole.small();
  std::vector<std::int64_t> small, large;
  for (std::int64_t d = 1; d * d <= k; ++d) {
    if (k % d != 0) continue;
    small.push_back(d);
    if (d * d != k) large.push_back(k / d);
  }
  small.insert(small.end(), large.rbegin(), large.rend());
  std::uint32_t value = k == 1 ? sum(place, constant(place, 1), scaled(place, a, Integer(0))) : constant(place, 1);
  for (std::size_t i = 1; i < small.size(); ++i) {
    const std::uint32_t divisor = constant(place, small[i]);
    value = node(Op::Ite, place, {node(Op::Divides, place, {divisor, a}), divisor, value});
  }
  out.index = value;
  return true;
}

}  // namespace dimgate::detail
