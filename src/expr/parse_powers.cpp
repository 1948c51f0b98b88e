// Powers with an unknown exponent, `2**s` and `1 << s`, which are compared and nothing else: they grow with s, so
// `2**s < 9` is s < 4 where s >= 0, and undefined where s < 0. Exact for every s, however large the power.
//
// What qualifies: a constant base of 2 or more, against a constant or a power of the same base.
// Tests: tests/expr/language_test.cpp.
#include "expr/operator_parser.hpp"

namespace dimgate::detail {
namespace {

constexpr unsigned kMostPowerBits = 4096;

// The least s >= 0 with base**s >= bound (or above it); the steps are at most the bits of the bound.
int least_exponent(const Integer& base, const Integer& scale, const Integer& bound, bool above) {
  Integer value = scale;
  int s = 0;
  for (; value < bound || (above && value == bound); ++s) value *= base;
  return s;
}

}  // namespace

void OperatorParser::power(std::uint32_t place, const Integer& base, std::uint32_t exponent, Operand& out) {
  Fraction f;
  f.root = Fraction::Root::power;
  f.top = exponent;
  f.unit = base;
  f.token = place;
  out_.nodes[exponent].integer = true;
  push_fraction(f, out);
}

bool OperatorParser::compare_power(Op op, std::uint32_t place, const Fraction& power, const Fraction& other,
                                   std::uint32_t& out, std::string& why) {
  const std::uint32_t zero = constant(place, 0);
  std::uint32_t whole = node(Op::Ge, place, {power.top, zero});
  std::uint32_t body = 0;
  if (other.root == Fraction::Root::power && other.unit == power.unit && other.negative == power.negative) {
    whole = node(Op::And, place, {whole, node(Op::Ge, place, {other.top, zero})});
    body = node(power.negative ? mirrored(op) : op, place, {power.top, other.top});
    out = node(Op::Ite, place, {whole, body, nowhere(place)});
    return true;
  }
  const Integer* top = constant_of(other.top);
  if (other.root != Fraction::Root::none || other.unit.is_zero() || top == nullptr ||
      top->bit_length() > kMostPowerBits) {
    why = "a power with an unknown exponent can be compared with a constant or a power of the same base only";
    return false;
  }
  const Integer bound = power.negative ? -*top : *top;
  if (power.negative) op = mirrored(op);
  const int reached = least_exponent(power.unit, other.unit, bound, false);
  const int passed = least_exponent(power.unit, other.unit, bound, true);
  const auto exponent = [&](Op how, int with) { return node(how, place, {power.top, constant(place, with)}); };
  if (op == Op::Lt || op == Op::Ge)
    body = exponent(op, reached);
  else if (op == Op::Le || op == Op::Gt)
    body = exponent(op == Op::Le ? Op::Lt : Op::Ge, passed);
  else
    body = reached == passed ? truth(place, op == Op::Ne) : exponent(op, reached);
  out = node(Op::Ite, place, {whole, body, nowhere(place)});
  return true;
}

}  // namespace dimgate::detail
