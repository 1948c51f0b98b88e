// Square roots, which are compared and nothing else: `sqrt(x) > 3` is x > 9 where x >= 0, and undefined where x < 0.
//
// A root keeps its sign apart, so both sides of a comparison may be squared where the other is of that sign. A rounded
// root is compared with integers: floor(s) > n is s >= n + 1. Tests: tests/expr/language_test.cpp.
#include "expr/operator_parser.hpp"

namespace dimgate::detail {
namespace {

using Root = Fraction::Root;
using Rounded = Fraction::Rounded;

bool holds(Op op, int sign) {
  return (op == Op::Lt && sign < 0) || (op == Op::Le && sign <= 0) || (op == Op::Gt && sign > 0) ||
         (op == Op::Ge && sign >= 0);
}

}  // namespace

bool OperatorParser::square_root(std::uint32_t place, const Operand& arg, Operand& out) {
  Operand integer = arg;
  as_integer(integer);
  Fraction f;
  std::string why;
  if (!fraction_of(integer, place, f, why)) return refuse(place, std::move(why), out);
  if (f.root != Root::none || f.unit.is_zero() || f.rounded == Rounded::often)
    return refuse(place, "a root of such a fraction has no form here: take it of an integer", out);
  f.root = Root::plain;
  f.token = place;
  return push_fraction(f, out), true;
}

bool OperatorParser::compare_root(Op op, std::uint32_t place, Fraction root, Fraction other, std::uint32_t& out,
                                  std::string& why) {
  if (root.root == Root::power) return compare_power(op, place, root, other, out, why);
  if (other.root != Root::none || other.rounded != Rounded::never) {
    why = "a root can be compared with an integer or a dyadic number only: square both sides";
    return false;
  }
  if (root.root != Root::plain && other.unit != Integer(1)) {
    why = "a rounded root can be compared with an integer only";
    return false;
  }
  if (root.negative) {
    op = mirrored(op);
    other = negated(place, other);
  }
  Fraction next = other;  // of the integer above (floor) or below (ceil)
  if (root.root == Root::floor) next.top = sum(place, other.top, constant(place, 1));
  if (root.root == Root::ceil) next.top = sum(place, other.top, constant(place, -1));
  const auto squares = [&](Op how, const Fraction& with) { return compare_squares(how, place, root, with); };
  std::uint32_t body = 0;
  if (root.root == Root::plain) {
    body = squares(op, other);
  } else if (op == Op::Eq || op == Op::Ne) {
    const bool floor = root.root == Root::floor, same = op == Op::Eq;
    const Op here = floor ? (same ? Op::Ge : Op::Lt) : (same ? Op::Le : Op::Gt);
    const Op there = floor ? (same ? Op::Lt : Op::Ge) : (same ? Op::Gt : Op::Le);
    body = node(same ? Op::And : Op::Or, place, {squares(here, other), squares(there, next)});
  } else if (root.root == Root::floor) {  // below n is below n as it is; up to n is below n + 1
    const bool as_is = op == Op::Lt || op == Op::Ge;
    body = squares(op == Op::Lt || op == Op::Le ? Op::Lt : Op::Ge, as_is ? other : next);
  } else {
    const bool as_is = op == Op::Le || op == Op::Gt;
    body = squares(op == Op::Lt || op == Op::Le ? Op::Le : Op::Gt, as_is ? other : next);
  }
  const std::uint32_t real = node(Op::Ge, place, {root.top, constant(place, 0)});
  out = node(Op::Ite, place, {real, body, nowhere(place)});
  return true;
}

// sqrt(p/q) op u/v, given p >= 0: v*v*p op u*u*q, if u has the sign that a root can be compared with so.
std::uint32_t OperatorParser::compare_squares(Op op, std::uint32_t place, const Fraction& root, const Fraction& other) {
  const std::uint32_t left = scaled(place, root.top, other.unit * other.unit);
  const std::uint32_t right = scaled(place, product(place, other.top, other.top), root.unit);
  const std::uint32_t squares = node(op, place, {left, right});
  const bool both = op == Op::Lt || op == Op::Le || op == Op::Eq;  // and the sign, else or it
  const Op sign = op == Op::Lt ? Op::Gt : op == Op::Ge ? Op::Le : both ? Op::Ge : Op::Lt;
  if (const Integer* u = constant_of(other.top)) return holds(sign, u->sign()) == both ? squares : truth(place, !both);
  const std::uint32_t of_sign = node(sign, place, {other.top, constant(place, 0)});
  return node(both ? Op::And : Op::Or, place, {of_sign, squares});
}

}  // namespace dimgate::detail
