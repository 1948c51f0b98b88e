// Sets spelled out: the text must hold exactly on the set wherever the domain holds, and be short.
#include "simplify/write_set.hpp"

#include <doctest/doctest.h>

#include <random>

#include "simplify/forms.hpp"
#include "simplify/random_formula.hpp"
#include "simplify/unary.hpp"

using namespace dimgate;
using namespace dimgate::simplify;

namespace {

std::string spelled(Context& ctx, const char* text, const char* domain = "True") {
  const Expr x = ctx.symbol("x");
  const auto f = parse(ctx, text);
  const auto d = parse(ctx, domain);
  REQUIRE((f.ok() && d.ok()));
  const auto set = unary_truth(*f, x);
  const auto within = unary_truth(*d, x);
  REQUIRE((set && within));
  const Form form = write_set(ctx, x, set->is_true, within->is_true);
  std::vector<Expr> parts = form.conjuncts;
  order_conjuncts(ctx, parts);
  return to_text(ctx, make_and(ctx, parts));
}

}  // namespace

TEST_CASE("spellings") {
  Context ctx;
  CHECK(spelled(ctx, "2*((x + 1)//2) == x") == "x % 2 == 0");
  CHECK(spelled(ctx, "2 <= x and x <= 8 and x < 100") == "2 <= x <= 8");
  CHECK(spelled(ctx, "x != 0", "x >= 0") == "x >= 1");
  CHECK(spelled(ctx, "x >= 1 and x % 4 == 0", "x >= 0") == "x >= 1 and x % 4 == 0");
  CHECK(spelled(ctx, "x % 4 == 0", "x >= 0") == "x % 4 == 0");
  CHECK(spelled(ctx, "x >= 4 and x % 4 == 0", "x >= 0") == "x >= 1 and x % 4 == 0");
  CHECK(spelled(ctx, "ceildiv(x, 1024) == 5 and x > 4096") == "4097 <= x <= 5120");
  CHECK(spelled(ctx, "x % 32 != 0 and x >= 1", "x >= 1") == "x % 32 != 0");
  CHECK(spelled(ctx, "x == 3 or x == 4 or x == 5 or x == 7") == "x in {3, 4, 5, 7}");
  CHECK(spelled(ctx, "x == 3 or x == 4 or x == 5") == "3 <= x <= 5");
  CHECK(spelled(ctx, "x % 2 == 1", "x % 2 == 1") == "True");
  CHECK(spelled(ctx, "x % 4 == 1", "x % 2 == 1") == "x % 4 == 1");
  CHECK(spelled(ctx, "x % 2 != 0 and x % 3 != 0") == "x % 6 in {1, 5}");
  CHECK(spelled(ctx, "x > 7 and x < 3") == "False");
  CHECK(spelled(ctx, "x <= 3 or x >= 10") == "x <= 3 or x >= 10");
  CHECK(spelled(ctx, "x >= 5 and x != 9") == "x >= 5 and x != 9");
  CHECK(spelled(ctx, "8 <= x and x <= 4096 and x % 8 == 0") == "8 <= x <= 4096 and x % 8 == 0");
  CHECK(spelled(ctx, "x == 3 or x % 8 == 0") == "x == 3 or x % 8 == 0");
}

TEST_CASE("remainders in stretches, without the classes that the domain leaves out") {
  Context ctx;
  CHECK(spelled(ctx, "(x - 3)//16 % 8 != 0") == "not 3 <= x % 128 <= 18");
  CHECK(spelled(ctx, "(x - 2)//64 % 2 != 0") == "not 2 <= x % 128 <= 65");
  CHECK(spelled(ctx, "1 <= x//32 % 8 <= 6", "x % 4 == 0") == "32 <= x % 256 <= 220");
  CHECK(spelled(ctx, "x//40 % 3 != 1 and x//10 % 12 != 9") == "not 40 <= x % 120 <= 79 and not 90 <= x % 120 <= 99");
  CHECK(spelled(ctx, "x != 1 and x != 4 and x != 9 and x != 16 and x != 25 and x >= 0") ==
        "x >= 0 and x not in {1, 4, 9, 16, 25}");
}

TEST_CASE("random sets in random domains are spelled exactly") {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Context ctx;
    const Expr x = ctx.symbol("x");
    test::RandomFormula random(ctx, {x}, seed);
    const Expr f = random.formula(2 + static_cast<int>(seed % 2));
    const Expr d = seed % 3 == 0 ? ctx.boolean(true) : random.formula(1);
    const auto set = unary_truth(f, x);
    const auto domain = unary_truth(d, x);
    if (!set || !domain) continue;
    const Form form = write_set(ctx, x, set->is_true, domain->is_true);
    const Expr text = make_and(ctx, form.conjuncts);
    CAPTURE(to_text(ctx, f));
    CAPTURE(to_text(ctx, d));
    CAPTURE(to_text(ctx, text));
    test::for_each_point({x}, -80, 80, [&](const Assignment& at) {
      if (!evaluate(ctx, d, at).is_true()) return;
      CHECK(evaluate(ctx, text, at).is_true() == evaluate(ctx, f, at).is_true());
    });
  }
}
