// Bounds by search: tightest where Z3 decides, never narrower than the truth.
#include "solver/fixture.hpp"
#include "support/brute_force.hpp"
#include "support/random_formula.hpp"

namespace dimgate::test {
namespace {

Bounds bound(Fixture& f, const std::string& term) { return f.z3->bound(f.facts, f.read(term)); }

TEST_CASE("tightest ends, correlated") {
  Fixture f;
  f.assume({"a >= 1"});
  CHECK(bound(f, "a").interval.to_string() == "[1,inf]");
  CHECK(bound(f, "a % 5 + (5 - a)").interval.to_string() == "[-inf,5]");
  CHECK(bound(f, "a % 5").interval.to_string() == "[0,4]");
  CHECK(bound(f, "max(15 - a, 0) // 3").interval.to_string() == "[0,4]");
  const Bounds b = bound(f, "3*a - 2");
  CHECK(b.tight_lo);
  CHECK(b.tight_hi);  // open, and values far out are reached
  CHECK(b.congruence.to_string() == "(3,1)");
}

TEST_CASE("wide ends are found exactly") {
  Fixture f;
  f.assume({"-1000000007 <= x", "x <= 9223372036854775807"});
  CHECK(bound(f, "x").interval.to_string() == "[-1000000007,9223372036854775807]");
  CHECK(bound(f, "2*x + 1").interval.to_string() == "[-2000000013,18446744073709551615]");
}

TEST_CASE("strongest congruence") {
  Fixture f;
  CHECK(bound(f, "(4*x + 3) % 8").congruence.to_string() == "(4,3)");
  CHECK(bound(f, "(12*a + 1) - (21*b + 2)").congruence.to_string() == "(3,2)");
  CHECK(bound(f, "10*x - 33*y").congruence.to_string() == "(1,0)");
  CHECK(bound(f, "7 + 0*x").congruence.to_string() == "(0,7)");
  f.assume({"b % 4 == 2", "a % 2 == 1"});
  CHECK(bound(f, "b + 2*a").congruence.to_string() == "(4,0)");
}

TEST_CASE("empty where the term is defined nowhere or the facts contradict each other") {
  Fixture f;
  CHECK(bound(f, "x // (y - y)").empty);
  f.assume({"z == 1", "z == 2"});
  CHECK(bound(f, "x").empty);
}

TEST_CASE("random terms: no value of the box is left out, tight ends are reached") {
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    Fixture f;
    const Expr x = f.ctx.symbol("x");
    RandomFormulas random(f.ctx, {.ints = {x, f.ctx.symbol("y")}, .products = seed % 4 == 0}, seed);
    f.assume({"-6 <= x", "x <= 6", "-6 <= y", "y <= 6"});
    f.facts.assume(random.fact());
    const Expr term = random.term(2);
    CAPTURE(seed);
    CAPTURE(to_text(f.ctx, term));
    const BruteForce truth = test::bound(f.ctx, formulas_of(f.facts), term);
    const Bounds b = f.z3->bound(f.facts, term);
    if (!truth.least) {
      CHECK((b.empty || b.interval == Interval::all()));
      continue;
    }
    REQUIRE_FALSE(b.empty);
    CHECK(b.interval.contains(*truth.least));
    CHECK(b.interval.contains(*truth.greatest));
    CHECK(b.congruence.contains(*truth.least));
    CHECK(floor_mod(truth.gcd_of_differences, b.congruence.modulus.is_zero() ? Integer(1) : b.congruence.modulus)
              .is_zero());
    if (b.congruence.modulus.is_zero()) CHECK(*truth.least == *truth.greatest);
    if (b.tight_lo) CHECK(*b.interval.lo == *truth.least);
    if (b.tight_hi) CHECK(*b.interval.hi == *truth.greatest);
    // The box is all there is, so nothing but a spent budget excuses a wide answer without products.
    if (seed % 4 != 0) CHECK(b.tight_lo);
  }
}

}  // namespace
}  // namespace dimgate::test
