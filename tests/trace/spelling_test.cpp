// Spelling: pretty, and the same canonical form.
#include "trace/spelling.hpp"

#include <random>

#include "trace/support.hpp"

using namespace dimgate;
using namespace dimgate::testing;

TEST_CASE("canonical formulas read as people write them") {
  Context ctx;
  const auto text = [&](std::string_view s) {
    const Result<Expr> e = parse(ctx, s);
    REQUIRE(e.ok());
    const Expr c = ctx.canonical(*e), raw = spelled(ctx, c);
    CHECK(ctx.canonical(raw) == c);
    return to_text(ctx, raw);
  };
  CHECK(text("a - b >= -3") == "a + 3 >= b");
  CHECK(text("a - b >= 3") == "a >= b + 3");
  CHECK(text("a - 2*b == 0") == "a == 2*b");
  CHECK(text("-a - b >= -3") == "a + b <= 3");
  CHECK(text("L % 8 == 0") == "L % 8 == 0");
  CHECK(text("L % 8 != 0") == "L % 8 != 0");
  CHECK(text("(H + 15)//16 == 2*((H + 31)//32)") == "(H + 15)//16 % 2 == 0");
  CHECK(text("z - 4") == "z - 4");
  CHECK(text("4 - z") == "4 - z");
  CHECK(text("-z") == "-z");
  CHECK(text("-z - 4 - 2*y") == "-2*y - z - 4");
  CHECK(text("max(a, b) - 1") == "max(a, b) - 1");
  CHECK(text("a % b == 0 or not (a < b - 1)") == "b*(a//b) == a or a + 1 >= b");
  CHECK(text("p == 3") == "p == 3");
  CHECK(text("True") == "True");
}

TEST_CASE("random formulas keep their meaning, and nearly all their canonical form") {
  std::mt19937 rng(5);
  int same = 0, other = 0;
  for (int round = 0; round < 1000; ++round) {
    Context ctx;
    std::vector<Expr> pool;
    for (const char* s : {"a", "b", "c"}) pool.push_back(ctx.symbol(s));
    const auto pick = [&] { return pool[rng() % pool.size()]; };
    for (int i = 0; i < 8; ++i) {
      const Expr k = ctx.integer(static_cast<int>(rng() % 9) - 4);
      static constexpr Op ops[] = {Op::Add, Op::Sub, Op::Mul, Op::Max, Op::Min, Op::FloorDiv, Op::Mod};
      const Op op = ops[rng() % 7];
      pool.push_back(ctx.make(op, {pick(), rng() % 2 == 0 ? k : pick()}));
    }
    static constexpr Op relations[] = {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge};
    const Expr p = ctx.make(relations[rng() % 6], {pick(), pick()});
    const Expr q = ctx.make(Op::Divides, {ctx.integer(static_cast<int>(rng() % 7) - 2), pick()});
    const Expr whole = ctx.make(rng() % 2 == 0 ? Op::And : Op::Or, {p, ctx.make(Op::Not, {q})});
    for (const Expr e : {whole, pool.back()}) {
      const Expr c = ctx.canonical(e);
      const Expr raw = spelled(ctx, c);
      INFO(to_text(ctx, e), " spelled ", to_text(ctx, raw));
      ++(ctx.canonical(raw) == c ? same : other);
      // Two canonical forms may mean the same (`c//4 % 2 == 0` is `c//4 == 2*(c//8)`): the values decide.
      for (int point = 0; point < 125; ++point) {
        Assignment at;
        at.set(pool[0], Value::of(point % 5 - 2));
        at.set(pool[1], Value::of(point / 5 % 5 - 2));
        at.set(pool[2], Value::of(point / 25 - 2));
        CHECK(evaluate(ctx, raw, at) == evaluate(ctx, c, at));
      }
    }
  }
  CHECK(same > 20 * other);
}
