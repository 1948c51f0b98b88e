// Budgets, the watchdog, and formulas too large for Z3: unknown with a reason, never a guess, never a crash.
#include "solver/fixture.hpp"

namespace dimgate::test {
namespace {

TEST_CASE("a budget of nothing decides nothing") {
  Fixture f;
  const Proof p = f.z3->prove(f.facts, f.read("x*y*y - y*x*z >= 3 or x % 7 == y % 5"), Budget{.steps = 0});
  CHECK(p.verdict == Verdict::unknown);
  CHECK(p.reason == "budget");
}

TEST_CASE("hard nonlinear questions end as unknown, the same each time") {
  Fixture f;
  const Expr claim = f.read("x**3 + y**3 + z**3 != 33");
  const Z3Options small{.rlimit = 20'000, .watchdog_ms = 60'000, .cache = false};
  auto prover = make_z3_prover(small);
  const Proof first = prover->prove(f.facts, claim);
  CHECK(first.verdict != Verdict::proved);  // 8866128975287528^3 + ... = 33
  const Proof again = prover->prove(f.facts, claim);
  CHECK(first.verdict == again.verdict);
  CHECK(first.reason == again.reason);
}

TEST_CASE("deep and large formulas are refused or answered") {
  Fixture f;
  const Expr x = f.ctx.symbol("x");
  Expr deep = x;
  for (int i = 0; i < 100'000; ++i)
    deep = f.ctx.make(i % 2 == 0 ? Op::Max : Op::Min, {f.ctx.make(Op::FloorDiv, {deep, f.ctx.integer(3)}), x});
  const Proof p = f.z3->prove(f.facts, f.ctx.make(Op::Ge, {deep, f.ctx.integer(0)}));
  CHECK(p.verdict != Verdict::proved);
  const Proof raw = z3_prove_same(f.facts, deep, x);
  CHECK(raw.verdict == Verdict::unknown);
  CHECK(raw.reason == "solver: formula too large");
}

TEST_CASE("depth up to the limit does not overflow Z3's stack") {
  Fixture f;
  const Expr x = f.ctx.symbol("x");
  Expr deep = x;
  for (int i = 0; i < 990; ++i) deep = f.ctx.make(Op::Max, {f.ctx.make(Op::Sub, {f.ctx.integer(1), deep}), x});
  CHECK(z3_prove_same(f.facts, deep, deep).verdict == Verdict::proved);
  const Proof p = z3_prove_same(f.facts, deep, x, {.rlimit = 100'000});
  CHECK(p.verdict != Verdict::proved);
}

TEST_CASE("integers beyond int64 are exact") {
  Fixture f;
  f.assume({"x == 340282366920938463463374607431768211457"});
  CHECK(f.verdict("x % 340282366920938463463374607431768211456 == 1") == Verdict::proved);
  CHECK(f.verdict("x // 2 == 170141183460469231731687303715884105728") == Verdict::proved);
  const Proof p = f.prove("x == 0");
  REQUIRE(p.refuted());
  CHECK(p.counterexample[0].second.to_string() == "340282366920938463463374607431768211457");
}

TEST_CASE("the version is the linked library's") { CHECK(z3_version().find('.') != std::string::npos); }

}  // namespace
}  // namespace dimgate::test
