#include "fuzz/prove_check.hpp"

#include "dimgate/prove.hpp"
#include "support/brute_force.hpp"

namespace dimgate::test {

namespace {
constexpr std::int64_t kLo = -5, kHi = 6;
constexpr std::uint64_t kSteps = 20'000;
}  // namespace

Expr ByteFormulas::constant() { return ctx_.integer(static_cast<int>(below(13)) - 6); }

Expr ByteFormulas::term(int depth) {
  const unsigned kind = below(depth <= 0 ? 3 : 14);
  const auto t = [&] { return term(depth - 1); };
  switch (kind) {
    case 0:
    case 1:
      return symbols_[below(static_cast<unsigned>(symbols_.size()))];
    case 2:
      return constant();
    case 3:
      return ctx_.make(Op::Add, {t(), t()});
    case 4:
      return ctx_.make(Op::Sub, {t(), t()});
    case 5:
      return ctx_.make(Op::Mul, {t(), t()});
    case 6:
      return ctx_.make(Op::Mul, {constant(), t()});
    case 7:
      return ctx_.make(Op::FloorDiv, {t(), constant()});
    case 8:
      return ctx_.make(Op::Mod, {t(), constant()});
    case 9:
      return ctx_.make(Op::FloorDiv, {t(), t()});
    case 10:
      return ctx_.make(Op::Mod, {t(), t()});
    case 11:
      return ctx_.make(below(2) == 0 ? Op::Max : Op::Min, {t(), t()});
    case 12:
      return ctx_.make(Op::Abs, {t()});
    default:
      return ctx_.make(Op::Ite, {formula(depth - 1), t(), t()});
  }
}

Expr ByteFormulas::formula(int depth) {
  constexpr Op kCompare[] = {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge};
  const auto f = [&] { return formula(depth - 1); };
  const auto t = [&] { return term(depth > 2 ? 2 : depth); };
  switch (below(depth <= 0 ? 1 : 9)) {
    case 1:
      return ctx_.make(Op::And, {f(), f()});
    case 2:
      return ctx_.make(Op::Or, {f(), f()});
    case 3:
      return ctx_.make(Op::Not, {f()});
    case 4:
      return ctx_.make(Op::Iff, {f(), f()});
    case 5:
      return ctx_.make(Op::Divides, {constant(), t()});
    case 6:
      return ctx_.make(Op::In, {t(), constant(), constant()});
    case 7:
      return ctx_.make(Op::Distinct, {t(), t(), t()});
    default: {
      const Op op = kCompare[below(6)];
      return ctx_.make(op, {t(), t()});
    }
  }
}

Expr ByteFormulas::fact() {
  const Expr s = symbols_[below(static_cast<unsigned>(symbols_.size()))];
  switch (below(5)) {
    case 0:
      return ctx_.make(Op::Ge, {s, constant()});
    case 1:
      return ctx_.make(Op::Le, {s, constant()});
    case 2:
      return ctx_.make(Op::Divides,
                       {ctx_.integer(static_cast<int>(below(6)) + 2), ctx_.make(Op::Add, {s, constant()})});
    case 3:
      return ctx_.make(Op::Eq, {s, term(1)});
    default:
      return formula(1);
  }
}

std::optional<std::string> wrong_answer(Context& ctx, std::span<const Expr> facts, Expr claim, Expr term) {
  NativeProver prover;
  Facts open(ctx), boxed(ctx);
  std::vector<Expr> all(facts.begin(), facts.end());
  for (const Expr f : facts) open.assume(f), boxed.assume(f);
  std::vector<Expr> mentioned = all;
  mentioned.push_back(claim);
  mentioned.push_back(term);
  for (const Expr s : symbols_of_all(ctx, mentioned)) {
    boxed.assume(ctx.make(Op::Ge, {s, ctx.integer(kLo)}));
    boxed.assume(ctx.make(Op::Le, {s, ctx.integer(kHi)}));
  }
  const Budget budget{kSteps};
  const BruteForce want = prove(ctx, all, claim, {kLo, kHi});
  if (prover.prove(open, claim, budget).proved() && !want.holds) return "proved, but not at a point of the box";
  const Proof in_box = prover.prove(boxed, claim, budget);
  if (in_box.proved() && !want.holds) return "proved inside the box, but not at a point of it";
  if (in_box.refuted() && want.holds) return "refuted inside the box, but true at every point of it";
  const SatResult sat = prover.satisfiable(boxed, budget);
  if (sat.verdict == Verdict::refuted && want.satisfiable) return "said unsatisfiable, but a point satisfies";
  if (sat.verdict == Verdict::proved && !want.satisfiable) return "said satisfiable, but no point of the box satisfies";
  const BruteForce values = bound(ctx, all, term, {kLo, kHi});
  const Bounds b = prover.bound(open, term, {kSteps / 10});
  if (values.least) {
    if (b.empty) return "bound says no value, but there is one";
    if (!b.interval.contains(*values.least) || !b.interval.contains(*values.greatest))
      return "bound leaves a value out";
    if (!b.congruence.contains(*values.least) || !b.congruence.contains(*values.greatest))
      return "congruence leaves a value out";
    if (!b.congruence.modulus.is_zero() && !floor_mod(values.gcd_of_differences, b.congruence.modulus).is_zero())
      return "congruence leaves a value out";
  }
  return std::nullopt;
}

namespace {

struct Question {
  std::vector<Expr> facts;
  Expr claim, term;
};

std::vector<Expr> smaller(Context& ctx, Expr e) {
  std::vector<Expr> out;
  for (std::size_t i = 0; i < e.size(); ++i)
    if (e[i].sort() == e.sort()) out.push_back(e[i]);
  if (e.sort() == Sort::Int && !e.is_int()) out.push_back(ctx.integer(0)), out.push_back(ctx.integer(1));
  if (e.sort() == Sort::Bool && e.op() != Op::BoolConst)
    out.push_back(ctx.boolean(true)), out.push_back(ctx.boolean(false));
  for (std::size_t i = 0; i < e.size(); ++i)
    for (const Expr s : smaller(ctx, e[i])) {
      std::vector<Expr> args;
      for (std::size_t k = 0; k < e.size(); ++k) args.push_back(k == i ? s : e[k]);
      if (!ctx.check(e.op(), args)) out.push_back(ctx.make(e.op(), args));
    }
  return out;
}

// Greedy: any smaller question that is still answered wrongly.
void shrink(Context& ctx, Question& q) {
  for (int tries = 0; tries < 2000;) {
    bool improved = false;
    const auto attempt = [&](const Question& next) {
      ++tries;
      if (improved || !wrong_answer(ctx, next.facts, next.claim, next.term)) return;
      q = next;
      improved = true;
    };
    for (std::size_t i = 0; i < q.facts.size() && !improved; ++i) {
      Question next = q;
      next.facts.erase(next.facts.begin() + static_cast<std::ptrdiff_t>(i));
      attempt(next);
    }
    const Question now = q;
    const auto each = [&](Expr e, auto set) {
      for (const Expr s : smaller(ctx, e)) {
        if (improved || tries >= 2000) return;
        Question next = now;
        set(next, s);
        attempt(next);
      }
    };
    if (!improved) each(now.claim, [](Question& n, Expr s) { n.claim = s; });
    if (!improved) each(now.term, [](Question& n, Expr s) { n.term = s; });
    for (std::size_t i = 0; i < now.facts.size() && !improved; ++i)
      each(now.facts[i], [i](Question& n, Expr s) { n.facts[i] = s; });
    if (!improved) return;
  }
}

}  // namespace

std::optional<std::string> check_bytes(std::span<const std::uint8_t> bytes) {
  Context ctx;
  ByteFormulas make(ctx, bytes);
  Question q;
  for (unsigned n = make.below(4); n > 0; --n) q.facts.push_back(make.fact());
  q.claim = make.formula(2);
  q.term = make.term(2);
  if (!wrong_answer(ctx, q.facts, q.claim, q.term)) return std::nullopt;
  shrink(ctx, q);
  std::string line;
  for (const Expr f : q.facts) line += " -a '" + to_text(ctx, f) + "'";
  return *wrong_answer(ctx, q.facts, q.claim, q.term) + "\n  dimgate prove --no-z3" + line + " '" +
         to_text(ctx, q.claim) + "'\n  dimgate bound --no-z3" + line + " '" + to_text(ctx, q.term) + "'";
}

}  // namespace dimgate::test
