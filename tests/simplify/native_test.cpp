// The simplifier over the native prover: truth on a box stays whatever the prover claims, at scale and within time.
#include <doctest/doctest.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <set>
#include <string>

#include "dimgate/simplify.hpp"
#include "support/brute_force.hpp"
#include "support/guard_generators.hpp"
#include "support/random_formula.hpp"

using namespace dimgate;

namespace {

bool all_true(const Context& ctx, std::span<const Expr> es, const Assignment& at) {
  return std::all_of(es.begin(), es.end(), [&](Expr e) { return evaluate(ctx, e, at).is_true(); });
}

/// What is left of `count` guards of one component, as text: in an order of their own and with other symbols made
/// first, so that neither positions nor ids are what decides.
std::set<std::string> left_of_mixed(std::size_t count, std::uint64_t order) {
  Context ctx;
  for (std::uint64_t i = 0; i < order; ++i) ctx.symbol("L['x" + std::to_string(997 - 37 * i) + "'].size()[0]");
  Facts facts(ctx);
  const test::MixedGuards mixed = test::mixed_guards(ctx, count);
  std::vector<Expr> guards = mixed.guards;
  std::mt19937_64 rng(order);
  if (order != 0) std::shuffle(guards.begin(), guards.end(), rng);
  NativeProver prover;
  const Minimised m = minimise(prover, facts, guards);
  CHECK(m.kept.size() <= static_cast<std::size_t>(std::count(mixed.implied.begin(), mixed.implied.end(), false)));
  std::set<std::string> out;
  for (const Expr g : m.readable) out.insert(to_text(ctx, g));
  return out;
}

}  // namespace

TEST_CASE("random guard sets and unions keep their points") {
  for (std::uint64_t seed = 1000; seed < 1400; ++seed) {
    Context ctx;
    const std::vector<Expr> symbols = {ctx.symbol("a"), ctx.symbol("L['x'].size()[0]"), ctx.symbol("c")};
    test::RandomOptions options;
    options.ints = symbols;
    options.constant = 7;
    options.products = seed % 2 == 0;
    options.symbolic_divisors = seed % 3 == 0;
    test::RandomFormulas random(ctx, options, seed);
    Facts facts(ctx);
    if (seed % 4 == 0) facts.assume(random.fact());
    std::vector<Expr> guards;
    for (std::int64_t k = random.number(1, 6); k > 0; --k)
      guards.push_back(random.number(0, 2) != 0 ? random.fact()
                                                : random.formula(static_cast<int>(random.number(1, 3))));
    NativeProver prover;
    const Minimised m = minimise(prover, facts, guards);
    const Joined j = join(prover, facts, guards);
    std::string text;
    for (const Expr g : guards) text += to_text(ctx, g) + "; ";
    CAPTURE(seed);
    CAPTURE(text);
    CAPTURE(to_text(ctx, j.formula));
    const std::vector<Expr> declared = test::formulas_of(facts);
    test::for_each_point(ctx, symbols, {-6, 8}, [&](const Assignment& at) {
      for (const DroppedGuard& d : m.dropped) {
        bool premise = true;
        for (const std::size_t i : d.implied_by) premise = premise && evaluate(ctx, guards[i], at).is_true();
        for (const FactId f : d.facts) premise = premise && evaluate(ctx, facts[f].formula, at).is_true();
        if (premise) CHECK(evaluate(ctx, guards[d.guard], at).is_true());
      }
      if (!all_true(ctx, declared, at)) return true;
      CHECK(all_true(ctx, m.readable, at) == all_true(ctx, guards, at));
      const bool any =
          std::any_of(guards.begin(), guards.end(), [&](Expr g) { return evaluate(ctx, g, at).is_true(); });
      CHECK(evaluate(ctx, j.formula, at).is_true() == any);
      return true;
    });
  }
}

TEST_CASE("guards of several sorts") {
  Context ctx;
  Facts facts(ctx);
  NativeProver prover;
  std::vector<Expr> guards;
  for (const char* text :
       {"L['x'].dtype == torch.float32", "L['x'].dtype != torch.int8", "L['x'].dtype in {torch.float32, torch.half}",
        "flag or L['x'].size()[0] >= 2", "flag", "G['scale'] == 0.5", "G['scale'] == 0.5"}) {
    ParseOptions options;
    options.sort = Sort::Bool;
    const auto e = parse(ctx, text, options);
    REQUIRE(e.ok());
    guards.push_back(*e);
  }
  const Minimised m = minimise(prover, facts, guards);
  CHECK(m.kept.size() <= 5);
  CHECK(std::find(m.kept.begin(), m.kept.end(), 0) != m.kept.end());
  CHECK(std::find(m.kept.begin(), m.kept.end(), 4) != m.kept.end());
  CHECK(std::find(m.kept.begin(), m.kept.end(), 6) == m.kept.end());
}

TEST_CASE("generated sets: nothing is lost, and what is dropped is implied at the hidden point's neighbours") {
  for (const int kind : {0, 1, 2}) {
    Context ctx;
    Facts facts(ctx);
    SimplifyOptions options;
    const std::vector<Expr> guards = kind == 0   ? test::independent_guards(ctx, 120)
                                     : kind == 1 ? test::chained_guards(ctx, 120)
                                                 : test::dense_guards(ctx, 60, 1, &options.witness);
    NativeProver prover;
    const Minimised m = minimise(prover, facts, guards, options);
    CHECK_FALSE(m.contradictory);
    CHECK(m.dropped.size() * 3 > guards.size());
    std::vector<Expr> kept;
    for (const std::size_t i : m.kept) kept.push_back(guards[i]);
    // Random walks around points that satisfy what was kept: all guards hold exactly where the kept ones do.
    std::mt19937 rng(5);
    const SatResult model = prover.satisfiable([&] {
      Facts all(ctx);
      for (const Expr g : kept) all.assume(g);
      return all;
    }());
    if (model.verdict != Verdict::proved) continue;
    Assignment at;
    for (const auto& [s, v] : model.model) at.set(s, v);
    const auto n = ctx.symbol_count();
    for (int step = 0; step < 4000; ++step) {
      const Expr s = ctx.symbol_at(static_cast<std::uint32_t>(rng() % n));
      const Value old = at.get(s);
      if (old.is_undefined()) continue;
      Integer next = old.integer + Integer(static_cast<std::int64_t>(rng() % 17) - 8);
      if (next.sign() < 0) next = 0;
      at.set(s, Value::of(next));
      const bool in = all_true(ctx, kept, at);
      CHECK(in == all_true(ctx, guards, at));
      CHECK(in == all_true(ctx, m.readable, at));
      if (!in && rng() % 3 != 0) at.set(s, old);
    }
  }
}

TEST_CASE("one large component: what is written depends neither on the order of guards nor on that of symbols") {
  const std::set<std::string> first = left_of_mixed(900, 0);
  CHECK(first.size() < 650);
  for (std::uint64_t order = 1; order < 4; ++order) CHECK(left_of_mixed(900, order) == first);
}

TEST_CASE("10,000 guards, independent or in small components") {
  for (const int kind : {0, 1}) {
    Context ctx;
    Facts facts(ctx);
    const std::vector<Expr> guards =
        kind == 0 ? test::independent_guards(ctx, 10'000) : test::chained_guards(ctx, 10'000);
    NativeProver prover;
    const auto start = std::clock();  // processor time: other load on the machine does not count
    const Minimised m = minimise(prover, facts, guards);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    CHECK(m.dropped.size() > 4'000);
    MESSAGE(std::string(kind == 0 ? "independent" : "chained"), ": ", m.kept.size(), " kept in ", seconds, " s");
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
    WARN(seconds < 2.0);
#endif
  }
}
