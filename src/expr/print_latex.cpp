#include "dimgate/expr.hpp"
#include "expr/print_math.hpp"

namespace dimgate {
namespace {

std::string latex_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\backslash{}";
        break;
      case '^':
        out += "\\hat{}";
        break;
      case '~':
        out += "\\sim{}";
        break;
      case '\'':
        out += "\\textquotesingle{}";
        break;
      case '_':
      case '#':
      case '$':
      case '%':
      case '&':
      case '{':
      case '}':
        (out += '\\') += c;
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

// s0 is s with index 0; other words are upright in italics; sources are code.
std::string latex_symbol(std::string_view name) {
  const std::size_t letters = detail::letters_before_index(name);
  if (letters == 0) return "\\mathtt{" + latex_escaped(name) + "}";
  std::string out(name.substr(0, letters));
  if (letters > 1) out = "\\mathit{" + out + "}";
  if (letters != name.size()) ((out += "_{") += name.substr(letters)) += "}";
  return out;
}

std::string latex_number(const std::string& digits) { return digits; }
std::string latex_constant(std::string_view text) { return "\\mathrm{" + latex_escaped(text) + "}"; }
std::string latex_name(std::string_view text) { return "\\mathtt{" + latex_escaped(text) + "}"; }

constexpr detail::MathNotation kLatex{
    .open = "\\left(",
    .close = "\\right)",
    .begin = "",
    .end = "",
    .plus = " + ",
    .minus = " - ",
    .sign = "-",
    .times = " \\cdot ",
    .mod = " \\bmod ",
    .fraction = "\\frac{",
    .over = "}{",
    .fraction_end = "}",
    .floor = "\\left\\lfloor ",
    .floor_end = " \\right\\rfloor",
    .ceil = "\\left\\lceil ",
    .ceil_end = " \\right\\rceil",
    .power = "{",
    .exponent = "}^{",
    .power_end = "}",
    .bar = "\\left|",
    .bar_end = "\\right|",
    .eq = " = ",
    .ne = " \\neq ",
    .lt = " < ",
    .le = " \\leq ",
    .gt = " > ",
    .ge = " \\geq ",
    .divides = " \\mid ",
    .conj = " \\land ",
    .disj = " \\lor ",
    .negation = "\\lnot ",
    .implies = " \\Rightarrow ",
    .iff = " \\Leftrightarrow ",
    .in = " \\in ",
    .not_in = " \\notin ",
    .set = "\\left\\{",
    .set_end = "\\right\\}",
    .comma = ", ",
    .cases = "\\begin{cases} ",
    .cases_if = " & \\text{if } ",
    .cases_else = " \\\\ ",
    .cases_end = " & \\text{otherwise} \\end{cases}",
    .call = "\\operatorname{",
    .call_open = "}\\left(",
    .call_end = "\\right)",
    .number = latex_number,
    .symbol = latex_symbol,
    .constant = latex_constant,
    .name = latex_name,
};

}  // namespace

std::string to_latex(const Context& ctx, Expr e) { return detail::print_math(ctx, e, kLatex); }

}  // namespace dimgate
