// Identities of quotients, remainders, products and extrema by symbols, found by enumeration: random terms that agree
// at every point of a box are claimed equal, terms that differ somewhere are claimed equal too. None of the latter may
// be proved; most of the former must be (an identity of the box need not hold beyond it: then it is refuted by a
// point).
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "dimgate/prove.hpp"
#include "support/brute_force.hpp"

using namespace dimgate;

namespace {

/// Terms over a, b, c of one to three operations by symbols and small constants.
class RandomTerm {
 public:
  RandomTerm(Context& ctx, std::uint64_t seed) : ctx_(ctx), rng_(seed) {
    for (const char* text :
         {"a", "b", "c", "a + 1", "a - 1", "a + b", "a - b", "2*a", "a*b", "-a", "a + b - 1", "a*c", "a*b + c"})
      starts_.push_back(*parse(ctx, text));
    for (const char* text : {"b", "2", "c", "b*c", "2*b", "3", "b + 1"}) seconds_.push_back(*parse(ctx, text));
  }
  Expr next() {
    Expr t = pick(starts_);
    for (std::uint64_t n = 1 + rng_() % 3; n > 0; --n) t = rng_() % 10 < 7 ? unary(t) : binary(t, unary(pick(starts_)));
    return t;
  }

 private:
  Expr pick(const std::vector<Expr>& from) { return from[rng_() % from.size()]; }
  Expr unary(Expr t) {
    static constexpr Op kOps[] = {Op::FloorDiv, Op::Mod, Op::CeilDiv, Op::Mul, Op::Max, Op::Min};
    return ctx_.make(kOps[rng_() % 6], {t, pick(seconds_)});
  }
  Expr binary(Expr t, Expr u) {
    static constexpr Op kOps[] = {Op::Add, Op::Add, Op::Sub, Op::Max};
    return ctx_.make(kOps[rng_() % 4], {t, u});
  }
  Context& ctx_;
  std::mt19937_64 rng_;
  std::vector<Expr> starts_, seconds_;
};

struct Counts {
  int equal = 0, proved = 0, unknown = 0, different = 0;
};

/// Asks about pairs of `terms` random terms under the facts.
Counts ask(const char* fact_text, std::uint64_t seed, int terms) {
  Context ctx;
  Facts facts(ctx);
  const Result<std::vector<Expr>> known = parse_list(ctx, fact_text);
  REQUIRE(known.ok());
  for (const Expr f : *known) facts.assume(f);
  const std::vector<Expr> symbols{ctx.symbol("a"), ctx.symbol("b"), ctx.symbol("c")};
  std::vector<Assignment> points;
  test::for_each_point(ctx, symbols, {-4, 12}, [&](const Assignment& at) {
    for (const Expr f : test::formulas_of(facts))
      if (!evaluate(ctx, f, at).is_true()) return true;
    points.push_back(at);
    return true;
  });
  REQUIRE(points.size() > 40);
  RandomTerm random(ctx, seed);
  std::map<std::vector<std::string>, Expr> first;  // by values at the points
  NativeProver prover;
  Counts n;
  std::vector<std::pair<std::vector<std::string>, Expr>> all;
  for (int i = 0; i < terms; ++i) {
    const Expr t = random.next();
    std::vector<std::string> values;
    for (const Assignment& at : points) values.push_back(evaluate(ctx, t, at).to_string());
    all.emplace_back(values, t);
    const auto [it, fresh] = first.try_emplace(std::move(values), t);
    if (fresh || it->second == t) continue;
    const Proof p = prover.prove_equal(facts, it->second, t);
    ++n.equal;
    n.proved += p.proved() ? 1 : 0;
    n.unknown += p.verdict == Verdict::unknown ? 1 : 0;
  }
  // Near misses: neighbours by value agree at many points.
  std::sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  for (std::size_t i = 0; i + 1 < all.size(); ++i)
    for (std::size_t j = i + 1; j < std::min(i + 4, all.size()); ++j) {
      if (all[i].first == all[j].first) continue;
      const std::string claim = to_text(ctx, all[i].second) + " == " + to_text(ctx, all[j].second);
      CHECK_MESSAGE(!prover.prove_equal(facts, all[i].second, all[j].second).proved(),
                    claim << " under " << std::string(fact_text));
      ++n.different;
    }
  return n;
}

}  // namespace

TEST_CASE("identities by symbols: most are proved, none that is none") {
  Counts all;
  std::uint64_t seed = 0;
  for (const char* facts :
       {"b >= 1; c >= 1", "a >= 0; b >= 1; c >= 1", "a >= 0; b >= 1; c >= 1; a % b == 0",
        "a >= 0; b >= 2; c >= 1; a <= b", "b >= 1; c == 2*b", "a >= 1; b >= 1; c >= 1; a*b == 2*c"}) {
    const Counts n = ask(facts, ++seed, 500);
    all.equal += n.equal;
    all.proved += n.proved;
    all.unknown += n.unknown;
    all.different += n.different;
  }
  MESSAGE(all.proved << " of " << all.equal << " identities of the box proved, " << all.unknown << " unknown; "
                     << all.different << " pairs that differ");
  CHECK(all.equal > 300);
  CHECK(all.unknown * 100 <= all.equal * 4);
  CHECK(all.different > 2000);
}
