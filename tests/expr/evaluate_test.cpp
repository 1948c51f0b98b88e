// Values at a point, fast: what the reference says, in machine words where they suffice and in exact integers
// elsewhere.
#include "expr/evaluate.hpp"

#include <doctest/doctest.h>

#include "expr/random_expr.hpp"
#include "expr/reference.hpp"

using namespace dimgate;

TEST_CASE("in machine words: what the reference says, or nothing where a value does not fit; in integers: always") {
  const std::vector<std::int64_t> edges{INT64_MIN, INT64_MIN + 1, -3, -1, 0, 1, 2, 7, INT64_MAX - 1, INT64_MAX};
  int decided = 0, left = 0, undefined = 0, large = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Context ctx;
    test::RandomExpr random(ctx, seed);
    for (int i = 0; i < 6; ++i) {
      const Expr e = random.make(i % 2 == 0 ? Sort::Bool : Sort::Int, i < 4 ? 12 : 120);
      ReferenceEvaluator reference(ctx, e);
      for (std::size_t k = 0; k < 8; ++k) {
        Assignment at = random.point(true);
        if (k % 2 == 0)
          for (std::uint32_t s = 0; s < ctx.symbol_count(); ++s)
            if (const Expr x = ctx.symbol_at(s); x.sort() == Sort::Int)
              at.set(x, Value::of(edges[(seed + 3 * s + 7 * k + static_cast<std::size_t>(i)) % edges.size()]));
        INFO(to_text(ctx, e));
        const Value want = reference(at);
        REQUIRE(value_in_integers(ctx, e, at) == want);
        REQUIRE(value_at(ctx, e, at) == want);
        large += e.node()->weight > kSmallTree ? 1 : 0;
        if (e.node()->weight > kSmallTree) continue;
        const std::optional<Value> words = value_in_words(e, at);
        ++(words ? decided : left);
        if (!words) continue;
        undefined += words->is_undefined() ? 1 : 0;
        REQUIRE(*words == want);
      }
    }
  }
  CHECK(decided > 2000);
  CHECK(left > 500);
  CHECK(undefined > 50);
  CHECK(large > 50);
}

TEST_CASE("values of all sorts, where the operators are those of names and floats") {
  Context ctx;
  Assignment at;
  at.set(ctx.symbol("x", Sort::Float), Value::of_float_bits(0x7ff8000000000000ULL));
  at.set(ctx.symbol("d", Sort::Enum), Value::of_enum("torch.float32"));
  at.set(ctx.symbol("p", Sort::Bool), Value::of(true));
  at.set(ctx.symbol("a"), Value::of(true));  // of another sort: no value
  for (const char* text :
       {"x == x", "x != x", "x in {nan, 1.0}", "distinct(x, x)", "distinct(0.0, -0.0)", "same_bits(x, nan)",
        "same_bits(x, -nan)", "isnan(x)", "d == torch.float32", "d in {torch.int8, torch.float32}",
        "distinct(d, torch.int8, 'cuda:0')", "distinct(d, torch.float32)", "Where(p, d, 'cpu') == d",
        "isnan(Where(p, 1.5, x))", "a == 1", "p or a == 1", "not p", "iff(p, a == 1)"}) {
    const auto e = parse(ctx, text);
    REQUIRE_MESSAGE(e.ok(), text);
    CHECK_MESSAGE(value_at(ctx, *e, at) == evaluate(ctx, *e, at), text);
  }
  CHECK(value_at(ctx, *parse(ctx, "Where(p, d, 'cpu')"), at) == Value::of_enum("torch.float32"));
  CHECK(value_at(ctx, *parse(ctx, "Where(p, x, 1.5)"), at) == Value::of_float_bits(0x7ff8000000000000ULL));
}

TEST_CASE("many operands of distinct are sorted") {
  Context ctx;
  std::vector<Expr> names, numbers;
  for (int i = 0; i < 20'000; ++i) {
    names.push_back(ctx.enumeration("n" + std::to_string(i)));
    numbers.push_back(ctx.integer(i));
  }
  const Assignment none;
  for (std::vector<Expr>* all : {&names, &numbers}) {
    CHECK(value_at(ctx, ctx.make(Op::Distinct, *all), none).is_true());
    CHECK(evaluate(ctx, ctx.make(Op::Distinct, *all), none).is_true());
    all->push_back((*all)[7]);
    CHECK(value_at(ctx, ctx.make(Op::Distinct, *all), none).is_false());
    CHECK(evaluate(ctx, ctx.make(Op::Distinct, *all), none).is_false());
  }
}
