// Python text, judged by python3: a formula is True exactly where ours is, a term has our value or raises.
#include <doctest/doctest.h>

#include "dimgate/expr.hpp"
#include "expr/random_expr.hpp"
#include "expr/run_tool.hpp"

using namespace dimgate;

namespace {

std::string python(std::string_view text) {
  Context ctx;
  const auto e = parse(ctx, text);
  REQUIRE_MESSAGE(e.ok(), text << ": " << (e.ok() ? std::string() : e.error().to_string()));
  return to_python(ctx, *e);
}

std::string literal(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + "'";
}

// The value as a Python expression.
std::string value(Context& ctx, const Value& v) {
  switch (v.kind) {
    case Value::Kind::floating:
      return "_dg_float(" + std::to_string(v.bits) + ")";
    case Value::Kind::enumeration:
      return to_python(ctx, ctx.enumeration(v.name));
    default:
      return v.to_string();
  }
}

// What the names of RandomExpr mean.
constexpr const char* kWorld = R"(
class World:
    def __init__(self, **fields):
        self.__dict__.update(fields)


torch = World(float32='the type torch.float32')
failures = 0


def at(a, b, c, size, stride, p, q, training, u, eps, d, dtype):
    L = {'x': World(size=lambda: [size], dtype=dtype), 'self': World(training=training), 'eps': eps}
    self = World(_modules={'a': World(weight=World(stride=lambda: [None, stride]))})
    return dict(globals(), a=a, b=b, c=c, p=p, q=q, u=u, d=d, L=L, self=self)


def check(text, world, truth, kind):
    global failures
    try:
        got = eval(text, world)
    except ZeroDivisionError:
        got = 'undefined'
    good = (got is True) == truth if kind == 'formula' else type(got) is type(truth) and got == truth
    if not good:
        failures += 1
        if failures <= 5:
            print(text, 'gave', repr(got), 'instead of', repr(truth))

)";

}  // namespace

TEST_CASE("plain formulas are plain Python") {
  CHECK(python("2 <= L['x'].size()[0] <= 8") == "2 <= L['x'].size()[0] and L['x'].size()[0] <= 8");
  CHECK(python("Eq(Mod(s0*s1, 8), 0)") == "s0*s1 % 8 == 0");
  CHECK(python("L['x'].dtype == torch.float32") == "L['x'].dtype == torch.float32");
  CHECK(python("ceildiv(a, 4) > 2") == "-(-a//4) > 2");
  CHECK(python("a in {1, 2}") == "a in (1, 2)");
  CHECK(python("a in {1}") == "a in (1,)");
  CHECK(python("divides(4, a)") == "a % 4 == 0");
  CHECK(python("isnan(u)") == "u != u");
  CHECK(python("u == nan") == "u == float('nan')");
  CHECK(python("a > 0 if p else b > 0") == "a > 0 if p else b > 0");
}

TEST_CASE("where an operand may be undefined, or does not stop at it") {
  CHECK(python("1//a == 1 and b == 1") == "1//a == 1 and b == 1");
  CHECK(python("1//a == 1 or b == 1") == "b == 1 or 1//a == 1");
  CHECK(python("1//a == 1 or 1//b == 1") == "_dg_or(lambda: 1//a == 1, lambda: 1//b == 1)");
  CHECK(python("not (1//a == 1 and 1//b == 1)") == "not (_dg_and(lambda: 1//a == 1, lambda: 1//b == 1))");
}

TEST_CASE("names that Python keeps are reached through globals()") {
  Context ctx;
  CHECK(to_python(ctx, ctx.symbol("lambda")) == "globals()['lambda']");
  CHECK(to_python(ctx, ctx.symbol("a b")) == "globals()['a b']");
}

TEST_CASE("random formulas and terms, run by python3") {
  Context ctx;
  test::RandomExpr random(ctx, 31337);
  std::string script(python_prelude());
  script += kWorld;
  int undefined = 0, truths = 0;
  for (int i = 0; i < 2500; ++i) {
    const Sort sort = i % 3 == 0 ? Sort::Int : Sort::Bool;
    const Expr e = random.make(sort, 2 + static_cast<unsigned>(random.below(30)));
    const std::string text = literal(to_python(ctx, e));
    for (int k = 0; k < 4; ++k) {
      const Assignment at = random.point(false);
      const Value v = evaluate(ctx, e, at);
      undefined += v.is_undefined() ? 1 : 0;
      truths += v.is_true() ? 1 : 0;
      script += "check(" + text + ", at(";
      bool first = true;
      for (const Sort s : {Sort::Int, Sort::Bool, Sort::Float, Sort::Enum})
        for (const Expr symbol : random.symbols(s)) {
          script += (first ? "" : ", ") + value(ctx, at.get(symbol));
          first = false;
        }
      const std::string expected = sort == Sort::Bool ? (v.is_true() ? "True" : "False")
                                   : v.is_undefined() ? "'undefined'"
                                                      : v.to_string();
      script += "), " + expected + (sort == Sort::Bool ? ", 'formula')\n" : ", 'term')\n");
    }
  }
  script += "print('failures', failures)\n";
  CHECK(undefined > 500);
  CHECK(truths > 500);
  const test::Scratch scratch;
  const test::Ran ran = test::run("python3 " + scratch.write("check.py", script));
  CHECK_MESSAGE(ran.output == "failures 0\n", ran.output);
}
