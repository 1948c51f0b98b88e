#include <algorithm>
#include <set>
#include <unordered_set>

#include "dimgate/prove.hpp"

namespace dimgate {

namespace {

constexpr int kMissingTries = 400;          // questions about candidates
constexpr std::size_t kMissingSymbols = 8;  // looked at, by name
constexpr std::int64_t kModulus = 4096;

class MissingFact {
 public:
  MissingFact(Prover& prover, const Facts& facts, Expr claim, const Budget& budget)
      : prover_(prover), facts_(facts), ctx_(facts.context()), claim_(claim), budget_(budget) {
    for (const Expr s : symbols_of(ctx_, claim))
      if (s.sort() == Sort::Int) symbols_.push_back(s);
    std::sort(symbols_.begin(), symbols_.end(),
              [&](Expr a, Expr b) { return ctx_.symbol_name(a) < ctx_.symbol_name(b); });
    if (symbols_.size() > kMissingSymbols) symbols_.resize(kMissingSymbols);
    collect_constants();
  }

  std::optional<Expr> find() {
    if (prover_.prove(facts_, claim_, budget_).proved()) return std::nullopt;  // nothing is missing
    std::optional<Expr> fact = weakest();
    return fact && !says_the_same(*fact) ? fact : std::nullopt;
  }

 private:
  // The claim over again, or in words no shorter, is no help; `b % 4 == 0` for `12*b % 48 == 0` is.
  bool says_the_same(Expr fact) {
    const Expr plain = claim_.is(Op::Not) ? claim_[0] : claim_;
    if (fact.node()->weight < plain.node()->weight) return false;
    Facts with = facts_;
    with.assume(claim_, Standing::assumed);
    return prover_.prove(with, fact, budget_).proved();
  }

  std::optional<Expr> weakest() {
    for (const Expr s : symbols_)
      if (const auto fact = bound(s, Op::Ge)) return fact;
    for (const Expr s : symbols_)
      if (const auto fact = bound(s, Op::Le)) return fact;
    for (const Expr s : symbols_)
      if (const auto fact = residue(s)) return fact;
    for (std::size_t i = 0; i < symbols_.size(); ++i)
      for (std::size_t j = i + 1; j < symbols_.size(); ++j)
        if (const Expr fact = ctx_.make(Op::Eq, {symbols_[i], symbols_[j]}); proves(fact)) return fact;
    return std::nullopt;
  }

  void collect_constants() {
    std::unordered_set<Expr> seen;
    std::vector<Expr> stack{claim_};
    while (!stack.empty()) {
      const Expr e = stack.back();
      stack.pop_back();
      if (!seen.insert(e).second) continue;
      if (e.is_int() && e.integer().is_small()) {
        const Integer k = abs(e.integer());
        if (k <= Integer(1'000'000)) constants_.insert(k.small());
      }
      for (std::size_t i = 0; i < e.size(); ++i) stack.push_back(e[i]);
    }
  }

  // Does the fact together with the others prove the claim, without contradicting them?
  bool proves(Expr fact) {
    if (tries_ <= 0) return false;
    --tries_;
    Facts more = facts_;
    more.assume(fact, Standing::assumed);
    return prover_.prove(more, claim_, budget_).proved() &&
           prover_.satisfiable(more, budget_).verdict == Verdict::proved;
  }

  // The weakest bound that does, by doubling and halving from one that does: the next value is refuted, or none is
  // given.
  std::optional<Expr> bound(Expr s, Op op) {
    constexpr std::int64_t kMost = std::int64_t{1} << 62, kFar = std::int64_t{1} << 40;
    const bool low = op == Op::Ge;
    const auto fact = [&](std::int64_t c) { return ctx_.make(op, {s, ctx_.integer(c)}); };
    std::vector<std::int64_t> first{0, 1, 2, -kFar};
    if (low) first = {constants_.empty() ? 2 : std::max<std::int64_t>(2, *constants_.rbegin() + 1), kFar};
    const auto start = std::find_if(first.begin(), first.end(), [&](std::int64_t c) { return proves(fact(c)); });
    if (start == first.end()) return std::nullopt;
    std::int64_t good = *start, step = 1;
    const auto beyond = [&](std::int64_t by) { return low ? good - by : good + by; };
    while (step < kMost && proves(fact(beyond(step)))) {
      good = beyond(step);
      step *= 2;
    }
    if (step >= kMost || tries_ <= 0) return std::nullopt;  // no bound is needed
    while (step > 1) {
      const std::int64_t half = step / 2;
      if (proves(fact(beyond(half)))) good = beyond(half);
      step = half;
    }
    Facts more = facts_;
    more.assume(fact(beyond(1)), Standing::assumed);
    if (prover_.prove(more, claim_, budget_).verdict != Verdict::refuted) return std::nullopt;
    return fact(good);
  }

  // Moduli: divisors of the claim's constants, least first; residues: 0, then what the constants leave, then all of a
  // small modulus.
  std::optional<Expr> residue(Expr s) {
    std::set<std::int64_t> moduli;
    for (const std::int64_t k : constants_)
      for (std::int64_t d = 1; d <= kModulus && d * d <= k; ++d)
        if (k % d == 0)
          for (const std::int64_t m : {d, k / d})
            if (m > 1 && m <= kModulus) moduli.insert(m);
    for (const std::int64_t m : moduli) {
      std::vector<std::int64_t> residues{0};
      for (const std::int64_t k : constants_) {
        residues.push_back(k % m);
        residues.push_back((m - k % m) % m);
      }
      for (std::int64_t r = 0; m <= 16 && r < m; ++r) residues.push_back(r);
      std::set<std::int64_t> tried;
      for (const std::int64_t r : residues) {
        if (!tried.insert(r).second) continue;
        const Expr fact = ctx_.make(Op::Eq, {ctx_.make(Op::Mod, {s, ctx_.integer(m)}), ctx_.integer(r)});
        if (proves(fact)) return fact;
      }
    }
    return std::nullopt;
  }

  Prover& prover_;
  const Facts& facts_;
  Context& ctx_;
  Expr claim_;
  Budget budget_;
  std::vector<Expr> symbols_;
  std::set<std::int64_t> constants_;  // absolute values
  int tries_ = kMissingTries;
};

}  // namespace

std::optional<Expr> missing_fact(Prover& prover, const Facts& facts, Expr claim, const Budget& budget) {
  return MissingFact(prover, facts, claim, budget).find();
}

}  // namespace dimgate
