// Arithmetic of exact fractions: `H*0.5`, `a/b`, `ToFloat(x) + 1`.
//
// A fraction is top/bottom, undefined where the bottom is 0; in the end it is rounded or compared (parse_rounding.cpp)
// and so becomes operators on integers. The meaning is exact. Front ends compute in doubles, and the two must agree on
// all numbers below 2^53; so what a double shows of its rounding is refused: the product of a quotient (1/49*49 is not
// 1), the sum of two, a literal such as 0.1 in a product. What is left: dyadic numbers (integers times m/2^k: doubles
// do not round them), one quotient of them (rounded once: the nearest double is on the same side of every integer),
// and such a quotient plus a dyadic number or divided by one (an integer comes out only if every step was exact).
// Tests: tests/expr/language_test.cpp.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "expr/names.hpp"
#include "expr/operator_parser.hpp"
#include "expr/symbol_names.hpp"

namespace dimgate::detail {
namespace {

constexpr unsigned kMostDigits = 40;
constexpr unsigned kMostBits = 4096;

bool is_power_of_two(const Integer& a) {
  return a.sign() > 0 && a == pow(Integer(2), static_cast<unsigned>(a.bit_length() - 1));
}

Integer gcd_of(Integer a, Integer b) {
  while (!b.is_zero()) a = std::exchange(b, floor_mod(a, b));
  return a;
}

}  // namespace

// What a front end's names say: sizes, strides and PyTorch's s0 and u0 are integers; zf0 is a float.
bool is_integer_name(std::string_view name) {
  if (is_size_name(name) || name.find(".stride()[") != std::string_view::npos) return true;
  return (name[0] == 's' || name[0] == 'u') && name.size() > 1 &&
         name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

namespace {

bool is_float_name(std::string_view name) {
  const std::string_view rest = name.substr(name.starts_with("zuf") ? 3 : name.starts_with("zf") ? 2 : name.size());
  return !rest.empty() && rest.find_first_not_of("0123456789") == std::string_view::npos;
}

using Rounded = Fraction::Rounded;

}  // namespace

bool OperatorParser::literal(std::uint32_t node, Fraction& out) {
  const SyntaxNode e = out_.nodes[node];
  if (e.literal == 0) return false;
  // digits [. digits] [e [sign] digits] = value * 10^exponent
  std::string digits;
  long exponent = 0;
  bool fraction = false;
  const std::string_view text = spelling(e.literal - 1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '.') {
      fraction = true;
    } else if (text[i] == 'e' || text[i] == 'E') {
      const std::string_view power = text.substr(i + 1);
      if (power.size() > 4) return false;
      exponent += std::strtol(std::string(power).c_str(), nullptr, 10);
      break;
    } else if (text[i] != '_') {
      digits += text[i];
      exponent -= fraction ? 1 : 0;
    }
  }
  if (digits.size() > kMostDigits || exponent > 40 || exponent < -80) return false;
  Integer top = Integer::parse(digits).value_or(Integer(0));
  if ((out_.floats[e.payload] >> 63U) != 0) top = -top;
  Integer unit = 1;
  (exponent >= 0 ? top : unit) *= pow(Integer(10), static_cast<unsigned>(std::abs(exponent)));
  const Integer common = gcd_of(unit, top.sign() < 0 ? -top : top);
  unit = floor_div(unit, common);
  top = floor_div(top, common);
  // As a double it is exact if it is dyadic and short.
  out = {};
  out.rounded = is_power_of_two(unit) && top.bit_length() <= 53 ? Rounded::never : Rounded::once;
  out.unit = std::move(unit);
  out_.integers.push_back(std::move(top));
  out.top = out_.add_leaf(Op::IntConst, text_, e.at, static_cast<std::uint32_t>(out_.integers.size() - 1));
  return true;
}

bool OperatorParser::is_float(const Operand& a) const {
  return a.kind == Operand::Kind::node && out_.nodes[a.index].op == Op::FloatConst;
}

bool OperatorParser::fraction_of(const Operand& a, std::uint32_t place, Fraction& out, std::string& why) {
  if (a.kind == Operand::Kind::fraction) return out = fractions_[a.index], true;
  out = {};
  out.top = a.index;
  out.token = place;
  SyntaxNode& e = out_.nodes[a.index];
  if (e.op == Op::FloatConst) {
    if (literal(a.index, out)) return out.token = place, true;
    why = "expected a short decimal number at " + shown_token(place) + ", found " + shown_tokens(a);
    return false;
  }
  if (e.op == Op::Symbol) {
    const std::string& name = out_.symbols[e.payload].name;
    if (is_float_name(name) || (opaque_ && !is_integer_name(name))) {
      why = shown(name) + " may be a float: arithmetic of floats has no exact meaning here";
      return false;
    }
  }
  e.integer = true;
  return true;
}

void OperatorParser::push_fraction(const Fraction& f, Operand& out) {
  out_.leftovers = true;
  out.kind = Operand::Kind::fraction;
  out.index = static_cast<std::uint32_t>(fractions_.size());
  fractions_.push_back(f);
}

std::uint32_t OperatorParser::bottom(std::uint32_t place, const Fraction& a) {
  return a.unit.is_zero() ? a.bottom : constant(place, a.unit);
}

Fraction OperatorParser::negated(std::uint32_t place, Fraction a) {
  if (a.root != Fraction::Root::none) {
    a.negative = !a.negative;
    return a;
  }
  a.top = constant_of(a.top) != nullptr ? scaled(place, a.top, Integer(-1)) : node(Op::Neg, place, {a.top});
  return a;
}

bool OperatorParser::fraction_operator(Op op, std::uint32_t place, Operands args, Operand& out) {
  std::string why;
  Fraction made;
  const OpInfo& row = info(op);
  const bool slash = tokens_.tokens[place].kind == Tok::slash;
  if (op == Op::Ite) {
    if (!choose(place, args, made, why)) return refuse(place, std::move(why), out);
    return push_fraction(made, out), true;
  }
  if (op == Op::In) {
    std::vector<std::uint32_t> parts;
    for (std::size_t i = 1; i < args.size(); ++i) {
      Operand one = out;
      if (is_set(args[i]) || args[i].kind == Operand::Kind::fraction || constant_of(args[i].index) == nullptr)
        return refuse(place, "expected integers in the set, next to a fraction", out);
      if (!compare(Op::Eq, place, args[0], args[i], one)) return false;
      if (one.kind == Operand::Kind::opaque) return settle(out = one), true;
      parts.push_back(one.index);
    }
    if (!parts.empty()) return out.index = node(Op::Or, place, parts), true;
  }
  if (row.result == Sort::Bool && row.args != ArgSorts::bools && args.size() == 2 && op != Op::Divides &&
      op != Op::In && op != Op::Distinct && row.args != ArgSorts::floats)
    return compare(op, place, args[0], args[1], out);
  if (row.result == Sort::Bool)
    return refuse(place, shown_token(place) + " takes no fraction: round it (floor, ceil, trunc, round)", out);
  std::vector<Fraction> fractions(args.size());
  for (std::size_t i = 0; i < args.size(); ++i) {
    as_integer(args[i]);
    if (!fraction_of(args[i], place, fractions[i], why)) return refuse(place, std::move(why), out);
  }
  if (slash && !divide(place, fractions[0], fractions[1], made, why)) return refuse(place, std::move(why), out);
  if (!slash && op == Op::Pow && constant_of(fractions[1].top) != nullptr &&
      *constant_of(fractions[1].top) == Integer(1) && fractions[1].unit == Integer(2))
    return square_root(place, args[0], out);
  if (!slash && !arithmetic(op, place, fractions, made, why)) return refuse(place, std::move(why), out);
  if (made.unit.bit_length() > kMostBits)
    return refuse(place, "expected a divisor of at most 4096 bits, found a larger one", out);
  made.token = place;
  return push_fraction(made, out), true;
}

bool OperatorParser::arithmetic(Op op, std::uint32_t place, std::span<Fraction> f, Fraction& out, std::string& why) {
  bool exact = true;
  Integer unit = 1;  // all bottoms divide it
  for (const Fraction& a : f) {
    exact = exact && a.rounded == Rounded::never && a.root == Fraction::Root::none;
    if (a.rounded == Rounded::never && a.unit > unit) unit = a.unit;
  }
  const auto over_unit = [&](const Fraction& a) { return scaled(place, a.top, floor_div(unit, a.unit)); };
  out = f[0];
  switch (op) {
    case Op::Neg:
      out = negated(place, f[0]);
      return true;
    case Op::Sub:
      return add(place, f[0], negated(place, f[1]), out, why);
    case Op::Add:
      for (std::size_t i = 1; i < f.size(); ++i)
        if (const Fraction a = out; !add(place, a, f[i], out, why)) return false;
      return true;
    case Op::Mul:
      for (std::size_t i = 1; i < f.size(); ++i)
        if (const Fraction a = out; !multiply(place, a, f[i], out, why)) return false;
      return true;
    case Op::Abs:
      if (f[0].root != Fraction::Root::none) break;
      out.top = node(Op::Abs, place, {f[0].top});
      if (f[0].unit.is_zero()) out.bottom = node(Op::Abs, place, {f[0].bottom});
      return true;
    case Op::Min:
    case Op::Max:
    case Op::Mod: {
      if (!exact) break;
      std::vector<std::uint32_t> tops;
      for (const Fraction& a : f) tops.push_back(over_unit(a));
      out.top = node(op, place, tops);
      out.unit = unit;
      return true;
    }
    case Op::FloorDiv:
      if (!exact) break;
      out.top = node(op, place, {over_unit(f[0]), over_unit(f[1])});
      out.unit = 1;
      return true;
    case Op::Pow: {
      const Integer* exponent = f[1].unit == Integer(1) ? constant_of(f[1].top) : nullptr;
      if (!exact || exponent == nullptr || exponent->sign() < 0 || *exponent > Integer(64)) break;
      const Integer power = *exponent;
      out.top = node(Op::Pow, place, {f[0].top, constant(place, power)});
      out.unit = pow(f[0].unit, static_cast<unsigned>(power.small()));
      return true;
    }
    default:
      break;
  }
  why = shown_token(place) + " of such fractions has no exact meaning: round (floor, ceil, trunc, round) before it";
  return false;
}

bool OperatorParser::add(std::uint32_t place, const Fraction& a, const Fraction& b, Fraction& out, std::string& why) {
  if (a.rounded == Rounded::never && b.rounded != Rounded::never) return add(place, b, a, out, why);
  if (a.root != Fraction::Root::none || b.root != Fraction::Root::none) {
    why = "a sum with a root or power has no form here: leave it alone on its side of a comparison";
    return false;
  }
  if (b.rounded != Rounded::never) {
    why = "a sum of two quotients rounds in floats: add before dividing, (a + b)/c";
    return false;
  }
  out = a;
  if (a.rounded != Rounded::never) out.rounded = Rounded::often;
  if (a.unit.is_zero()) {
    out.top = sum(place, scaled(place, a.top, b.unit), product(place, b.top, a.bottom));
    out.bottom = scaled(place, a.bottom, b.unit);
    return true;
  }
  const Integer common = gcd_of(a.unit, b.unit);
  out.top =
      sum(place, scaled(place, a.top, floor_div(b.unit, common)), scaled(place, b.top, floor_div(a.unit, common)));
  out.unit = floor_div(a.unit, common) * b.unit;
  return true;
}

bool OperatorParser::multiply(std::uint32_t place, const Fraction& a, const Fraction& b, Fraction& out,
                              std::string& why) {
  const bool swapped = a.rounded == Rounded::never && a.root == Fraction::Root::none &&
                       (b.rounded != Rounded::never || b.root != Fraction::Root::none);
  if (swapped) return multiply(place, b, a, out, why);
  const Integer* factor = b.rounded == Rounded::never ? constant_of(b.top) : nullptr;
  out = a;
  if (a.root == Fraction::Root::plain && factor != nullptr && !factor->is_zero()) {
    const Integer by = *factor;
    out.negative = a.negative != (by.sign() < 0);
    out.top = scaled(place, a.top, by * by);
    out.unit = a.unit * b.unit * b.unit;
    return true;
  }
  const bool exact = a.rounded == Rounded::never && b.rounded == Rounded::never && a.root == Fraction::Root::none &&
                     b.root == Fraction::Root::none;
  const bool shifts =
      a.root == Fraction::Root::none && factor != nullptr && is_power_of_two(factor->sign() < 0 ? -*factor : *factor);
  if (a.root != Fraction::Root::none) {
    why = "a product with a root or power has no form here: leave it alone on its side of a comparison";
    return false;
  }
  if (!exact && !shifts) {
    why = "a product of a quotient rounds in floats: multiply before dividing, (a*b)/c";
    return false;
  }
  out.top = product(place, a.top, b.top);
  if (a.unit.is_zero())
    out.bottom = scaled(place, a.bottom, b.unit);
  else
    out.unit = a.unit * b.unit;
  return true;
}

bool OperatorParser::divide(std::uint32_t place, const Fraction& a, const Fraction& b, Fraction& out,
                            std::string& why) {
  if (b.rounded != Rounded::never || b.root != Fraction::Root::none || a.root != Fraction::Root::none) {
    why = "a quotient of quotients, roots or powers rounds in floats: write one fraction, (a*c)/b for a/(b/c)";
    return false;
  }
  // (p/q) / (u/v) = p*v / (q*u), undefined where q or u is 0.
  out = a;
  out.token = place;
  const Integer divisor = constant_of(b.top) != nullptr ? *constant_of(b.top) : Integer(0);
  out.top = scaled(place, a.top, b.unit);
  if (divisor.is_zero()) {
    out.unit = 0;
    out.bottom = product(place, bottom(place, a), b.top);
    out.rounded = a.rounded == Rounded::never ? Rounded::once : Rounded::often;
    return true;
  }
  const bool negative = divisor.sign() < 0;
  const Integer by = negative ? -divisor : divisor;
  if (!is_power_of_two(by)) out.rounded = a.rounded == Rounded::never ? Rounded::once : Rounded::often;
  if (a.unit.is_zero())
    out.bottom = scaled(place, a.bottom, by);
  else
    out.unit = a.unit * by;
  if (negative) out = negated(place, out);
  return true;
}

bool OperatorParser::choose(std::uint32_t place, Operands args, Fraction& out, std::string& why) {
  Fraction x, y;
  if (args[0].kind != Operand::Kind::node) {
    why = "expected a condition, found a fraction";
    return false;
  }
  if (!fraction_of(args[1], place, x, why) || !fraction_of(args[2], place, y, why)) return false;
  if (x.root != Fraction::Root::none || y.root != Fraction::Root::none) {
    why = "a choice of roots has no exact meaning here: choose between the comparisons";
    return false;
  }
  out = x;
  out.token = place;
  out.rounded = std::max(x.rounded, y.rounded);
  const std::uint32_t condition = args[0].index;
  if (x.unit.is_zero() || y.unit.is_zero()) {
    out.unit = 0;
    out.bottom = node(Op::Ite, place, {condition, bottom(place, x), bottom(place, y)});
    out.top = node(Op::Ite, place, {condition, x.top, y.top});
    return true;
  }
  const Integer common = gcd_of(x.unit, y.unit);
  out.unit = floor_div(x.unit, common) * y.unit;
  out.top = node(Op::Ite, place,
                 {condition, scaled(place, x.top, floor_div(out.unit, x.unit)),
                  scaled(place, y.top, floor_div(out.unit, y.unit))});
  return true;
}

}  // namespace dimgate::detail
