// SymInt arithmetic against plain integers and against the reference evaluator.
#include <random>

#include "trace/op_memo.hpp"
#include "trace/support.hpp"

using namespace dimgate;
using namespace dimgate::testing;

TEST_CASE("constants are exact integers with floor division, and need no tracer") {
  CHECK((SymInt(7) / 2).constant() == Integer(3));
  CHECK((SymInt(-7) / 2).constant() == Integer(-4));
  CHECK((SymInt(7) / -2).constant() == Integer(-4));
  CHECK((SymInt(-7) % 3).constant() == Integer(2));
  CHECK((SymInt(7) % -3).constant() == Integer(-2));
  CHECK(ceildiv(7, SymInt(2)).constant() == Integer(4));
  CHECK(min(SymInt(3), 4).constant() == Integer(3));
  CHECK(max(SymInt(3), 4).constant() == Integer(4));
  CHECK(abs(SymInt(-3)).constant() == Integer(3));
  CHECK(bool(SymInt(3) == 3));
  CHECK(bool(3 != SymInt(4)));
  CHECK_FALSE(bool(SymInt(3) < 3));
  const SymInt big = SymInt(INT64_MAX) * 4;
  CHECK(big.constant().to_string() == "36893488147419103228");
  CHECK((big / 4).constant() == Integer(INT64_MAX));
  CHECK(SymInt(UINT64_MAX).constant().to_string() == "18446744073709551615");
  CHECK_THROWS_AS((void)big.to_int(), ShapeError);
  CHECK_THROWS_WITH_AS((void)(SymInt(3) / SymInt(0)), "division by zero: the divisor of 3 is 0", ShapeError);
}

TEST_CASE("terms are canonical: the order of building does not matter, constants disappear") {
  Context ctx;
  IgnorantProver prover;
  Tracer t(ctx, prover);
  const SymInt a = t.size("a", 3), b = t.size("b", 5);
  CHECK((a + b).same_term(b + a));
  CHECK((a * b * 2).same_term(2 * (b * a)));
  CHECK((a - a).is_const());
  CHECK((a + 1 - 1).same_term(a));
  CHECK((8 * a / 4).same_term(2 * a));
  CHECK(t.guards().empty());
  CHECK((a * 0).is_const());
  CHECK(to_string(Shape{a, 3, 2 * b}) == "(a, 3, 2*b)");
  CHECK(to_string(Shape{a}) == "(a,)");
}

TEST_CASE("hints are values of the terms, beyond int64 too") {
  Context ctx;
  IgnorantProver prover;
  Tracer t(ctx, prover);
  const SymInt a = t.integer("a", INT64_MAX), b = t.integer("b", -7), u = t.integer("u", std::nullopt);
  CHECK((a * a).hint()->to_string() == "85070591730234615847396907784232501249");
  CHECK((b / 2).hint() == Integer(-4));
  CHECK((b % 4).hint() == Integer(1));
  CHECK(!(a + u).hint());
  CHECK((a * a > a).hint() == true);
  CHECK(!(u > a).hint().has_value());
  CHECK(where(a > b, a, b).hint() == Integer(INT64_MAX));
  CHECK(abs(b).hint() == Integer(7));
}

namespace {

SymInt lower(const SymInt& a, const SymInt& b) { return min(a, b); }
SymInt upper(const SymInt& a, const SymInt& b) { return max(a, b); }
Integer lower(const Integer& a, const Integer& b) { return a < b ? a : b; }
Integer upper(const Integer& a, const Integer& b) { return a < b ? b : a; }

/// The same random arithmetic on any number type.
template <class Number, class Divide, class Remainder>
Number random_term(std::mt19937& rng, const std::vector<Number>& leaves, Divide divide, Remainder remainder) {
  std::vector<Number> pool = leaves;
  for (int i = 0; i < 12; ++i) {
    const Number a = pool[rng() % pool.size()], b = pool[rng() % pool.size()];
    const int k = static_cast<int>(rng() % 7) - 3;
    switch (rng() % 7) {
      case 0:
        pool.push_back(a + b);
        break;
      case 1:
        pool.push_back(a - b);
        break;
      case 2:
        pool.push_back(a * Number(k));
        break;
      case 3:
        pool.push_back(a * b);
        break;
      case 4:
        pool.push_back(divide(a, Number(k == 0 ? 5 : k)));
        break;
      case 5:
        pool.push_back(remainder(a, Number(k == 0 ? 7 : k)));
        break;
      default:
        pool.push_back(rng() % 2 == 0 ? lower(a, b) : upper(a, b));
        break;
    }
  }
  return pool.back();
}

}  // namespace

TEST_CASE("random terms: hints, reference evaluator and plain integers agree") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Context ctx;
    IgnorantProver prover;
    Tracer t(ctx, prover);
    std::mt19937 values(seed);
    std::vector<SymInt> symbols;
    std::vector<Integer> numbers;
    Assignment at;
    for (int i = 0; i < 3; ++i) {
      const int v = static_cast<int>(values() % 41) - 20;
      numbers.emplace_back(v);
      symbols.push_back(t.integer("s" + std::to_string(i), v));
      at.set(symbols.back().term(), Value::of(v));
    }
    std::mt19937 one(seed), two(seed);
    const SymInt term = random_term(
        one, symbols, [](const SymInt& a, const SymInt& b) { return a / b; },
        [](const SymInt& a, const SymInt& b) { return a % b; });
    const Integer number = random_term(
        two, numbers, [](const Integer& a, const Integer& b) { return floor_div(a, b); },
        [](const Integer& a, const Integer& b) { return floor_mod(a, b); });
    INFO("seed ", seed, ": ", term.to_string());
    CHECK(term.hint() == number);
    CHECK(evaluate(ctx, term.expr(ctx), at) == Value::of(number));
  }
}

TEST_CASE("the memo of operators gives back exactly what was put in, through every growth") {
  Context ctx;
  const Expr x = ctx.symbol("x"), c = ctx.integer(7);
  OpMemo memo;
  const auto key = [](std::uint64_t i) {
    return OpMemo::Key{i / 7 * 0x10000, i % 7, static_cast<std::uint16_t>(i % 3 + 1)};
  };
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    REQUIRE(memo.find(key(i)).node == nullptr);
    memo.insert(key(i), OpMemo::Made::of(i % 5 == 0 ? c : x));
  }
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const OpMemo::Made made = memo.find(key(i));
    REQUIRE(made.node == (i % 5 == 0 ? c : x).node());
    REQUIRE(made.constant == (i % 5 == 0));
    REQUIRE(made.id == (i % 5 == 0 ? c : x).id());
  }
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {  // out of order, in runs
    std::uint64_t i = random() % 20'000;
    for (unsigned n = random() % 4; n > 0 && i < 20'000; --n, ++i)
      REQUIRE(memo.find(key(i)).node == (i % 5 == 0 ? c : x).node());
    REQUIRE(memo.find(key(20'000 + i)).node == nullptr);
  }
}

TEST_CASE("sym: handles of two tracers are refused wherever they meet") {
  Context one, two;
  NativeProver prover;
  Tracer a(one, prover), b(two, prover);
  const SymInt x = a.size("x", 4), y = b.size("y", 5);
  CHECK_THROWS_AS((void)(x + y), std::logic_error);
  CHECK_THROWS_AS((void)(y * x), std::logic_error);
  CHECK_THROWS_AS((void)(x < y), std::logic_error);
  CHECK_THROWS_AS((void)(x / y), std::logic_error);
  CHECK_THROWS_AS((void)where(x > 3, x, y), std::logic_error);
  CHECK_THROWS_AS((void)sym_and(x > 3, y > 3), std::logic_error);
  CHECK_THROWS_AS((void)sym_or(y > 3, x > 3), std::logic_error);
  CHECK_THROWS_AS((void)b.decide(x > 3), std::logic_error);
  CHECK_THROWS_AS((void)b.known(x > 3), std::logic_error);
  CHECK_THROWS_AS(b.require(x > 3, [] { return ""; }), std::logic_error);
  CHECK_THROWS_AS(b.declare(x > 3), std::logic_error);
  CHECK((x + 1).to_string() == "x + 1");
  CHECK(a.guards().size() == 0);
}
