// C over int64_t, for those who embed a formula: exact, or it says that it is not.
//
// Every operator is a call of a small function of the prelude, over a value with a status (fine, undefined, overflow),
// so the text needs no polarity and its length is linear in the tree. Overflow is an answer of its own: the exact value
// needs more than 64 bits somewhere, ask the library. Tests: tests/expr/c_test.cpp compiles and runs random formulas.
#include <algorithm>
#include <array>

#include "dimgate/expr.hpp"
#include "expr/print_pieces.hpp"

namespace dimgate {
namespace {

using detail::Pieces;

constexpr std::string_view kPrefix = "dgv_";

void leaf(const Context& ctx, std::string& out, Expr e) {
  switch (e.op()) {
    case Op::IntConst: {
      const auto v = e.integer().to_int64();
      if (!v)
        out += "dg_status(DG_OVERFLOW)";
      else if (*v == INT64_MIN)
        out += "dg_of(INT64_MIN)";
      else
        out += "dg_of(INT64_C(" + std::to_string(*v) + "))";
      return;
    }
    case Op::BoolConst:
      out += e.is_true() ? "1" : "0";
      return;
    case Op::FloatConst:
      out += "dg_of((int64_t)UINT64_C(" + std::to_string(e.float_bits()) + "))";
      return;
    case Op::EnumConst:
      out += "dg_of(" + std::to_string(e.index()) + ")";
      return;
    default: {
      const std::string name = c_identifier(ctx.symbol_name(e));
      if (e.sort() == Sort::Bool)
        out += "(" + name + " != 0)";
      else
        out += e.sort() == Sort::Float ? "dg_of((int64_t)" + name + ")" : "dg_of(" + name + ")";
    }
  }
}

void arguments(Pieces& p, Expr e) {
  for (std::size_t i = 0; i < e.size(); ++i) {
    if (i > 0) p << ", ";
    p.node(e[i]);
  }
}

// NAME(n, (type[]){a, b, ...}): flat, so that a wide sum does not nest.
void many(Pieces& p, std::string& out, Expr e, std::string_view name) {
  (out += name) += "(" + std::to_string(e.size());
  if (e.size() == 0) {
    out += ", 0)";
    return;
  }
  out += e[0].sort() == Sort::Bool ? ", (int[]){" : ", (dg_value[]){";
  arguments(p, e);
  p << "})";
}

std::string_view function(Expr e) {
  const Sort sort = e.size() == 0 ? Sort::Bool : e[e.is(Op::Ite) ? 1 : 0].sort();
  const auto by_sort = [&](std::string_view other, std::string_view boolean, std::string_view floating) {
    return sort == Sort::Bool ? boolean : sort == Sort::Float ? floating : other;
  };
  switch (e.op()) {
    case Op::Add:
      return "dg_add";
    case Op::Sub:
      return "dg_sub";
    case Op::Neg:
      return "dg_neg";
    case Op::Mul:
      return "dg_mul";
    case Op::FloorDiv:
      return "dg_floor_div";
    case Op::Mod:
      return "dg_mod";
    case Op::CeilDiv:
      return "dg_ceil_div";
    case Op::Pow:
      return "dg_pow";
    case Op::Min:
      return "dg_min";
    case Op::Max:
      return "dg_max";
    case Op::Abs:
      return "dg_abs";
    case Op::Ite:
      return by_sort("dg_choose", "dg_choose_bool", "dg_choose");
    case Op::Eq:
    case Op::Iff:
      return by_sort("dg_eq", "dg_eq_bool", "dg_eq_float");
    case Op::Ne:
      return by_sort("dg_ne", "dg_ne_bool", "dg_ne_float");
    case Op::Lt:
      return "dg_lt";
    case Op::Le:
      return "dg_le";
    case Op::Gt:
      return "dg_gt";
    case Op::Ge:
      return "dg_ge";
    case Op::Distinct:
      return by_sort("dg_distinct", "dg_distinct_bool", "dg_distinct_float");
    case Op::Divides:
      return "dg_divides";
    case Op::In:
      return by_sort("dg_in", "dg_in_bool", "dg_in_float");
    case Op::And:
      return "dg_and";
    case Op::Or:
      return "dg_or";
    case Op::Not:
      return "dg_not";
    case Op::Implies:
      return "dg_implies";
    case Op::SameBits:
      return "dg_eq";  // the value of a Float is its bits
    case Op::IsNan:
      return "dg_isnan";
    default:
      return "";
  }
}

}  // namespace

std::string to_c(const Context& ctx, Expr root) {
  return detail::print_all(root, 0, [&](Pieces& p, std::string& out, Expr e, std::uint32_t) {
    if (e.op() <= Op::Symbol) return leaf(ctx, out, e);
    switch (e.op()) {
      case Op::Add:
      case Op::Mul:
      case Op::Min:
      case Op::Max:
      case Op::And:
      case Op::Or:
      case Op::Distinct:
      case Op::In:
        return many(p, out, e, function(e));
      default:
        break;
    }
    p << function(e) << "(";
    arguments(p, e);
    p << ")";
  });
}

std::string c_identifier(std::string_view name) {
  constexpr std::array<std::string_view, 44> kTaken{
      "auto",   "break",    "case",     "char",     "const", "continue", "default", "do",     "double",
      "else",   "enum",     "extern",   "float",    "for",   "goto",     "if",      "inline", "int",
      "long",   "register", "restrict", "return",   "short", "signed",   "sizeof",  "static", "struct",
      "switch", "typedef",  "union",    "unsigned", "void",  "volatile", "while",   "asm",    "typeof",
      "main",   "errno",    "memcpy",   "bool",     "true",  "false",    "nullptr", "NULL"};
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  bool plain = !name.empty() && letter(name[0]) && !name.starts_with("dg") && !name.starts_with("DG") &&
               !name.starts_with("INT") && !name.starts_with("UINT") && !name.ends_with("_t") &&
               std::find(kTaken.begin(), kTaken.end(), name) == kTaken.end();
  for (const char c : name) plain = plain && (letter(c) || digit(c) || c == '_');
  if (plain) return std::string(name);
  // One to one: letters and digits as they are, all else as _ and two hexadecimal digits.
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out(kPrefix);
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (letter(c) || digit(c))
      out += c;
    else
      ((out += '_') += kHex[byte >> 4U]) += kHex[byte & 15U];
  }
  return out;
}

}  // namespace dimgate
