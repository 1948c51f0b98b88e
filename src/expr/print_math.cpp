#include "expr/print_math.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "expr/names.hpp"
#include "expr/print_pieces.hpp"

namespace dimgate::detail {
namespace {

constexpr std::uint32_t kMagnitude = 0x100;  // kMagnitude: without the minus sign

class MathPrinter {
 public:
  MathPrinter(const Context& ctx, const MathNotation& n) : ctx_(ctx), n_(n) {}

  void operator()(Pieces& p, std::string& out, Expr e, std::uint32_t tag) const {
    const bool magnitude = (tag & kMagnitude) != 0;
    const bool parens = !magnitude && level_of(e) < (tag & kLevelMask);
    if (e.op() <= Op::Symbol) {
      if (parens) out += n_.open;
      leaf(out, e, magnitude);
      if (parens) out += n_.close;
      return;
    }
    p << n_.begin;
    if (parens) p << n_.open;
    bare(p, e, magnitude);
    if (parens) p << n_.close;
    p << n_.end;
  }

 private:
  // -3 and -3*x and -x: printed with a minus sign.
  static bool is_negative(Expr e) {
    if (e.is_int()) return e.integer().sign() < 0;
    return e.is(Op::Neg) || (e.is(Op::Mul) && e[0].is_int() && e[0].integer().sign() < 0);
  }
  static bool is_minus_one(Expr e) { return e.is_int() && e.integer() == Integer(-1); }

  [[nodiscard]] static std::uint32_t level_of(Expr e) {
    if (is_negative(e)) return kSum;  // in parentheses anywhere but at the head of a sum
    switch (e.op()) {
      case Op::Add:
      case Op::Sub:
        return kSum;
      case Op::Mul:
      case Op::Mod:
        return kProduct;
      case Op::Pow:
        return kPower;
      case Op::Eq:
      case Op::Ne:
      case Op::Lt:
      case Op::Le:
      case Op::Gt:
      case Op::Ge:
      case Op::Divides:
      case Op::In:
        return kCompare;
      case Op::Not:
        return e[0].is(Op::In) ? kCompare : kNot;
      case Op::And:
        return e.size() < 2 ? kAtom : kAnd;
      case Op::Or:
        return e.size() < 2 ? kAtom : kOr;
      case Op::Implies:
      case Op::Iff:
        return kArrow;
      case Op::Ite:
        return kLoosest;
      default:
        return kAtom;
    }
  }

  void bare(Pieces& p, Expr e, bool magnitude) const {
    switch (e.op()) {
      case Op::Add:
        return sum(p, e);
      case Op::Sub:
        return binary(p, e, kSum, n_.minus, kProduct);
      case Op::Neg:
        if (!magnitude) p << n_.sign;
        p.node(e[0], kProduct);
        return;
      case Op::Mul:
        return product(p, e, magnitude);
      case Op::Mod:
        return binary(p, e, kUnary, n_.mod, kUnary);
      case Op::FloorDiv:
        return quotient(p, e, n_.floor, n_.floor_end);
      case Op::CeilDiv:
        return quotient(p, e, n_.ceil, n_.ceil_end);
      case Op::Pow:
        (p << n_.power).node(e[0], kAtom) << n_.exponent;
        p.node(e[1], kLoosest) << n_.power_end;
        return;
      case Op::Abs:
        (p << n_.bar).node(e[0], kLoosest) << n_.bar_end;
        return;
      case Op::Ite:
        (p << n_.cases).node(e[1], kLoosest) << n_.cases_if;
        p.node(e[0], kLoosest) << n_.cases_else;
        p.node(e[2], kLoosest) << n_.cases_end;
        return;
      case Op::Eq:
        return binary(p, e, kSum, n_.eq, kSum);
      case Op::Ne:
        return binary(p, e, kSum, n_.ne, kSum);
      case Op::Lt:
        return binary(p, e, kSum, n_.lt, kSum);
      case Op::Le:
        return binary(p, e, kSum, n_.le, kSum);
      case Op::Gt:
        return binary(p, e, kSum, n_.gt, kSum);
      case Op::Ge:
        return binary(p, e, kSum, n_.ge, kSum);
      case Op::Divides:
        return binary(p, e, kSum, n_.divides, kSum);
      case Op::In:
        return membership(p, e, n_.in);
      case Op::Not:
        if (e[0].is(Op::In)) return membership(p, e[0], n_.not_in);
        (p << n_.negation).node(e[0], kNot);
        return;
      case Op::And:
        if (e.size() >= 2) return list(p, e, 0, n_.conj, kNot);
        break;
      case Op::Or:
        if (e.size() >= 2) return list(p, e, 0, n_.disj, kNot);
        break;
      case Op::Implies:
        return binary(p, e, kOr, n_.implies, kOr);
      case Op::Iff:
        return binary(p, e, kOr, n_.iff, kOr);
      default:
        break;
    }
    const std::string_view name = e.is(Op::Min)        ? "min"
                                  : e.is(Op::Max)      ? "max"
                                  : e.is(Op::SameBits) ? "same"
                                                       : info(e.op()).name;
    p << n_.call << name << n_.call_open;
    list(p, e, 0, n_.comma, kLoosest);
    p << n_.call_end;
  }

  static void binary(Pieces& p, Expr e, std::uint32_t left, std::string_view op, std::uint32_t right) {
    p.node(e[0], left) << op;
    p.node(e[1], right);
  }
  static void list(Pieces& p, Expr e, std::size_t from, std::string_view between, std::uint32_t level) {
    for (std::size_t i = from; i < e.size(); ++i) {
      if (i > from) p << between;
      p.node(e[i], level);
    }
  }
  void quotient(Pieces& p, Expr e, std::string_view left, std::string_view right) const {
    (p << left << n_.fraction).node(e[0], kLoosest) << n_.over;
    p.node(e[1], kLoosest) << n_.fraction_end << right;
  }
  void membership(Pieces& p, Expr e, std::string_view op) const {
    p.node(e[0], kSum) << op << n_.set;
    list(p, e, 1, n_.comma, kLoosest);
    p << n_.set_end;
  }
  void sum(Pieces& p, Expr e) const {
    p.node(e[0], kSum);
    for (std::size_t i = 1; i < e.size(); ++i) {
      const bool negative = is_negative(e[i]);
      p << (negative ? n_.minus : n_.plus);
      p.node(e[i], negative ? kProduct | kMagnitude : std::uint32_t{kProduct});
    }
  }
  void product(Pieces& p, Expr e, bool magnitude) const {
    std::size_t from = 0;
    if (is_negative(e)) {
      if (!magnitude) p << n_.sign;
      if (is_minus_one(e[0])) {
        from = 1;
      } else {
        p.node(e[0], kMagnitude) << n_.times;
        from = 1;
      }
    }
    list(p, e, from, n_.times, kUnary);
  }

  void leaf(std::string& out, Expr e, bool magnitude) const {
    switch (e.op()) {
      case Op::IntConst:
        if (e.integer().sign() < 0 && !magnitude) out += n_.sign;
        out += n_.number(abs(e.integer()).to_string());
        return;
      case Op::BoolConst:
        out += n_.constant(e.is_true() ? "true" : "false");
        return;
      case Op::FloatConst:
        out += n_.constant(float_spelling(e.float_bits()));
        return;
      case Op::EnumConst:
        out += n_.name(enum_spelling(ctx_.enum_name(e)));
        return;
      default:
        out += n_.symbol(ctx_.symbol_name(e));
        return;
    }
  }

  const Context& ctx_;
  const MathNotation& n_;
};

}  // namespace

std::size_t letters_before_index(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto letters = std::ranges::find_if_not(name, letter) - name.begin();
  return std::ranges::all_of(name.substr(letters), is_digit) ? static_cast<std::size_t>(letters) : 0;
}

std::string print_math(const Context& ctx, Expr e, const MathNotation& notation) {
  return print_all(e, kLoosest, MathPrinter(ctx, notation));
}

}  // namespace dimgate::detail
