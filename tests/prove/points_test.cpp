// Many points fast, against the reference evaluator: small values, and values at which int64 overflows.
#include "prove/points.hpp"

#include <doctest/doctest.h>

#include <random>

#include "expr/reference.hpp"
#include "support/random_formula.hpp"

using namespace dimgate;

namespace {

// Position of the first formula that is not true, by the reference evaluator.
std::size_t reference(const Context& ctx, std::span<const Expr> formulas, const Assignment& at) {
  for (std::size_t i = 0; i < formulas.size(); ++i)
    if (!ReferenceEvaluator(ctx, formulas[i])(at).is_true()) return i;
  return formulas.size();
}

Integer any_value(std::mt19937_64& rng) {
  const auto near = static_cast<std::int64_t>(rng() % 21) - 10;
  switch (rng() % 5) {
    case 0:
      return Integer(INT64_MAX) + near;  // on both sides of what fits
    case 1:
      return Integer(INT64_MIN) + near;
    case 2:
      return Integer(std::int64_t{1} << 32) * near;
    default:
      return near;
  }
}

}  // namespace

TEST_CASE("points agree with the reference evaluator, zero divisors and overflow included") {
  std::size_t wide = 0, all_hold = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Context ctx;
    const std::vector<Expr> symbols{ctx.symbol("a"), ctx.symbol("b"), ctx.symbol("c")};
    test::RandomFormulas random(ctx, {.ints = symbols, .bools = {}}, seed);
    std::vector<Expr> formulas;
    for (int i = 0; i < 3; ++i) {
      const Expr f = i == 0 ? random.fact() : random.formula(2);
      formulas.push_back(seed % 2 == 0 ? f : ctx.canonical(f));  // raw ones have more operators
    }
    if (seed % 7 == 0) formulas.push_back(ctx.make(Op::Lt, {symbols[0], ctx.integer(pow(Integer(2), 70))}));
    PointEvaluator points(ctx, formulas);
    REQUIRE(points.supported());
    std::mt19937_64 rng(seed);
    for (int p = 0; p < 40; ++p) {
      Assignment at;
      for (const Expr s : symbols) at.set(s, Value::of(any_value(rng)));
      for (std::size_t i = 0; i < points.symbols().size(); ++i) {
        const Integer& v = at.get(points.symbols()[i]).integer;
        points.set(i, v);
        CHECK(points.get(i) == v);
        wide += v.is_small() ? 0 : 1;
      }
      const std::size_t first = reference(ctx, formulas, at);
      INFO("seed ", seed, " point ", p);
      REQUIRE(points.first_not_true() == first);
      REQUIRE(points.all_true() == (first == formulas.size()));
      all_hold += first == formulas.size() ? 1 : 0;
    }
  }
  CHECK(wide > 500);
  CHECK(all_hold > 100);
}

TEST_CASE("what overflows int64 on the way is exact, and the next point is not affected") {
  Context ctx;
  const Expr x = ctx.symbol("x"), y = ctx.symbol("y");
  const Expr square = ctx.make(Op::Mul, {x, x, x, x});
  const Expr f = ctx.make(Op::Eq, {ctx.make(Op::FloorDiv, {square, y}), ctx.make(Op::Mul, {x, x})});
  PointEvaluator points(ctx, std::span(&f, 1));
  const Integer big = std::int64_t{1} << 40;
  const auto holds = [&](const Integer& vx, const Integer& vy) {
    points.set(0, points.symbols()[0] == x ? vx : vy);
    points.set(1, points.symbols()[0] == x ? vy : vx);
    return points.all_true();
  };
  CHECK(holds(3, 9));
  CHECK(holds(big, big * big));
  CHECK_FALSE(holds(big, big * big + 1));
  CHECK_FALSE(holds(3, 0));
  CHECK(holds(-2, 4));
  CHECK_FALSE(holds(-2, 5));
}
