// LaTeX and MathML.
#include <doctest/doctest.h>

#include "dimgate/expr.hpp"
#include "expr/random_expr.hpp"
#include "expr/run_tool.hpp"

using namespace dimgate;

namespace {

struct Shows {
  Context ctx;
  Expr read(std::string_view text) {
    const auto e = parse(ctx, text);
    REQUIRE_MESSAGE(e.ok(), text << ": " << (e.ok() ? std::string() : e.error().to_string()));
    return *e;
  }
  std::string latex(std::string_view text) { return to_latex(ctx, read(text)); }
  std::string mathml(std::string_view text) {
    std::string out = to_mathml(ctx, read(text));
    const std::string head = "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mrow>", tail = "</mrow></math>";
    REQUIRE(out.starts_with(head));
    REQUIRE(out.ends_with(tail));
    return out.substr(head.size(), out.size() - head.size() - tail.size());
  }
};

}  // namespace

TEST_CASE("LaTeX") {
  Shows s;
  CHECK(s.latex("s0*8 + 3 <= 17") == "s_{0} \\cdot 8 + 3 \\leq 17");
  CHECK(s.latex("a//b == 1") == "\\left\\lfloor \\frac{a}{b} \\right\\rfloor = 1");
  CHECK(s.latex("(a + 1)//b == 1") == "\\left\\lfloor \\frac{a + 1}{b} \\right\\rfloor = 1");
  CHECK(s.latex("ceildiv(a, 2) != 1") == "\\left\\lceil \\frac{a}{2} \\right\\rceil \\neq 1");
  CHECK(s.latex("a % 8 == 0") == "a \\bmod 8 = 0");
  CHECK(s.latex("(a + b)**2") == "{\\left(a + b\\right)}^{2}");
  CHECK(s.latex("a + -3") == "a - 3");
  CHECK(s.latex("a + -3*b") == "a - 3 \\cdot b");
  CHECK(s.latex("a - (b - c)") == "a - \\left(b - c\\right)");
  CHECK(s.latex("a - -3") == "a - \\left(-3\\right)");
  CHECK(s.latex("-(a + b)*2") == "\\left(-\\left(a + b\\right)\\right) \\cdot 2");
  CHECK(s.latex("abs(a - b)") == "\\left|a - b\\right|");
  CHECK(s.latex("max(a, 2)") == "\\operatorname{max}\\left(a, 2\\right)");
  CHECK(s.latex("p and not (q or r)") == "p \\land \\lnot \\left(q \\lor r\\right)");
  CHECK(s.latex("a in {1, 2}") == "a \\in \\left\\{1, 2\\right\\}");
  CHECK(s.latex("a not in {1, 2}") == "a \\notin \\left\\{1, 2\\right\\}");
  CHECK(s.latex("divides(4, a)") == "4 \\mid a");
  CHECK(s.latex("implies(p, q)") == "p \\Rightarrow q");
  CHECK(s.latex("a if p else b") == "\\begin{cases} a & \\text{if } p \\\\ b & \\text{otherwise} \\end{cases}");
  CHECK(s.latex("L['x'].size()[0]") == "\\mathtt{L[\\textquotesingle{}x\\textquotesingle{}].size()[0]}");
  CHECK(s.latex("height == 1") == "\\mathit{height} = 1");
  CHECK(s.latex("d == torch.float32") == "d = \\mathtt{torch.float32}");
}

TEST_CASE("MathML") {
  Shows s;
  CHECK(s.mathml("s0 <= 17") == "<mrow><msub><mi>s</mi><mn>0</mn></msub><mo>&#8804;</mo><mn>17</mn></mrow>");
  CHECK(s.mathml("a//b") ==
        "<mrow><mo>&#8970;</mo><mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac><mo>&#8971;</mo></mrow>");
  CHECK(s.mathml("L['x'].size()[0]") == "<mi mathvariant=\"monospace\">L['x'].size()[0]</mi>");
  CHECK(s.mathml("d == '<&>'") ==
        "<mrow><mi>d</mi><mo>=</mo><mi mathvariant=\"monospace\">'&lt;&amp;&gt;'</mi></mrow>");
}

TEST_CASE("random trees: MathML is well-formed XML, LaTeX's braces and delimiters pair") {
  Context ctx;
  test::RandomExpr random(ctx, 3);
  std::string document = "<all>\n";
  for (int i = 0; i < 1500; ++i) {
    const Expr e = random.make(static_cast<Sort>(random.below(4)), 1 + static_cast<unsigned>(random.below(40)));
    document += to_mathml(ctx, e) + "\n";
    const std::string latex = to_latex(ctx, e);
    int depth = 0;
    for (std::size_t k = 0; k < latex.size(); ++k) {
      if (latex[k] == '\\') {
        ++k;  // an escaped brace is not one
        continue;
      }
      depth += latex[k] == '{' ? 1 : latex[k] == '}' ? -1 : 0;
      REQUIRE(depth >= 0);
    }
    REQUIRE_MESSAGE(depth == 0, latex);
    const auto count = [&](std::string_view what) {
      std::size_t n = 0;
      for (std::size_t at = latex.find(what); at != std::string::npos; at = latex.find(what, at + 1)) ++n;
      return n;
    };
    REQUIRE(count("\\left") - count("\\leftarrow") - count("\\leq") + count("\\leq") == count("\\right"));
    REQUIRE(count("\\begin{") == count("\\end{"));
  }
  document += "</all>\n";
  const test::Scratch scratch;
  const test::Ran ran = test::run(
      "python3 -c \"import sys, xml.etree.ElementTree as t; "
      "print(len(t.parse(sys.argv[1]).getroot()))\" " +
      scratch.write("all.xml", document));
  CHECK_MESSAGE(ran.output == "1500\n", ran.output);
}

TEST_CASE("10^5 nested") {
  Context ctx;
  Expr e = ctx.symbol("a");
  for (int i = 0; i < 100000; ++i) e = ctx.make(Op::FloorDiv, {e, ctx.integer(2)});
  CHECK(to_latex(ctx, e).size() > 1000000);
  CHECK(to_mathml(ctx, e).size() > 1000000);
  CHECK(to_c(ctx, e).size() > 1000000);
  CHECK(to_python(ctx, e).size() > 100000);
}
