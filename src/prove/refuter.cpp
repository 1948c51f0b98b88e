#include "prove/refuter.hpp"

#include <algorithm>
#include <array>

namespace dimgate {

namespace {

constexpr std::size_t kCornerSymbols = 8, kCornerValues = 7, kCornerTries = 40, kConstants = 3;
constexpr std::array kFirst{0, 1};
constexpr std::array kLast{-1, 2, 3, 5, 7, -3};

class Corners {
 public:
  Corners(const Facts& facts, FactIndex& index, std::span<const FactId> ids, Expr claim, std::uint64_t& steps)
      : ctx_(facts.context()), index_(index), steps_(steps), points_(prepare(facts, ids, claim)) {}

  /// All symbols at their first candidates, all at their second, ...
  std::optional<Assignment> diagonal() {
    const std::size_t n = points_.symbols().size();
    if (!points_.supported() || n > kCornerSymbols) return std::nullopt;
    note_constants();
    values_.resize(n);
    for (std::size_t i = 0; i < n; ++i) order_.push_back(i);
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t a, std::size_t b) { return ctx_.order(points_.symbols()[a], points_.symbols()[b]) < 0; });
    for (std::size_t i = 0; i < n; ++i)
      if (!candidates(points_.symbols()[i], values_[i])) return values_.clear(), std::nullopt;
    std::size_t longest = 0;
    for (const Values& v : values_) longest = std::max(longest, v.size());
    for (std::size_t k = 0; k < longest && tries_ < kCornerTries; ++k) {
      for (std::size_t i = 0; i < n; ++i) points_.set(i, values_[i][std::min(k, values_[i].size() - 1)]);
      if (refuted()) return at_point();
    }
    return std::nullopt;
  }

  /// One symbol alone over its candidates.
  std::optional<Assignment> single() {
    const std::size_t n = values_.size();
    for (std::size_t base = 0; base < 2 && n > 1; ++base)
      for (const std::size_t i : order_) {  // of names, not of facts
        for (std::size_t j = 0; j < n; ++j) points_.set(j, values_[j][std::min(base, values_[j].size() - 1)]);
        for (std::size_t k = 0; k < values_[i].size() && tries_ < kCornerTries; ++k) {
          if (k == base) continue;
          points_.set(i, values_[i][k]);
          if (refuted()) return at_point();
        }
      }
    return std::nullopt;
  }

 private:
  using Values = SmallVector<Integer, kCornerValues>;
  using Formulas = SmallVector<Expr, 8>;

  // Ranges and residues of single symbols, which all candidates of these keep: a domain is part of each. False: the
  // fact says more, `out` is as it was.
  static bool confines(Expr fact, SmallVector<Expr, 8>& out) {
    const std::size_t before = out.size();
    const bool all = fact.is(Op::And);
    for (std::size_t i = 0; i < (all ? fact.size() : 1); ++i) {
      const Expr l = all ? fact[i] : fact;
      const bool range = l.size() == 2 && l[1].is_int() && (l.is(Op::Ge) || l.is(Op::Le) || l.is(Op::Eq));
      const bool residue = l.is(Op::Divides) && l[0].is_int();
      const Expr of = range ? l[0] : residue ? l[1] : Expr{};
      if (!of || !of.is_symbol()) return out.resize(before), false;
      out.push_back(of);
    }
    return true;
  }

  PointEvaluator prepare(const Facts& facts, std::span<const FactId> ids, Expr claim) {
    SmallVector<Expr, 8> confined;
    for (const FactId f : ids)
      if (const Expr fact = facts[f].canonical; !confines(fact, confined)) formulas_.push_back(fact);
    formulas_.push_back(claim);
    return {ctx_, formulas_, confined};
  }

  bool refuted() {
    ++tries_;
    steps_ -= std::min<std::uint64_t>(steps_, 1);
    return points_.first_not_true() == formulas_.size() - 1;
  }

  Assignment at_point() const {
    Assignment a;
    const auto& symbols = points_.symbols();
    const auto last =
        std::max_element(symbols.begin(), symbols.end(), [](Expr x, Expr y) { return x.index() < y.index(); });
    if (last != symbols.end()) a.set(*last, {});  // one allocation
    for (std::size_t i = 0; i < symbols.size(); ++i) a.set(symbols[i], Value::of(points_.get(i)));
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

  // false: no candidate lies in the symbol's domain.
  bool candidates(Expr symbol, Values& out) {
    FactIndex::Ids ignored;
    const Domain d = index_.domain(symbol, ignored);
    if (!small_candidates(d, out)) exact_candidates(d, out);
    return !out.empty();
  }

  void exact_candidates(const Domain& d, Values& out) const {
    const auto push = [&](const Integer& c) {
      if (out.size() == kCornerValues) return;
      const Integer& m = d.congruence.modulus;
      const Integer v = m > 1 ? c + floor_mod(d.congruence.residue - c, m) : c;
      if (d.contains(v) && std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v);
    };
    if (d.interval.lo) push(*d.interval.lo), push(*d.interval.lo + 1);
    if (d.interval.hi) push(*d.interval.hi);
    for (const int c : kFirst) push(c);
    for (const Integer& c : constants_) push(c), push(c + 1), push(c - 1);
    for (const int c : kLast) push(c);
  }

  // The same in int64 where every number is far from its ends; false elsewhere.
  bool small_candidates(const Domain& d, Values& out) const {
    constexpr std::int64_t kFar = std::int64_t{1} << 60;
    const auto fits = [](const Integer& v) { return v.is_small() && v.small() > -kFar && v.small() < kFar; };
    const bool has_lo = d.interval.lo.has_value(), has_hi = d.interval.hi.has_value();
    if (d.empty || (has_lo && !fits(*d.interval.lo)) || (has_hi && !fits(*d.interval.hi))) return false;
    if (!fits(d.congruence.modulus) || !fits(d.congruence.residue)) return false;
    for (const Integer& c : constants_)
      if (!fits(c)) return false;
    const std::int64_t lo = has_lo ? d.interval.lo->small() : -4 * kFar,
                       hi = has_hi ? d.interval.hi->small() : 4 * kFar - 1;
    if (lo == hi) {
      out.emplace_back(lo);
      return true;
    }
    const std::int64_t m = d.congruence.modulus.small(), r = d.congruence.residue.small();
    std::array<std::int64_t, kCornerValues> taken{};
    std::size_t n = 0;
    const auto push = [&](std::int64_t v) {
      if (n == kCornerValues) return;
      if (m > 1) {
        const std::int64_t gap = (r - v) % m;
        v += gap < 0 ? gap + m : gap;
      }
      if (v < lo || v > hi || (m == 0 && v != r)) return;
      if (std::find(taken.begin(), taken.begin() + n, v) == taken.begin() + n) taken[n++] = v;
    };
    if (has_lo) push(lo), push(lo + 1);
    if (has_hi) push(hi);
    for (const int c : kFirst) push(c);
    for (const Integer& c : constants_) push(c.small()), push(c.small() + 1), push(c.small() - 1);
    for (const int c : kLast) push(c);
    for (std::size_t i = 0; i < n; ++i) out.emplace_back(taken[i]);
    return true;
  }

  Context& ctx_;
  FactIndex& index_;
  Formulas formulas_;
  std::uint64_t& steps_;
  PointEvaluator points_;  // made from formulas_
  SmallVector<Values, 4> values_;
  SmallVector<std::size_t, kCornerSymbols> order_;
  SmallVector<Integer, kConstants> constants_;
  std::size_t tries_ = 0;
};

}  // namespace

std::optional<Assignment> refute_at_corners(const Facts& facts, FactIndex& index, std::span<const FactId> ids,
                                            Expr claim, std::uint64_t& steps, const std::function<bool()>& proved) {
  if (ids.size() > kCornerTries) {  // many facts leave few corners; the search knows where to look
    proved();
    return std::nullopt;
  }
  Corners corners(facts, index, ids, claim, steps);
  if (std::optional<Assignment> at = corners.diagonal()) return at;
  if (proved()) return std::nullopt;
  return corners.single();
}

}  // namespace dimgate
