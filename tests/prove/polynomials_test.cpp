// What polynomial literals say by themselves: runs and zeros of one unknown, sums of squares, residues, and the splits
// of products that need an equality. Each against evaluation; claims with their near misses.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "dimgate/prove.hpp"
#include "prove/product_form.hpp"
#include "prove/runs.hpp"
#include "prove/squares.hpp"
#include "support/brute_force.hpp"
#include "support/claims.hpp"

using namespace dimgate;
using test::Asked, test::BoundOf, test::Claim, test::check_bounds, test::check_refuted_at_a_point;

namespace {

using Coefficients = std::vector<Integer>;

Integer value(const Coefficients& p, const Integer& x) {
  Integer v = 0;
  for (std::size_t i = p.size(); i-- > 0;) v = v * x + p[i];
  return v;
}

Coefficients random_coefficients(std::mt19937_64& rng, bool rooted) {
  const auto number = [&](int most) { return Integer(static_cast<int>(rng() % (2 * most + 1)) - most); };
  if (!rooted) {
    Coefficients p;
    for (std::size_t n = 3 + rng() % 5; n > 0; --n) p.push_back(number(60));
    if (p.back().is_zero()) p.back() = 1;
    return p;
  }
  Coefficients p{number(3)};
  if (p[0].is_zero()) p[0] = 1;
  for (std::size_t n = 2 + rng() % 4; n > 0; --n) {  // times a*x + b: zeros next to each other, double ones
    const Integer a = 1 + Integer(static_cast<int>(rng() % 2)), b = number(5);
    Coefficients next(p.size() + 1);
    for (std::size_t i = 0; i < p.size(); ++i) next[i + 1] += p[i] * a, next[i] += p[i] * b;
    p = std::move(next);
  }
  p[0] += number(1);
  return p;
}

constexpr Claim kValid[] = {
    {"", "iff(x*x*x > x, x >= 2)"},
    {"x <= 0", "x*x*x <= x"},
    {"", "x*x*x*x >= x*x"},
    {"", "(x - 1)*(x - 2)*(x - 3)*(x - 4) >= 0"},
    {"", "abs(x)*x*x >= x"},
    {"x*x + x <= 42", "-7 <= x and x <= 6"},
    {"x*(x - 1)//2 >= 45; x >= 0", "x >= 10"},
    {"", "x*x + y*y - 2*x + 4*y >= -5"},
    {"", "x*x - x + y*y - y + z*z - z >= 0"},
    {"", "x*x + x*y + y*y >= 0"},
    {"", "x*x + y*y + z*z >= x*y + y*z + z*x"},
    {"", "4*x*x + y*y >= 4*x*y"},
    {"", "x*x*y*y + 1 >= 2*x*y"},
    {"y >= 3", "x*x - x + 2*y >= 6"},
    {"x*x + y*y <= 2*x*y", "x == y"},
    {"x*x - 2*x + y*y <= -1", "x == 1 and y == 0"},
    {"x >= 0; y >= 0; x*x == y*y", "x == y"},
    {"x*x == 4*y*y; x >= 0; y >= 0", "x == 2*y"},
    {"x*x*x <= y*y*y", "x <= y"},
    {"x <= y", "x*x*x <= y*y*y"},
    {"x >= 0; y >= 0", "x*x*x + y*y*y >= x*x*y + x*y*y"},
    {"", "x*x != 3*y + 2"},
    {"", "x*x + y*y != 4*z + 3"},
    {"", "x*x + y*y + z*z != 8*w + 7"},
    {"x*x == 4*y", "x % 2 == 0"},
    {"x*x + y*y == 3*z", "x % 3 == 0"},
    {"", "(x*x + y) % 2 == (x + y) % 2"},
    {"d != 0; x % d == y % d", "(x - y) % d == 0"},
    {"d >= 1; x % d == y % d; abs(x - y) < d", "x == y"},
    {"h >= 1; o >= 1; 0 <= i; i < o", "i*h//o < h"},
    {"h >= 1; o >= 1; 0 <= i; i < o", "ceildiv((i + 1)*h, o) <= h"},
    {"x >= 1; y >= 1", "min(y % x, 1) == ceildiv(y % x, x)"},
    {"y >= 1; x % y == 3", "(x - 3) % y == 0 and y >= 4"},
    {"(x*x) % 16 == 0", "x % 4 == 0"},
    {"h >= 1; w >= 1; p >= 1", "(h//p)*(w//p)*p*p <= h*w"},
    {"h >= 1; w >= 1; p >= 1", "ceildiv(h, p)*ceildiv(w, p)*p*p >= h*w"},
    {"n >= 0; k >= 1; m >= 1", "n*m//k <= (n//k)*m + m - 1"},
    {"n >= 1; k >= 1", "n % k - (n - 1) % k <= 2"},
    {"x >= 1", "y//(x % 4 + 1)*(x % 4 + 1) <= y and y % (x % 4 + 1) <= 3"},
    {"x >= 1", "0 <= y % ceildiv((x + 1)//2, 2)"},
    {"x >= 1; y >= 1", "(x*x + 8)//ceildiv(x, y) >= 5"},
    {"x >= 1; y >= 1", "((y % x) % min(x, y))*(x*x) >= 0"},
    {"x % 3 != 0", "(4*x*x + 2)//3 % 4 == 2"},
    {"x >= 1; y >= 1", "x*x != y*y + 1"},
    {"x >= 1; y >= 1; ceildiv(x, y) == 3", "2*y*y - 3*x*x != 6"},
    {"d >= 1; x//d == 2", "x*x >= 4*d*d"},
    {"d <= -1; x//d == 2", "x*x >= 4*d*d"},
    {"x >= 1; y >= 1", "x*(x + 1) != y*y"},
    {"x >= 1; y >= 1", "x*x*x != y*y*y + 1"},
    {"x >= 1; y >= 1; x*x == y*y + 3", "x == 2 and y == 1"},
    {"x >= 0; y >= 0; x*x + 2*x*y == 3*y*y + 5", "x == 2 and y == 1"},
    {"x >= 1; y >= 1; x % y == 0", "3*x*x >= y"},
};

constexpr Claim kInvalid[] = {
    {"", "iff(x*x*x > x, x >= 1)"},
    {"x <= 1", "x*x*x <= x - 1"},
    {"", "x*x*x*x > x*x"},
    {"", "(x - 1)*(x - 2)*(x - 3)*(x - 4) >= 1"},
    {"x*x + x <= 42", "-6 <= x"},
    {"", "x*x + y*y - 2*x + 4*y >= -4"},
    {"", "x*x - x + y*y - y >= 1"},
    {"", "x*x + 3*x*y + y*y >= 0"},
    {"", "4*x*x + y*y >= 5*x*y"},
    {"", "x*x*y*y >= 2*x*y"},
    {"y >= 3", "x*x - x + 2*y >= 7"},
    {"x*x + y*y <= 2*x*y + 1", "x == y"},
    {"x >= 0; x*x == y*y", "x == y"},
    {"x*x <= y*y", "x <= y"},
    {"", "x*x != 3*y + 1"},
    {"", "x*x + y*y != 4*z + 2"},
    {"x*x == 4*y", "x % 4 == 0"},
    {"x*x + y*y == 2*z", "x % 2 == 0"},
    {"", "(x*x + y) % 3 == (x + y) % 3"},
    {"d != 0; x % d == y % d", "(x + y) % d == 0"},
    {"d >= 1; x % d == y % d; abs(x - y) <= d", "x == y"},
    {"h >= 1; o >= 1; 0 <= i; i <= o", "i*h//o < h"},
    {"x >= 1; y >= 1", "min(y, 1) == ceildiv(y % x, x)"},
    {"y >= 1; x % y == 3", "y >= 5"},
    {"x % y == 3", "y >= 1 and x >= 3"},
    {"(x*x) % 8 == 0", "x % 8 == 0"},
    {"p >= 1", "(h//p)*(w//p)*p*p <= h*w"},
    {"h >= 1; w >= 1; p >= 1", "ceildiv(h, p)*(w//p)*p*p <= h*w"},
    {"n >= 0; k >= 1; m >= 1", "n*m//k <= (n//k)*m + m - 2"},
    {"n >= 1; k >= 1", "n % k - (n - 1) % k <= 0"},
    {"", "y % (x % 4 + 1) <= 2"},
    {"x >= 0", "0 <= y % ceildiv((x + 1)//2, 2)"},
    {"x >= 1; y >= 1", "(x*x + 8)//ceildiv(x, y) >= 6"},
    {"x % 3 != 1", "(4*x*x + 2)//3 % 4 == 2"},
    {"x >= 1; y >= 1", "x*x != y*y + 3"},
    {"x >= 1; y >= 0", "x*x != y*y + 1"},
    {"d >= 1; x//d == 2", "x*x >= 5*d*d"},
    {"d <= -1; x//d == -2", "x*x >= 4*d*d"},
    {"y >= 1", "x*(x + 1) != y*y + y"},
    {"x >= 1; y >= 1; x*x == y*y + 15", "x == 4 and y == 1"},
    {"x >= 1; x % y == 0", "3*x*x*y >= y"},
};

Expr claim;
Proof proof;

}  // namespace

TEST_CASE("runs and zeros of a polynomial in one unknown are those that evaluation sees") {
  std::mt19937_64 rng(23);
  for (int i = 0; i < 3000; ++i) {
    const Coefficients p = random_coefficients(rng, i % 2 == 0);
    const std::vector<Interval> runs = runs_at_least_zero(p);
    for (std::size_t k = 0; k + 1 < runs.size(); ++k) REQUIRE(*runs[k].hi + 1 < *runs[k + 1].lo);
    const std::vector<Integer> zeros = integer_zeros(p);
    std::vector<Integer> seen;
    for (int x = -70; x <= 70; ++x) {
      const bool inside = std::any_of(runs.begin(), runs.end(), [&](const Interval& r) { return r.contains(x); });
      const Integer v = value(p, x);
      REQUIRE(inside == (v.sign() >= 0));
      if (v.is_zero()) seen.emplace_back(x);
    }
    REQUIRE(zeros == seen);
  }
  const Integer far = *Integer::parse("1" + std::string(60, '0'));
  CHECK(integer_zeros(Coefficients{-(far * far), 0, 1}) == std::vector<Integer>{-far, far});
  CHECK(runs_at_least_zero(Coefficients{1, 0, 1}).size() == 1);
  CHECK(runs_at_least_zero(Coefficients{-1, 0, -1}).empty());
}

TEST_CASE("no value lies below what a sum of squares is said to be at least; exact: its forms are 0 where it is that") {
  Context ctx;
  PolyRing ring(ctx.impl());
  std::mt19937_64 rng(29);
  const auto number = [&](int most) { return std::to_string(static_cast<int>(rng() % (2 * most + 1)) - most); };
  int found = 0, tight = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string text = std::to_string(1 + rng() % 4) + "*x*x + " + number(4) + "*x*y + " + std::to_string(rng() % 4) +
                       "*y*y + " + number(5) + "*x + " + number(5) + "*y + " + number(6) + " + " + number(2) + "*z";
    const Expr term = ctx.canonical(*parse(ctx, text));
    const auto least = [&](const Node* m, const Integer& c) -> std::optional<Integer> {
      if (Expr(m) == ctx.symbol("z")) return c.sign() > 0 ? -2 * c : 3 * c;  // -2 <= z <= 3
      return std::nullopt;
    };
    const std::optional<LeastOfSquares> said = least_of_squares(ring, ring.of(term.node()), least);
    if (!said) continue;
    ++found;
    bool reached = false;
    for (int x = -9; x <= 9; ++x)
      for (int y = -9; y <= 9; ++y)
        for (int z = -2; z <= 3; ++z) {
          Assignment at;
          at.set(ctx.symbol("x"), Value::of(x));
          at.set(ctx.symbol("y"), Value::of(y));
          at.set(ctx.symbol("z"), Value::of(z));
          const Integer v = evaluate(ctx, term, at).integer;
          REQUIRE(v >= said->value);
          reached = reached || v == said->value;
          if (!said->exact) continue;
          bool zero = true;
          for (const Poly& form : said->forms)
            zero = zero && evaluate(ctx, Expr(ring.node(form)), at).integer.is_zero();
          REQUIRE(zero == (v == said->value));
        }
    tight += reached ? 1 : 0;
  }
  CHECK(found > 400);
  CHECK(2 * tight > found);
}

TEST_CASE("a quadratic as a product of two forms is 0 at the same points") {
  Context ctx;
  PolyRing ring(ctx.impl());
  std::mt19937_64 rng(41);
  const auto number = [&](int most) { return std::to_string(static_cast<int>(rng() % (2 * most + 1)) - most); };
  int found = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string text = "(" + number(2) + "*x + " + number(2) + "*y + " + number(3) + ")*(" + number(2) + "*x + " +
                             number(2) + "*y + " + number(3) + ") + " + number(8);
    const Expr term = ctx.canonical(*parse(ctx, text));
    const std::optional<ProductForm> form = as_product(ring, ring.of(term.node()));
    if (!form) continue;
    ++found;
    const Expr left(ring.node(form->left)), right(ring.node(form->right));
    for (int x = -9; x <= 9; ++x)
      for (int y = -9; y <= 9; ++y) {
        Assignment at;
        at.set(ctx.symbol("x"), Value::of(x));
        at.set(ctx.symbol("y"), Value::of(y));
        const bool zero = evaluate(ctx, term, at).integer.is_zero();
        const Integer product = evaluate(ctx, left, at).integer * evaluate(ctx, right, at).integer;
        REQUIRE(zero == (!form->none && product == form->value));
      }
  }
  CHECK(found > 500);
}

TEST_CASE("valid claims about polynomials are proved, and hold on a box") {
  for (const Claim& c : kValid) {
    INFO(c.text());
    Asked a(c);
    CHECK(a.proof.proved());
    CHECK(test::prove(a.ctx, test::formulas_of(a.facts), a.claim, {-4, 4}).holds);
  }
}

TEST_CASE("the facts that a proof names suffice") {
  const auto suffice = [](const Claim& c) {
    INFO(c.text());
    Asked a(c);
    CHECK(a.proof.proved());
    std::vector<Expr> used;
    for (const FactId f : a.proof.used) used.push_back(a.facts[f].formula);
    CHECK(test::prove(a.ctx, used, a.claim, {-4, 4}).holds);
  };
  for (const Claim& c : kValid) suffice(c);
  suffice({"y >= x - 1; y <= -1; z >= 2", "x*x*x <= 3 - x*y"});  // x <= 0 rests on both: no case x >= 1
}

TEST_CASE("their near misses are refuted by a point") {
  for (const Claim& c : kInvalid) {
    INFO(c.text());
    check_refuted_at_a_point(Asked(c));
  }
}

TEST_CASE("bounds of polynomials are the least and greatest values") {
  const BoundOf bounds[] = {
      {"", "x*x*x*x - 4*x*x*x", "[-27,inf]"},
      {"x >= 0", "x*x*x - 6*x*x", "[-32,inf]"},
      {"x <= 3", "x*x*x - 12*x", "[-inf,16]"},
      {"", "x*x - x + y*y - 3*y + z*z", "[-2,inf]"},
      {"", "x*x + y*y - 2*x*y - 2*x + 2*y", "[-1,inf]"},
      {"", "6*x - x*x - y*y", "[-inf,9]"},
      {"", "x*x % 4", "[0,1]"},
      {"x*x <= 50", "x", "[-7,7]"},
  };
  check_bounds(bounds);
}

TEST_CASE("random polynomial claims: what is proved holds on a box, what is refuted fails at the point") {
  std::mt19937_64 rng(31);
  const auto number = [&](int most) { return std::to_string(static_cast<int>(rng() % (2 * most + 1)) - most); };
  const char* const monomials[] = {"x", "y", "x*x", "y*y", "x*y", "x*x*x", "x*x*y", "z", "z*z"};
  const auto sum = [&](std::size_t terms) {
    std::string s = number(6);
    for (; terms > 0; --terms) s += " + " + number(3) + "*" + monomials[rng() % 9];
    return s;
  };
  int decided = 0;
  constexpr int kClaims = 400;
  for (int i = 0; i < kClaims; ++i) {
    const std::string fact = sum(2) + (rng() % 2 == 0 ? " >= 0" : " == 0");
    const std::string claim = sum(1 + rng() % 3) + (rng() % 3 == 0 ? " != 0" : " >= 0");
    INFO(fact << " |- " << claim);
    Asked a({fact.c_str(), claim.c_str()});
    if (a.proof.proved()) REQUIRE(test::prove(a.ctx, test::formulas_of(a.facts), a.claim, {-7, 7}).holds);
    decided += a.proof.proved() || a.proof.refuted() ? 1 : 0;
  }
  CHECK(10 * decided > 9 * kClaims);
}
