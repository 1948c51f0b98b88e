// The translation is the language's meaning: pinned to a point it says what the reference evaluator says, and
// z3_prove_same tells raw trees apart exactly where they differ.
#include "solver/fixture.hpp"
#include "support/brute_force.hpp"
#include "support/random_formula.hpp"

namespace dimgate::test {
namespace {

Verdict same(Fixture& f, const std::string& left, const std::string& right) {
  return z3_prove_same(f.facts, f.read(left), f.read(right)).verdict;
}

TEST_CASE("same meaning needs the same definedness") {
  Fixture f;
  CHECK(same(f, "x//y - x//y", "0") == Verdict::refuted);
  CHECK(same(f, "x//y == x//y", "True") == Verdict::refuted);
  CHECK(same(f, "p or not p", "True") == Verdict::proved);
  CHECK(same(f, "x//y == 1 or not (x//y == 1)", "y != 0") == Verdict::refuted);  // the left is never false
  CHECK(same(f, "not (x//y == 1)", "x//y != 1") == Verdict::proved);
  CHECK(same(f, "iff(x//y == 1, x//y == 1)", "x//y == x//y") == Verdict::proved);
  f.assume({"y > 0"});
  CHECK(same(f, "x//y - x//y", "0") == Verdict::proved);
  CHECK(same(f, "x == (x//y)*y + x % y", "True") == Verdict::proved);
}

// f with its symbols fixed to a point is true, false or undefined as the reference evaluator says.
TEST_CASE("random formulas at points") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Fixture f;
    const Expr x = f.ctx.symbol("x");
    const Expr y = f.ctx.symbol("y");
    const Expr p = f.ctx.symbol("p", Sort::Bool);
    RandomFormulas random(f.ctx, {.ints = {x, y}, .bools = {p}}, 1000 + seed);
    const Expr formula = random.formula(3);
    for (int i = 0; i < 3; ++i) {
      Assignment at;
      const std::int64_t vx = random.number(-7, 7);
      const std::int64_t vy = random.number(-2, 2);
      const bool vp = random.number(0, 1) == 1;
      at.set(x, Value::of(vx));
      at.set(y, Value::of(vy));
      at.set(p, Value::of(vp));
      Facts point(f.ctx);
      point.assume(f.ctx.make(Op::Eq, {x, f.ctx.integer(vx)}));
      point.assume(f.ctx.make(Op::Eq, {y, f.ctx.integer(vy)}));
      point.assume(vp ? p : f.ctx.make(Op::Not, {p}));
      const Value value = evaluate(f.ctx, formula, at);
      CAPTURE(seed);
      CAPTURE(to_text(f.ctx, formula));
      CAPTURE(vx);
      CAPTURE(vy);
      const Verdict is_true = z3_prove_same(point, formula, f.ctx.boolean(true)).verdict;
      const Verdict is_false = z3_prove_same(point, formula, f.ctx.boolean(false)).verdict;
      CHECK(is_true == (value.is_true() ? Verdict::proved : Verdict::refuted));
      CHECK(is_false == (value.is_false() ? Verdict::proved : Verdict::refuted));
    }
  }
}

}  // namespace
}  // namespace dimgate::test
