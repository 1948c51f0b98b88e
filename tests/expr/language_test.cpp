// What front ends write, judged by Python: random terms and formulas of rounding, fractions, roots, bits and divisions,
// each value compared with Python's own arithmetic (an exception there is undefined here).
#include <doctest/doctest.h>

#include <random>

#include "dimgate/expr.hpp"
#include "expr/foreign.hpp"
#include "expr/run_tool.hpp"

using namespace dimgate;

namespace {

// Writes Python over the integers a, b and c. Depth bounds the nesting.
class Writer {
 public:
  explicit Writer(std::uint64_t seed) : rng_(seed) {}
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(rng_); }
  int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(rng_); }

  std::string integer(int depth) {
    switch (depth > 0 ? below(18) : below(2)) {
      case 0:
        return pick({"a", "b", "c"});
      case 1:
        return number(-9, 12);
      case 2:
        return "(" + integer(depth - 1) + pick({" + ", " - ", "*"}) + integer(depth - 1) + ")";
      case 3:
        return "(" + integer(depth - 1) + pick({"//", " % "}) + integer(depth - 1) + ")";
      case 4:
        return "gcd(" + integer(depth - 1) + ", " + number(-12, 24) + ")";
      case 5:
        return pick({"TruncDiv(", "truncmod("}) + integer(depth - 1) + ", " + integer(depth - 1) + ")";
      case 6:
        return "(" + integer(depth - 1) + pick({" & ", " | ", " ^ "}) + number(-20, 40) + ")";
      case 7:
        return "(0 + ~" + integer(depth - 1) + ")";
      case 8:
        return "(" + integer(depth - 1) + pick({" << ", " >> "}) + number(0, 5) + ")";
      case 9:
        return "divmod(" + integer(depth - 1) + ", " + integer(depth - 1) + ")" + pick({"[0]", "[1]"});
      case 10:
        return "(" + integer(depth - 1) + " if " + formula(depth - 1) + " else " + integer(depth - 1) + ")";
      case 11:
        return pick({"bitwise_and(", "bitwise_or(", "bitwise_xor("}) + integer(depth - 1) + ", " + number(-9, 40) + ")";
      default:
        return pick({"floor(", "ceil(", "trunc(", "round(", "int(", "math.floor(", "math.ceil(", "ceiling(",
                     "FloorToInt(", "CeilToInt(", "TruncToInt(", "RoundToInt("}) +
               fraction(depth - 1) + ")";
    }
  }

  std::string fraction(int depth) {
    switch (depth > 0 ? below(16) : below(3)) {
      case 0:
        return "(" + integer(depth - 1) + "/" + integer(depth - 1) + ")";
      case 1:
        return "(" + pick({"a", "b", "c"}) + "*" + literal() + ")";
      case 2:
        return "(" + pick({"a", "b", "c"}) + "/" + number(1, 9) + ")";
      case 3:
        return "(" + fraction(depth - 1) + pick({" + ", " - ", "*", "/"}) + fraction(depth - 1) + ")";
      case 4:
        return "(" + fraction(depth - 1) + pick({" + ", " - ", "*", "/"}) + integer(depth - 1) + ")";
      case 5:
        return "(" + fraction(depth - 1) + pick({" + ", " - ", "*", "/"}) + literal() + ")";
      case 6:
        return pick({"(-", "abs("}) + fraction(depth - 1) + ")";
      case 7:
        return "(" + fraction(depth - 1) + " if " + formula(depth - 1) + " else " + fraction(depth - 1) + ")";
      case 8:
        return pick({"float(", "ToFloat("}) + integer(depth - 1) + ")";
      case 9:
        return "(" + fraction(depth - 1) + pick({"//", " % "}) + fraction(depth - 1) + ")";
      case 10:
        return pick({"IntTrueDiv(", "FloatTrueDiv("}) + integer(depth - 1) + ", " + integer(depth - 1) + ")";
      case 11:
        return pick({"min(", "max("}) + fraction(depth - 1) + ", " + fraction(depth - 1) + ")";
      case 12:
        return "TruncToFloat(" + fraction(depth - 1) + ")";
      case 13:
        return "(" + fraction(depth - 1) + ")**" + number(0, 3);
      default:
        return "(" + integer(depth - 1) + "/" + number(-7, 12) + ")";
    }
  }

  std::string root(int depth) {
    const std::string s =
        pick({"math.sqrt(", "sqrt("}) + (below(4) == 0 ? fraction(depth - 1) : integer(depth - 1)) + ")";
    switch (below(6)) {
      case 0:
        return pick({"floor(", "ceil(", "int("}) + s + ")";
      case 1:
        return pick({"floor(-", "ceil(-", "int(-", "(-"}) + s + ")";
      case 2:
        return "(" + s + "*" + literal() + ")";
      default:
        return s;
    }
  }

  std::string formula(int depth) {
    const std::string compares = pick({" == ", " != ", " < ", " <= ", " > ", " >= "});
    switch (below(8)) {
      case 7:
        return "(" + power(depth - 1) + compares + pick({power(depth - 1), number(-3, 70), literal()}) + ")";
      case 0:
        return "(0 + " + integer(depth - 1) + compares + fraction(depth - 1) + ")";
      case 1:
        return "(" + fraction(depth - 1) + compares + fraction(depth - 1) + " + 0)";
      case 2:
        return "(" + root(depth - 1) + compares + integer(depth - 1) + ")";
      case 3:
        return "(" + fraction(depth - 1) + " + 0" + compares + root(depth - 1) + ")";
      case 4:
        return "Xor(" + pick({"a > b", "b % 2 == 0"}) + ", 2*a" + compares + literal() + ")";
      default:
        return "(" + fraction(depth - 1) + compares + "0 + " + integer(depth - 1) + ")";
    }
  }

 private:
  std::string power(int depth) {
    const std::string whole =
        below(2) == 0 ? pick({"2**", "3**"}) + "(" + integer(depth) + " % 9)" : "1 << (" + integer(depth) + " % 9 - 2)";
    return below(4) == 0 ? "-(" + whole + ")" : "(" + whole + ")";
  }
  std::string pick(std::initializer_list<std::string> of) { return of.begin()[below(static_cast<int>(of.size()))]; }
  std::string number(int low, int high) { return std::to_string(between(low, high)); }
  std::string literal() {
    return pick({"0.5", "0.25", "1.5", "2.0", "-0.5", "0.125", "3.0", "1e1", "-1.75", "0.0", "2.5"});
  }

  std::mt19937_64 rng_;
};

constexpr const char* kPython = R"(
import math, operator

def TruncDiv(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q

NAMES = dict(
    math=math, floor=math.floor, ceil=math.ceil, ceiling=math.ceil, trunc=math.trunc, sqrt=math.sqrt, gcd=math.gcd,
    FloorToInt=math.floor, CeilToInt=math.ceil, TruncToInt=math.trunc, RoundToInt=round, ToFloat=float,
    IntTrueDiv=operator.truediv, FloatTrueDiv=operator.truediv, TruncToFloat=lambda x: float(math.trunc(x)),
    TruncDiv=TruncDiv, truncmod=lambda a, b: a - b * TruncDiv(a, b), bitwise_and=operator.and_,
    bitwise_or=operator.or_, bitwise_xor=operator.xor, Xor=lambda *p: sum(p) % 2 == 1)
wrong = judged = 0

def check(text, points):
    global wrong, judged
    code = compile(text, text, 'eval')
    for a, b, c, ours in points:
        try:
            value = str(eval(code, NAMES, dict(a=a, b=b, c=c)))
        except (ZeroDivisionError, ValueError):
            value = 'undefined'
        judged += 1
        if value != ours:
            wrong += 1
            if wrong < 20:
                print('WRONG', text, (a, b, c), 'ours', ours, 'Python', value)

)";

}  // namespace

TEST_CASE("translations mean what Python computes") {
  Writer write(20261201);
  std::string script = kPython;
  int refused = 0, read = 0;
  for (int i = 0; i < 12'000; ++i) {
    const int depth = write.between(1, 3);
    const std::string text = write.below(2) == 0 ? write.integer(depth) : write.formula(depth);
    Context ctx;
    const auto e = parse(ctx, text);
    if (!e) {
      ++refused;
      continue;
    }
    ++read;
    script += "check('" + text + "', [";
    for (int p = 0; p < 8; ++p) {
      Assignment at;
      std::string point;
      for (const char* name : {"a", "b", "c"}) {
        const int value = p == 0 ? 0 : write.between(-40, 60);
        if (const Expr s = ctx.find_symbol(name)) at.set(s, Value::of(value));
        point += std::to_string(value) + ", ";
      }
      script += "(" + point + "'" + evaluate(ctx, *e, at).to_string() + "'), ";
    }
    script += "])\n";
  }
  CHECK(read > 9'000);
  CHECK(refused > 300);
  const test::Scratch scratch;
  const std::string file = scratch.write("language.py", script + "print('judged', judged, 'wrong', wrong)\n");
  const test::Ran ran = test::run("python3 " + file);
  CHECK_MESSAGE(ran.output == "judged " + std::to_string(read * 8) + " wrong 0\n", ran.output);
}

namespace {

std::string reads(std::string_view text) {
  Context ctx;
  const auto e = parse(ctx, text);
  if (!e) return e.error().to_string();
  const std::string out = to_text(ctx, *e);
  CHECK_MESSAGE(parse(ctx, out).value() == *e, out);
  return out;
}

std::string foreign(std::string_view text) {
  Context ctx;
  const auto e = parse_foreign(ctx, text);
  return e ? to_text(ctx, *e) : e.error().to_string();
}

}  // namespace

TEST_CASE("every spelling, as the operators that it becomes") {
  CHECK(reads("math.trunc(H*0.5) == 16") == "Where(H >= 0, H//2, CeilDiv(H, 2)) == 16");
  CHECK(reads("CeilToInt(IntTrueDiv(s0, 2)) == 3") == "CeilDiv(s0, 2) == 3");
  CHECK(reads("FloorToInt(ToFloat(s0)*0.25)") == "s0//4");
  CHECK(reads("floor(H/3)") == "H//3");
  CHECK(reads("floor(a/b)") == "a//b");
  CHECK(reads("sym_int(s0/2)") == "Where(s0 >= 0, s0//2, CeilDiv(s0, 2))");
  CHECK(reads("a/b < 3") == "a//b < 3");
  CHECK(reads("a/b == 3") == "a//b == 3 and CeilDiv(a, b) == 3");
  CHECK(reads("a/4 >= b/6") == "6*a >= 4*b");
  CHECK(reads("n < 2.5") == "2*n < 5");
  CHECK(reads("x/2 in {1, 2}") == "x == 2 or x == 4");
  CHECK(reads("math.sqrt(s0) > 3") == "Where(s0 >= 0, s0 > 9, divides(0, 0))");
  CHECK(reads("sqrt(n) < m") == "Where(n >= 0, m > 0 and n < m*m, divides(0, 0))");
  CHECK(reads("floor(sqrt(n)) == 4") == "Where(n >= 0, n >= 16 and n < 25, divides(0, 0))");
  CHECK(reads("x**0.5 >= 3") == "Where(x >= 0, x >= 9, divides(0, 0))");
  CHECK(reads("(a & 7) == 3") == "a % 8 == 3");
  CHECK(reads("(a & -8) == 16") == "a - a % 8 == 16");
  CHECK(reads("(a & 6) == 2") == "2*(a//2 % 4) == 2");
  CHECK(reads("~x == 3") == "-1 - x == 3");
  CHECK(reads("~~x + 1") == "x + 1");
  CHECK(reads("~~~x + 1") == "-1 - x + 1");
  CHECK(reads("any([]) or all(())") == "Or() or And()");
  CHECK(reads("x & ~7") == "x - x % 8");
  CHECK(reads("2**s < 9") == "Where(s >= 0, s < 4, divides(0, 0))");
  CHECK(reads("1 << s == 8") == "Where(s >= 0, s == 3, divides(0, 0))");
  CHECK(reads("2**s == 9") == "Where(s >= 0, False, divides(0, 0))");
  CHECK(reads("2**s <= 2**t") == "Where(s >= 0 and t >= 0, s <= t, divides(0, 0))");
  CHECK(reads("x << 3") == "8*x");
  CHECK(reads("x >> 3") == "x//8");
  CHECK(reads("p ^ q") == "not iff(p, q)");
  CHECK(reads("Xor(p, q)") == "not iff(p, q)");
  CHECK(reads("gcd(a, 4)") == "Where(divides(4, a), 4, Where(divides(2, a), 2, 1))");
  CHECK(reads("gcd(a, 1)") == "1 + 0*a");  // undefined where a is
  CHECK(reads("divmod(a, b)[1] == 2") == "a % b == 2");
  CHECK(reads("any([a > 1, b > 2]) and all((a > 1, b > 2))") == "(a > 1 or b > 2) and (a > 1 and b > 2)");
  CHECK(reads("ITE(a > 1, b, 3)") == "Where(a > 1, b, 3)");
  CHECK(reads("tir.floordiv(a, 4) + select(a > 1, a, b)") == "a//4 + Where(a > 1, a, b)");
  CHECK(reads("u == math.inf") == "u == inf");
}

TEST_CASE("what is outside is refused by name") {
  CHECK(reads("math.log(s0) > 2") ==
        "1:1: 'log' is arithmetic of floats, which has no exact meaning here; say it by powers: x < 2**k for log2(x) < "
        "k");
  CHECK(reads("floor(H/3*3)") == "1:10: a product of a quotient rounds in floats: multiply before dividing, (a*b)/c");
  CHECK(reads("floor(H*0.1)").ends_with("multiply before dividing, (a*b)/c"));
  CHECK(reads("floor(a/3 + b/3)").ends_with("add before dividing, (a + b)/c"));
  CHECK(reads("sqrt(n) + 1 > 3").ends_with("leave it alone on its side of a comparison"));
  CHECK(reads("L['eps'] < 0.001").ends_with("compare an integer with an integer"));
  CHECK(reads("zf0*0.5 > 3") == "1:4: 'zf0' may be a float: arithmetic of floats has no exact meaning here");
  CHECK(reads("(a & b) == 3 + (a & (b + 1))").ends_with("one must be a constant"));
  CHECK(reads("ToFloat(x)") == "1:1: 'ToFloat' makes a fraction: round it (floor, ceil, trunc, round) or compare it");
  CHECK(reads("2**s + 1 > 3").ends_with("leave it alone on its side of a comparison"));
  CHECK(reads("2**s") == "1:2: a power with an unknown exponent has no form here but in a comparison with a constant");
  CHECK(reads("2**s == n").ends_with("compared with a constant or a power of the same base only"));
  CHECK(reads("math.pi > 3") == "1:1: unknown constant 'math.pi'");
  CHECK(reads("divides(2, H/2)").ends_with("'divides' takes no fraction: round it (floor, ceil, trunc, round)"));
  CHECK(reads("divmod(a, 4)").find("expected [0] (the quotient) or [1] (the remainder)") != std::string::npos);
  // A float that is rounded to nothing is still no integer.
  CHECK(reads("floor(u) == 2 and u == 0.5").find("'u'") != std::string::npos);
}

TEST_CASE("deep and long: fractions of fractions, roundings of roundings") {
  const auto nested = [](const std::string& before, const std::string& after, int depth) {
    std::string text = "x";
    for (int i = 0; i < depth; ++i) text = before + text + after;
    return text;
  };
  CHECK(reads(nested("int(", "/2)", 5)) == "Where(x >= 0, x//32, CeilDiv(x, 32))");
  CHECK(reads(nested("trunc(", "*0.5)", 2) + " == 3") == "Where(x >= 0, x//4, CeilDiv(x, 4)) == 3");
  CHECK(reads(nested("round(", "/2)", 3)).size() < 10'000);
  CHECK(reads(nested("round(", "/2)", 60)).ends_with("written out they would be too long"));
  CHECK(reads("floor(" + nested("(", "/2)", 10'000) + ")")
            .ends_with("expected a divisor of at most 4096 bits, found a larger one"));
  for (const char* after : {" ^ 5)", " | 5)"}) CHECK(reads(nested("(", after, 60)).ends_with("would be too long"));
  CHECK(reads(nested("TruncDiv(", ", b)", 60)).ends_with("would be too long"));
  CHECK(reads(nested("gcd(", ", 12)", 60)).ends_with("would be too long"));
  Context ctx;
  CHECK(parse(ctx, nested("floor(", "/2)", 10'000)).ok());
  CHECK(parse(ctx, nested("~(1 + ", ")", 10'000)).ok());
  std::string wide = "floor(x/2)";
  for (int i = 0; i < 20'000; ++i) wide += " + floor(x/3)";
  CHECK(parse(ctx, wide).ok());
  CHECK(parse_foreign(ctx, nested("foo(", ") > 3", 1'000)).ok());
}

TEST_CASE("in what others wrote an unknown call is an opaque atom") {
  CHECK(foreign("math.frob(L['x']) > 3 and L['n'] > 3") == "Symbol(\"math.frob(L['x'])>3\") and L['n'] > 3");
  CHECK(foreign("foo(L['a']) and not bar.baz(L['b']) == 3") ==
        "Symbol(\"foo(L['a'])\") and not Symbol(\"bar.baz(L['b'])==3\")");
  CHECK(foreign("3 if foo(a) == 2 else 4") == "Where(Symbol('foo(a)==2'), 3, 4)");
  CHECK(foreign("2 <= foo(x) <= 4 and x > 1") == "Symbol('2<=foo(x)<=4') and x > 1");
  // What may be a float by its name is not rounded; a size may not be.
  CHECK(foreign("L['scale']/2 > 3") == "Symbol(\"L['scale']/2>3\")");
  CHECK(foreign("x.size()[0]/2 > 3") == "x.size()[0] > 6");
  Context ctx;
  const Expr one = parse_foreign(ctx, "foo(x) + y > 3").value();
  CHECK(one.is_symbol());
  CHECK(one.sort() == Sort::Bool);
  CHECK(parse_foreign(ctx, "foo(x) + y > 3").value() == one);
  CHECK_FALSE(parse_foreign(ctx, "foo(x) + y > 4").value() == one);
  CHECK_FALSE(ctx.find_symbol("y"));  // nothing is concluded from what stands inside
}
