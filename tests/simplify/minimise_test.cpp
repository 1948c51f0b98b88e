// minimise and the readable form: what it must drop, why, and (property) that truth never changes.
#include <doctest/doctest.h>

#include "dimgate/simplify.hpp"
#include "simplify/box_prover.hpp"
#include "support/random_formula.hpp"

using namespace dimgate;

namespace {

constexpr test::Box kBox{-4, 9};

Expr read(Context& ctx, const std::string& text) {
  auto e = parse(ctx, text);
  REQUIRE_MESSAGE(e.ok(), text, ": ", e.ok() ? "" : e.error().to_string());
  return *e;
}

std::string joined(Context& ctx, const std::vector<Expr>& conjuncts) {
  if (conjuncts.empty()) return "True";
  return to_text(ctx, conjuncts.size() == 1 ? conjuncts[0] : ctx.make(Op::And, conjuncts));
}

struct Case {
  Context ctx;
  Facts facts{ctx};
  test::BoxProver prover{kBox};
  std::vector<Expr> guards;
  Case(std::initializer_list<const char*> fact_texts, std::initializer_list<const char*> guard_texts) {
    for (const char* t : fact_texts) facts.assume(read(ctx, t));
    for (const char* t : guard_texts) guards.push_back(read(ctx, t));
  }
  Minimised run() { return minimise(prover, facts, guards); }
  std::string readable() { return joined(ctx, run().readable); }
};

}  // namespace

TEST_CASE("sets of one slot merge without a prover") {
  CHECK(Case({}, {"2 <= s", "s <= 8"}).readable() == "2 <= s <= 8");
  CHECK(Case({"s >= 0"}, {"s != 0"}).readable() == "s >= 1");
  CHECK(Case({}, {"s % 4 == 0", "s % 6 == 0"}).readable() == "s % 12 == 0");
  CHECK(Case({}, {"s % 2 == 0", "s % 4 != 2"}).readable() == "s % 4 == 0");
  CHECK(Case({"H >= 0"}, {"2*((H + 1)//2) == H"}).readable() == "H % 2 == 0");
  CHECK(Case({"H >= 0", "W >= 0", "C >= 0"}, {"2*((H + 1)//2) == H", "2*((W + 1)//2) == W", "2*((H//2 + 1)//2) == H//2",
                                              "C == 3", "2*((W//2 + 1)//2) == W//2", "H != 0", "W > 0"})
            .readable() == "C == 3 and H >= 1 and W >= 1 and H % 4 == 0 and W % 4 == 0");
  CHECK(Case({"L >= 0"}, {"ceildiv(L, 1024) == 5", "L > 4096"}).readable() == "4097 <= L <= 5120");
  CHECK(Case({"H >= 0", "W >= 0"}, {"C == 3", "H >= 1", "W >= 1", "H % 4 != 0 or W % 4 != 0"}).readable() ==
        "C == 3 and H >= 1 and W >= 1 and (H % 4 != 0 or W % 4 != 0)");
  Case trivial({"L >= 0"}, {"L >= 0", "L*L >= 0 or L > 5", "True"});
  CHECK(trivial.readable() == "True");
}

TEST_CASE("two guards never go on each other's strength") {
  Case c({}, {"x + y >= 3", "y + x > 2", "2*x >= 6 - 2*y"});
  const Minimised m = c.run();
  CHECK(m.kept == std::vector<std::size_t>{0});
  REQUIRE(m.dropped.size() == 2);
  for (const DroppedGuard& d : m.dropped) CHECK(d.implied_by == std::vector<std::size_t>{0});
}

TEST_CASE("a dropped guard says which kept guards and facts imply it") {
  Case c({"x >= 0", "y <= 100"}, {"x >= 3", "x + y >= 2", "y >= 0", "x >= 1", "x >= 0"});
  const Minimised m = c.run();
  CHECK(m.kept == std::vector<std::size_t>{0, 2});
  REQUIRE(m.dropped.size() == 3);
  CHECK(m.dropped[0].guard == 1);
  CHECK(m.dropped[0].implied_by == std::vector<std::size_t>{0, 2});
  CHECK(m.dropped[1].implied_by == std::vector<std::size_t>{0});
  CHECK(m.dropped[1].facts.empty());
  CHECK(m.dropped[2].implied_by.empty());
  CHECK(m.dropped[2].facts == std::vector<FactId>{0});
}

TEST_CASE("an undefined guard is not implied by a defined one") {
  // x // y - x // y == 0 is true only where y != 0.
  Case c({}, {"x >= 0", "x//y - x//y == 0"});
  CHECK(c.run().kept.size() == 2);
  Case d({"y >= 1"}, {"x >= 0", "x//y - x//y == 0"});
  CHECK(d.run().kept == std::vector<std::size_t>{0});
}

TEST_CASE("contradictions are said with their core") {
  for (const bool coupled : {false, true}) {
    Case c({"x >= 0"}, {"y == 2", coupled ? "x + y < 2 - z" : "x < 0", coupled ? "z >= 0" : "z == 1"});
    const Minimised m = c.run();
    CHECK(m.contradictory);
    CHECK(joined(c.ctx, m.readable) == "False");
    CHECK(m.kept == (coupled ? std::vector<std::size_t>{0, 1, 2} : std::vector<std::size_t>{1}));
  }
}

TEST_CASE("relations found from values") {
  CHECK(Case({"s0 >= 0", "s1 >= 0"}, {"s1//2 == s0", "s1 % 2 == 0"}).readable() == "s1 == 2*s0");
  CHECK(Case({"x >= 0", "y >= 0"}, {"x*y >= 1"}).readable() == "x >= 1 and y >= 1");
  CHECK(Case({"x >= 0", "y >= 0"}, {"x*y != 0"}).readable() == "x >= 1 and y >= 1");
  CHECK(Case({"0 <= x <= 9", "0 <= y <= 9"}, {"x <= y", "y <= x"}).readable() == "x == y");
}

TEST_CASE("the order of conjuncts does not depend on the order of guards") {
  const std::vector<const char*> texts = {
      "b % 3 == 0", "a >= 2", "c == 4", "a <= b", "b >= 1", "a % 2 == 1", "d != 0", "e == 1", "b % 2 != 0 or c > d"};
  std::vector<std::size_t> order(texts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::mt19937 rng(3);
  std::string first;
  for (int round = 0; round < 10; ++round) {
    Context ctx;
    Facts facts(ctx);
    test::BoxProver prover({0, 5});
    std::vector<Expr> guards;
    for (const std::size_t i : order) guards.push_back(read(ctx, texts[i]));
    const std::string text = joined(ctx, minimise(prover, facts, guards).readable);
    if (round == 0) first = text;
    CHECK(text == first);
    std::shuffle(order.begin(), order.end(), rng);
  }
  CAPTURE(first);
  CHECK(first.starts_with("c == 4 and e == 1 and a >= 3 and d != 0 and a % 2 == 1 and b % 3 == 0 and a <= b and "));
}

TEST_CASE("random guard sets: accepted points stay, reasons hold, nothing implied is left") {
  int dropped = 0;
  for (std::uint64_t seed = 0; seed < 700; ++seed) {
    Context ctx;
    const std::vector<Expr> symbols = {ctx.symbol("a"), ctx.symbol("b"), ctx.symbol("c")};
    test::RandomOptions options;
    options.ints = symbols;
    options.products = seed % 2 == 0;
    options.symbolic_divisors = seed % 3 != 0;
    test::RandomFormulas random(ctx, options, seed);
    const test::Box box{-3, 4};
    Facts facts(ctx);
    for (const Expr s : symbols)
      facts.assume(ctx.make(Op::And, {ctx.make(Op::Le, {ctx.integer(-3), s}), ctx.make(Op::Le, {s, ctx.integer(4)})}));
    for (int k = static_cast<int>(seed % 3); k > 0; --k) facts.assume(random.fact());
    std::vector<Expr> guards;
    for (std::int64_t k = random.number(1, 6); k > 0; --k)
      guards.push_back(random.number(0, 1) == 0 ? random.fact()
                                                : random.formula(static_cast<int>(random.number(1, 3))));
    test::BoxProver prover(box);
    const Minimised m = minimise(prover, facts, guards);
    dropped += static_cast<int>(m.dropped.size());
    REQUIRE(m.kept.size() + m.dropped.size() == guards.size());
    std::string text;
    for (const Expr g : guards) text += to_text(ctx, g) + "; ";
    CAPTURE(seed);
    CAPTURE(text);
    CAPTURE(joined(ctx, m.readable));
    const std::vector<Expr> declared = test::formulas_of(facts);
    const auto all_true = [&](std::span<const Expr> es, const Assignment& at) {
      return std::all_of(es.begin(), es.end(), [&](Expr e) { return evaluate(ctx, e, at).is_true(); });
    };
    std::vector<Expr> kept;
    for (const std::size_t i : m.kept) kept.push_back(guards[i]);
    std::vector<char> needed(m.kept.size(), 0);
    bool any = false;
    bool facts_hold = false;
    test::for_each_point(ctx, symbols, box, [&](const Assignment& at) {
      for (const DroppedGuard& d : m.dropped) {  // the reasons alone must imply it, on every point of the box
        bool premise = true;
        for (const std::size_t i : d.implied_by) premise = premise && evaluate(ctx, guards[i], at).is_true();
        for (const FactId f : d.facts) premise = premise && evaluate(ctx, facts[f].formula, at).is_true();
        if (premise) CHECK(evaluate(ctx, guards[d.guard], at).is_true());
      }
      if (!all_true(declared, at)) return true;
      facts_hold = true;
      const bool accepted = all_true(guards, at);
      any = any || accepted;
      CHECK(all_true(kept, at) == accepted);
      CHECK(all_true(m.readable, at) == accepted);
      for (std::size_t k = 0; k < kept.size(); ++k) {
        if (evaluate(ctx, kept[k], at).is_true()) continue;
        bool others = true;
        for (std::size_t j = 0; j < kept.size() && others; ++j) others = j == k || evaluate(ctx, kept[j], at).is_true();
        if (others) needed[k] = 1;
      }
      return true;
    });
    if (!facts_hold) continue;  // such facts are refused where they are declared
    if (!m.contradictory)
      for (std::size_t k = 0; k < kept.size(); ++k) CHECK_MESSAGE(needed[k] == 1, to_text(ctx, kept[k]));
    else
      CHECK_FALSE(any);
    for (const Expr e : m.readable) {
      const auto back = parse(ctx, to_text(ctx, e));
      REQUIRE(back.ok());
      CHECK(*back == e);
    }
  }
  CHECK(dropped > 300);
}

TEST_CASE("a relation that only fits the values looked at is not written") {
  NativeProver prover;
  Context ctx;
  const Facts facts(ctx);
  // b <= a but for pairs such as (503, 505), far from every constant.
  const Expr guard = parse(ctx, "max(a, b) == a or ((a + b) % 1009 == 1008 and b == a + 2)").value();
  const Minimised m = minimise(prover, facts, {&guard, 1});
  Assignment at;
  at.set(ctx.symbol("a"), Value::of(503));
  at.set(ctx.symbol("b"), Value::of(505));
  REQUIRE(evaluate(ctx, guard, at).is_true());
  for (const Expr e : m.readable) CHECK_MESSAGE(evaluate(ctx, e, at).is_true(), to_text(ctx, e));
}

TEST_CASE("a clause by quotients, remainders or extrema that relates two slots is written as the relation") {
  struct Written {
    std::vector<const char*> facts;
    const char *guard, *text;
  };
  const std::vector<Written> all{
      {{"a >= 0", "b >= 1"}, "ceildiv(a, b)*b == a", "a % b == 0"},
      {{"b >= 1"}, "(a + b - 1)//b == a//b", "a % b == 0"},
      {{"a >= 1", "b >= 1"}, "Ne(a - a//b*b, 0)", "a % b != 0"},
      {{}, "a - a//b*b == 0", "a % b == 0"},  // undefined at b == 0, both
      {{}, "Eq(max(a, b), a)", "b <= a"},
      {{}, "Ne(max(a, b), a)", "a < b"},
      {{"a >= 0", "b >= 1"}, "a//b == 0", "a < b"},
      {{"a >= 0", "b >= 1"}, "a % b == a", "a < b"},
      {{"a >= 0", "b >= 0"}, "abs(a - b) == a - b", "b <= a"},
      {{"a >= 0", "b >= 0"}, "a//b == 0", "a < b"},  // at b == 0 neither is true
      // Not the same without the facts, or not a relation of the list.
      {{"b >= 1"}, "a//b == 0", "a//b == 0"},
      {{}, "min(a, b) + 3 > b", "min(a, b) + 3 > b"},
  };
  NativeProver prover;
  for (const Written& w : all) {
    Context ctx;
    Facts facts(ctx);
    for (const char* f : w.facts) facts.assume(parse(ctx, f).value());
    const std::vector<Expr> guards{parse(ctx, w.guard).value()};
    const Minimised m = minimise(prover, facts, guards);
    INFO(std::string(w.guard));
    REQUIRE(m.readable.size() == 1);
    CHECK(to_text(ctx, m.readable[0]) == w.text);
  }
}
