// Text that reads back to the same node, and its variant for people.
//
// A node is put in parentheses wherever the parser would otherwise read another tree: below an operator that binds
// tighter, and, for n-ary operators, below one of its own kind (`(a + b) + c` has two nodes, `a + b + c` one).
#include <unordered_map>

#include "dimgate/expr.hpp"
#include "expr/names.hpp"
#include "expr/print_pieces.hpp"

namespace dimgate {
namespace {

using namespace detail;  // NOLINT: levels and pieces of the printers

constexpr std::uint32_t kNoSameOp = 0x100, kNegated = 0x200;

class TextPrinter {
 public:
  TextPrinter(const Context& ctx, bool pretty) : ctx_(ctx), pretty_(pretty) {}

  void operator()(Pieces& p, std::string& out, Expr e, std::uint32_t tag) {
    if ((tag & kNegated) != 0) return negated(p, out, e);
    const std::uint32_t need = tag & kLevelMask;
    const std::uint32_t level = level_of(e);
    const Op parent = static_cast<Op>(tag >> 16U);
    const bool parens = level < need || ((tag & kNoSameOp) != 0 && e.op() == parent && level != kAtom);
    if (e.size() == 0 && e.op() <= Op::Symbol) {
      if (parens) out += '(';
      leaf(out, e);
      if (parens) out += ')';
      return;
    }
    if (parens) p << "(";
    bare(p, e);
    if (parens) p << ")";
  }

 private:
  [[nodiscard]] std::uint32_t level_of(Expr e) const {
    switch (e.op()) {
      case Op::IntConst:
        return e.integer().sign() < 0 ? kUnary : kAtom;
      case Op::FloatConst:
        return (e.float_bits() >> 63U) != 0 ? kUnary : kAtom;
      case Op::Add:
      case Op::Sub:
        return kSum;
      case Op::Mul:
        return pretty_ && e.size() == 2 && is_minus_one(e[0]) && !e[1].is_int() ? kUnary : kProduct;
      case Op::FloorDiv:
      case Op::Mod:
        return kProduct;
      case Op::Neg:
        return kUnary;
      case Op::Pow:
        return kPower;
      case Op::Eq:
      case Op::Ne:
      case Op::Lt:
      case Op::Le:
      case Op::Gt:
      case Op::Ge:
      case Op::In:
        return kCompare;
      case Op::Not:
        return e[0].is(Op::In) ? kCompare : kNot;
      case Op::And:
        return e.size() < 2 ? kAtom : is_chain(e) ? kCompare : kAnd;
      case Op::Or:
        return e.size() < 2 ? kAtom : kOr;
      default:
        return kAtom;
    }
  }
  // a <= b and b < c, which reads (and parses) as a <= b < c; the same for >= and >.
  static bool is_chain(Expr e) {
    const auto upward = [](Expr c) { return c.is(Op::Le) || c.is(Op::Lt); };
    const auto downward = [](Expr c) { return c.is(Op::Ge) || c.is(Op::Gt); };
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (!(upward(e[0]) ? upward(e[i]) : downward(e[0]) && downward(e[i]))) return false;
      if (i > 0 && e[i - 1][1] != e[i][0]) return false;
    }
    return e.size() > 1;
  }
  static bool is_minus_one(Expr e) { return e.is_int() && e.integer() == Integer(-1); }
  static std::uint32_t not_below(Op parent, std::uint32_t level) {
    return level | kNoSameOp | (static_cast<std::uint32_t>(parent) << 16U);
  }

  void bare(Pieces& p, Expr e) {
    const OpInfo& row = info(e.op());
    switch (e.op()) {
      case Op::Add:
        return sum(p, e);
      case Op::Sub:
        return binary(p, e, kSum, " - ", kProduct);
      case Op::Mul:
        return product(p, e);
      case Op::FloorDiv:
        return binary(p, e, kProduct, "//", kUnary);
      case Op::Mod:
        return binary(p, e, kProduct, " % ", kUnary);
      case Op::Pow:
        return binary(p, e, kAtom, "**", kAtom);
      case Op::Neg: {
        // -(3) and -(-3) are negations, -3 is a constant.
        const bool constant = e[0].is_int();
        p << (constant ? "-(" : "-");
        p.node(e[0], constant ? kLoosest : kUnary);
        if (constant) p << ")";
        return;
      }
      case Op::Eq:
        return binary(p, e, kTight, " == ", kTight);
      case Op::Ne:
        return binary(p, e, kTight, " != ", kTight);
      case Op::Lt:
        return binary(p, e, kTight, " < ", kTight);
      case Op::Le:
        return binary(p, e, kTight, " <= ", kTight);
      case Op::Gt:
        return binary(p, e, kTight, " > ", kTight);
      case Op::Ge:
        return binary(p, e, kTight, " >= ", kTight);
      case Op::In:
        return membership(p, e, " in {");
      case Op::Not:
        if (e[0].is(Op::In)) return membership(p, e[0], " not in {");
        p << "not ";
        p.node(e[0], kNot);
        return;
      case Op::And:
        if (e.size() >= 2 && is_chain(e)) return chain(p, e);
        if (e.size() >= 2) return list(p, e, 0, " and ", kNot);
        break;
      case Op::Or:
        if (e.size() >= 2) return list(p, e, 0, " or ", kNot);
        break;
      case Op::Min:
        return call(p, e, "min");
      case Op::Max:
        return call(p, e, "max");
      case Op::Abs:
        return call(p, e, "abs");
      default:
        break;
    }
    call(p, e, row.name);
  }

  void leaf(std::string& out, Expr e) {
    switch (e.op()) {
      case Op::IntConst:
        out += e.integer().to_string();
        break;
      case Op::BoolConst:
        out += e.is_true() ? "True" : "False";
        break;
      case Op::FloatConst:
        out += detail::float_spelling(e.float_bits());
        break;
      case Op::EnumConst:
        out += spelling(enums_, e, detail::enum_spelling, ctx_.enum_name(e));
        break;
      default:
        out += spelling(symbols_, e, detail::symbol_spelling, ctx_.symbol_name(e));
        break;
    }
  }
  using Memo = std::unordered_map<std::uint32_t, std::string>;
  static const std::string& spelling(Memo& memo, Expr e, std::string (*spell)(std::string_view),
                                     const std::string& name) {
    const auto [it, fresh] = memo.try_emplace(e.index());
    if (fresh) it->second = spell(name);
    return it->second;
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
  static void chain(Pieces& p, Expr e) {
    p.node(e[0][0], kTight);
    for (std::size_t i = 0; i < e.size(); ++i) {
      p << (e[i].is(Op::Le) ? " <= " : e[i].is(Op::Lt) ? " < " : e[i].is(Op::Ge) ? " >= " : " > ");
      p.node(e[i][1], kTight);
    }
  }
  static void call(Pieces& p, Expr e, std::string_view name) {
    p << name << "(";
    list(p, e, 0, ", ", kLoosest);
    p << ")";
  }
  static void membership(Pieces& p, Expr e, std::string_view op) {
    p.node(e[0], kTight) << op;
    list(p, e, 1, ", ", kLoosest);
    p << "}";
  }

  void sum(Pieces& p, Expr e) {
    p.node(e[0], not_below(Op::Add, kSum));
    for (std::size_t i = 1; i < e.size(); ++i) {
      if (pretty_ && is_negative(e[i])) {
        p << " - ";
        p.node(e[i], kNegated);
      } else {
        p << " + ";
        p.node(e[i], kProduct);
      }
    }
  }
  void product(Pieces& p, Expr e) {
    if (pretty_ && is_minus_one(e[0]) && !e[1].is_int()) {  // -1*-3 is no --3
      p << "-";
      return factors(p, e, 1);
    }
    factors(p, e, 0);
  }
  void factors(Pieces& p, Expr e, std::size_t from) {
    for (std::size_t i = from; i < e.size(); ++i) {
      if (i > from) p << "*";
      const bool first = i == 0;
      p.node(e[i], first ? not_below(Op::Mul, kProduct) : kUnary);
    }
  }
  // Summands that read better after a minus sign: -3, -3*x.
  static bool is_negative(Expr e) {
    if (e.is_int()) return e.integer().sign() < 0;
    return e.is(Op::Mul) && e[0].is_int() && e[0].integer().sign() < 0;
  }
  // What stands after that sign.
  void negated(Pieces& p, std::string& out, Expr e) {
    if (e.is_int()) {
      out += (-e.integer()).to_string();
      return;
    }
    if (is_minus_one(e[0])) {
      if (e.size() == 2)
        p.node(e[1], kProduct);
      else
        factors(p, e, 1);
      return;
    }
    out += (-e[0].integer()).to_string();
    out += '*';
    factors(p, e, 1);
  }

  const Context& ctx_;
  bool pretty_;
  Memo symbols_, enums_;
};

}  // namespace

std::string to_text(const Context& ctx, Expr e) { return detail::print_all(e, kLoosest, TextPrinter(ctx, false)); }
std::string to_pretty(const Context& ctx, Expr e) { return detail::print_all(e, kLoosest, TextPrinter(ctx, true)); }

}  // namespace dimgate
