// Two terms are the same where both have one value or neither has one: prove_equal against enumeration of a box, with
// terms that agree wherever both are defined (and differ in where), and the same a constant apart.
#include <doctest/doctest.h>

#include "dimgate/prove.hpp"
#include "support/brute_force.hpp"
#include "support/random_formula.hpp"

using namespace dimgate;

namespace {

constexpr test::Box kBox{-3, 4};

bool same_everywhere(Context& ctx, const Facts& facts, Expr left, Expr right) {
  const std::vector<Expr> known = test::formulas_of(facts);
  std::vector<Expr> all = known;
  all.insert(all.end(), {left, right});
  bool same = true;
  test::for_each_point(ctx, test::symbols_of_all(ctx, all), kBox, [&](const Assignment& at) {
    for (const Expr f : known)
      if (!evaluate(ctx, f, at).is_true()) return true;
    const Value a = evaluate(ctx, left, at), b = evaluate(ctx, right, at);
    same = a.is_undefined() ? b.is_undefined() : !b.is_undefined() && a.integer == b.integer;
    return same;
  });
  return same;
}

// `kind` 0: another term; 1, 2: the term with a vanishing one beside it; 3: and 1 more; 4: scaled and back.
Expr partner(Context& ctx, test::RandomFormulas& random, Expr term, int kind) {
  if (kind == 0) return random.term(2);
  const Expr other = random.term(2);
  if (kind == 4) return ctx.make(Op::FloorDiv, {ctx.make(Op::Mul, {term, other}), other});
  const Expr nothing = ctx.make(Op::Sub, {other, other});
  const Expr sum = ctx.make(Op::Add, {term, nothing});
  return kind == 3 ? ctx.make(Op::Add, {sum, ctx.integer(1)}) : sum;
}

}  // namespace

TEST_CASE("terms are the same where enumeration finds one value, or none, at every point") {
  NativeProver prover;
  int unknown = 0, proved = 0, refuted = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Context ctx;
    Facts facts(ctx);
    const std::vector<Expr> symbols{ctx.symbol("a"), ctx.symbol("b")};
    for (const Expr s : symbols) {
      facts.assume(ctx.make(Op::Ge, {s, ctx.integer(kBox.lo)}));
      facts.assume(ctx.make(Op::Le, {s, ctx.integer(kBox.hi)}));
    }
    test::RandomFormulas random(ctx, {.ints = symbols}, seed);
    if (seed % 3 == 0) facts.assume(random.fact());
    const Expr left = random.term(2), right = partner(ctx, random, left, static_cast<int>(seed % 5));
    const Proof got = prover.prove_equal(facts, left, right);
    INFO(to_text(ctx, left) << " === " << to_text(ctx, right) << " stage " << got.stage);
    if (got.verdict == Verdict::unknown) {
      ++unknown;
      continue;
    }
    ++(got.proved() ? proved : refuted);
    CHECK(got.proved() == same_everywhere(ctx, facts, left, right));
  }
  MESSAGE(proved << " proved, " << refuted << " refuted, " << unknown << " unknown");
  CHECK(proved >= 40);
  CHECK(refuted >= 100);
  CHECK(unknown <= 8);
}

TEST_CASE("a constant apart is not the same, whatever vanishes beside it") {
  Context ctx;
  NativeProver prover;
  const auto verdict = [&](const char* fact, const char* left, const char* right) {
    Facts facts(ctx);
    facts.assume(*parse(ctx, fact));
    return prover.prove_equal(facts, *parse(ctx, left), *parse(ctx, right)).verdict;
  };
  CHECK(verdict("b != 0", "a//b - a//b", "0") == Verdict::proved);
  CHECK(verdict("b != 0", "a//b - a//b + 5", "0") == Verdict::refuted);
  CHECK(verdict("a >= 0", "a//b - a//b + 5", "5") == Verdict::refuted);
  CHECK(verdict("a >= 0", "a//b - a//b + 5", "5 + a%b - a%b") == Verdict::proved);
  CHECK(verdict("a >= 0", "a//b - a//b + 5", "5 + a%c - a%c") == Verdict::refuted);
  CHECK(verdict("b == c", "a//b - a//b + 5", "5 + a%c - a%c") == Verdict::proved);
  CHECK(verdict("b == c", "a//b - a//b + 5", "4 + a%c - a%c") == Verdict::refuted);
}
