// Verdicts of the Z3 prover: what is proved, refuted and left, which facts are named, and that history changes nothing.
#include <algorithm>
#include <random>

#include "solver/fixture.hpp"
#include "support/brute_force.hpp"
#include "support/random_formula.hpp"

namespace dimgate::test {
namespace {

TEST_CASE("floor division and its remainder for divisors of either sign") {
  Fixture f;
  CHECK(f.verdict("x//2//3 == x//6") == Verdict::proved);
  CHECK(f.verdict("(x//-2)//-3 == x//6") == Verdict::refuted);
  CHECK(f.verdict("x % 3 >= 0") == Verdict::proved);
  CHECK(f.verdict("x % -3 <= 0") == Verdict::proved);
  CHECK(f.verdict("x == (x//-7)*-7 + x % -7") == Verdict::proved);
  CHECK(f.verdict("CeilDiv(x, 4) == (x + 3)//4") == Verdict::proved);
  CHECK(f.verdict("x % 2 == 0") == Verdict::refuted);
}

TEST_CASE("undefined is not true") {
  Fixture f;
  CHECK(f.verdict("x//y == x//y") == Verdict::refuted);
  CHECK(f.verdict("implies(y != 0, x//y == x//y)") == Verdict::proved);
  CHECK(f.verdict("x//y == x//y or y == 0") == Verdict::proved);  // strong Kleene
  CHECK(f.verdict("x % 0 == 0 or True") == Verdict::proved);
  CHECK(f.verdict("x % 0 == 0 or x == x") == Verdict::proved);
  CHECK(f.verdict("divides(0, x)") == Verdict::refuted);
  CHECK(f.verdict("not divides(0, x)") == Verdict::refuted);
  CHECK(f.verdict("Where(y > 0, x % y, 0) >= 0") == Verdict::proved);
  f.assume({"x // y >= 0"});
  CHECK(f.verdict("y != 0") == Verdict::proved);
}

TEST_CASE("sizes are not negative by nature, other names may be") {
  Fixture f;
  CHECK(f.verdict("L['x'].size()[0] >= 0") == Verdict::proved);
  CHECK(f.verdict("x >= 0") == Verdict::refuted);
}

TEST_CASE("floats are bit patterns") {
  Fixture f;
  CHECK(f.verdict("implies(isnan(u), not u == u)") == Verdict::proved);
  CHECK(f.verdict("implies(same_bits(u, -0.0), u == 0.0)") == Verdict::proved);
  CHECK(f.verdict("implies(u == 0.0, same_bits(u, 0.0))") == Verdict::refuted);
  CHECK(f.verdict("same_bits(u, v) or not same_bits(u, v)") == Verdict::proved);
  CHECK(f.verdict("implies(u == v and v == w, u == w)") == Verdict::proved);
}

TEST_CASE("names are distinct, and a symbol may have a name no formula shows") {
  Fixture f;
  f.assume({"d == torch.float32 or d == torch.float16"});
  CHECK(f.verdict("d != torch.int8") == Verdict::proved);
  CHECK(f.verdict("d in {torch.float16, torch.float32}") == Verdict::proved);
  CHECK(f.verdict("d == torch.float32") == Verdict::refuted);
  Fixture open;
  const Proof p = open.prove("d == torch.float32 or d == torch.float16");
  CHECK(p.refuted());
  REQUIRE(p.counterexample.size() == 1);
  CHECK(p.counterexample[0].second.name != "torch.float32");
}

TEST_CASE("a proof names facts that suffice, a refutation's values hold") {
  Fixture f;
  f.assume({"z == 3", "a >= 1", "b >= a + 1", "c <= 5", "a % 2 == 0"});
  const Proof p = f.prove("b >= 2");
  REQUIRE(p.proved());
  CHECK(p.used == std::vector<FactId>{1, 2});
  const Expr claim = f.read("b >= 4");
  const Proof q = f.z3->prove(f.facts, claim);
  REQUIRE(q.refuted());
  CHECK(is_counterexample(f.facts, claim, q));
  CHECK(q.counterexample.size() == 4);  // z, a, b, c
}

TEST_CASE("products: what Debian's release gives up on may stay unknown, never wrong") {
  Fixture f;
  f.assume({"a % 8 == 0"});
  CHECK(f.verdict("a*b*c % 8 == 0") != Verdict::refuted);
  CHECK(f.verdict("a*b*c % 16 == 0") != Verdict::proved);
}

TEST_CASE("satisfiable gives a model or a minimal core") {
  Fixture f;
  f.assume({"a % 4 == 1", "b >= 7", "a % 6 == 2", "a >= 0"});
  const SatResult none = f.z3->satisfiable(f.facts);
  CHECK(none.verdict == Verdict::refuted);
  CHECK(none.core == std::vector<FactId>{0, 2});
  Fixture g;
  g.assume({"4*q + r == 7", "0 <= r", "r <= 3", "x - x == 0"});
  const SatResult some = g.z3->satisfiable(g.facts);
  REQUIRE(some.verdict == Verdict::proved);
  Assignment at;
  for (const auto& [symbol, value] : some.model) at.set(symbol, value);
  for (const Fact& fact : g.facts.all()) CHECK(evaluate(g.ctx, fact.formula, at).is_true());
}

TEST_CASE("from contradictory facts everything follows, and their core is named") {
  Fixture f;
  f.assume({"a >= 1", "x == 1", "x == 2"});
  const Proof p = f.prove("a >= 5");
  CHECK(p.proved());
  CHECK(p.used == std::vector<FactId>{1, 2});
}

// The same questions in shuffled order, with facts in shuffled order and symbols made in another order.
TEST_CASE("answers do not depend on history, nor on the order of facts and symbols") {
  const std::vector<std::string> facts{"a >= 1", "b >= 1", "a % 4 == 2", "b <= a + 9", "c == 2*a - b"};
  const std::vector<std::string> claims{"c <= 2*a",  "a*b >= 3", "c % 2 == b % 2", "a*b*c >= 0",
                                        "b//a <= 5", "a*a >= 4", "c >= 0"};
  const auto answer = [](const Proof& p, const Context& ctx) {
    std::string out(to_string(p.verdict));
    for (const auto& [s, v] : p.counterexample) out += ' ' + ctx.symbol_name(s) + '=' + v.to_string();
    return out;
  };
  std::vector<std::string> expected;
  for (const std::string& claim : claims) {
    Fixture f;
    for (const std::string& fact : facts) f.facts.assume(f.read(fact));
    expected.push_back(answer(f.prove(claim), f.ctx));
  }
  std::mt19937_64 rng(7);
  for (int round = 0; round < 4; ++round) {
    Fixture f;
    std::vector<std::string> names{"a", "b", "c"};
    std::shuffle(names.begin(), names.end(), rng);
    for (const std::string& name : names) f.ctx.symbol(name);
    std::vector<std::string> shuffled = facts;
    std::shuffle(shuffled.begin(), shuffled.end(), rng);
    for (const std::string& fact : shuffled) f.facts.assume(f.read(fact));
    std::vector<std::size_t> order(claims.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), rng);
    for (const std::size_t i : order) CHECK(answer(f.prove(claims[i]), f.ctx) == expected[i]);
  }
}

TEST_CASE("random claims agree with brute force over a box, zero divisors included") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Fixture f;
    RandomOptions options;
    for (const char* name : {"x", "y"}) options.ints.push_back(f.ctx.symbol(name));
    options.bools.push_back(f.ctx.symbol("p", Sort::Bool));
    RandomFormulas random(f.ctx, options, seed);
    for (int i = 0; i < 2; ++i) f.facts.assume(random.fact());
    const Expr claim = random.formula(2);
    CAPTURE(seed);
    CAPTURE(to_text(f.ctx, claim));
    const Z3Options quick{.rlimit = 200'000, .watchdog_ms = 20'000};
    const Proof p = make_z3_prover(quick)->prove(f.facts, claim);
    CHECK(p.reason.find("does not confirm") == std::string::npos);
    CHECK(p.reason != "watchdog");
    if (p.proved()) CHECK(test::prove(f.ctx, formulas_of(f.facts), claim).holds);
    if (p.refuted()) CHECK(is_counterexample(f.facts, claim, p));
  }
}

}  // namespace
}  // namespace dimgate::test
