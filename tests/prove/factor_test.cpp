// Factors and roots against evaluation: what is returned multiplies back, and what is not returned is not there.
#include "prove/factor.hpp"

#include <doctest/doctest.h>

#include <random>

#include "dimgate/prove.hpp"

using namespace dimgate;

namespace {

Poly poly(Context& ctx, const std::string& text) {
  return PolyRing(ctx.impl()).of(ctx.canonical(*parse(ctx, text)).node());
}

bool proves(std::initializer_list<const char*> facts, const char* claim) {
  Context ctx;
  Facts known(ctx);
  for (const char* f : facts) known.assume(*parse(ctx, f));
  NativeProver prover;
  return prover.prove(known, *parse(ctx, claim)).proved();
}

}  // namespace

TEST_CASE("a product of a linear factor and any other is split, and multiplies back") {
  Context ctx;
  PolyRing ring(ctx.impl());
  std::mt19937_64 rng(7);
  const auto number = [&] { return std::to_string(static_cast<int>(rng() % 9) - 4); };
  for (int i = 0; i < 300; ++i) {
    const std::string linear = "(" + std::to_string(1 + rng() % 3) + "*a + " + number() + ")";
    const std::string other = "(" + number() + "*b + " + number() + "*c*b + " + number() + "*c + " + number() + ")";
    const Poly whole = poly(ctx, linear + " * " + other);
    if (poly(ctx, other).terms.size() < 2) continue;
    const std::optional<FactorPair> f = factor(ring, whole);
    REQUIRE(f.has_value());
    CHECK(ring.node(ring.mul(f->linear, f->rest)) == ring.node(whole));
    CHECK_FALSE(ring.is_constant(f->linear));
    CHECK_FALSE(ring.is_constant(f->rest));
  }
  for (const char* prime : {"a*b + 1", "a*b + a + b", "a*a + b*b", "a + b", "7", "a*b*c - 2"})
    CHECK_FALSE(factor(ring, poly(ctx, prime)).has_value());
}

TEST_CASE("integer roots are all there") {
  Context ctx;
  PolyRing ring(ctx.impl());
  std::mt19937_64 rng(11);
  for (int i = 0; i < 300; ++i) {
    std::string text = std::to_string(1 + rng() % 3);
    for (std::uint64_t k = 1 + rng() % 3; k > 0; --k)
      text += " * (" + std::to_string(1 + rng() % 2) + "*a + " + std::to_string(static_cast<int>(rng() % 13) - 6) + ")";
    const Poly p = poly(ctx, text + " + " + std::to_string(rng() % 2));
    const std::optional<Roots> roots = integer_roots(ring, p);
    if (!roots) continue;
    std::vector<Integer> want;
    for (int x = -60; x <= 60; ++x) {
      Assignment at;
      at.set(ctx.symbol("a"), Value::of(x));
      if (evaluate(ctx, Expr(ring.node(p)), at).integer.is_zero()) want.emplace_back(x);
    }
    CHECK(roots->values == want);
  }
  CHECK_FALSE(integer_roots(ring, poly(ctx, "a*b - 4")).has_value());
  CHECK(integer_roots(ring, poly(ctx, "a*a - 4611686018427387904"))->values ==
        std::vector<Integer>{Integer(-2147483648L), Integer(2147483648L)});
  for (const char* text : {"a*a - b*b", "a*a*a - b*b*b", "a*a - 2*a*b - 3*b*b", "(a*a - 4*b*b)*(a*a + b)"}) {
    const Poly p = poly(ctx, text);
    const std::optional<FactorPair> f = factor(ring, p);
    REQUIRE(f.has_value());
    CHECK(ring.node(ring.mul(f->linear, f->rest)) == ring.node(p));
  }
}

TEST_CASE("cancellation, roots and residues of products decide") {
  CHECK(proves({"b >= 1", "a*b == 6*b"}, "a == 6"));
  CHECK_FALSE(proves({"a*b == 6*b"}, "a == 6"));
  CHECK(proves({"a*b == 6*b"}, "a == 6 or b == 0"));
  CHECK(proves({"b > 0", "d > 0", "a*b*d == c*b*d"}, "a == c"));
  CHECK(proves({"x >= -4", "y >= 3", "(x + 5)*(y - 2) == (x + 5)*7"}, "y == 9"));
  CHECK(proves({"a >= 0", "(a + 1)**2 == 16"}, "a == 3"));
  CHECK(proves({"a*a == 9"}, "a == 3 or a == -3"));
  CHECK(proves({"a*a == 7"}, "False"));
  CHECK(proves({"a*b % 2 == 1"}, "a % 2 == 1 and b % 2 == 1"));
  CHECK(proves({}, "x*(x + 1)*(x + 2) % 6 == 0"));
  CHECK(proves({"a + 2 < b - 1", "0 < d + 3"}, "(a + 2)*(d + 3) < (b - 1)*(d + 3)"));
  CHECK_FALSE(proves({"a + 2 < b - 1", "0 <= d + 3"}, "(a + 2)*(d + 3) < (b - 1)*(d + 3)"));
}
