// Text reads back to the same node, and text for people to the same canonical form.
#include <doctest/doctest.h>

#include "dimgate/expr.hpp"
#include "expr/random_expr.hpp"

using namespace dimgate;

namespace {

std::string round(Context& ctx, const char* text) {
  auto e = parse(ctx, text);
  REQUIRE_MESSAGE(e.ok(), (e.ok() ? std::string() : e.error().to_string()));
  return to_text(ctx, *e);
}

}  // namespace

TEST_CASE("text is the usual spelling") {
  Context ctx;
  CHECK(round(ctx, "2*((H + 1)//2)==H") == "2*((H + 1)//2) == H");
  CHECK(round(ctx, "Eq(Mod(s0*s1, 8), 0)") == "s0*s1 % 8 == 0");
  CHECK(round(ctx, "2 <= L[\"x\"].size()[ 0 ] <= 8") == "2 <= L['x'].size()[0] <= 8");
  CHECK(round(ctx, "~(Eq(a, 5) & Eq(b, 2))") == "not (a == 5 and b == 2)");
  CHECK(round(ctx, "C == 3 and (H % 32 != 0 or W % 32 != 0)") == "C == 3 and (H % 32 != 0 or W % 32 != 0)");
  CHECK(round(ctx, "a not in (1, 2)") == "a not in {1, 2}");
  CHECK(round(ctx, "x1 if a > 1 else b") == "Where(a > 1, x1, b)");
}

TEST_CASE("negations, negative constants and nests of one operator keep apart") {
  Context ctx;
  const Expr a = ctx.symbol("a"), b = ctx.symbol("b"), c = ctx.symbol("c"), three = ctx.integer(3);
  const Expr minus = ctx.integer(-3);
  const auto shows = [&](Expr e, const char* text) {
    CHECK(to_text(ctx, e) == text);
    auto back = parse(ctx, text);
    REQUIRE(back.ok());
    CHECK(*back == e);
  };
  shows(minus, "-3");
  shows(ctx.make(Op::Neg, {three}), "-(3)");
  shows(ctx.make(Op::Neg, {minus}), "-(-3)");
  shows(ctx.make(Op::Neg, {ctx.make(Op::Neg, {a})}), "--a");
  shows(ctx.make(Op::Pow, {minus, ctx.integer(2)}), "(-3)**2");
  shows(ctx.make(Op::Neg, {ctx.make(Op::Pow, {three, ctx.integer(2)})}), "-3**2");
  shows(ctx.make(Op::Pow, {ctx.make(Op::Pow, {a, ctx.integer(2)}), three}), "(a**2)**3");
  shows(ctx.make(Op::Mul, {ctx.make(Op::Neg, {a}), b}), "-a*b");
  shows(ctx.make(Op::Neg, {ctx.make(Op::Mul, {a, b})}), "-(a*b)");
  shows(ctx.make(Op::Add, {a, minus}), "a + -3");
  shows(ctx.make(Op::Sub, {a, three}), "a - 3");
  shows(ctx.make(Op::Add, {a, b, c}), "a + b + c");
  shows(ctx.make(Op::Add, {ctx.make(Op::Add, {a, b}), c}), "(a + b) + c");
  shows(ctx.make(Op::Add, {a, ctx.make(Op::Add, {b, c})}), "a + (b + c)");
  shows(ctx.make(Op::Add, {ctx.make(Op::Sub, {ctx.make(Op::Add, {a, b}), c}), a}), "a + b - c + a");
  shows(ctx.make(Op::Sub, {a, ctx.make(Op::Sub, {b, c})}), "a - (b - c)");
  shows(ctx.make(Op::FloorDiv, {ctx.make(Op::Mul, {a, b}), c}), "a*b//c");
  shows(ctx.make(Op::Mul, {ctx.make(Op::Mul, {a, b}), c}), "(a*b)*c");
  shows(ctx.make(Op::And, {}), "And()");
  shows(ctx.make(Op::Or, {ctx.make(Op::Lt, {a, b})}), "Or(a < b)");
  shows(ctx.make(Op::In, {a}), "a in {}");
  shows(ctx.make(Op::Eq, {ctx.make(Op::Lt, {a, b}), ctx.make(Op::Lt, {b, c})}), "(a < b) == (b < c)");
}

TEST_CASE("names of every kind keep apart") {
  Context ctx;
  for (const char* name :
       {"None", "'None'", "\"'None'\"", "torch.float32", "'torch.float32'", "(1, 1)", "'(1, 1)'", "", "'", "it's",
        "a\"'b", "[]", "{'a': 1}", "(1,)", "( 1,)", "\x01\x7f\\x41", "torch.a b", "x"}) {
    const Expr e = ctx.enumeration(name);
    const auto back = parse(ctx, to_text(ctx, e));
    REQUIRE_MESSAGE(back.ok(), name);
    CHECK_MESSAGE(*back == e, name, " as ", to_text(ctx, e));
  }
  for (const char* name : {"s0",
                           "L['x'].size()[0]",
                           "None",
                           "and",
                           "a b",
                           "",
                           "max",
                           "max(a)",
                           "torch.float32",
                           "Mxa(a)",
                           "len(L['d'])",
                           "x.size(0)",
                           "L[\"x\"]",
                           "'q'",
                           "x-1",
                           "nan",
                           "torch.cuda.is_available()",
                           "f(a, b)",
                           "___f(a, b)",
                           "___f(a,b)",
                           "\xCE\xB1",
                           "x ",
                           "#",
                           "x.5",
                           "if",
                           "float('nan')"}) {
    const Expr e = ctx.symbol(name);
    const auto back = parse(ctx, to_text(ctx, e));
    REQUIRE_MESSAGE(back.ok(), name);
    CHECK_MESSAGE(*back == e, name, " as ", to_text(ctx, e));
  }
}

TEST_CASE("random trees of all operators read back to the same node") {
  Context ctx;
  test::RandomExpr random(ctx, 20240611);
  for (int i = 0; i < 20000; ++i) {
    const Expr e = random.make(static_cast<Sort>(random.below(4)), 1 + static_cast<unsigned>(random.below(40)));
    const std::string text = to_text(ctx, e);
    const auto back = parse(ctx, text);
    REQUIRE_MESSAGE(back.ok(), text << "\n" << (back.ok() ? "" : back.error().to_string()));
    REQUIRE_MESSAGE(*back == e, text << "\nread back as " << to_text(ctx, *back));
  }
}

TEST_CASE("text for people has the same meaning, and the same canonical form where nothing is undefined") {
  Context ctx;
  const Expr a = ctx.symbol("a"), b = ctx.symbol("b");
  CHECK(to_pretty(ctx, ctx.make(Op::Add, {a, ctx.integer(-3)})) == "a - 3");
  CHECK(to_pretty(ctx, ctx.make(Op::Add, {a, ctx.make(Op::Mul, {ctx.integer(-2), b})})) == "a - 2*b");
  CHECK(to_pretty(ctx, ctx.make(Op::Mul, {ctx.integer(-1), ctx.make(Op::Add, {a, b})})) == "-(a + b)");
  test::RandomExpr random(ctx, 7);
  int total = 0;
  for (int i = 0; i < 5000; ++i) {
    const Expr e = random.make(static_cast<Sort>(random.below(2)), 1 + static_cast<unsigned>(random.below(30)));
    for (const Expr f : {e, ctx.canonical(e)}) {
      const auto exact = parse(ctx, to_text(ctx, f));
      REQUIRE(exact.ok());
      REQUIRE(*exact == f);
      const std::string text = to_pretty(ctx, f);
      const auto back = parse(ctx, text);
      REQUIRE_MESSAGE(back.ok(), text << "\n" << (back.ok() ? "" : back.error().to_string()));
      for (int k = 0; k < 3; ++k) {
        const Assignment at = random.point(k == 2);
        REQUIRE_MESSAGE(evaluate(ctx, *back, at) == evaluate(ctx, f, at), text);
      }
      if (!f.is_total()) continue;
      ++total;
      // In a fresh context, so that what `canonical` remembers of f does not answer for it.
      Context other;
      test::RandomExpr declare(other, 0);
      const auto one = parse(other, text), two = parse(other, to_text(ctx, f));
      REQUIRE(one.ok());
      REQUIRE(two.ok());
      REQUIRE_MESSAGE(other.canonical(*one) == other.canonical(*two), text);
    }
  }
  CHECK(total > 1000);
}
