// Calls that are not operators of the table: what they mean in those that are.
#include <array>

#include "expr/operator_parser.hpp"

namespace dimgate::detail {

bool OperatorParser::call(const Function& f, std::uint32_t place, Operands args, Operand& out) {
  out_.leftovers = true;
  switch (f.kind) {
    case CallKind::any:
    case CallKind::all:
      return combine(f.op, place, args, out);
    case CallKind::exclusive_or: {  // strict: of no operand that is undefined can one say whether it differs
      Operand parity = args[0];
      for (std::size_t i = 1; i < args.size(); ++i) {
        std::array<Operand, 2> pair{parity, args[i]};
        parity.end = args[i].end;
        if (!combine(Op::Iff, place, pair, parity)) return false;
        settle(parity);
        parity.index = node(Op::Not, place, {parity.index});
      }
      std::array<Operand, 1> one{parity};
      return args.size() == 1 ? combine(Op::And, place, one, out) : (out.index = parity.index, true);
    }
    case CallKind::modular_indexing: {  // x // d % m
      Operand quotient = args[0];
      if (!combine(Op::FloorDiv, place, args.first(2), quotient)) return false;
      std::array<Operand, 2> pair{quotient, args[2]};
      return combine(Op::Mod, place, pair, out);
    }
    default:
      break;
  }
  if (f.kind == CallKind::divmod) return divmod(place, args, out);
  if (any_opaque(args)) return out.kind = Operand::Kind::opaque, true;
  switch (f.kind) {
    case CallKind::floor:
    case CallKind::ceil:
    case CallKind::trunc:
    case CallKind::trunc_float:
    case CallKind::round:
      return rounding(f.kind, place, args[0], out);
    case CallKind::sqrt:
      return square_root(place, args[0], out);
    case CallKind::to_float:
    case CallKind::true_div: {
      Fraction made, by;
      std::string why;
      if (!fraction_of(args[0], place, made, why)) return refuse(place, std::move(why), out);
      if (f.kind == CallKind::true_div) {
        const Fraction a = made;
        if (!fraction_of(args[1], place, by, why) || !divide(place, a, by, made, why))
          return refuse(place, std::move(why), out);
      }
      made.token = place;
      return push_fraction(made, out), true;
    }
    default:
      break;
  }
  for (Operand& a : args) {
    if (a.kind == Operand::Kind::fraction || is_float(a))
      return refuse(place, shown_token(place) + " needs integers: round the fraction (floor, ceil, trunc, round)", out);
    as_integer(a);
  }
  const std::uint32_t a = args[0].index, b = args[args.size() - 1].index;
  switch (f.kind) {
    case CallKind::trunc_div:
    case CallKind::trunc_mod: {
      Fraction numerator, by, quotient;
      numerator.top = a;
      by.top = b;
      std::string why;
      if (!divide(place, numerator, by, quotient, why)) return refuse(place, std::move(why), out);
      out.index = truncated(place, quotient);
      if (f.kind == CallKind::trunc_mod) out.index = node(Op::Sub, place, {a, product(place, b, out.index)});
      return true;
    }
    case CallKind::gcd:
      return gcd(place, a, b, out);
    case CallKind::shift_left:
    case CallKind::shift_right:
      return shift(f.kind == CallKind::shift_left, place, a, b, out);
    default:
      return bits(f.kind, place, a, b, out);
  }
}

bool OperatorParser::divmod(std::uint32_t place, Operands args, Operand& out) {
  // `divmod(a, b)[0]` is the quotient, `[1]` the remainder; the pair itself is no value.
  const bool indexed = tokens_.tokens[at_ + 1].kind == Tok::left_bracket && tokens_.tokens[at_ + 1].match == at_ + 3;
  const std::string_view which = indexed ? spelling(at_ + 2) : std::string_view();
  if (which != "0" && which != "1")
    return fail(at_ + 1,
                "expected [0] (the quotient) or [1] (the remainder) after divmod(...), found " + shown_token(at_ + 1));
  at_ += 3;
  out.end = at_ + 1;
  return combine(which == "0" ? Op::FloorDiv : Op::Mod, place, args, out);
}

}  // namespace dimgate::detail
