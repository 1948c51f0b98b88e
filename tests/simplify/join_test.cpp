// Joining, subsumption, disjointness and merging of entries.
#include <doctest/doctest.h>

#include "dimgate/simplify.hpp"
#include "simplify/box_prover.hpp"
#include "support/random_formula.hpp"

using namespace dimgate;

namespace {

constexpr test::Box kBox{-4, 9};

Expr read(Context& ctx, const std::string& text) {
  auto e = parse(ctx, text);
  REQUIRE_MESSAGE(e.ok(), text);
  return *e;
}

std::string join_texts(std::initializer_list<const char*> facts_text, std::initializer_list<const char*> parts) {
  Context ctx;
  Facts facts(ctx);
  test::BoxProver prover(kBox);
  for (const char* t : facts_text) facts.assume(read(ctx, t));
  std::vector<Expr> es;
  for (const char* t : parts) es.push_back(read(ctx, t));
  const std::string first = to_text(ctx, join(prover, facts, es).formula);
  std::reverse(es.begin(), es.end());
  CHECK(to_text(ctx, join(prover, facts, es).formula) == first);
  return first;
}

}  // namespace

TEST_CASE("ranges that touch, classes that add up, branches that complement each other") {
  CHECK(join_texts({}, {"1 <= x <= 4", "5 <= x <= 9"}) == "1 <= x <= 9");
  CHECK(join_texts({}, {"1 <= x <= 4", "6 <= x <= 9"}) == "1 <= x <= 9 and x != 5");
  CHECK(join_texts({}, {"x % 4 == 0", "x % 4 == 2"}) == "x % 2 == 0");
  CHECK(join_texts({"x >= 0"}, {"x % 3 == 0", "x % 3 == 1", "x % 3 == 2"}) == "True");
  CHECK(join_texts({}, {"x % 8 == 0", "x % 8 != 0"}) == "True");
  CHECK(join_texts({}, {"x % y == 0", "x % y != 0"}) == "y != 0");
  CHECK(join_texts({}, {"a == b", "a != b"}) == "True");
  CHECK(join_texts({}, {"x >= 3 and y == 1", "x < 3 and y == 1"}) == "y == 1");
  CHECK(join_texts({"dtype != 'int8'"}, {"dtype == 'half'", "dtype == 'float32'"}) == "dtype in {'float32', 'half'}");
  CHECK(join_texts({}, {"x > 5 and x < 3"}) == "False");
  CHECK(join_texts({}, {}) == "False");
}

TEST_CASE("padding branches") {
  CHECK(join_texts({"C >= 0", "H >= 0", "W >= 0"}, {"C == 3 and H >= 1 and W >= 1 and H % 4 != 0 and W % 4 == 0",
                                                    "C == 3 and H >= 1 and W >= 1 and H % 4 == 0 and W % 4 != 0",
                                                    "C == 3 and H >= 1 and W >= 1 and H % 4 != 0 and W % 4 != 0"}) ==
        "C == 3 and H >= 1 and W >= 1 and (H % 4 != 0 or W % 4 != 0)");
  CHECK(join_texts({"C >= 0", "H >= 0", "W >= 0"},
                   {"C == 3 and W >= 1 and H % 4 != 0", "C == 3 and H >= 1 and H % 4 == 0 and W % 4 != 0"}) ==
        "C == 3 and H >= 1 and W >= 1 and (H % 4 != 0 or W % 4 != 0)");
}

TEST_CASE("whitelists stay exact") {
  CHECK(join_texts({}, {"s0 == 2 and s1 == 3"}) == "s0 == 2 and s1 == 3");
  CHECK(join_texts({}, {"s0 == 2 and s1 == 3", "s0 == 2 and s1 == 4", "s0 == 2 and s1 == 5"}) ==
        "s0 == 2 and 3 <= s1 <= 5");
  CHECK(join_texts({}, {"s0 == 2 and s1 == 3", "s0 == 2 and s1 == 4", "s0 == 2 and s1 == 5", "s0 == 2 and s1 == 7"}) ==
        "s0 == 2 and s1 in {3, 4, 5, 7}");
  CHECK(join_texts({}, {"s0 == 2 and s1 == 3", "s0 == 3 and s1 == 4", "s0 == 4 and s1 == 5"}) ==
        "2 <= s0 <= 4 and s1 == s0 + 1");
  CHECK(join_texts({}, {"s0 == 1 and s1 == 3", "s0 == 2 and s1 == 3", "s0 == 1 and s1 == 4", "s0 == 2 and s1 == 4"}) ==
        "1 <= s0 <= 2 and 3 <= s1 <= 4");
  CHECK(join_texts({}, {"s0 == 1 and s1 == 3", "s0 == 7 and s1 == 4"}) ==
        "(s0 == 1 and s1 == 3) or (s0 == 7 and s1 == 4)");
}

TEST_CASE("random unions: accepted points stay") {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Context ctx;
    const std::vector<Expr> symbols = {ctx.symbol("a"), ctx.symbol("b")};
    test::RandomOptions options;
    options.ints = symbols;
    options.products = seed % 2 == 0;
    options.symbolic_divisors = seed % 3 == 0;
    test::RandomFormulas random(ctx, options, seed);
    const test::Box box{-5, 6};
    Facts facts(ctx);
    for (const Expr s : symbols)
      facts.assume(ctx.make(Op::And, {ctx.make(Op::Le, {ctx.integer(-5), s}), ctx.make(Op::Le, {s, ctx.integer(6)})}));
    if (seed % 2 == 0) facts.assume(random.fact());
    std::vector<Expr> parts;
    for (std::int64_t k = random.number(1, 4); k > 0; --k) {
      std::vector<Expr> conj;
      for (std::int64_t j = random.number(1, 3); j > 0; --j)
        conj.push_back(random.number(0, 2) != 0 ? random.fact() : random.formula(2));
      parts.push_back(conj.size() == 1 ? conj[0] : ctx.make(Op::And, conj));
    }
    test::BoxProver prover(box);
    const Joined j = join(prover, facts, parts);
    CAPTURE(seed);
    CAPTURE(to_text(ctx, j.formula));
    const std::vector<Expr> declared = test::formulas_of(facts);
    const Proof inside = subsumes(prover, facts, j.formula, parts[0]);
    CHECK(inside.proved());
    const Proof apart = disjoint(prover, facts, parts[0], parts.back());
    bool meet = false;
    test::for_each_point(ctx, symbols, box, [&](const Assignment& at) {
      for (const Expr f : declared)
        if (!evaluate(ctx, f, at).is_true()) return true;
      bool any = false;
      for (const Expr p : parts) any = any || evaluate(ctx, p, at).is_true();
      CHECK(evaluate(ctx, j.formula, at).is_true() == any);
      meet = meet || (evaluate(ctx, parts[0], at).is_true() && evaluate(ctx, parts.back(), at).is_true());
      return true;
    });
    CHECK(apart.proved() == !meet);
    CHECK(*parse(ctx, to_text(ctx, j.formula)) == j.formula);
  }
}

TEST_CASE("merge: equal fingerprints join, narrower entries retire, the bound is said") {
  Context ctx;
  Facts facts(ctx);
  test::BoxProver prover(kBox);
  const auto entry = [&](const char* guard, const char* print, const char* label, std::uint64_t age) {
    return MergeEntry{read(ctx, guard), print, label, age};
  };
  const std::vector<MergeEntry> entries = {
      entry("1 <= x <= 4", "A", "first", 0), entry("x == 7", "B", "seven", 1), entry("5 <= x <= 9", "A", "second", 2),
      entry("x > 5 and x < 5", "C", "nothing", 3), entry("x <= -2 and y == 1", "D", "far", 4)};
  const MergeResult r = merge(prover, facts, entries);
  REQUIRE(r.entries.size() == 2);
  CHECK(to_text(ctx, r.entries[0].guard) == "1 <= x <= 9");
  CHECK(r.entries[0].from == std::vector<std::size_t>{0, 2});
  CHECK(r.entries[1].fingerprint == "D");
  CHECK(r.lower_bound == 4);
  for (const MergeStep& s : r.steps)
    for (const Obligation& o : s.obligations) CHECK(o.verdict == Verdict::proved);
}

TEST_CASE("merge: of two that cover each other the older stays; fingerprints must be equal to join") {
  Context ctx;
  Facts facts(ctx);
  test::BoxProver prover(kBox);
  const std::vector<MergeEntry> same = {{read(ctx, "x >= 1"), "A", "new", 9}, {read(ctx, "x > 0"), "B", "old", 2}};
  const MergeResult r = merge(prover, facts, same);
  REQUIRE(r.entries.size() == 1);
  CHECK(r.entries[0].fingerprint == "B");
  const std::vector<MergeEntry> apart = {{read(ctx, "x >= 1"), "A", "", 0}, {read(ctx, "x <= 0"), "B", "", 1}};
  CHECK(merge(prover, facts, apart).entries.size() == 2);
}

TEST_CASE("suggest: what values have in common") {
  Context ctx;
  const std::vector<Expr> symbols = {ctx.symbol("B"), ctx.symbol("H"), ctx.symbol("W"), ctx.symbol("K")};
  const std::vector<std::vector<Integer>> rows = {{1, 32, 67, 5}, {1, 64, 131, 7}, {1, 128, 259, 5}, {1, 96, 195, 9}};
  std::vector<std::string> texts;
  for (const Guess& g : suggest(ctx, symbols, rows)) texts.push_back(to_text(ctx, g.formula));
  CHECK(texts == std::vector<std::string>{"B == 1", "W == 2*H + 3", "H % 32 == 0", "K % 2 == 1", "W % 64 == 3",
                                          "32 <= H <= 128", "5 <= K <= 9", "67 <= W <= 259"});
  CHECK(suggest(ctx, symbols, std::vector<std::vector<Integer>>{}).empty());
}

TEST_CASE("generalise: constants are freed by tracing again, with proof") {
  Context ctx;
  Facts facts(ctx);
  for (const char* t : {"L >= 0", "B >= 0"}) facts.assume(read(ctx, t));
  test::BoxProver prover(kBox);
  const std::vector<MergeEntry> entries = {{read(ctx, "L == 2 and B == 1"), "two", "", 0},
                                           {read(ctx, "L == 4 and B == 1"), "four", "", 1},
                                           {read(ctx, "L == 5 and B == 1"), "five", "", 2}};
  int calls = 0;
  RetraceRequest last;
  const auto even = [&](const RetraceRequest& r) -> std::optional<Retraced> {
    ++calls;
    last = r;
    const bool is_even = floor_mod(r.hint[1].second, 2).is_zero();
    return Retraced{read(ctx, is_even ? "L % 2 == 0 and B == 1" : "L % 2 == 1 and B == 1"), is_even ? "even" : "odd"};
  };
  const MergeResult r = generalise(prover, facts, entries, even);
  REQUIRE(r.entries.size() == 2);
  CHECK(to_text(ctx, r.entries[0].guard) == "L % 2 == 0 and B == 1");
  CHECK(r.entries[0].from == std::vector<std::size_t>{0, 1});
  CHECK(r.entries[1].fingerprint == "five");
  CHECK(last.freed == std::vector<Expr>{ctx.symbol("L")});
  CHECK(r.steps[0].kind == MergeStep::Kind::freed);
  // A trace whose guard does not cover the old entries changes nothing; nor does one that cannot be made.
  const MergeResult wrong =
      generalise(prover, facts, entries, [&](const RetraceRequest&) { return Retraced{read(ctx, "L >= 3"), "x"}; });
  CHECK(wrong.entries.size() == 2);  // it covers four and five
  const MergeResult none =
      generalise(prover, facts, entries, [](const RetraceRequest&) { return std::optional<Retraced>{}; });
  CHECK(none.entries.size() == 3);
}
