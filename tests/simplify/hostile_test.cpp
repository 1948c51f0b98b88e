// Inputs that break naive simplifiers: huge and deep formulas, shared subformulas, numbers at the ends of int64 and
// beyond, huge moduli, undefined everywhere, many entries.
#include <doctest/doctest.h>

#include <ctime>

#include "dimgate/simplify.hpp"

using namespace dimgate;

namespace {

Expr read(Context& ctx, const std::string& text) {
  ParseOptions options;
  options.sort = Sort::Bool;
  auto e = parse(ctx, text, options);
  REQUIRE_MESSAGE(e.ok(), text);
  return *e;
}

std::string readable_text(std::initializer_list<const char*> guards) {
  Context ctx;
  Facts facts(ctx);
  NativeProver prover;
  std::vector<Expr> es;
  for (const char* g : guards) es.push_back(read(ctx, g));
  const Minimised m = minimise(prover, facts, es);
  if (m.readable.empty()) return "True";
  return to_text(ctx, m.readable.size() == 1 ? m.readable[0] : ctx.make(Op::And, m.readable));
}

}  // namespace

TEST_CASE("numbers at the ends") {
  CHECK(readable_text({"x <= 9223372036854775807"}) == "x <= 9223372036854775807");
  CHECK(readable_text({"x >= -9223372036854775808", "x >= -9223372036854775807"}) == "x >= -9223372036854775807");
  CHECK(readable_text({"x > 10**30", "x > 10**29"}) == "x > 10**30");
  CHECK(readable_text({"x % 1000000007 == 5", "x % 1000000007 != 6"}) == "x % 1000000007 == 5");
  CHECK(readable_text({"x*x*x*x*x > 5", "x > 1152921504606846976"}) != "");
  CHECK(readable_text({"3 * x == 3458764513820540928"}) == "x == 1152921504606846976");
  CHECK(readable_text({"x // 9223372036854775807 == 0"}) == "x <= 9223372036854775806 and x >= 0");
}

TEST_CASE("undefined everywhere accepts nothing") {
  for (const char* text : {"x // 0 == 1", "x % 0 == x % 0", "divides(0, x)", "1 // (x - x) == 1"}) {
    Context ctx;
    Facts facts(ctx);
    NativeProver prover;
    const std::vector<Expr> guards{read(ctx, text)};
    const Expr r = readable(prover, facts, guards[0]);
    Assignment at;
    for (const Expr s : symbols_of(ctx, guards[0])) at.set(s, Value::of(1));
    CHECK_FALSE(evaluate(ctx, r, at).is_true());
    const Joined j = join(prover, facts, std::vector<Expr>{guards[0], ctx.make(Op::Not, {guards[0]})});
    CHECK_FALSE(evaluate(ctx, j.formula, at).is_true());
  }
}

TEST_CASE("deep, wide and shared formulas") {
  Context ctx;
  Facts facts(ctx);
  NativeProver prover;
  const Expr x = ctx.symbol("x");
  const Expr y = ctx.symbol("y");
  // 10^5 nested additions, negations and brackets of and/or
  Expr sum = x;
  Expr deep = ctx.make(Op::Ge, {x, y});
  Expr shared = ctx.make(Op::Ne, {x, y});
  for (int i = 0; i < 100'000; ++i) {
    sum = ctx.make(Op::Add, {sum, ctx.integer(1)});
    deep = i % 2 == 0 ? ctx.make(Op::Not, {deep}) : ctx.make(Op::Or, {deep, ctx.make(Op::Eq, {x, ctx.integer(i % 7)})});
  }
  for (int i = 0; i < 200; ++i)
    shared = i % 2 == 0 ? ctx.make(Op::And, {shared, shared}) : ctx.make(Op::Or, {shared, shared});
  std::vector<Expr> wide;
  for (int i = 0; i < 20'000; ++i) wide.push_back(ctx.make(Op::Ne, {x, ctx.integer(3 * i)}));
  const Expr all = ctx.make(Op::And, wide);
  const Expr any = ctx.make(Op::Or, wide);
  for (const Expr g : {ctx.make(Op::Ge, {sum, ctx.integer(5)}), deep, shared, all, any}) {
    const auto start = std::clock();
    const Minimised m = minimise(prover, facts, std::vector<Expr>{g});
    CHECK(m.kept.size() + m.dropped.size() == 1);
    const Joined j = join(prover, facts, std::vector<Expr>{g, ctx.make(Op::Ge, {y, ctx.integer(3)})});
    (void)subsumes(prover, facts, g, j.formula);
    WARN(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < 20);
    Assignment at;
    for (int v = -3; v < 4; ++v) {
      at.set(x, Value::of(v));
      at.set(y, Value::of(2 - v));
      const bool expected = evaluate(ctx, g, at).is_true();
      for (const Expr e : m.readable)
        if (m.readable.size() == 1) CHECK(evaluate(ctx, e, at).is_true() == expected);
      CHECK(evaluate(ctx, j.formula, at).is_true() == (expected || 2 - v >= 3));
    }
  }
}

TEST_CASE("nothing in, nothing out") {
  Context ctx;
  Facts facts(ctx);
  NativeProver prover;
  CHECK(minimise(prover, facts, {}).kept.empty());
  CHECK(merge(prover, facts, {}).entries.empty());
  CHECK(merge(prover, facts, {}).lower_bound == 0);
  CHECK(generalise(prover, facts, {}, {}).entries.empty());
  CHECK(readable(prover, facts, ctx.boolean(true)) == ctx.boolean(true));
  CHECK(readable(prover, facts, ctx.boolean(false)) == ctx.boolean(false));
}

TEST_CASE("many entries") {
  Context ctx;
  Facts facts(ctx);
  NativeProver prover;
  std::vector<MergeEntry> entries;
  for (int i = 0; i < 600; ++i) {
    const std::string lo = std::to_string(10 * i);
    const std::string hi = std::to_string(10 * i + 9 + i % 2);
    entries.push_back({read(ctx, lo + " <= L and L <= " + hi + " and (B != " + lo + " or L % 8 == 0) and B*L >= 0"),
                       "f" + std::to_string(i), "", static_cast<std::uint64_t>(i)});
  }
  const auto start = std::clock();
  const MergeResult r = merge(prover, facts, entries);
  WARN(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < 10);
  CHECK(r.entries.size() == 600);
  // The same as one artifact: 600 tuples of a whitelist.
  std::vector<Expr> parts;
  for (int i = 0; i < 600; ++i)
    parts.push_back(read(ctx, "B == " + std::to_string(1 + i % 20) + " and L == " + std::to_string(7 * i)));
  const Joined j = join(prover, facts, parts);
  Assignment at;
  for (int i = 0; i < 4200; i += 5) {
    at.set(ctx.symbol("B"), Value::of(1 + (i / 7) % 20));
    at.set(ctx.symbol("L"), Value::of(i));
    CHECK(evaluate(ctx, j.formula, at).is_true() == (i % 7 == 0));
  }
}
