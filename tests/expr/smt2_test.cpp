// SMT-LIB2 text: T(e) by the standard's definitions of its functions (tests/expr/smt2_eval.py evaluates it).
#include <doctest/doctest.h>

#include "dimgate/expr.hpp"
#include "expr/random_expr.hpp"
#include "expr/run_tool.hpp"

using namespace dimgate;

namespace {

std::string smt2(std::string_view text) {
  Context ctx;
  const auto e = parse(ctx, text);
  REQUIRE_MESSAGE(e.ok(), text << ": " << (e.ok() ? std::string() : e.error().to_string()));
  return to_smt2(ctx, *e);
}

}  // namespace

TEST_CASE("terms") {
  CHECK(smt2("a + b*3 - -2") == "(- (+ a (* b 3)) (- 2))");
  CHECK(smt2("a//3 == 1") == "(= (div a 3) 1)");
  CHECK(smt2("a//-3 == 1") == "(= (div (- a) 3) 1)");
  CHECK(smt2("a % -3 == 1") == "(= (- (mod (- a) 3)) 1)");
  CHECK(smt2("L['x'].size()[0] > 2") == "(> |L['x'].size()[0]| 2)");
}

TEST_CASE("definedness is part of the truth, on either side of a negation") {
  CHECK(smt2("divides(b, a)") == "(and (not (= b 0)) (= (mod a b) 0))");
  CHECK(smt2("not divides(b, a)") == "(and (not (= b 0)) (not (= (mod a b) 0)))");
  CHECK(smt2("divides(b, a) or a > 2") == "(or (and (not (= b 0)) (= (mod a b) 0)) (> a 2))");
  CHECK(smt2("a//0 == 1") == "false");
  CHECK(smt2("not (a//0 == 1)") == "false");
}

TEST_CASE("symbols cannot clash with SMT-LIB's own words") {
  Context ctx;
  CHECK(smt2_symbol(ctx, ctx.symbol("s0")) == "s0");
  CHECK(smt2_symbol(ctx, ctx.symbol("div")) == "|sym:div|");
  CHECK(smt2_symbol(ctx, ctx.symbol("dg!1")) == "|sym:dg%211|");
  CHECK(smt2_symbol(ctx, ctx.symbol("sym:div")) == "|sym:sym%3adiv|");
  CHECK(smt2_symbol(ctx, ctx.symbol("a|b")) == "|sym:a%7cb|");
  CHECK(smt2_symbol(ctx, ctx.symbol("")) == "|sym:|");
  CHECK(smt2_symbol(ctx, ctx.symbol("0a")) == "|0a|");
}

TEST_CASE("a script declares every symbol") {
  Context ctx;
  const auto e = parse(ctx, "a > 1 and p and u == 1.5");
  REQUIRE(e.ok());
  CHECK(to_smt2_script(ctx, *e) ==
        "(set-logic ALL)\n(declare-const a Int)\n(declare-const p Bool)\n(declare-const u (_ BitVec 64))\n"
        "(assert (and (> a 1) p (fp.eq ((_ to_fp 11 53) u) ((_ to_fp 11 53) (_ bv4609434218613702656 64)))))\n"
        "(check-sat)\n");
}

TEST_CASE("shared terms are written once: the text is linear in the DAG") {
  Context ctx;
  Expr p = ctx.symbol("p", Sort::Bool), t = ctx.symbol("a");
  for (int i = 0; i < 100; ++i) {
    p = ctx.make(Op::Iff, {p, ctx.make(Op::Not, {p})});
    t = ctx.make(Op::Mul, {t, t});
  }
  CHECK(to_smt2(ctx, p).size() < 100 * 200);
  CHECK(to_smt2(ctx, t).size() < 100 * 100);
}

TEST_CASE("10^5 nested terms") {
  Context ctx;
  Expr t = ctx.symbol("a"), p = ctx.symbol("p", Sort::Bool);
  for (int i = 0; i < 100000; ++i) {
    t = ctx.make(Op::Abs, {ctx.make(Op::Sub, {ctx.integer(i), t})});
    p = ctx.make(Op::Or, {ctx.make(Op::Not, {p}), ctx.make(Op::Lt, {ctx.symbol("a"), ctx.integer(i)})});
  }
  CHECK(to_smt2(ctx, t).size() > 100000);
  CHECK(to_smt2(ctx, p).size() > 100000);
}

TEST_CASE("random formulas and terms, evaluated as SMT-LIB") {
  Context ctx;
  test::RandomExpr random(ctx, 555);
  std::string lines;
  int undefined = 0, truths = 0;
  for (int i = 0; i < 3000; ++i) {
    const Sort sort = i % 4 == 0 ? Sort::Int : Sort::Bool;
    const Expr e = random.make(sort, 2 + static_cast<unsigned>(random.below(30)));
    const std::string text = to_smt2(ctx, e);
    for (int k = 0; k < 3; ++k) {
      const Assignment at = random.point(false);
      const Value v = evaluate(ctx, e, at);
      undefined += v.is_undefined() ? 1 : 0;
      truths += v.is_true() ? 1 : 0;
      if (sort == Sort::Int && v.is_undefined()) continue;
      for (const Sort s : {Sort::Int, Sort::Bool, Sort::Float, Sort::Enum})
        for (const Expr symbol : random.symbols(s)) {
          const Value& x = at.get(symbol);
          lines += smt2_symbol(ctx, symbol) + "=";
          switch (x.kind) {
            case Value::Kind::boolean:
              lines += x.is_true() ? "true" : "false";
              break;
            case Value::Kind::floating:
              lines += "bv" + std::to_string(x.bits);
              break;
            case Value::Kind::enumeration:
              lines += std::to_string(ctx.enumeration(x.name).index());
              break;
            default:
              lines += x.to_string();
          }
          lines += '\t';
        }
      lines += text + '\t' + (sort == Sort::Int ? v.to_string() : v.is_true() ? "True" : "False") + '\n';
    }
  }
  CHECK(undefined > 500);
  CHECK(truths > 500);
  const test::Scratch scratch;
  const test::Ran ran =
      test::run("python3 " DIMGATE_SOURCE_DIR "/tests/expr/smt2_eval.py " + scratch.write("points.tsv", lines));
  CHECK_MESSAGE(ran.output == "failures 0\n", ran.output.substr(0, 3000));
}
