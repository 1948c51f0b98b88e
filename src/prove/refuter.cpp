#include "prove/refuter.hpp"

#include <algorithm>

namespace dimgate {

namespace {

constexpr std::size_t kSymbols = 8, kCandidates = 7, kTries = 40, kConstants = 3;

class Corners {
 public:
  Corners(const Facts& facts, FactIndex& index, std::span<const FactId> ids, Expr claim, std::uint64_t& steps)
      : ctx_(facts.context()),
        index_(index),
        formulas_(all(facts, ids, claim)),
        steps_(steps),
        points_(ctx_, formulas_) {}

  std::optional<Assignment> run() {
    const std::size_t n = points_.symbols().size();
    if (!points_.supported() || n > kSymbols) return std::nullopt;
    note_constants();
    values_.resize(n);
    for (std::size_t i = 0; i < n; ++i) order_.push_back(i);
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t a, std::size_t b) { return ctx_.order(points_.symbols()[a], points_.symbols()[b]) < 0; });
    for (std::size_t i = 0; i < n; ++i) candidates(points_.symbols()[i], values_[i]);
    std::size_t longest = 0;
    for (const Values& v : values_) longest = std::max(longest, v.size());
    for (std::size_t k = 0; k < longest && tries_ < kTries; ++k) {
      for (std::size_t i = 0; i < n; ++i) points_.set(i, values_[i][std::min(k, values_[i].size() - 1)]);
      if (refuted()) return at_point();
    }
    for (std::size_t base = 0; base < 2 && n > 1; ++base)
      for (const std::size_t i : order_) {  // of names, not of facts
        for (std::size_t j = 0; j < n; ++j) points_.set(j, values_[j][std::min(base, values_[j].size() - 1)]);
        for (std::size_t k = 0; k < values_[i].size() && tries_ < kTries; ++k) {
          if (k == base) continue;
          points_.set(i, values_[i][k]);
          if (refuted()) return at_point();
        }
      }
    return std::nullopt;
  }

 private:
  using Values = SmallVector<Integer, kCandidates>;
  using Formulas = SmallVector<Expr, 8>;

  static Formulas all(const Facts& facts, std::span<const FactId> ids, Expr claim) {
    Formulas out;
    for (const FactId f : ids) out.push_back(facts[f].canonical);
    out.push_back(claim);
    return out;
  }

  bool refuted() {
    ++tries_;
    steps_ -= std::min<std::uint64_t>(steps_, 1);
    return points_.first_not_true() == formulas_.size() - 1;
  }

  Assignment at_point() const {
    Assignment a;
    for (std::size_t i = 0; i < points_.symbols().size(); ++i) a.set(points_.symbols()[i], Value::of(points_.get(i)));
    return a;
  }

  // Right sides of comparisons in the claim: where its truth changes.
  void note_constants() {
    SmallVector<Expr, 16> stack{formulas_.back()};
    while (!stack.empty() && constants_.size() < kConstants) {
      const Expr e = stack.back();
      stack.pop_back();
      if (e.sort() != Sort::Bool) continue;
      if (e.size() == 2 && e[1].is_int() && e[0].sort() == Sort::Int)
        constants_.push_back(e[1].integer());
      else
        for (std::size_t i = e.size(); i-- > 0;) stack.push_back(e[i]);
    }
  }

  void candidates(Expr symbol, Values& out) {
    FactIndex::Ids ignored;
    const Domain d = index_.domain(symbol, ignored);
    const auto push = [&](const Integer& c) {
      if (out.size() == kCandidates) return;
      const Integer& m = d.congruence.modulus;
      const Integer v = m > 1 ? c + floor_mod(d.congruence.residue - c, m) : c;
      if (d.contains(v) && std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v);
    };
    if (d.interval.lo) push(*d.interval.lo), push(*d.interval.lo + 1);
    if (d.interval.hi) push(*d.interval.hi);
    for (const int c : {0, 1}) push(c);
    for (const Integer& c : constants_) push(c), push(c + 1), push(c - 1);
    for (const int c : {-1, 2, 3, 5, 7, -3}) push(c);
    if (out.empty()) out.push_back(d.interval.lo ? *d.interval.lo : 0);
  }

  Context& ctx_;
  FactIndex& index_;
  Formulas formulas_;
  std::uint64_t& steps_;
  PointEvaluator points_;
  SmallVector<Values, 4> values_;
  SmallVector<std::size_t, kSymbols> order_;
  SmallVector<Integer, kConstants> constants_;
  std::size_t tries_ = 0;
};

}  // namespace

std::optional<Assignment> refute_at_corners(const Facts& facts, FactIndex& index, std::span<const FactId> ids,
                                            Expr claim, std::uint64_t& steps) {
  if (ids.size() > kTries) return std::nullopt;  // many facts leave few corners; the search knows where to look
  return Corners(facts, index, ids, claim, steps).run();
}

}  // namespace dimgate
