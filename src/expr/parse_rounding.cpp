// What makes integers and truth of exact fractions: rounding and comparison.
//
// floor(p/q) is p//q and ceil(p/q) is ceildiv(p, q) for any signs, both undefined where q is 0, and an integer n is on
// the same side of p/q as of its floor (for < and >=) or ceiling (for <= and >). Where the bottoms are constants, a
// comparison is one of products. Tests: tests/expr/language_test.cpp.
#include <array>

#include "expr/operator_parser.hpp"

namespace dimgate::detail {
namespace {

using Root = Fraction::Root;
using Rounded = Fraction::Rounded;

bool is_order(Op op) { return op == Op::Lt || op == Op::Le || op == Op::Gt || op == Op::Ge; }

bool is_even(const Integer& a) { return floor_mod(a, Integer(2)).is_zero(); }

}  // namespace

bool OperatorParser::rounding(CallKind kind, std::uint32_t place, const Operand& arg, Operand& out) {
  Operand integer = arg;
  as_integer(integer);
  Fraction f;
  std::string why;
  if (!fraction_of(integer, place, f, why)) return refuse(place, std::move(why), out);
  f.token = place;
  if (f.root != Root::none) {
    if (kind == CallKind::round && f.root == Root::plain)
      return refuse(place, "round of a root has no form here: use floor or ceil", out);
    const bool down =
        kind == CallKind::trunc || kind == CallKind::trunc_float || (kind == CallKind::floor) != f.negative;
    if (f.root == Root::plain) f.root = down ? Root::floor : Root::ceil;
    return push_fraction(f, out), true;
  }
  if (kind == CallKind::trunc || kind == CallKind::trunc_float)
    out.index = truncated(place, f);
  else if (kind == CallKind::round)
    out.index = rounded(place, f);
  else if (f.unit == Integer(1))
    out.index = f.top;
  else
    out.index = node(kind == CallKind::floor ? Op::FloorDiv : Op::CeilDiv, place, {f.top, bottom(place, f)});
  if (kind != CallKind::trunc_float) return true;
  Fraction whole;
  whole.top = out.index;
  whole.token = place;
  return push_fraction(whole, out), true;
}

std::uint32_t OperatorParser::truncated(std::uint32_t place, Fraction a) {
  if (a.unit == Integer(1)) return a.top;
  // trunc(trunc(p/q)/r) is trunc(p/(q*r)) for q, r > 0: halving sizes again and again stays one choice.
  if (const auto inner = truncated_.find(a.top); inner != truncated_.end() && !a.unit.is_zero()) {
    a.top = inner->second.top;
    a.unit *= inner->second.unit;
  }
  const std::uint32_t zero = constant(place, 0), below = bottom(place, a);
  std::uint32_t not_negative = node(Op::Ge, place, {a.top, zero});
  if (a.unit.is_zero()) {
    const std::uint32_t up = node(Op::And, place, {not_negative, node(Op::Gt, place, {below, zero})});
    const std::uint32_t down =
        node(Op::And, place, {node(Op::Le, place, {a.top, zero}), node(Op::Lt, place, {below, zero})});
    not_negative = node(Op::Or, place, {up, down});
  }
  const std::uint32_t floor = node(Op::FloorDiv, place, {a.top, below});
  const std::uint32_t made = node(Op::Ite, place, {not_negative, floor, node(Op::CeilDiv, place, {a.top, below})});
  if (!a.unit.is_zero()) truncated_.emplace(made, a);
  return made;
}

std::uint32_t OperatorParser::rounded(std::uint32_t place, const Fraction& a) {
  if (a.unit == Integer(1)) return a.top;
  // up = floor(x + 1/2) and down = ceil(x - 1/2) differ at a tie only, where the even one is meant.
  const bool doubled = !is_even(a.unit) || a.unit.is_zero();
  const std::uint32_t top = doubled ? scaled(place, a.top, Integer(2)) : a.top;
  const std::uint32_t half = doubled ? bottom(place, a) : constant(place, floor_div(a.unit, Integer(2)));
  const std::uint32_t whole = doubled ? scaled(place, half, Integer(2)) : bottom(place, a);
  const std::uint32_t up = node(Op::FloorDiv, place, {sum(place, top, half), whole});
  if (!is_even(a.unit)) return up;
  const std::uint32_t down = node(Op::CeilDiv, place, {node(Op::Sub, place, {top, half}), whole});
  const std::uint32_t two = constant(place, 2);
  const std::uint32_t even = scaled(place, node(Op::FloorDiv, place, {up, two}), Integer(2));
  const std::uint32_t odd = node(Op::Min, place, {node(Op::Mod, place, {up, two}), node(Op::Mod, place, {down, two})});
  return node(Op::Add, place, {even, odd});
}

bool OperatorParser::is_fraction_comparison(Op op, const Operand& left, const Operand& right) const {
  if (op != Op::Eq && op != Op::Ne && !is_order(op)) return false;
  if (left.kind == Operand::Kind::fraction || right.kind == Operand::Kind::fraction) return true;
  if (!is_float(left) && !is_float(right)) return false;
  if (is_order(op)) return true;
  return is_integer(is_float(left) ? right : left);
}

bool OperatorParser::compare(Op op, std::uint32_t place, const Operand& left, const Operand& right, Operand& out) {
  Fraction a, b;
  std::string why;
  std::array<Operand, 2> both{left, right};
  for (Operand& side : both) as_integer(side);
  for (int i = 0; i < 2; ++i) {
    const SyntaxNode* e = both[i].kind == Operand::Kind::node ? &out_.nodes[both[i].index] : nullptr;
    if (e == nullptr || e->op != Op::Symbol || !is_float(both[1 - i])) continue;
    const std::string& name = out_.symbols[e->payload].name;
    if (name.find_first_of(".[('\"") != std::string::npos && !is_integer_name(name))
      return refuse(place,
                    shown(name) +
                        " may be a float: floats are compared by '==' only; compare an integer with "
                        "an integer",
                    out);
  }
  if (!fraction_of(both[0], place, a, why) || !fraction_of(both[1], place, b, why))
    return refuse(place, std::move(why), out);
  out.kind = Operand::Kind::node;
  if (a.root != Root::none || b.root != Root::none) {
    const bool swap = a.root == Root::none;
    if (!compare_root(swap ? mirrored(op) : op, place, swap ? b : a, swap ? a : b, out.index, why))
      return refuse(place, std::move(why), out);
    return true;
  }
  if ((a.rounded == Rounded::often && b.rounded != Rounded::never) ||
      (b.rounded == Rounded::often && a.rounded != Rounded::never))
    return refuse(place, "a comparison of such quotients rounds in floats: multiply the divisors out", out);
  if (!a.unit.is_zero() && !b.unit.is_zero()) {
    if (a.unit == b.unit) a.unit = b.unit = 1;
    out.index = node(op, place, {scaled(place, a.top, b.unit), scaled(place, b.top, a.unit)});
    return true;
  }
  if (a.unit.is_zero() && b.unit.is_zero()) {  // p/q - r/s against 0
    const std::uint32_t p = node(Op::Sub, place, {product(place, a.top, b.bottom), product(place, b.top, a.bottom)});
    out.index = compare_ratio(op, place, p, product(place, a.bottom, b.bottom), constant(place, 0));
    return true;
  }
  const bool swap = !a.unit.is_zero();
  const Fraction &ratio = swap ? b : a, &other = swap ? a : b;
  out.index =
      compare_ratio(swap ? mirrored(op) : op, place, scaled(place, ratio.top, other.unit), ratio.bottom, other.top);
  return true;
}

std::uint32_t OperatorParser::compare_ratio(Op op, std::uint32_t place, std::uint32_t p, std::uint32_t q,
                                            std::uint32_t n) {
  const auto with = [&](Op rounding) { return node(op, place, {node(rounding, place, {p, q}), n}); };
  if (op == Op::Lt || op == Op::Ge) return with(Op::FloorDiv);
  if (op == Op::Le || op == Op::Gt) return with(Op::CeilDiv);
  return node(op == Op::Eq ? Op::And : Op::Or, place, {with(Op::FloorDiv), with(Op::CeilDiv)});
}

}  // namespace dimgate::detail
