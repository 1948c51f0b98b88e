// Python that is True exactly where the formula is.
//
// Python's own operators raise where ours are undefined (ZeroDivisionError), so everything strict prints as itself.
// `or` differs: Python gives up at an operand that raises, strong Kleene goes on. So a node is printed in one of two
// modes: as a *guard* (True where true; elsewhere false, or it raises) or as a *value* (its truth value; raises where
// undefined). `and` of guards is a guard; elsewhere at most one operand may be partial, and then it goes last (all
// total operands decide first); with two or more, prelude functions evaluate lambdas.
// Tests: tests/expr/python_test.cpp runs python3 on random formulas.
#include <algorithm>
#include <array>

#include "dimgate/expr.hpp"
#include "expr/names.hpp"
#include "expr/print_pieces.hpp"

namespace dimgate {
namespace {

using namespace detail;  // NOLINT: levels and pieces of the printers

constexpr std::uint32_t kGuard = 0x100;

constexpr std::array<std::string_view, 33> kKeywords{
    "as",      "assert", "async", "await",  "break",  "class",  "continue", "def",     "del",   "elif",   "except",
    "finally", "for",    "from",  "global", "import", "lambda", "nonlocal", "pass",    "raise", "return", "try",
    "while",   "with",   "yield", "max",    "min",    "abs",    "float",    "globals", "and",   "or",     "not"};

class PythonPrinter {
 public:
  explicit PythonPrinter(const Context& ctx) : ctx_(ctx) {}

  void operator()(Pieces& p, std::string& out, Expr e, std::uint32_t tag) const {
    const bool parens = level_of(e) < (tag & kLevelMask);
    if (e.op() <= Op::Symbol) {
      if (parens) out += '(';
      leaf(out, e);
      if (parens) out += ')';
      return;
    }
    if (parens) p << "(";
    bare(p, e, (tag & kGuard) != 0 ? kGuard : 0);
    if (parens) p << ")";
  }

 private:
  static std::size_t partial_operands(Expr e) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < e.size(); ++i) n += e[i].is_total() ? 0 : 1;
    return n;
  }
  static bool is_float(Expr e) { return e.sort() == Sort::Float; }

  [[nodiscard]] static std::uint32_t level_of(Expr e) {
    switch (e.op()) {
      case Op::IntConst:
        return e.integer().sign() < 0 ? kUnary : kAtom;
      case Op::FloatConst:
        return (e.float_bits() >> 63U) != 0 ? kUnary : kAtom;
      case Op::Add:
      case Op::Sub:
        return kSum;
      case Op::Mul:
      case Op::FloorDiv:
      case Op::Mod:
        return kProduct;
      case Op::Neg:
      case Op::CeilDiv:
        return kUnary;
      case Op::Pow:
        return kPower;
      case Op::Ite:
        return kChoice;
      case Op::In:
        return is_float(e[0]) || e.size() == 1 ? kAtom : kCompare;
      case Op::Distinct:
        return e.size() == 2 ? kCompare : kAtom;
      case Op::Eq:
      case Op::Ne:
      case Op::Lt:
      case Op::Le:
      case Op::Gt:
      case Op::Ge:
      case Op::Divides:
      case Op::Iff:
      case Op::SameBits:
        return kCompare;
      case Op::IsNan:
        return e[0].op() <= Op::Symbol ? kCompare : kAtom;
      case Op::Not:
        return kNot;
      // Loosest, so that they get parentheses unless alone; a helper call does not need them, nor do they hurt.
      case Op::And:
        return e.size() == 0 ? kAtom : kAnd;
      case Op::Or:
        return e.size() == 0 ? kAtom : kOr;
      case Op::Implies:
        return kOr;
      default:
        return kAtom;
    }
  }

  void bare(Pieces& p, Expr e, std::uint32_t mode) const {
    switch (e.op()) {
      case Op::Add:
        return list(p, e, 0, " + ", kSum, kProduct);
      case Op::Sub:
        return binary(p, e[0], kSum, " - ", e[1], kProduct);
      case Op::Mul:
        return list(p, e, 0, "*", kProduct, kUnary);
      case Op::FloorDiv:
        return binary(p, e[0], kProduct, "//", e[1], kUnary);
      case Op::Mod:
        return binary(p, e[0], kProduct, " % ", e[1], kUnary);
      case Op::Pow:
        return binary(p, e[0], kAtom, "**", e[1], kAtom);
      case Op::Neg:
        (p << "-").node(e[0], kUnary);
        return;
      case Op::CeilDiv:
        p << "-(-";
        binary(p, e[0], kUnary, "//", e[1], kUnary);
        p << ")";
        return;
      case Op::Min:
        return extremum(p, e, "min(");
      case Op::Max:
        return extremum(p, e, "max(");
      case Op::Abs:
        return extremum(p, e, "abs(");
      case Op::Ite:
        p.node(e[1], kOr | mode) << " if ";
        p.node(e[0], kOr) << " else ";
        p.node(e[2], kChoice | mode);
        return;
      case Op::Eq:
      case Op::Iff:
        return binary(p, e[0], kTight, " == ", e[1], kTight);
      case Op::Ne:
        return binary(p, e[0], kTight, " != ", e[1], kTight);
      case Op::Lt:
        return binary(p, e[0], kTight, " < ", e[1], kTight);
      case Op::Le:
        return binary(p, e[0], kTight, " <= ", e[1], kTight);
      case Op::Gt:
        return binary(p, e[0], kTight, " > ", e[1], kTight);
      case Op::Ge:
        return binary(p, e[0], kTight, " >= ", e[1], kTight);
      case Op::Divides:
        binary(p, e[1], kProduct, " % ", e[0], kUnary);
        p << " == 0";
        return;
      case Op::Distinct:
        if (e.size() == 2) return binary(p, e[0], kTight, " != ", e[1], kTight);
        p << "_dg_distinct(";
        tuple(p, e, 0);
        p << ")";
        return;
      case Op::In:
        // Python's `in` finds a nan that is the same object; IEEE does not.
        if (is_float(e[0]) || e.size() == 1) {
          (p << "_dg_in(").node(e[0], kChoice) << ", ";
          tuple(p, e, 1);
          p << ")";
        } else {
          p.node(e[0], kTight) << " in ";
          tuple(p, e, 1);
        }
        return;
      case Op::SameBits:
        (p << "_dg_bits(").node(e[0], kChoice) << ") == _dg_bits(";
        p.node(e[1], kChoice) << ")";
        return;
      case Op::IsNan:
        if (e[0].op() <= Op::Symbol) return binary(p, e[0], kTight, " != ", e[0], kTight);
        (p << "_dg_isnan(").node(e[0], kChoice) << ")";
        return;
      case Op::Not:
        (p << "not ").node(e[0], kNot);
        return;
      case Op::And:
        return connective(p, e, mode, mode == kGuard);
      case Op::Or:
        return connective(p, e, mode, false);
      case Op::Implies:
        return implication(p, e, mode);
      default:
        return;
    }
  }

  // `any_order`: a raise may come first, so that nothing need be moved.
  void connective(Pieces& p, Expr e, std::uint32_t mode, bool any_order) const {
    const bool conj = e.is(Op::And);
    if (e.size() == 0) {
      p << (conj ? "True" : "False");
      return;
    }
    const std::size_t partial = partial_operands(e);
    const std::uint32_t level = kNot;
    const std::string_view between = conj ? " and " : " or ";
    if (any_order || partial <= 1) {
      bool first = true;
      for (const bool wanted : {true, false})
        for (std::size_t i = 0; i < e.size(); ++i) {
          if (any_order ? !wanted : e[i].is_total() != wanted) continue;
          if (!first) p << between;
          first = false;
          // The last operand's value is the whole's; of an `and` of guards each is one.
          p.node(e[i], level | (any_order || !wanted || partial == 0 ? mode : 0));
        }
      return;
    }
    p << (conj ? "_dg_and(" : "_dg_or(");
    for (std::size_t i = 0; i < e.size(); ++i) (p << (i == 0 ? "lambda: " : ", lambda: ")).node(e[i], kChoice);
    p << ")";
  }

  void implication(Pieces& p, Expr e, std::uint32_t mode) const {
    if (e[0].is_total()) {
      (p << "not ").node(e[0], kNot) << " or ";
      p.node(e[1], kNot | mode);
    } else if (e[1].is_total()) {
      p.node(e[1], kNot) << " or not ";
      p.node(e[0], kNot);
    } else {
      (p << "_dg_or(lambda: not ").node(e[0], kNot) << ", lambda: ";
      p.node(e[1], kChoice) << ")";
    }
  }

  static void binary(Pieces& p, Expr a, std::uint32_t left, std::string_view op, Expr b, std::uint32_t right) {
    p.node(a, left) << op;
    p.node(b, right);
  }
  static void list(Pieces& p, Expr e, std::size_t from, std::string_view between, std::uint32_t first,
                   std::uint32_t rest) {
    for (std::size_t i = from; i < e.size(); ++i) {
      if (i > from) p << between;
      p.node(e[i], i == from ? first : rest);
    }
  }
  static void tuple(Pieces& p, Expr e, std::size_t from) {
    p << "(";
    list(p, e, from, ", ", kChoice, kChoice);
    p << (e.size() == from + 1 ? ",)" : ")");
  }
  static void extremum(Pieces& p, Expr e, std::string_view name) {
    p << (e.size() == 1 && !e.is(Op::Abs) ? "(" : name);
    list(p, e, 0, ", ", kChoice, kChoice);
    p << ")";
  }

  void leaf(std::string& out, Expr e) const {
    switch (e.op()) {
      case Op::IntConst:
        out += e.integer().to_string();
        return;
      case Op::BoolConst:
        out += e.is_true() ? "True" : "False";
        return;
      case Op::EnumConst:
        out += detail::enum_spelling(ctx_.enum_name(e));
        return;
      case Op::FloatConst: {
        const std::string text = detail::float_spelling(e.float_bits());
        if (text == "nan" || text.ends_with("inf"))
          out += "float('" + text + "')";
        else if (text == "-nan" || text.starts_with("float_bits"))
          out += "_dg_float(" + std::to_string(e.float_bits()) + ")";
        else
          out += text;
        return;
      }
      default: {
        const std::string& name = ctx_.symbol_name(e);
        const bool usable = detail::is_plain_symbol(name) && !name.starts_with("_dg_") &&
                            std::find(kKeywords.begin(), kKeywords.end(), name) == kKeywords.end();
        out += usable ? name : "globals()[" + detail::quoted(name) + "]";
      }
    }
  }

  const Context& ctx_;
};

}  // namespace

std::string to_python(const Context& ctx, Expr e) {
  return detail::print_all(e, e.sort() == Sort::Bool ? std::uint32_t{kGuard} : 0U, PythonPrinter(ctx));
}

}  // namespace dimgate
