// Linear equations in solved form, values put into clauses, remainders and relations as people write them: each set
// against evaluation on a box, whatever the order of its guards, and again with what was written.
#include "simplify/equations.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

#include "dimgate/simplify.hpp"
#include "support/brute_force.hpp"

using namespace dimgate;

namespace {

std::vector<std::string> written(const std::vector<std::string>& guards) {
  Context ctx;
  Facts facts(ctx);
  std::vector<Expr> formulas;
  for (const std::string& g : guards) formulas.push_back(*parse(ctx, g));
  NativeProver prover;
  std::vector<std::string> out;
  for (const Expr e : minimise(prover, facts, formulas).readable) out.push_back(to_text(ctx, e));
  return out;
}

bool same_on_box(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  Context ctx;
  std::vector<Expr> left, right, all;
  for (const std::string& g : a) left.push_back(*parse(ctx, g));
  for (const std::string& g : b) right.push_back(*parse(ctx, g));
  all = left;
  all.insert(all.end(), right.begin(), right.end());
  const auto holds = [&](const std::vector<Expr>& es, const Assignment& at) {
    return std::all_of(es.begin(), es.end(), [&](Expr e) { return evaluate(ctx, e, at).is_true(); });
  };
  bool same = true;
  test::for_each_point(ctx, test::symbols_of_all(ctx, all), {-7, 14}, [&](const Assignment& at) {
    same = same && holds(left, at) == holds(right, at);
    return same;
  });
  return same;
}

struct Case {
  std::vector<std::string> guards, want;
};

}  // namespace

TEST_CASE("guard sets are written as people write them, in any order of guards, and stay so") {
  const Case cases[] = {
      {{"a + b == 10", "a - b == 2"}, {"a == 6", "b == 4"}},
      {{"a == b", "b == c", "a*a == c*c"}, {"a == b", "a == c"}},
      {{"a == b + 1", "b == c + 1", "a == c + 2"}, {"b == a - 1", "c == a - 2"}},
      {{"a >= 2", "a == b", "b >= 2"}, {"a >= 2", "a == b"}},
      {{"a == b", "b % 4 == 0"}, {"a % 4 == 0", "a == b"}},
      {{"2*a + 2*b == 2*c", "a == 1"}, {"a == 1", "b == c - 1"}},
      {{"a == 4", "b == 2*a", "c == a + b"}, {"a == 4", "b == 8", "c == 12"}},
      {{"(a + 3)//4 == (b + 3)//4", "b == 8"}, {"b == 8", "5 <= a <= 8"}},
      {{"a*b % 4 == 0", "b == 2"}, {"b == 2", "a % 2 == 0"}},
      {{"Eq(Mod(3584*a, 512*b), 0)", "b >= 1"}, {"b >= 1", "7*a % b == 0"}},
      {{"Where(a > b, a, b) == b"}, {"a <= b"}},
      {{"a//b >= 1", "a >= 0", "b >= 1"}, {"b >= 1", "b <= a"}},
      {{"ceildiv(a, b) == 1", "a >= 1", "b >= 1"}, {"a >= 1", "a <= b"}},
      {{"a == 2*b", "b >= 3"}, {"b >= 3", "a == 2*b"}},
      {{"b == a"}, {"b == a"}},
      {{"a < b or a == b"}, {"a <= b"}},
      {{"a <= b or a == b + 1"}, {"a <= b + 1"}},
      {{"a < b or a > b"}, {"a != b"}},
      {{"a < b or a == b + 1"}, {"a < b or a == b + 1"}},
      {{"(a >= 2 or b >= 2) and (a >= 2 or b < 2)"}, {"a >= 2"}},
      {{"a == 1 or b == 1", "a == 1 or b != 1"}, {"a == 1"}},
      {{"a == 1 or b == 1", "a == 1 or b <= 3"}, {"a == 1 or b == 1"}},
      {{"iff(a == 1, b == 1)", "b != 1"}, {"a != 1", "b != 1"}},
      {{"a*a >= a*b", "a >= 1"}, {"a >= 1", "b <= a"}},
      {{"a**2 > 0"}, {"a != 0"}},
      {{"(a - 1)//b + 1 == a//b", "b >= 1"}, {"b >= 1", "a % b == 0"}},
      {{"b*((a + b - 1)//b) == a", "b >= 1"}, {"b >= 1", "a % b == 0"}},
      {{"max(a, 1) == max(b, 1)", "a >= 1", "b >= 1"}, {"a >= 1", "a == b"}},
      {{"a//b >= 1", "a >= 2", "b >= 1"}, {"a >= 2", "a//b >= 1"}},
  };
  for (const Case& c : cases) {
    std::vector<std::string> guards = c.guards;
    std::mt19937 rng(3);
    for (int round = 0; round < 4; ++round) {
      const std::vector<std::string> got = written(guards);
      INFO(c.guards[0] << " ... " << (got.empty() ? "" : got[0]));
      CHECK(got == c.want);
      std::shuffle(guards.begin(), guards.end(), rng);
    }
    CHECK(same_on_box(c.guards, c.want));
    CHECK(written(c.want) == c.want);
  }
}

TEST_CASE("what a rewritten clause said stays: symbols that cancel, a slot whose set another clause narrows") {
  const std::vector<std::string> sets[] = {
      {"a == 3", "b*c + a - a >= 4"},
      {"a == 3", "b*c + 0*a >= 4"},
      {"a >= 0", "a//b >= 1", "a*c - a*c + a*a*a <= 50"},
      {"a >= 0", "a//b >= 1", "a*a*a <= 50"},
  };
  for (std::vector<std::string> guards : sets) {
    std::mt19937 rng(5);
    for (int round = 0; round < 4; ++round) {
      INFO(guards[0] << ", " << guards[1]);
      CHECK(same_on_box(guards, written(guards)));
      std::shuffle(guards.begin(), guards.end(), rng);
    }
  }
}

TEST_CASE("which clause is written first makes no difference to what is guessed of the others") {
  std::vector<std::string> guards = {"(-1 + 2*a + 2*b) % (1 + 2*b - a) != 0", "a >= 0", "2*a*a*a - 2*a*a - 2*a <= 11",
                                     "b >= 1"};
  const std::vector<std::string> want = {"0 <= a <= 2", "b >= 1", "a <= b"};
  std::mt19937 rng(7);
  for (int round = 0; round < 8; ++round) {
    CHECK(written(guards) == want);
    std::shuffle(guards.begin(), guards.end(), rng);
  }
}

TEST_CASE("random systems: the solved form has the same integer points, and one form whatever spans it") {
  std::mt19937_64 rng(37);
  const auto number = [&](int most) { return static_cast<int>(rng() % (2 * most + 1)) - most; };
  int without = 0;
  for (int i = 0; i < 400; ++i) {
    Context ctx;
    const std::vector<Expr> symbols = {ctx.symbol("a"), ctx.symbol("b"), ctx.symbol("c")};
    std::vector<simplify::LinearEquation> equations;
    for (std::size_t n = 1 + rng() % 3; n > 0; --n) {
      simplify::LinearEquation e;
      for (const Expr s : symbols)
        if (const int c = number(3); c != 0) e.terms.emplace_back(c, s);
      e.constant = number(6);
      if (e.terms.size() > 1) equations.push_back(std::move(e));
    }
    if (equations.empty()) continue;
    const auto solved = simplify::solved_form(ctx, equations);
    const auto holds = [&](const std::vector<simplify::LinearEquation>& es, const Assignment& at) {
      return std::all_of(es.begin(), es.end(), [&](const simplify::LinearEquation& e) {
        Integer sum = 0;
        for (const auto& [c, x] : e.terms) sum += c * at.get(x).integer;
        return sum == e.constant;
      });
    };
    test::for_each_point(ctx, symbols, {-8, 8}, [&](const Assignment& at) {
      REQUIRE(holds(equations, at) == (solved && holds(*solved, at)));
      return true;
    });
    without += solved ? 0 : 1;
    if (!solved || equations.size() < 2) continue;
    std::vector<simplify::LinearEquation> other(equations.rbegin(), equations.rend());
    const auto again = simplify::solved_form(ctx, other);
    REQUIRE(again.has_value());
    REQUIRE(again->size() == solved->size());
    for (std::size_t k = 0; k < solved->size(); ++k) {
      CHECK((*again)[k].terms == (*solved)[k].terms);
      CHECK((*again)[k].constant == (*solved)[k].constant);
    }
  }
  CHECK(without > 10);
}
