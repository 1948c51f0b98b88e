// Raw against canonical: the same value on every point of a box, undefined included; and the same node whatever the
// order of building.
#include <doctest/doctest.h>

#include <random>

#include "dimgate/expr.hpp"

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
      case 0: return ctx_.make(Op::Add, {t(), t()});
      case 1: return ctx_.make(Op::Sub, {t(), t()});
      case 2: return ctx_.make(Op::Mul, {t(), t()});
      case 3: return ctx_.make(Op::Mul, {ctx_.integer(pick(9) - 4), t()});
      case 4: return ctx_.make(Op::FloorDiv, {t(), ctx_.integer(pick(13) - 6)});
      case 5: return ctx_.make(Op::Mod, {t(), ctx_.integer(pick(13) - 6)});
      case 6: return ctx_.make(Op::FloorDiv, {t(), t()});
      case 7: return ctx_.make(Op::Mod, {t(), t()});
      case 8: return ctx_.make(Op::CeilDiv, {t(), ctx_.integer(pick(9) - 4)});
      case 9: return ctx_.make(Op::Max, {t(), t()});
      case 10: return ctx_.make(Op::Min, {t(), t(), t()});
      case 11: return ctx_.make(Op::Abs, {t()});
      default: return ctx_.make(Op::Ite, {formula(depth - 1), t(), t()});
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
      case 0: return ctx_.make(Op::And, {f(), f()});
      case 1: return ctx_.make(Op::Or, {f(), f(), f()});
      case 2: return ctx_.make(Op::Not, {f()});
      case 3: return ctx_.make(Op::Implies, {f(), f()});
      case 4: return ctx_.make(Op::Iff, {f(), f()});
      case 5: return ctx_.make(Op::Divides, {ctx_.integer(pick(9) - 4), t()});
      case 6: return ctx_.make(Op::Divides, {t(), t()});
      case 7: return ctx_.make(Op::Distinct, {t(), t(), t()});
      case 8: return ctx_.make(Op::In, {t(), ctx_.integer(pick(5)), ctx_.integer(pick(5)), ctx_.integer(pick(5) - 4)});
      default: return ctx_.make(Op::Ite, {f(), f(), f()});
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
          FAIL_CHECK("raw " << to_text(ctx, raw) << "\ncanonical " << to_text(ctx, canonical) << "\nat a=" << a << " b=" << b
                            << " c=" << c << ": " << want.to_string() << " against " << got.to_string());
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
