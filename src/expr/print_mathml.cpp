#include "dimgate/expr.hpp"
#include "expr/print_math.hpp"

namespace dimgate {
namespace {

std::string mathml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string mathml_number(const std::string& digits) { return "<mn>" + digits + "</mn>"; }

std::string mathml_symbol(std::string_view name) {
  const std::size_t letters = detail::letters_before_index(name);
  if (letters == 0) return "<mi mathvariant=\"monospace\">" + mathml_escaped(name) + "</mi>";
  const std::string base = "<mi>" + std::string(name.substr(0, letters)) + "</mi>";
  if (letters == name.size()) return base;
  return "<msub>" + base + "<mn>" + std::string(name.substr(letters)) + "</mn></msub>";
}

std::string mathml_constant(std::string_view text) {
  return "<mi mathvariant=\"normal\">" + mathml_escaped(text) + "</mi>";
}
std::string mathml_name(std::string_view text) {
  return "<mi mathvariant=\"monospace\">" + mathml_escaped(text) + "</mi>";
}

constexpr detail::MathNotation kMathml{
    .open = "<mo>(</mo>",
    .close = "<mo>)</mo>",
    .begin = "<mrow>",
    .end = "</mrow>",
    .plus = "<mo>+</mo>",
    .minus = "<mo>&#8722;</mo>",
    .sign = "<mo>&#8722;</mo>",
    .times = "<mo>&#8901;</mo>",
    .mod = "<mo>mod</mo>",
    .fraction = "<mfrac><mrow>",
    .over = "</mrow><mrow>",
    .fraction_end = "</mrow></mfrac>",
    .floor = "<mo>&#8970;</mo>",
    .floor_end = "<mo>&#8971;</mo>",
    .ceil = "<mo>&#8968;</mo>",
    .ceil_end = "<mo>&#8969;</mo>",
    .power = "<msup><mrow>",
    .exponent = "</mrow><mrow>",
    .power_end = "</mrow></msup>",
    .bar = "<mo>|</mo>",
    .bar_end = "<mo>|</mo>",
    .eq = "<mo>=</mo>",
    .ne = "<mo>&#8800;</mo>",
    .lt = "<mo>&lt;</mo>",
    .le = "<mo>&#8804;</mo>",
    .gt = "<mo>&gt;</mo>",
    .ge = "<mo>&#8805;</mo>",
    .divides = "<mo>&#8739;</mo>",
    .conj = "<mo>&#8743;</mo>",
    .disj = "<mo>&#8744;</mo>",
    .negation = "<mo>&#172;</mo>",
    .implies = "<mo>&#8658;</mo>",
    .iff = "<mo>&#8660;</mo>",
    .in = "<mo>&#8712;</mo>",
    .not_in = "<mo>&#8713;</mo>",
    .set = "<mo>{</mo>",
    .set_end = "<mo>}</mo>",
    .comma = "<mo>,</mo>",
    .cases = "<mo>{</mo><mtable><mtr><mtd>",
    .cases_if = "</mtd><mtd><mtext>if&#160;</mtext>",
    .cases_else = "</mtd></mtr><mtr><mtd>",
    .cases_end = "</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable>",
    .call = "<mi>",
    .call_open = "</mi><mo>&#8289;</mo><mo>(</mo>",
    .call_end = "<mo>)</mo>",
    .number = mathml_number,
    .symbol = mathml_symbol,
    .constant = mathml_constant,
    .name = mathml_name,
};

}  // namespace

std::string to_mathml(const Context& ctx, Expr e) {
  return "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mrow>" + detail::print_math(ctx, e, kMathml) +
         "</mrow></math>";
}

}  // namespace dimgate
