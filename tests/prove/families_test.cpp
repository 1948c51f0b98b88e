// Claims of the kinds that compilers ask of shapes and indices: each is decided natively, and enumeration of a box
// agrees. `===`: equal wherever either side is defined.
#include <doctest/doctest.h>

#include <string>

#include "dimgate/prove.hpp"
#include "prove/domain.hpp"
#include "support/brute_force.hpp"
#include "support/claims.hpp"

using namespace dimgate;
using test::Asked, test::BoundOf, test::Claim, test::check_bounds, test::check_refuted_at_a_point;

namespace {

constexpr Claim kValid[] = {
    {"", "min(x, y) + z === min(x + z, y + z)"},
    {"", "max(x,4)-max(x,4)%1 === max(x,4)"},
    {"", "min(max(x, 3), 7) + 1 === min(max(x + 1, 4), 8)"},
    {"", "max(min(x,5),10) === 10"},
    {"", "min(min(x,y),max(x,y)) === min(x,y)"},
    {"", "max(x,y)-min(x,y) === abs(x-y)"},
    {"", "min(x,y)+max(x,y) === x+y"},
    {"", "max(x*2, y*2)//2 === max(x,y)"},
    {"", "min((x//3)*3, x) === (x//3)*3"},
    {"", "(x*36 + y//28)%12//4 === (y//28)%12//4"},
    {"0<=y; y<28", "(x*28+y)//28 === x"},
    {"0<=y; y<28", "(x*28+y)%28 === y"},
    {"0<=x; x<4", "(x*64 + y)%64 === y%64"},
    {"0<=x; x<10", "(x+y*10)//100 === y//10"},
    {"0<=x; x<10", "(x+y*10)%100 === x + y%10*10"},
    {"0<=x; x<3", "(x*5+y*15)//5%3 === x"},
    {"", "(x//4)*4 + x%4 === x"},
    {"", "(x%8)//2%2 === x//2%2"},
    {"", "x%4%2 === x%2"},
    {"", "(x*3)%6 === (x%2)*3"},
    {"", "(x + 7)//8*8 - x <= 7"},
    {"", "x - x//2 === (x+1)//2"},
    {"", "(x+3)//4 === ceildiv(x,4)"},
    {"", "ceildiv(ceildiv(x,4),8) === ceildiv(x,32)"},
    {"", "Where(x>0, x, -x) === abs(x)"},
    {"", "Where(x<y, x, y) === min(x,y)"},
    {"", "Where(x<y, x+1, y+1) === min(x,y)+1"},
    {"", "Where(x%2==0, x//2, (x-1)//2) === x//2"},
    {"", "iff(x < y + 1, x <= y)"},
    {"", "iff(x*8 < 65, x <= 8)"},
    {"", "iff(2*x == 7, False)"},
    {"", "iff(x//8 < 4, x < 32)"},
    {"", "iff(not (x < 5 or x > 9), 5 <= x and x <= 9)"},
    {"", "iff(x < 5 and x < 9, x < 5)"},
    {"", "iff(x % 4 == 3 and x % 2 == 1, x % 4 == 3)"},
    {"", "iff(min(x, y) >= 3, x >= 3 and y >= 3)"},
    {"", "iff(max(x, y) >= 3, x >= 3 or y >= 3)"},
    {"", "iff(max(x,y) < z, x < z and y < z)"},
    {"", "iff(x*x == 4, x == 2 or x == -2)"},
    {"", "iff(abs(x) <= 3, -3 <= x and x <= 3)"},
    {"", "implies(x == 2*y and y % 4 == 0, x % 8 == 0)"},
    {"a>=1; b>=1; c>=1", "implies(a*b == a*c, b == c)"},
    {"a>=1; b>=1", "a*b >= a"},
    {"a>=1; b>=1", "a*b >= a + b - 1"},
    {"a>=2; b>=2", "a*b >= a + b"},
    {"a>=0; b>=0", "(a+1)*(b+1) >= a+b+1"},
    {"a>=1; b>=1", "a//b*b + a%b == a"},
    {"a>=1; b>=1", "a%b < b"},
    {"a>=1; b>=1", "a%b <= a"},
    {"a>=1; b>=a", "b//a >= 1"},
    {"b>=1; a>=0; a<b", "a//b == 0"},
    {"b>=1; a>=0; a<b", "a%b == a"},
    {"b>=1", "(a*b + b - 1)//b == a"},
    {"b>=2", "(a*b + 1)%b == 1"},
    {"b>=1; n>=0", "(n + b - 1)//b*b >= n"},
    {"b>=1; n>=0", "(n + b - 1)//b*b < n + b"},
    {"k>=1; n>=1; n%k==0", "n >= k"},
    {"n%12==0; n%8==0", "n%24==0"},
    {"n%6==4; n%4==2", "n%12==10"},
    {"n%2==0; n//2%2==1", "n%4==2"},
    {"s0>=2; s1>=2", "s0*s1 != 1"},
    {"s0>=2; s1>=2", "s0*s1 > s0"},
    {"s0>=0; s0 != 0; s0 != 1", "s0 >= 2"},
    {"s0>=2; 3*s0 == s1", "s1 % 3 == 0 and s1 >= 6"},
    {"s0>=2; s1==2*s0; s2==s1+s0", "s2 == 3*s0"},
    {"s0>=2; s0 % 8 == 0", "(s0//8)*8 == s0"},
    {"s0>=2; s0 % 8 == 0", "(s0//4)%2 == 0"},
    {"s0>=1", "(2*s0 + 1)//2 == s0"},
    {"s0>=1", "(s0 - 1)//2 + 1 == (s0+1)//2"},
    {"s0>=1; s0 <= 100", "(s0*s0)//s0 == s0"},
    {"i>=0; i<n; j>=0; j<m", "i*m + j < n*m"},
    {"i>=0; i<n; j>=0; j<m", "(i*m + j)//m == i"},
    {"i>=0; i<n; j>=0; j<m", "(i*m + j)%m == j"},
    {"i>=0; i<n; j>=0; j<m; k>=0; k<p", "(i*m + j)*p + k < n*m*p"},
    {"0<=gid; gid<512", "(gid//16)*16 + gid%16 == gid"},
    {"0<=gid; gid<512", "gid//16 < 32"},
    {"0<=x; x<16", "(x*4 + 3)//4 == x"},
    {"0<=x; x<=7", "x//8 == 0"},
    {"0<=x; x<8; 0<=y; y<4", "(x + y*8)//8*8 + (x+y*8)%8 == x + y*8"},
    {"x % 4 == 1", "(x*x) % 8 == 1"},
    {"x>=-5; x<=5", "x*x <= 25"},
    {"x>=1; y>=1; x<=y", "x*x <= y*y"},
    {"x>=1; y>=1; x*x <= y*y", "x <= y"},
    {"x>=0; y>=0; x*y == 0", "x == 0 or y == 0"},
    {"d>=1; a<=b", "a//d <= b//d"},
    {"d>=1; a<=b", "ceildiv(a,d) <= ceildiv(b,d)"},
    {"a>=0; d>=1; e>=d", "a//e <= a//d"},
    {"a>=0; b>=1; c>=1", "(a//b)//c == a//(b*c)"},
    {"b>=1; c>=1", "(a//b)//c == a//(b*c)"},
    {"b>=1; c>=1", "ceildiv(ceildiv(a,b),c) == ceildiv(a,b*c)"},
    {"b>=1; c>=1", "(a*c)//(b*c) == a//b"},
    {"b>=1; a % b == 0", "(a*c) % b == 0"},
    {"b>=1; a % b == 0; c % b == 0", "(a+c) % b == 0"},
    {"b>=1; a % b == 0", "(a + b) % b == 0"},
    {"b>=1; a % (2*b) == 0", "a % b == 0"},
    {"b>=1; c>=1; a % (c*b) == 0", "a % b == 0"},
    {"b>=1", "(a + b - 1)//b == ceildiv(a, b)"},
    {"b>=1", "(a - 1)//b + 1 == ceildiv(a, b)"},
    {"b>=1; a % b != 0", "ceildiv(a, b) == a//b + 1"},
    {"b>=1; c>=1", "((a + b)//b) % (b*c) == ceildiv(a + 1, b) % (b*c)"},
    {"b>=1", "max((a + b)//b, b) == max(ceildiv(a + 1, b), b)"},
    {"b>=1; c>=1", "b % c == (b % (b + 1)) % c"},
    {"b>=1; c>=1", "(a*b + c)//(b*c) == ((a*b + c)//b)//c"},
    {"b>=1; c>=1", "ceildiv((a + b)//b, b*c) == ceildiv(ceildiv(a + 1, b), b*c)"},
    {"b>=1; c>=1", "ceildiv(ceildiv(a, b + 1), b) == ceildiv(ceildiv(a*c, b + 1), b*c)"},
    {"a>=1; b>=1; c>=1; a*b==2*c", "(a*b) % c == 0 and (a*b*7)//c == 14"},
    {"b>=2; c>=2; a==b*c", "(a + 1)//(2*b) == a//(2*b)"},
    {"a>=0; b>=1; c>=1", "(a + b)*(b*c) >= a + b"},
    {"a>=0; b>=1; c>=1", "max((a + 1)*(b*c), a + b - 1) == (a + 1)*(b*c)"},
    {"h>=1; w>=1", "(h*w) % h == 0"},
    {"h>=1; w>=1", "(h*w + h) // h == w + 1"},
    {"", "x*x + y*y >= 2*x*y"},
    {"", "x*x - 2*x + 1 >= 0"},
    {"", "x*x - x >= 0"},
    {"", "x*x + x + 1 > 0"},
    {"", "(x + y)*(x + y) >= 0"},
    {"n>=3", "n*n >= 2*n + 3"},
    {"n>=1", "(n*(n+1))//2 >= n"},
    {"n>=1", "(n*(n+1))//2*2 == n*(n+1)"},
};

constexpr Claim kInvalid[] = {
    {"", "(x//4)//(-3) === x//(-12)"},
    {"x >= 0; x <= 255", "(x*257 + 1)//256 == x"},
    {"b >= 1", "(a//b)//c === a//(b*c)"},
    {"a >= 0; b >= 0", "a*b >= a"},
    {"x*x <= y*y", "x <= y"},
    {"a % b == 0", "(a + 1) % b != 0"},
    {"d >= 1", "(a + b)//d == a//d + b//d"},
    {"i >= 0; i < n; j >= 0; j <= m", "i*m + j < n*m"},
};

}  // namespace

TEST_CASE("valid claims are proved, and hold on a box") {
  for (const Claim& c : kValid) {
    INFO(c.text());
    Asked a(c);
    CHECK(a.proof.proved());
    CHECK(test::prove(a.ctx, test::formulas_of(a.facts), a.claim, {-2, 4}).holds);
  }
}

TEST_CASE("claims that fail somewhere are refuted by such a point") {
  for (const Claim& c : kInvalid) {
    INFO(c.text());
    check_refuted_at_a_point(Asked(c));
  }
}

TEST_CASE("bounds of products whose ends need more than the linear view; ends that run away end the search") {
  const BoundOf bounds[] = {
      {"a>=0; b>=2; a<=b", "(a - b)*(2*b)*(2*b)", "[-inf,0]"},
      {"a>=0; b>=2; a<=b", "max(a - b, ceildiv(2*a, b)) - (a - b)*4", "[2,inf]"},
      {"a>=0; b>=2; a<=b", "ceildiv(a + b, b)*4 + (a + b) % 4", "[4,11]"},
      // Each value found may be the square of the one before: minutes once, in numbers of a million bits.
      {"a>=0; b>=2; a<=b", "max(2*a + 3*a*b + (a - 1) % 2, max(a - 1, 4))", "[4,inf]"},
      {"a>=1; b>=1", "max(a*b, min(a + 1, b + 1))", "[2,inf]"},
  };
  check_bounds(bounds);
}

TEST_CASE("a domain leaves ends of many bits out, and is larger for it") {
  const Integer far = *Integer::parse("1" + std::string(2000, '0'));
  Domain d{{Integer(3), far}, Congruence::of(4, 3), false};
  CHECK(d.is_far());
  const Domain near = d.without_far_ends();
  CHECK_FALSE(near.is_far());
  CHECK(near.interval.to_string() == "[3,inf]");
  CHECK(near.congruence == d.congruence);
  CHECK(near.contains(far + 3));
  CHECK(Domain::point(far).without_far_ends().is_all());
  CHECK(far.hash() == (far + 1 - 1).hash());
}

TEST_CASE("equalities whose products come again in their own values rewrite nothing, and the search ends") {
  NativeProver prover;
  for (const char* text :
       {"a >= 1; b >= 1; d >= 2; a*b == 2*c + (a*b)//d", "d >= 2; a*b == 2*c + (x*y)//d; x*y == 2*z + (a*b)//d",
        "d >= 2; a*b == 2*c + max((a*b*z)//d, 3)", "d >= 2; a*b*z == a*z + (a*b*z*z)//d"}) {
    Context ctx;
    Facts facts(ctx);
    const Result<std::vector<Expr>> known = parse_list(ctx, text);
    REQUIRE(known.ok());
    for (const Expr f : *known) facts.assume(f);
    INFO(std::string(text));
    CHECK_FALSE(prover.prove(facts, *parse(ctx, "a*b*x*x != 2*a*b*y*y or x == 0")).proved());
  }
}
