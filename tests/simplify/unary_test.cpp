// Sets of single-slot formulas against the reference evaluator, point by point, far ends included.
#include "simplify/unary.hpp"

#include <doctest/doctest.h>

#include "simplify/random_formula.hpp"
#include "simplify/tape.hpp"

using namespace dimgate;
using namespace dimgate::simplify;

namespace {

void check_point(const Context& ctx, Expr f, Expr x, const UnaryTruth& truth, std::int64_t v) {
  Assignment at;
  at.set(x, Value::of(v));
  const Value value = evaluate(ctx, f, at);
  CAPTURE(v);
  CHECK(truth.is_true.contains(v) == value.is_true());
  CHECK(truth.is_false.contains(v) == value.is_false());
}

void check_everywhere(const Context& ctx, Expr f, Expr x, const UnaryTruth& truth) {
  CAPTURE(to_text(ctx, f));
  CAPTURE(truth.is_true.to_string());
  for (std::int64_t v = -90; v <= 90; ++v) check_point(ctx, f, x, truth, v);
  for (const std::int64_t v : {-1000003LL, -4096LL, 4096LL, 1000003LL, 720720LL, 720721LL})
    check_point(ctx, f, x, truth, v);
}

}  // namespace

TEST_CASE("random formulas about one slot") {
  int done = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    Context ctx;
    const Expr x = ctx.symbol("x");
    test::RandomFormula random(ctx, {x}, seed);
    random.wild = seed % 3 == 0;
    const Expr f = random.formula(static_cast<int>(seed % 3), 1 + static_cast<int>(seed % 2));
    for (const Expr g : {f, ctx.canonical(f)}) {
      const auto truth = unary_truth(g, x);
      if (!truth) continue;
      ++done;
      check_everywhere(ctx, g, x, *truth);
    }
  }
  CHECK(done > 6000);
}

TEST_CASE("what people write") {
  Context ctx;
  const Expr x = ctx.symbol("x");
  const auto set = [&](const char* text) {
    const auto f = parse(ctx, text);
    REQUIRE(f.ok());
    const auto truth = unary_truth(*f, x);
    REQUIRE(truth.has_value());
    return truth->is_true;
  };
  CHECK(set("2*((x + 1)//2) == x") == IntSet::of(Residues::only(2, 0)));
  CHECK(set("4*((((x + 1)//2) + 1)//2) == x") == IntSet::of(Residues::only(4, 0)));
  CHECK(set("ceildiv(x, 1024) == 5 and x > 4096") == IntSet::range(4097, 5120));
  CHECK(set("ceildiv(x, 20480000) == 5") == IntSet::range(4 * 20480000LL + 1, 5 * 20480000LL));
  CHECK(set("2*x - 1 < 100000 - 3*x") == IntSet::range(IntSet::kMinusInf, 20000));
  CHECK(set("max(x, 4) == 4") == IntSet::range(IntSet::kMinusInf, 4));
  // undefined at x = 4096, so neither true nor false there
  CHECK(set("1 % (x - 4096) != 0") == *subtract(IntSet::all(), IntSet::range(4095, 4097)));
  CHECK(set("x in {3, 1, 2, 9}") == *unite(IntSet::range(1, 3), IntSet::point(9)));
}

TEST_CASE("what does not fit is refused") {
  Context ctx;
  const Expr x = ctx.symbol("x");
  for (const char* text : {"x*x == 4", "x % 999983 == 1", "x > 10**30", "x // x == 1"}) {
    const auto f = parse(ctx, text);
    REQUIRE(f.ok());
    CHECK_FALSE(unary_truth(*f, x).has_value());
  }
  const auto f = parse(ctx, "x > y");
  CHECK_FALSE(unary_truth(*f, x).has_value());
}

TEST_CASE("the fast evaluator agrees with the reference evaluator") {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Context ctx;
    const Expr x = ctx.symbol("x");
    const Expr y = ctx.symbol("y");
    test::RandomFormula random(ctx, {x, y}, seed);
    random.wild = random.products = true;
    const Expr f = random.formula(static_cast<int>(seed % 3), 2);
    const Tape tape(f);
    REQUIRE(tape.has());
    std::vector<Tape::Cell> stack;
    CAPTURE(to_text(ctx, f));
    test::for_each_point({x, y}, -5, 5, [&](const Assignment& at) {
      Point p;
      p.set(x, at.get(x).integer.small());
      p.set(y, at.get(y).integer.small());
      const Value v = evaluate(ctx, f, at);
      const Tape::Cell c = tape.run(p, stack);
      REQUIRE(c.state != Tape::State::overflow);
      CHECK((c.state == Tape::State::undefined) == v.is_undefined());
      if (c.state == Tape::State::value) CHECK((c.v == 1) == v.is_true());
    });
  }
}

TEST_CASE("the fast evaluator says when int64 is too small") {
  Context ctx;
  const Expr x = ctx.symbol("x");
  const auto f = parse(ctx, "x*x*x > 5 or x == 3");
  const Tape tape(*f);
  std::vector<Tape::Cell> stack;
  Point p;
  p.set(x, 4'000'000'000'000);
  CHECK(tape.run(p, stack).state == Tape::State::overflow);
  p.set(x, 3);
  CHECK(tape.run(p, stack).v == 1);
}
