// Raw against canonical: the same value on every point of a box, undefined included; and the same node whatever the
// order of building.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "dimgate/expr.hpp"
#include "expr/node_map.hpp"
#include "random_expr.hpp"

using namespace dimgate;

namespace {

class Terms {
 public:
  Terms(Context& ctx, unsigned seed) : ctx_(ctx), rng_(seed) {
    for (const char* n : {"a", "b", "c"}) symbols_.push_back(ctx.symbol(n));
  }
  Expr term(int depth) {
    if (depth == 0 || pick(5) == 0) return pick(3) == 0 ? ctx_.integer(pick(9) - 4) : symbols_[pick(3)];
    const auto t = [&] { return term(depth - 1); };
    switch (pick(13)) {
      case 0:
        return ctx_.make(Op::Add, {t(), t()});
      case 1:
        return ctx_.make(Op::Sub, {t(), t()});
      case 2:
        return ctx_.make(Op::Mul, {t(), t()});
      case 3:
        return ctx_.make(Op::Mul, {ctx_.integer(pick(9) - 4), t()});
      case 4:
        return ctx_.make(Op::FloorDiv, {t(), ctx_.integer(pick(13) - 6)});
      case 5:
        return ctx_.make(Op::Mod, {t(), ctx_.integer(pick(13) - 6)});
      case 6:
        return ctx_.make(Op::FloorDiv, {t(), t()});
      case 7:
        return ctx_.make(Op::Mod, {t(), t()});
      case 8:
        return ctx_.make(Op::CeilDiv, {t(), ctx_.integer(pick(9) - 4)});
      case 9:
        return ctx_.make(Op::Max, {t(), t()});
      case 10:
        return ctx_.make(Op::Min, {t(), t(), t()});
      case 11:
        return ctx_.make(Op::Abs, {t()});
      default:
        return ctx_.make(Op::Ite, {formula(depth - 1), t(), t()});
    }
  }
  Expr formula(int depth) {
    const auto t = [&] { return term(depth > 2 ? 2 : depth); };
    if (depth <= 0 || pick(3) == 0) {
      static constexpr Op kinds[] = {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge};
      return ctx_.make(kinds[pick(6)], {t(), t()});
    }
    const auto f = [&] { return formula(depth - 1); };
    switch (pick(10)) {
      case 0:
        return ctx_.make(Op::And, {f(), f()});
      case 1:
        return ctx_.make(Op::Or, {f(), f(), f()});
      case 2:
        return ctx_.make(Op::Not, {f()});
      case 3:
        return ctx_.make(Op::Implies, {f(), f()});
      case 4:
        return ctx_.make(Op::Iff, {f(), f()});
      case 5:
        return ctx_.make(Op::Divides, {ctx_.integer(pick(9) - 4), t()});
      case 6:
        return ctx_.make(Op::Divides, {t(), t()});
      case 7:
        return ctx_.make(Op::Distinct, {t(), t(), t()});
      case 8:
        return ctx_.make(Op::In, {t(), ctx_.integer(pick(5)), ctx_.integer(pick(5)), ctx_.integer(pick(5) - 4)});
      default:
        return ctx_.make(Op::Ite, {f(), f(), f()});
    }
  }

 private:
  int pick(int n) { return static_cast<int>(rng_() % static_cast<unsigned>(n)); }
  Context& ctx_;
  std::mt19937 rng_;
  std::vector<Expr> symbols_;
};

void compare_on_box(Context& ctx, Expr raw, Expr canonical) {
  const std::vector<Expr> symbols{ctx.symbol("a"), ctx.symbol("b"), ctx.symbol("c")};
  Assignment at;
  for (int a = -5; a <= 5; ++a)
    for (int b = -3; b <= 3; ++b)
      for (int c = -2; c <= 2; ++c) {
        at.set(symbols[0], Value::of(a));
        at.set(symbols[1], Value::of(b));
        at.set(symbols[2], Value::of(c));
        const Value want = evaluate(ctx, raw, at), got = evaluate(ctx, canonical, at);
        if (!(want == got)) {
          FAIL_CHECK("raw " << to_text(ctx, raw) << "\ncanonical " << to_text(ctx, canonical) << "\nat a=" << a
                            << " b=" << b << " c=" << c << ": " << want.to_string() << " against " << got.to_string());
          return;
        }
      }
}

}  // namespace

TEST_CASE("canonical terms and formulas keep value and domain on a box with zero divisors") {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Context ctx;
    Terms terms(ctx, seed);
    const Expr t = seed % 2 == 0 ? terms.term(4) : terms.formula(3);
    compare_on_box(ctx, t, ctx.canonical(t));
  }
}

TEST_CASE("constant products beside the constant 1") {  // once lost the 1
  Context ctx;
  CHECK(to_text(ctx, ctx.canonical(*parse(ctx, "2*1 + 2 - 1"))) == "3");
  CHECK(to_text(ctx, ctx.canonical(*parse(ctx, "x + 3*1*2 + 1 + 1*1"))) == "x + 8");
}

TEST_CASE("deep, wide and shared terms take near-linear time and no stack") {
  Context ctx;
  const Expr x = ctx.symbol("x"), y = ctx.symbol("y");
  Expr chain = x, minus = x, nest = x, logic = ctx.make(Op::Gt, {x, y}), doubled = x, ite = x, maxima = x;
  for (int i = 0; i < 100'000; ++i) {
    chain = ctx.make(Op::Add, {chain, i % 2 == 0 ? y : ctx.integer(i)});
    minus = ctx.make(Op::Neg, {minus});
    nest = ctx.make(Op::FloorDiv, {ctx.make(Op::Add, {nest, ctx.integer(1)}), ctx.integer(2)});
    logic = ctx.make(i % 2 == 0 ? Op::And : Op::Or, {logic, ctx.make(Op::Eq, {x, ctx.integer(i)})});
    ite = ctx.make(Op::Ite, {ctx.make(Op::Lt, {y, ctx.integer(i)}), ite, ctx.integer(i)});
    maxima = ctx.make(Op::Max, {maxima, ctx.integer(i)});
    if (i < 200) doubled = ctx.make(Op::Add, {doubled, doubled});
  }
  CHECK(to_text(ctx, ctx.canonical(minus)) == "x");
  CHECK(to_text(ctx, ctx.canonical(maxima)) == "max(99999, x)");
  CHECK(ctx.canonical(chain) == ctx.canonical(*parse(ctx, "x + 50000*y + 2500000000")));
  CHECK(ctx.canonical(doubled) == ctx.canonical(ctx.make(Op::Mul, {ctx.integer(pow(Integer(2), 200)), x})));
  CHECK(ctx.canonical(nest).sort() == Sort::Int);
  CHECK(ctx.canonical(ctx.make(Op::Not, {logic})).sort() == Sort::Bool);
  CHECK(ctx.canonical(ite).sort() == Sort::Int);
  std::vector<Expr> sums, wide;
  for (int i = 0; i < 30; ++i)
    sums.push_back(
        ctx.make(Op::Add, {ctx.symbol("p" + std::to_string(i)), ctx.symbol("q" + std::to_string(i)), ctx.integer(i)}));
  const Expr product = ctx.make(Op::Mul, sums);
  std::reverse(sums.begin(), sums.end());
  Expr other = sums[0];
  for (std::size_t i = 1; i < sums.size(); ++i) other = ctx.make(Op::Mul, {other, sums[i]});
  CHECK(ctx.canonical(product) == ctx.canonical(other));
  for (int i = 0; i < 100'000; ++i) wide.push_back(ctx.symbol("w" + std::to_string(i)));
  const Expr sum = ctx.make(Op::Add, wide);
  CHECK(ctx.canonical(ctx.make(Op::FloorDiv, {sum, ctx.integer(3)})).is(Op::FloorDiv));
  CHECK(ctx.canonical(ctx.make(Op::Sub, {sum, sum})) == ctx.integer(0));
}

TEST_CASE("canonical form is idempotent and does not depend on what the context saw before") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Context ctx, busy;
    Terms terms(ctx, seed);
    const Expr raw = seed % 2 == 0 ? terms.term(4) : terms.formula(3);
    const Expr c = ctx.canonical(raw);
    Terms noise(busy, seed + 1000);
    for (int i = 0; i < 5; ++i) busy.canonical(noise.term(3));
    const Expr elsewhere = busy.canonical(transfer(busy, ctx, raw));
    CHECK(to_text(ctx, c) == to_text(busy, elsewhere));
  }
}

TEST_CASE("every operator: the canonical form of a canonical form is itself") {
  for (unsigned seed = 1; seed <= 4000; ++seed) {
    Context ctx, other;  // the other has no memo of what was canonical
    test::RandomExpr random(ctx, seed);
    const Expr raw = random.make(seed % 3 == 0 ? Sort::Int : Sort::Bool, 14);
    const Expr once = transfer(other, ctx, ctx.canonical(raw));
    CHECK_MESSAGE(other.canonical(once) == once, to_text(ctx, raw));
  }
}

TEST_CASE("a symbol compared with a constant is the node that the polynomials give") {
  Context ctx;
  const Expr x = ctx.symbol("x"), y = ctx.symbol("y");
  for (const Op op : {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge})
    for (const Integer& c : {Integer(-3), Integer(0), Integer(1), Integer(INT64_MAX), Integer(INT64_MIN)}) {
      const Expr k = ctx.integer(c), kx = ctx.make(Op::Add, {k, y}), xy = ctx.make(Op::Add, {y, x});
      CHECK(ctx.canonical(ctx.make(op, {x, k})) == ctx.canonical(ctx.make(op, {xy, kx})));
      CHECK(ctx.canonical(ctx.make(op, {k, x})) == ctx.canonical(ctx.make(op, {kx, xy})));
    }
}

TEST_CASE("a remainder compared with a constant is the node that its polynomial gives") {
  static constexpr Op kinds[] = {Op::Eq, Op::Ne};
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Context ctx;
    Terms terms(ctx, seed);
    const Expr e = terms.term(3);
    const Expr k = ctx.integer(static_cast<int>(seed % 13) + 1), r = ctx.integer(static_cast<int>(seed % 17) - 2);
    const Op op = kinds[seed / 7 % 2];
    const Expr remainder = ctx.make(Op::Mod, {e, k});
    const Expr written = seed % 3 == 0 ? ctx.make(op, {r, remainder}) : ctx.make(op, {remainder, r});
    const Expr direct = ctx.canonical(written);
    INFO(to_text(ctx, written));
    REQUIRE(direct == ctx.compare(op, ctx.mod(ctx.canonical(e), k), r));
  }
}

TEST_CASE("a sum is the same node walked as a tree or as a DAG") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Context ctx;
    std::mt19937 rng(seed);
    const Expr symbols[] = {ctx.symbol("a"), ctx.symbol("b"), ctx.symbol("c"),
                            ctx.make(Op::FloorDiv, {ctx.symbol("a"), ctx.symbol("b")})};
    // Parts are shared, so the tree of a late one is far larger than what is walked as a tree.
    std::vector<Expr> raw(std::begin(symbols), std::end(symbols)), canonical;
    for (const Expr e : raw) canonical.push_back(ctx.canonical(e));
    for (unsigned n = 0; n < 4 + seed % 24; ++n) {
      const std::size_t i = rng() % raw.size(), j = raw.size() - 1 - rng() % std::min<std::size_t>(raw.size(), 3);
      const Expr k = ctx.integer(static_cast<int>(rng() % 7) - 3);
      switch (rng() % 4) {
        case 0:
          raw.push_back(ctx.make(Op::Sub, {raw[i], raw[j]}));
          canonical.push_back(ctx.sub(canonical[i], canonical[j]));
          break;
        case 1:
          raw.push_back(ctx.make(Op::Mul, {k, raw[j]}));
          canonical.push_back(ctx.mul(k, canonical[j]));
          break;
        default:
          raw.push_back(ctx.make(Op::Add, {raw[i], raw[j]}));
          canonical.push_back(ctx.add(canonical[i], canonical[j]));
      }
    }
    REQUIRE(ctx.canonical(raw.back()) == canonical.back());
  }
}

TEST_CASE("a map from nodes finds all it has, whatever its inline size") {
  Context ctx;
  std::vector<Expr> nodes;
  for (int i = 0; i < 1000; ++i) nodes.push_back(ctx.integer(1000 + i));
  const auto fill_and_find = [&](auto map) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      CHECK(map.find(nodes[i].node()) == nullptr);
      CHECK(map.try_emplace(nodes[i].node(), static_cast<int>(i)).second);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) CHECK(*map.find(nodes[i].node()) == static_cast<int>(i));
    CHECK(map.find(ctx.integer(5).node()) == nullptr);
  };
  fill_and_find(NodeMap<int, 1>{});
  fill_and_find(NodeMap<int, 3>{});
  fill_and_find(NodeMap<int, 16>{});
}
