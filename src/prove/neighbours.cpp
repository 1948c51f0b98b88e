#include "prove/neighbours.hpp"

#include <algorithm>

#include "expr/poly.hpp"

namespace dimgate {

namespace {

constexpr std::size_t kSymbols = 4;  // claims about more are left to the search
constexpr int kNear = 9;             // values tried on each side of the witness
constexpr std::size_t kTries = 240;

class Neighbourhood {
 public:
  Neighbourhood(const Facts& facts, FactIndex& index, Expr claim, std::uint64_t& steps)
      : ctx_(facts.context()),
        index_(index),
        claim_(claim),
        steps_(steps),
        at_(*facts.witness()),
        test_(ctx_, std::span(&claim_, 1)) {}

  std::optional<Assignment> run() {
    if (!test_.supported()) return std::nullopt;
    symbols_ = test_.symbols();
    if (symbols_.empty() || symbols_.size() > kSymbols) return std::nullopt;
    for (const Expr s : symbols_)
      if (at_.get(s).kind != Value::Kind::integer) return std::nullopt;
    if (breaks_claim()) return at_;
    solve_claim();
    for (std::size_t i = 0; i < symbols_.size(); ++i)
      if (move_one(i, {})) return at_;
    for (std::size_t i = 0; i < symbols_.size(); ++i)
      for (std::size_t j = 0; j < symbols_.size(); ++j)
        if (i != j && move_two(i, j)) return at_;
    return std::nullopt;
  }

 private:
  bool breaks_claim() {
    for (std::size_t i = 0; i < symbols_.size(); ++i) test_.set(i, at_.get(symbols_[i]).integer);
    return !test_.all_true();
  }

  bool accept(std::span<const std::size_t> moved) {
    ++tries_;
    steps_ -= std::min<std::uint64_t>(steps_, 2);
    if (!breaks_claim()) return false;
    for (const std::size_t i : moved) {
      if (ctx_.is_size(symbols_[i]) && at_.get(symbols_[i]).integer.sign() < 0) return false;
      if (!index_.holds_about(symbols_[i], at_)) return false;
    }
    return true;
  }

  // Coefficients of a linear comparison, and the values of its left side that would break it.
  void solve_claim() {
    if (claim_.size() != 2 || !claim_[1].is_int() || claim_[0].sort() != Sort::Int) return;
    const Integer& c = claim_[1].integer();
    switch (claim_.op()) {
      case Op::Ge:
        targets_ = {c - 1};
        break;
      case Op::Le:
        targets_ = {c + 1};
        break;
      case Op::Ne:
        targets_ = {c};
        break;
      case Op::Eq:
        targets_ = {c + 1, c - 1};
        break;
      default:
        return;
    }
    PolyRing ring(ctx_.impl());
    coefficients_.assign(symbols_.size(), 0);
    for (const Term& t : ring.of(claim_[0].node()).terms)
      for (std::size_t i = 0; i < symbols_.size(); ++i)
        if (t.m == symbols_[i].node()) coefficients_[i] = t.c;
  }

  // Values for symbol i that bring the left side to a target, the others as they are.
  std::vector<Integer> solutions(std::size_t i) {
    std::vector<Integer> out;
    if (targets_.empty() || coefficients_[i].is_zero()) return out;
    const Value left = evaluate(ctx_, claim_[0], at_);
    if (left.kind != Value::Kind::integer) return out;
    for (const Integer& t : targets_) {
      const Integer gap = t - left.integer;
      if (floor_mod(gap, coefficients_[i]).is_zero())
        out.push_back(at_.get(symbols_[i]).integer + floor_div(gap, coefficients_[i]));
    }
    return out;
  }

  std::vector<Integer> candidates(std::size_t i) {
    std::vector<Integer> out = solutions(i);
    FactIndex::Ids ignored;
    const Domain d = index_.domain(symbols_[i], ignored);
    const Integer now = at_.get(symbols_[i]).integer;
    const Integer step = d.congruence.modulus > 1 ? d.congruence.modulus : Integer(1);
    if (d.interval.lo) out.push_back(*d.interval.lo), out.push_back(*d.interval.lo + step);
    if (d.interval.hi) out.push_back(*d.interval.hi), out.push_back(*d.interval.hi - step);
    for (int k = 1; k <= kNear; ++k) out.push_back(now + step * k), out.push_back(now - step * k);
    std::erase_if(out, [&](const Integer& v) { return !d.contains(v) || v == now; });
    return out;
  }

  bool move_one(std::size_t i, std::optional<std::size_t> with) {
    const Value saved = at_.get(symbols_[i]);
    const std::vector<Integer> values = with ? solutions(i) : candidates(i);
    for (const Integer& v : values) {
      if (tries_ >= kTries) break;
      at_.set(symbols_[i], Value::of(v));
      const std::size_t moved[] = {i, with ? *with : i};
      if (accept(std::span(moved, with ? 2U : 1U))) return true;
    }
    at_.set(symbols_[i], saved);
    return false;
  }

  // j near the witness, i solved for.
  bool move_two(std::size_t i, std::size_t j) {
    const Value saved = at_.get(symbols_[j]);
    for (const Integer& v : candidates(j)) {
      if (tries_ >= kTries) break;
      at_.set(symbols_[j], Value::of(v));
      if (move_one(i, j)) return true;
    }
    at_.set(symbols_[j], saved);
    return false;
  }

  Context& ctx_;
  FactIndex& index_;
  Expr claim_;
  std::uint64_t& steps_;
  Assignment at_;
  PointEvaluator test_;
  std::vector<Expr> symbols_;
  std::vector<Integer> targets_, coefficients_;
  std::size_t tries_ = 0;
};

}  // namespace

std::optional<Assignment> refute_near_witness(const Facts& facts, FactIndex& index, Expr claim, std::uint64_t& steps) {
  if (!index.witness_holds(facts)) return std::nullopt;
  return Neighbourhood(facts, index, claim, steps).run();
}

}  // namespace dimgate
