#include "prove/neighbours.hpp"

#include <algorithm>

#include "expr/poly.hpp"

namespace dimgate {

namespace {

constexpr int kNear = 9;  // values tried on each side of the witness
constexpr std::size_t kNearTries = 240;

class Neighbourhood {
 public:
  Neighbourhood(const Facts& facts, FactIndex& index, Expr claim, std::uint64_t& steps)
      : ctx_(facts.context()), index_(index), claim_(claim), steps_(steps), witness_(*facts.witness()) {}

  std::optional<Moves> run() {
    if (!solve_claim() && !evaluate_claim()) return std::nullopt;
    if (count() == 0 || count() > kMostMoves) return std::nullopt;
    for (std::size_t i = 0; i < count(); ++i) {
      const Value& v = witness_.get(symbol(i));
      if (v.kind != Value::Kind::integer) return std::nullopt;
      at_.push_back({symbol(i), v.integer});
      set(i, v.integer);
    }
    if (!claim_holds() || find()) return std::move(at_);
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::size_t count() const { return symbols_.size(); }
  [[nodiscard]] Expr symbol(std::size_t i) const { return symbols_[i]; }

  bool find() {
    for (std::size_t i = 0; i < count(); ++i)
      if (move_to_target(i, i)) return true;
    for (std::size_t i = 0; i < count(); ++i)
      if (move_near(i, [&] { return accept(i, i); })) return true;
    for (std::size_t i = 0; i < count(); ++i)
      for (std::size_t j = 0; j < count(); ++j)
        if (i != j && move_near(j, [&] { return move_to_target(i, j); })) return true;
    return false;
  }

  void set(std::size_t i, const Integer& v) {
    at_[i].value = v;
    if (test_) test_->set(i, v);
  }

  // The claim fails where i and j have moved, and every fact about them holds.
  bool accept(std::size_t i, std::size_t j) {
    ++tries_;
    steps_ -= std::min<std::uint64_t>(steps_, 2);
    if (claim_holds()) return false;
    for (const std::size_t k : {i, j}) {
      if (ctx_.is_size(symbol(k)) && at_[k].value.sign() < 0) return false;
      if (!index_.hold_about(symbol(k), witness_, at_)) return false;
      if (i == j) break;
    }
    return true;
  }

  [[nodiscard]] Integer left() const {
    Integer sum = constant_;
    for (std::size_t k = 0; k < count(); ++k) sum += coefficients_[k] * at_[k].value;
    return sum;
  }

  bool claim_holds() {
    if (test_) return test_->all_true();
    const Integer& c = claim_[1].integer();
    switch (claim_.op()) {
      case Op::Ge:
        return left() >= c;
      case Op::Le:
        return left() <= c;
      case Op::Ne:
        return !(left() == c);
      default:  // solve_claim takes no other
        return left() == c;
    }
  }

  // A claim of another kind, by an evaluator. false: not over Ints and Bools.
  bool evaluate_claim() {
    test_.emplace(ctx_, std::span(&claim_, 1));
    symbols_.clear();
    symbols_.append(test_->symbols().begin(), test_->symbols().end());
    return test_->supported();
  }

  // Coefficients of a comparison linear in the symbols, and the values of its left side that would break it. false: the
  // claim is none.
  bool solve_claim() {
    if (claim_.size() != 2 || !claim_[1].is_int() || claim_[0].sort() != Sort::Int) return false;
    const Integer& c = claim_[1].integer();
    for (const Term& t : PolyRing(ctx_.impl()).of(claim_[0].node()).terms) {
      if (t.m == ctx_.impl().one) {
        constant_ = t.c;
      } else if (t.m->op == Op::Symbol && symbols_.size() < kMostMoves) {
        symbols_.push_back(Expr(t.m));
        coefficients_.push_back(t.c);
      } else {
        return false;
      }
    }
    switch (claim_.op()) {
      case Op::Ge:
        targets_.push_back(c - 1);
        break;
      case Op::Le:
        targets_.push_back(c + 1);
        break;
      case Op::Ne:
        targets_.push_back(c);
        break;
      case Op::Eq:
        targets_.push_back(c + 1), targets_.push_back(c - 1);
        break;
      default:
        return false;
    }
    return true;
  }

  // Symbol i moved so that the left side reaches a target, the others as they are; j had moved before.
  bool move_to_target(std::size_t i, std::size_t j) {
    if (targets_.empty() || coefficients_[i].is_zero()) return false;
    const Integer saved = at_[i].value;
    const Integer now = left();
    for (const Integer& t : targets_) {
      const Integer gap = t - now;
      if (tries_ >= kNearTries || gap.is_zero() || !floor_mod(gap, coefficients_[i]).is_zero()) continue;
      set(i, saved + floor_div(gap, coefficients_[i]));
      if (accept(i, j)) return true;
    }
    set(i, saved);
    return false;
  }

  // Symbol i at a target, at the ends of what is known of it, and near the witness in its residue class.
  template <class Test>
  bool move_near(std::size_t i, Test test) {
    const Integer now = at_[i].value;
    if (move_to_target(i, i)) return true;
    FactIndex::Ids ignored;
    const Domain d = index_.domain(symbol(i), ignored);
    const Integer step = d.congruence.modulus > 1 ? d.congruence.modulus : Integer(1);
    const auto attempt = [&](const Integer& v) {
      if (tries_ >= kNearTries || v == now || !d.contains(v)) return false;
      set(i, v);
      return test();
    };
    if (d.interval.lo && (attempt(*d.interval.lo) || attempt(*d.interval.lo + step))) return true;
    if (d.interval.hi && (attempt(*d.interval.hi) || attempt(*d.interval.hi - step))) return true;
    for (int k = 1; k <= kNear; ++k)
      if (attempt(now + step * k) || attempt(now - step * k)) return true;
    set(i, now);
    return false;
  }

  Context& ctx_;
  FactIndex& index_;
  Expr claim_;
  std::uint64_t& steps_;
  const Assignment& witness_;
  SmallVector<Expr, kMostMoves> symbols_;  // of the claim
  std::optional<PointEvaluator> test_;     // none: the claim is linear
  Moves at_;                               // by symbol of the claim
  SmallVector<Integer, kMostMoves> targets_, coefficients_;
  Integer constant_;
  std::size_t tries_ = 0;
};

}  // namespace

std::optional<Moves> refute_near_witness(const Facts& facts, FactIndex& index, Expr claim, std::uint64_t& steps) {
  if (!index.witness_holds(facts)) return std::nullopt;
  return Neighbourhood(facts, index, claim, steps).run();
}

}  // namespace dimgate
