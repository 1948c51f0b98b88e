// The native prover against enumeration of a box, and against itself with everything shuffled.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>

#include "dimgate/prove.hpp"
#include "support/brute_force.hpp"
#include "support/random_formula.hpp"

using namespace dimgate;

namespace {

struct Question {
  Context ctx;
  Facts facts{ctx};
  std::vector<Expr> symbols;
};

// Symbols confined to a box, so that enumeration is complete.
void confine(Question& q, std::int64_t lo, std::int64_t hi) {
  for (const Expr s : q.symbols) {
    q.facts.assume(q.ctx.make(Op::Ge, {s, q.ctx.integer(lo)}));
    q.facts.assume(q.ctx.make(Op::Le, {s, q.ctx.integer(hi)}));
  }
}

std::string show(Question& q, Expr claim) {
  std::string out;
  for (const Fact& f : q.facts.all()) out += " -a '" + to_text(q.ctx, f.formula) + "'";
  return out + " '" + to_text(q.ctx, claim) + "'";
}

std::string pinned(Context& ctx, const std::vector<std::pair<Expr, Value>>& at) {
  std::string out;
  for (const auto& [s, v] : at) out += " " + ctx.symbol_name(s) + "=" + v.to_string();
  return out;
}

}  // namespace

TEST_CASE("verdicts inside a box equal enumeration") {
  NativeProver prover;
  int unknown = 0, asked = 0;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    Question q;
    for (const char* n : {"a", "b", "c"}) q.symbols.push_back(q.ctx.symbol(n));
    confine(q, -4, 5);
    test::RandomFormulas random(q.ctx, {.ints = q.symbols}, seed);
    for (int i = 0; i < 2; ++i) q.facts.assume(random.fact());
    const Expr claim = random.formula(2);
    const std::vector<Expr> facts = test::formulas_of(q.facts);
    const test::BruteForce want = test::prove(q.ctx, facts, claim, {-4, 5});
    const Proof got = prover.prove(q.facts, claim);
    ++asked;
    if (got.verdict == Verdict::unknown) {
      ++unknown;
      continue;
    }
    INFO("prove" << show(q, claim) << " stage " << got.stage << pinned(q.ctx, got.counterexample));
    CHECK(got.proved() == want.holds);
    const SatResult sat = prover.satisfiable(q.facts);
    if (sat.verdict != Verdict::unknown) CHECK((sat.verdict == Verdict::proved) == want.satisfiable);
  }
  MESSAGE(unknown << " of " << asked << " unknown");
  CHECK(unknown * 20 <= asked);
}

TEST_CASE("without a box: what is proved holds at every point tried, what is refuted has a point") {
  NativeProver prover;
  int unknown = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Question q;
    for (const char* n : {"a", "b", "x.size()[0]"}) q.symbols.push_back(q.ctx.symbol(n));
    test::RandomFormulas random(q.ctx, {.ints = q.symbols}, seed * 7919);
    for (int i = 0; i < 2; ++i) q.facts.assume(random.fact());
    const Expr claim = random.formula(2);
    const Proof got = prover.prove(q.facts, claim);
    INFO("prove" << show(q, claim) << " stage " << got.stage);
    if (got.proved()) {
      CHECK(test::prove(q.ctx, test::formulas_of(q.facts), claim, {-7, 7}).holds);
    } else if (got.refuted()) {
      Assignment at;
      for (const auto& [s, v] : got.counterexample) at.set(s, v);
      for (const Fact& f : q.facts.all()) CHECK(evaluate(q.ctx, f.formula, at).is_true());
      CHECK_FALSE(evaluate(q.ctx, claim, at).is_true());
    } else {
      ++unknown;
    }
  }
  MESSAGE(unknown << " of 300 unknown");
}

TEST_CASE("bounds and congruences inside a box equal enumeration, outside never contradict it") {
  NativeProver prover;
  int loose = 0, asked = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const bool boxed = seed % 2 == 0;
    Question q;
    for (const char* n : {"a", "b"}) q.symbols.push_back(q.ctx.symbol(n));
    if (boxed) confine(q, -5, 6);
    test::RandomFormulas random(q.ctx, {.ints = q.symbols}, seed * 104729);
    q.facts.assume(random.fact());
    const Expr term = random.term(3);
    const test::BruteForce want = test::bound(q.ctx, test::formulas_of(q.facts), term, {-5, 6});
    const Bounds got = prover.bound(q.facts, term);
    INFO("bound" << show(q, term) << " " << got.interval.to_string() << " " << got.congruence.to_string());
    if (!want.least) {
      if (boxed) CHECK(got.empty);
      continue;
    }
    REQUIRE_FALSE(got.empty);
    ++asked;
    CHECK(got.interval.contains(*want.least));
    CHECK(got.interval.contains(*want.greatest));
    CHECK(got.congruence.contains(*want.least));
    if (!got.congruence.modulus.is_zero()) CHECK(floor_mod(want.gcd_of_differences, got.congruence.modulus).is_zero());
    if (boxed) {
      const bool tight =
          got.interval == Interval{want.least, want.greatest} && got.congruence.modulus == want.gcd_of_differences;
      loose += tight ? 0 : 1;
    }
  }
  MESSAGE(loose << " of " << asked << " not tight");
  CHECK(loose * 10 <= asked);
}

TEST_CASE("order of facts, of questions and of symbols changes no answer") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::string first;
    for (int shuffle = 0; shuffle < 4; ++shuffle) {
      std::mt19937_64 rng(seed * 31 + static_cast<std::uint64_t>(shuffle));
      // Formulas are made in a source context and transferred, so that creation order differs.
      Question source;
      for (const char* n : {"a", "b", "c", "L['x'].size()[0]"}) source.symbols.push_back(source.ctx.symbol(n));
      test::RandomFormulas random(source.ctx, {.ints = source.symbols}, seed);
      std::vector<Expr> facts, claims;
      for (int i = 0; i < 4; ++i) facts.push_back(random.fact());
      for (int i = 0; i < 3; ++i) claims.push_back(random.formula(2));
      const Expr term = random.term(2);

      Question q;
      std::vector<std::string> names{"a", "b", "c", "L['x'].size()[0]"};
      std::shuffle(names.begin(), names.end(), rng);
      for (const std::string& n : names) q.ctx.symbol(n);
      std::shuffle(facts.begin(), facts.end(), rng);
      for (const Expr f : facts) q.facts.assume(transfer(q.ctx, source.ctx, f));
      std::vector<std::size_t> order{0, 1, 2};
      std::shuffle(order.begin(), order.end(), rng);
      NativeProver prover;
      std::map<std::size_t, std::string> answers;
      for (const std::size_t i : order) {
        const Proof p = prover.prove(q.facts, transfer(q.ctx, source.ctx, claims[i]));
        std::string a = std::string(to_string(p.verdict)) + " " + p.stage + p.reason;
        std::vector<std::string> used;
        for (const FactId f : p.used) used.push_back(to_text(q.ctx, q.facts[f].formula));
        std::sort(used.begin(), used.end());
        for (const std::string& u : used) a += " [" + u + "]";
        auto at = p.counterexample;
        a += pinned(q.ctx, at);
        if (seed <= 12) {  // explanations as well
          const Expr claim = transfer(q.ctx, source.ctx, claims[i]);
          if (p.proved()) {
            std::vector<std::string> fewest;
            for (const FactId f : with_fewest_facts(prover, q.facts, claim, p).used)
              fewest.push_back(to_text(q.ctx, q.facts[f].formula));
            std::sort(fewest.begin(), fewest.end());
            for (const std::string& u : fewest) a += " {" + u + "}";
          } else if (p.refuted()) {
            a += pinned(q.ctx, with_small_values(q.facts, claim, p).counterexample);
            if (const std::optional<Expr> f = missing_fact(prover, q.facts, claim)) a += " needs " + to_text(q.ctx, *f);
          }
        }
        answers[i] = a;
      }
      const Bounds b = prover.bound(q.facts, transfer(q.ctx, source.ctx, term));
      std::string all = b.interval.to_string() + b.congruence.to_string();
      for (const auto& [i, a] : answers) all += "\n" + a;
      if (first.empty())
        first = all;
      else
        CHECK(first == all);
    }
  }
}

TEST_CASE("contradictory facts come with a minimal core, whatever the order") {
  Context ctx;
  std::vector<std::string> texts{"a >= 4", "a <= b", "b <= 3", "c == 7", "a % 2 == 0"};
  std::sort(texts.begin(), texts.end());
  do {
    Facts facts(ctx);
    for (const std::string& t : texts) facts.assume(*parse(ctx, t));
    NativeProver prover;
    const SatResult r = prover.satisfiable(facts);
    REQUIRE(r.verdict == Verdict::refuted);
    std::vector<std::string> core;
    for (const FactId f : r.core) core.push_back(to_text(ctx, facts[f].formula));
    std::sort(core.begin(), core.end());
    CHECK(core == std::vector<std::string>{"a <= b", "a >= 4", "b <= 3"});
  } while (std::next_permutation(texts.begin(), texts.end()));
}

TEST_CASE("undefined is never proved") {
  Context ctx;
  NativeProver prover;
  Facts facts(ctx);
  const Expr claim = *parse(ctx, "a//b - a//b == 0");
  const Proof p = prover.prove(facts, claim);
  CHECK(p.refuted());
  facts.assume(*parse(ctx, "b != 0"));
  CHECK(prover.prove(facts, claim).proved());
  CHECK(prover.prove(facts, *parse(ctx, "p % b == 0 or p % b != 0")).proved());
  Facts none(ctx);
  CHECK(prover.prove(none, *parse(ctx, "p % b == 0 or p % b != 0")).refuted());
  CHECK(prover.prove(none, *parse(ctx, "b == 0 or p % b >= 0 or p % b < 0")).proved());
}

TEST_CASE("a witness that gives a size a negative value refutes nothing") {
  Context ctx;
  NativeProver prover;
  Facts facts(ctx);
  const Expr x = ctx.symbol("x.size()[0]");
  facts.set_witness(x, Value::of(-3));
  CHECK(ctx.is_size(x));
  CHECK(prover.prove(facts, *parse(ctx, "x.size()[0]*x.size()[0]*x.size()[0] >= x.size()[0]")).verdict !=
        Verdict::refuted);
  facts.set_witness(x, Value::of(3));
  CHECK(prover.prove(facts, *parse(ctx, "x.size()[0]*x.size()[0] <= 9")).refuted());
}

TEST_CASE("int64 edges") {
  Context ctx;
  NativeProver prover;
  Facts facts(ctx);
  facts.assume(*parse(ctx, "a >= 9223372036854775807"));
  CHECK(prover.prove(facts, *parse(ctx, "a + 1 > 9223372036854775807")).proved());
  CHECK(prover.prove(facts, *parse(ctx, "a * a >= 85070591730234615847396907784232501249")).proved());
  CHECK(prover.prove(facts, *parse(ctx, "a - 9223372036854775808 >= 0")).refuted());
}
