// Numbers about the ends of int64, about what sets of values take for far, and beyond: no bound is lost or taken for
// none, by any rewrite, union or answer. Truth is compared at the numbers next to every one that the question names.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "dimgate/simplify.hpp"

using namespace dimgate;

namespace {

Integer power(int n) {
  Integer v = 1;
  while (n-- > 0) v = v * Integer(2);
  return v;
}

class FarQuestions {
 public:
  FarQuestions(Context& ctx, std::vector<Expr> symbols, std::uint64_t seed)
      : ctx_(ctx), symbols_(std::move(symbols)), rng_(seed) {}

  std::size_t pick(std::size_t n) { return rng_() % n; }

  Integer number() {
    static constexpr int kPowers[] = {59, 60, 60, 61, 62, 63, 63, 64, 65, 127};
    Integer v = pick(8) == 0 ? Integer(0) : power(kPowers[pick(std::size(kPowers))]);
    if (pick(2) == 0) v = -v;
    v = v + Integer(static_cast<std::int64_t>(pick(5)) - 2);
    named_.insert(v);
    return v;
  }

  Expr atom() {
    const Expr x = symbols_[pick(symbols_.size())];
    static constexpr Op kCompare[] = {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge};
    Expr left = x;
    const Integer small = static_cast<std::int64_t>(pick(7)) - 3;
    switch (pick(10)) {
      case 0:
        left = ctx_.make(pick(2) == 0 ? Op::Add : Op::Sub, {x, symbols_[pick(symbols_.size())]});
        break;
      case 6:
        left = ctx_.make(Op::Add, {x, ctx_.integer(number())});
        break;
      case 1:
        left = ctx_.make(Op::Mul, {ctx_.integer(small), x});
        break;
      case 2:
        left = ctx_.make(pick(2) == 0 ? Op::FloorDiv : Op::CeilDiv, {x, ctx_.integer(pick(2) == 0 ? small : number())});
        break;
      case 3:
        left = ctx_.make(Op::Mod, {x, ctx_.integer(pick(2) == 0 ? small : number())});
        break;
      case 4:
        return ctx_.make(Op::In, {x, ctx_.integer(number()), ctx_.integer(number()), ctx_.integer(small)});
      case 5:
        left = ctx_.make(pick(2) == 0 ? Op::Min : Op::Max, {x, ctx_.integer(number())});
        break;
      default:
        break;
    }
    return ctx_.make(kCompare[pick(std::size(kCompare))], {left, ctx_.integer(number())});
  }

  Expr formula() {
    switch (pick(5)) {
      case 0:
        return ctx_.make(Op::And, {atom(), atom()});
      case 1:
        return ctx_.make(Op::Or, {atom(), atom()});
      case 2:
        return ctx_.make(Op::Not, {atom()});
      default:
        return atom();
    }
  }

  /// Every number named, doubled, halved and negated too, and their neighbours.
  std::vector<Integer> values() const {
    std::set<Integer> out;
    for (const Integer& n : named_)
      for (const Integer& v : {n, -n, n + n, floor_div(n, Integer(2))})
        for (std::int64_t d = -2; d <= 2; ++d) out.insert(v + Integer(d));
    for (std::int64_t d = -3; d <= 3; ++d) out.insert(Integer(d));
    return {out.begin(), out.end()};
  }

 private:
  Context& ctx_;
  std::vector<Expr> symbols_;
  std::mt19937_64 rng_;
  std::set<Integer> named_;
};

bool all_true(const Context& ctx, std::span<const Expr> es, const Assignment& at) {
  return std::all_of(es.begin(), es.end(), [&](Expr e) { return evaluate(ctx, e, at).is_true(); });
}

std::string written(const Context& ctx, std::span<const Expr> es) {
  std::string text;
  for (const Expr e : es) text += to_text(ctx, e) + "; ";
  return text;
}

}  // namespace

TEST_CASE("a bound is none of the numbers that stand for infinity") {
  for (const int n : {59, 60, 61, 62, 63, 64, 127})
    for (std::int64_t d = -1; d <= 1; ++d)
      for (const Op op : {Op::Ge, Op::Le, Op::Gt, Op::Lt, Op::Eq, Op::Ne})
        for (const bool negative : {false, true}) {
          Context ctx;
          const Expr x = ctx.symbol("x");
          const Integer c = (negative ? -power(n) : power(n)) + Integer(d);
          const Expr guard = ctx.make(op, {x, ctx.integer(c)});
          NativeProver prover;
          const Facts facts(ctx);
          const Minimised m = minimise(prover, facts, std::span(&guard, 1));
          CAPTURE(to_text(ctx, guard));
          CAPTURE(written(ctx, m.readable));
          for (std::int64_t near = -1; near <= 1; ++near) {
            Assignment at;
            at.set(x, Value::of(c + Integer(near)));
            CHECK(all_true(ctx, m.readable, at) == evaluate(ctx, guard, at).is_true());
          }
        }
}

TEST_CASE("far numbers: simplified guards, unions and verdicts hold where they should") {
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    Context ctx;
    const bool size = seed % 3 == 0;
    std::vector<Expr> symbols{ctx.symbol(size ? "L['x'].size()[0]" : "x")};
    if (seed % 5 == 0) symbols.push_back(ctx.symbol("y"));
    FarQuestions random(ctx, symbols, seed);
    Facts facts(ctx);
    if (seed % 2 == 0) facts.assume(random.formula());
    std::vector<Expr> guards;
    for (std::size_t k = 1 + random.pick(3); k > 0; --k) guards.push_back(random.formula());
    const Expr claim = random.formula();
    NativeProver prover;
    const Minimised m = minimise(prover, facts, guards);
    const Joined j = join(prover, facts, guards);
    const Proof proof = prover.prove(facts, claim, {});
    const SatResult sat = prover.satisfiable(facts, {});
    const Bounds bounds = prover.bound(facts, symbols[0], {});
    CAPTURE(seed);
    CAPTURE(written(ctx, guards));
    CAPTURE(facts.size() > 0 ? to_text(ctx, facts[0].formula) : "no fact");
    CAPTURE(written(ctx, m.readable));
    CAPTURE(to_text(ctx, j.formula));
    CAPTURE(to_text(ctx, claim));
    std::vector<Expr> kept;
    for (const std::size_t i : m.kept) kept.push_back(guards[i]);
    const auto check_at = [&](const Assignment& at) {
      if (facts.size() > 0 && !evaluate(ctx, facts[0].formula, at).is_true()) return;
      CAPTURE(at.get(symbols[0]).integer.to_string());
      const bool all = all_true(ctx, guards, at);
      CHECK((!m.contradictory || !all));
      CHECK((m.contradictory || all_true(ctx, kept, at) == all));
      CHECK(all_true(ctx, m.readable, at) == all);
      const bool any =
          std::any_of(guards.begin(), guards.end(), [&](Expr g) { return evaluate(ctx, g, at).is_true(); });
      CHECK(evaluate(ctx, j.formula, at).is_true() == any);
      CHECK((!proof.proved() || evaluate(ctx, claim, at).is_true()));
      CHECK(sat.verdict != Verdict::refuted);
      CHECK(bounds.interval.contains(at.get(symbols[0]).integer));
      CHECK(bounds.congruence.contains(at.get(symbols[0]).integer));
    };
    const std::vector<Integer> values = random.values();
    std::vector<Integer> others{Integer(0)};
    for (std::size_t i = 0; symbols.size() > 1 && i < 12; ++i) others.push_back(values[random.pick(values.size())]);
    for (const Integer& v : values) {
      if (size && v.sign() < 0) continue;
      for (const Integer& w : others) {
        Assignment at;
        at.set(symbols[0], Value::of(v));
        if (symbols.size() > 1) at.set(symbols[1], Value::of(w));
        check_at(at);
      }
    }
  }
}
