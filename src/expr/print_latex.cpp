#include "dimgate/expr.hpp"
#include "expr/print_math.hpp"

namespace dimgate {
namespace {

std::string escaped(std::string_view text) {
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

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// s0 is s with index 0; other words are upright in italics; sources are code.
std::string symbol(std::string_view name) {
  std::size_t letters = 0;
  while (letters < name.size() && is_letter(name[letters])) ++letters;
  std::size_t end = letters;
  while (end < name.size() && is_digit(name[end])) ++end;
  if (letters == 0 || end != name.size()) return "\\mathtt{" + escaped(name) + "}";
  std::string out(name.substr(0, letters));
  if (letters > 1) out = "\\mathit{" + out + "}";
  if (end != letters) ((out += "_{") += name.substr(letters)) += "}";
  return out;
}

std::string number(const std::string& digits) { return digits; }
std::string constant(std::string_view text) { return "\\mathrm{" + escaped(text) + "}"; }
std::string name(std::string_view text) { return "\\mathtt{" + escaped(text) + "}"; }

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
    .number = number,
    .symbol = symbol,
    .constant = constant,
    .name = name,
};

}  // namespace

std::string to_latex(const Context& ctx, Expr e) { return detail::print_math(ctx, e, kLatex); }

}  // namespace dimgate
