// Explanations: fewest facts, small counterexamples, the fact that is missing.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "dimgate/prove.hpp"
#include "support/brute_force.hpp"
#include "support/random_formula.hpp"

namespace dimgate {
namespace {

struct Fixture {
  Context ctx;
  Facts facts{ctx};
  NativeProver native;

  Expr read(const std::string& text) {
    Result<Expr> e = parse(ctx, text);
    REQUIRE_MESSAGE(e.ok(), text);
    return *e;
  }
  void assume(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) facts.assume(read(text));
  }
  std::string missing(const std::string& claim) {
    const auto fact = missing_fact(native, facts, read(claim));
    return fact ? to_text(ctx, *fact) : "none";
  }
};

TEST_CASE("no fact of a proof could be left out") {
  Fixture f;
  f.assume({"z == 3", "a >= 1", "b >= a + 1", "b >= 2", "a <= 9"});
  Proof all;
  all.verdict = Verdict::proved;
  all.used = {0, 1, 2, 3, 4};
  const Expr claim = f.read("b >= 2");
  const Proof fewest = with_fewest_facts(f.native, f.facts, claim, all);
  REQUIRE(fewest.proved());
  for (const FactId drop : fewest.used) {
    Facts rest(f.ctx);
    for (const FactId id : fewest.used)
      if (id != drop) rest.assume(f.facts[id].formula);
    CHECK_FALSE(f.native.prove(rest, claim).proved());
  }
  Facts kept(f.ctx);
  for (const FactId id : fewest.used) kept.assume(f.facts[id].formula);
  CHECK(f.native.prove(kept, claim).proved());
}

TEST_CASE("counterexamples come near to zero and still refute") {
  Fixture f;
  f.assume({"x % 8 == 3", "x >= 100", "y <= -50"});
  const Expr claim = f.read("x + y <= 0");
  Proof far;
  far.verdict = Verdict::refuted;
  far.counterexample = {{f.ctx.symbol("x"), Value::of(100'003)}, {f.ctx.symbol("y"), Value::of(-700)}};
  const Proof near = with_small_values(f.facts, claim, far);
  Assignment at;
  for (const auto& [symbol, value] : near.counterexample) at.set(symbol, value);
  for (const Fact& fact : f.facts.all()) CHECK(evaluate(f.ctx, fact.formula, at).is_true());
  CHECK_FALSE(evaluate(f.ctx, claim, at).is_true());
  CHECK(abs(near.counterexample[1].second.integer) <= Integer(700));
  Proof free;
  free.verdict = Verdict::refuted;
  free.counterexample = {{f.ctx.symbol("z"), Value::of(123'456'789)}};
  const Facts none(f.ctx);
  CHECK(with_small_values(none, f.read("z <= 4"), free).counterexample[0].second == Value::of(5));
}

TEST_CASE("the missing fact") {
  Fixture f;
  f.assume({"a % 2 == 0"});
  CHECK(f.missing("a*b % 8 == 0") == "a % 8 == 0");
  CHECK(f.missing("b*12 % 48 == 0") == "b % 4 == 0");
  CHECK(f.missing("(c + 1) % 8 == 0") == "c % 8 == 7");
  CHECK(f.missing("min(c, 9) >= 7") == "c >= 7");
  CHECK(f.missing("c*c >= c") == "none");  // true for all integers: nothing is missing
  CHECK(f.missing("x // y == x // y") == "y >= 1");
  CHECK(f.missing("d - e == 0") == "d == e");
  CHECK(f.missing("d*d + e*e == 1000003") == "none");
}

TEST_CASE("the claim over again is not offered, however it is spelled") {
  Fixture f;
  for (const char* claim : {"c >= 7", "7 <= c", "c > 6", "not c < 7", "c % 2 == 1", "Eq(Mod(c, 2), 1)", "c % 2 != 0",
                            "c == d", "d == c", "c % 8 == 7"})
    CHECK_MESSAGE(f.missing(claim) == "none", claim);
  f.assume({"c % 4 == 0"});
  CHECK(f.missing("c % 8 == 0") == "none");
}

TEST_CASE("an upper bound where one suffices, the weakest there is") {
  Fixture f;
  f.assume({"1 <= b", "b <= 64", "n >= 0"});
  CHECK(f.missing("b*s*256 <= 2147483647") == "s <= 131071");
  CHECK(f.missing("3*n + 1 <= 1000") == "n <= 333");
  CHECK(f.missing("n*n <= 10**6") == "n <= 1000");
  CHECK(f.missing("s//8 >= 100") == "s >= 800");
}

TEST_CASE("what would contradict the facts is not offered") {
  Fixture f;
  f.assume({"c <= 3", "c % 8 != 7"});
  CHECK(f.missing("c >= 7") == "none");
  CHECK(f.missing("(c + 1) % 8 == 0") == "none");
}

TEST_CASE("random claims: an offered fact proves the claim at every point of a box") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Fixture f;
    test::RandomOptions options;
    for (const char* name : {"x", "y"}) options.ints.push_back(f.ctx.symbol(name));
    test::RandomFormulas random(f.ctx, options, seed);
    f.facts.assume(random.fact());
    const Expr claim = random.formula(1);
    const auto fact = missing_fact(f.native, f.facts, claim);
    if (!fact) continue;
    std::vector<Expr> with = test::formulas_of(f.facts);
    with.push_back(*fact);
    CAPTURE(to_text(f.ctx, claim));
    CAPTURE(to_text(f.ctx, *fact));
    CHECK(test::prove(f.ctx, with, claim, {-12, 12}).holds);
  }
}

}  // namespace
}  // namespace dimgate
