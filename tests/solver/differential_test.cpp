// Native prover, Z3 and brute force on random questions: none may contradict another. A failure prints its smallest
// form.
#include "solver/differential.hpp"

#include "solver/fixture.hpp"
#include "support/brute_force.hpp"
#include "support/random_formula.hpp"

namespace dimgate::test {
namespace {

RandomFormulas formulas(Context& ctx, std::uint64_t seed) {
  RandomOptions options;
  const char* names[] = {"x", "y", "L['t'].size()[0]", "u", "v"};
  const std::size_t count = seed % 16 == 0 ? 5 : 1 + seed % 3;
  for (std::size_t i = 0; i < count; ++i) options.ints.push_back(ctx.symbol(names[i]));
  if (seed % 4 == 0) options.bools.push_back(ctx.symbol("p", Sort::Bool));
  options.products = seed % 2 == 0;
  options.symbolic_divisors = seed % 5 < 3;
  options.constant = seed % 7 == 0 ? 40 : 6;
  return {ctx, options, seed};
}

TEST_CASE("claims") {
  const auto z3 = make_z3_prover({.rlimit = 50'000});
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Context ctx;
    RandomFormulas random = formulas(ctx, seed);
    Question q;
    for (std::uint64_t i = 0; i < seed % 4; ++i) q.facts.push_back(random.fact());
    if (seed % 6 == 0) q.facts.push_back(random.formula(1));
    q.asked = random.formula(2);
    if (claim_contradiction(ctx, q, z3.get()))
      FAIL_CHECK("seed " << seed << ": " << shrunk_report(ctx, q, z3.get(), true));
  }
}

TEST_CASE("bounds") {
  // Z3 4.8.12 spends minutes on single optima whatever its rlimit; there only the native prover is held against the
  // box.
  const auto z3 = z3_version().starts_with("4.") ? nullptr : make_z3_prover({.rlimit = 50'000});
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Context ctx;
    RandomFormulas random = formulas(ctx, 10'000 + seed);
    Question q;
    for (std::uint64_t i = 0; i < seed % 4; ++i) q.facts.push_back(random.fact());
    q.asked = random.term(2);
    if (bound_contradiction(ctx, q, z3.get()))
      FAIL_CHECK("seed " << seed << ": " << shrunk_report(ctx, q, z3.get(), false));
  }
}

// Found here: values for a symbol that a fact's canonical form lost overwrote those another fact needs.
TEST_CASE("symbols that only raw formulas show") {
  Context ctx;
  const auto read = [&](const char* text) { return *parse(ctx, text); };
  const auto z3 = make_z3_prover({.rlimit = 100'000});
  const Expr p = ctx.symbol("p", Sort::Bool);
  for (const Question& q : {Question{{ctx.make(Op::Or, {read("x > x"), p})}, read("x != 1")},
                            Question{{read("y <= y"), read("y == 1"), read("x <= 0")}, ctx.boolean(true)},
                            Question{{read("x - x == 0"), read("y == 3")}, read("x + 0*y == 4 or y == 5")}}) {
    const auto wrong = claim_contradiction(ctx, q, z3.get());
    CHECK_MESSAGE(!wrong, wrong.value_or(""));
  }
}

// Found here: divisors under `and` in an if-then-else's condition were taken to be nonzero.
TEST_CASE("a divisor that another operand excuses") {
  Context ctx;
  const auto read = [&](const char* text) { return *parse(ctx, text); };
  const auto z3 = make_z3_prover();
  const Question fact{{read("Where(x <= 0 and 5//y == 1, 1, 2) == 2")}, read("y != 0")};
  const Question claim{{}, read("Where(x <= 0 and 5//y == 1, 1, 2) >= 1")};
  for (const Question& q : {fact, claim}) CHECK_FALSE(claim_contradiction(ctx, q, z3.get()));
  CHECK(z3->prove(Facts(ctx), claim.asked).refuted());
  CHECK_FALSE(bound_contradiction(ctx, {{}, read("Where(x <= 0 and 5//y == 1, y, y + 2)")}, z3.get()));
  CHECK_FALSE(bound_contradiction(ctx, {{}, read("Where(x <= 0 and divides(0, 0), 0, 0)")}, z3.get()));
}

TEST_CASE("a failing question shrinks to its core") {
  Context ctx;
  const auto read = [&](const char* text) { return *parse(ctx, text); };
  const Question q{{read("x >= 3"), read("y % 4 == 2")}, read("x*y + 17 >= 3 and (x // 5 == 2 or y >= 9)")};
  const auto mentions_division = [&](const Question& c) {
    return to_text(ctx, c.asked).find("//") != std::string::npos;
  };
  const Question small = shrink(ctx, q, mentions_division);
  CHECK(command_line(ctx, small, "prove") == "dimgate prove '0//0 == 0'");
}

}  // namespace
}  // namespace dimgate::test
