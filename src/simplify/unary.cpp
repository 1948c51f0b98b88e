#include "simplify/unary.hpp"

#include <algorithm>

#include "simplify/quasi_linear.hpp"

namespace dimgate::simplify {

namespace {

constexpr std::int64_t kMaxWork = std::int64_t{1} << 21;  // nodes times period

std::optional<std::int64_t> small(Expr e) {
  if (!e.is_int()) return std::nullopt;
  const auto v = e.integer().to_int64();
  if (!v || *v > IntSet::kFar || *v < -IntSet::kFar) return std::nullopt;
  return v;
}

// ---- inversion of one monotone chain -------------------------------------------------------------

// coefficient*core + offset, core being the one subterm that is no constant.
struct Affine {
  Expr core;
  std::int64_t coefficient = 0, offset = 0;
};

// Adds factor*e into out; false if e has more than one varying subterm or a number is out of range.
bool collect(Expr e, std::int64_t factor, Affine& out) {
  std::vector<std::pair<Expr, std::int64_t>> todo{{e, factor}};
  while (!todo.empty()) {
    const auto [t, f] = todo.back();
    todo.pop_back();
    std::int64_t v = 0;
    if (const auto c = small(t)) {
      if (__builtin_mul_overflow(*c, f, &v) || __builtin_add_overflow(out.offset, v, &out.offset)) return false;
    } else if (t.is(Op::Add)) {
      for (std::size_t i = 0; i < t.size(); ++i) todo.emplace_back(t[i], f);
    } else if (t.is(Op::Sub)) {
      todo.emplace_back(t[0], f);
      todo.emplace_back(t[1], -f);
    } else if (t.is(Op::Neg)) {
      todo.emplace_back(t[0], -f);
    } else if (t.is(Op::Mul) && t.size() == 2 && (small(t[0]) || small(t[1]))) {
      const bool first = small(t[0]).has_value();
      if (__builtin_mul_overflow(*small(t[first ? 0 : 1]), f, &v)) return false;
      todo.emplace_back(t[first ? 1 : 0], v);
    } else {
      if (out.core && out.core != t) return false;
      out.core = t;
      if (__builtin_add_overflow(out.coefficient, f, &out.coefficient)) return false;
    }
  }
  const std::int64_t far = IntSet::kFar;
  return out.offset <= far && out.offset >= -far && out.coefficient <= far && out.coefficient >= -far;
}

// The values lo..hi a term must have; the ends are +-inf or within kFar.
struct Range {
  std::int64_t lo = kMinusInf, hi = kPlusInf;
};

std::optional<std::int64_t> shift_scale(std::int64_t v, std::int64_t k, std::int64_t add) {  // v*k + add
  if (v == kMinusInf || v == kPlusInf) return (v == kPlusInf) == (k > 0) ? kPlusInf : kMinusInf;
  std::int64_t r = 0;
  if (__builtin_mul_overflow(v, k, &r) || __builtin_add_overflow(r, add, &r)) return std::nullopt;
  if (r > IntSet::kFar || r < -IntSet::kFar) return std::nullopt;
  return r;
}

// {t : a*t + b in r} for a != 0.
Range solve_affine(const Range& r, std::int64_t a, std::int64_t b) {
  const auto low = [&](std::int64_t v) { return v == kMinusInf ? kMinusInf : -floor_div64(-(v - b), a); };
  const auto high = [&](std::int64_t v) { return v == kPlusInf ? kPlusInf : floor_div64(v - b, a); };
  if (a > 0) return {low(r.lo), high(r.hi)};
  return {r.hi == kPlusInf ? kMinusInf : low(r.hi), r.lo == kMinusInf ? kPlusInf : high(r.lo)};
}

// {x : term in r}, for a chain of affine steps and divisions by constants around x.
std::optional<Range> invert(Expr term, Range r, Expr x) {
  while (true) {
    Affine form;
    if (!collect(term, 1, form) || !form.core || form.coefficient == 0) return std::nullopt;
    r = solve_affine(r, form.coefficient, form.offset);
    if (r.lo != kMinusInf && r.hi != kPlusInf && r.lo > r.hi) {
      if (!form.core.is_total()) return std::nullopt;  // nowhere true, but perhaps undefined somewhere
      return Range{1, 0};
    }
    if (form.core == x) return r;
    const Op op = form.core.op();
    if (op != Op::FloorDiv && op != Op::CeilDiv) return std::nullopt;
    const auto k = small(form.core[1]);
    if (!k || *k == 0) return std::nullopt;
    // u // k in [lo, hi] <=> u in [lo*k, hi*k + k - 1] for k > 0; the rest by u // -k = -u // k and
    // ceil(u / k) = -((-u) // k).
    const bool flip = op == Op::CeilDiv;
    if (flip) r = {r.hi == kPlusInf ? kMinusInf : -r.hi, r.lo == kMinusInf ? kPlusInf : -r.lo};
    const std::int64_t m = *k > 0 ? *k : -*k;
    const auto lo = shift_scale(r.lo, m, 0);
    const auto hi = shift_scale(r.hi, m, m - 1);
    if (!lo || !hi) return std::nullopt;
    r = {*lo, *hi};
    if (flip != (*k < 0)) r = {r.hi == kPlusInf ? kMinusInf : -r.hi, r.lo == kMinusInf ? kPlusInf : -r.lo};
    term = form.core[0];
  }
}

std::optional<UnaryTruth> by_inversion(Expr atom, Expr x) {
  Range r;
  switch (atom.op()) {
    case Op::Eq:
    case Op::Ne:
      r = {0, 0};
      break;
    case Op::Lt:
      r.hi = -1;
      break;
    case Op::Le:
      r.hi = 0;
      break;
    case Op::Gt:
      r.lo = 1;
      break;
    case Op::Ge:
      r.lo = 0;
      break;
    default:
      return std::nullopt;
  }
  if (atom[0].sort() != Sort::Int) return std::nullopt;
  Affine difference;
  if (!collect(atom[0], 1, difference) || !collect(atom[1], -1, difference) || !difference.core ||
      difference.coefficient == 0)
    return std::nullopt;
  r = solve_affine(r, difference.coefficient, difference.offset);
  std::optional<Range> found = Range{1, 0};
  if (r.lo == kMinusInf || r.hi == kPlusInf || r.lo <= r.hi)
    found = invert(difference.core, r, x);
  else if (!difference.core.is_total())
    return std::nullopt;
  if (!found) return std::nullopt;
  const auto far = [](std::int64_t v) {
    return v != kMinusInf && v != kPlusInf && (v > IntSet::kFar || v < -IntSet::kFar);
  };
  if (far(found->lo) || far(found->hi)) return std::nullopt;
  IntSet in = IntSet::range(found->lo, found->hi);
  auto out = complement(in);
  if (!out) return std::nullopt;
  if (atom.is(Op::Ne)) std::swap(in, *out);
  return UnaryTruth{std::move(in), std::move(*out)};
}

// ---- evaluation by residue class -------------------------------------------------------------------

struct Event {
  std::int64_t x;
  std::uint32_t residue;
  bool on;
};

// From ranges of q on every residue class to one set of x. `events` say where x = P*q + residue enters and leaves.
std::optional<IntSet> assemble(std::vector<Event>& events, std::vector<char> inside, std::uint32_t period) {
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.x < b.x; });
  IntSet::Builder out;
  std::size_t active = static_cast<std::size_t>(std::count(inside.begin(), inside.end(), 1));
  std::int64_t lo = kMinusInf;
  for (std::size_t k = 0;;) {
    const std::int64_t hi = k < events.size() ? events[k].x - 1 : kPlusInf;
    if (lo <= hi && active == period) {
      out.append(lo, hi, Residues::all());
    } else if (lo <= hi && active > 0) {
      const bool wide = lo == kMinusInf || hi == kPlusInf || hi - lo >= static_cast<std::int64_t>(period);
      if (wide) {
        out.append(lo, hi, Residues::where(period, [&](std::uint32_t r) { return inside[r] != 0; }));
      } else {
        for (std::int64_t x = lo; x <= hi; ++x)
          if (inside[floor_residue(x, period)] != 0) out.append(x, x, Residues::all());
      }
    }
    if (out.overflowed()) return std::nullopt;
    if (k >= events.size()) return out.take();
    lo = events[k].x;
    for (; k < events.size() && events[k].x == lo; ++k) {
      char& in = inside[events[k].residue];
      if ((in != 0) != events[k].on) active = events[k].on ? active + 1 : active - 1;
      in = events[k].on ? 1 : 0;
    }
  }
}

std::optional<UnaryTruth> by_residues(Expr atom, Expr x) {
  ResidueEvaluator evaluator(x);
  std::int64_t period = 1;
  std::vector<Pieces> per_residue;
  while (true) {
    if (period > Residues::kMaxModulus || period * atom.node()->weight > kMaxWork) return std::nullopt;
    per_residue.clear();
    for (std::int64_t r = 0; r < period && evaluator.stop() == ResidueEvaluator::Stop::none; ++r)
      per_residue.push_back(evaluator.run(atom, period, r));
    if (evaluator.stop() == ResidueEvaluator::Stop::none) break;
    if (evaluator.stop() == ResidueEvaluator::Stop::cannot) return std::nullopt;
    if (evaluator.factor() > Residues::kMaxModulus) return std::nullopt;
    period *= evaluator.factor();
    evaluator = ResidueEvaluator(x);
  }
  const auto modulus = static_cast<std::uint32_t>(period);
  UnaryTruth truth;
  for (const std::int64_t wanted : {1, 0}) {
    std::vector<Event> events;
    std::vector<char> inside(modulus, 0);
    for (std::uint32_t r = 0; r < modulus; ++r) {
      std::int64_t first = kMinusInf;
      for (const Segment& s : per_residue[r]) {
        const bool in = !s.undefined && s.offset == wanted;
        if (in && first == kMinusInf) inside[r] = 1;
        std::int64_t at = 0;
        if (first != kMinusInf) {
          if (__builtin_mul_overflow(first, period, &at) || at > IntSet::kFar || at < -IntSet::kFar)
            return std::nullopt;
          events.push_back({at + r, r, in});
        }
        first = s.last == kPlusInf ? kPlusInf : s.last + 1;
      }
    }
    auto set = assemble(events, std::move(inside), modulus);
    if (!set) return std::nullopt;
    (wanted == 1 ? truth.is_true : truth.is_false) = std::move(*set);
  }
  return truth;
}

std::optional<UnaryTruth> truth_of(Expr e, Expr x);

// Strong Kleene: true where both are, false where either is.
std::optional<UnaryTruth> both(const UnaryTruth& a, const UnaryTruth& b) {
  auto t = intersect(a.is_true, b.is_true);
  auto f = unite(a.is_false, b.is_false);
  if (!t || !f) return std::nullopt;
  return UnaryTruth{std::move(*t), std::move(*f)};
}

UnaryTruth negated(UnaryTruth a) { return {std::move(a.is_false), std::move(a.is_true)}; }

// Recursion depth is bounded by kMaxWeight.
std::optional<UnaryTruth> truth_of(Expr e, Expr x) {
  switch (e.op()) {
    case Op::BoolConst:
      return e.is_true() ? UnaryTruth{IntSet::all(), {}} : UnaryTruth{{}, IntSet::all()};
    case Op::Not: {
      auto a = truth_of(e[0], x);
      if (!a) return std::nullopt;
      return negated(std::move(*a));
    }
    case Op::And:
    case Op::Or:
    case Op::Implies: {
      // or and implies through their duals
      const bool dual = !e.is(Op::And);
      UnaryTruth out{IntSet::all(), {}};
      for (std::size_t i = 0; i < e.size(); ++i) {
        auto a = truth_of(e[i], x);
        if (!a) return std::nullopt;
        const bool flip = dual && !(e.is(Op::Implies) && i == 0);
        auto next = both(out, flip ? negated(std::move(*a)) : *a);
        if (!next) return std::nullopt;
        out = std::move(*next);
      }
      return dual ? negated(std::move(out)) : out;
    }
    default:
      if (auto found = by_inversion(e, x)) return found;
      return by_residues(e, x);
  }
}

// x in {constants}: a list of any length.
std::optional<UnaryTruth> by_listing(Expr e, Expr x) {
  if (!e.is(Op::In) || e[0] != x || x.sort() != Sort::Int) return std::nullopt;
  std::vector<std::int64_t> values;
  for (std::size_t i = 1; i < e.size(); ++i) {
    const auto v = small(e[i]);
    if (!v) return std::nullopt;
    values.push_back(*v);
  }
  std::sort(values.begin(), values.end());
  IntSet::Builder points;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i == 0 || values[i] != values[i - 1]) points.append(values[i], values[i], Residues::all());
  UnaryTruth truth{points.take(), {}};
  auto others = complement(truth.is_true);
  if (!others) return std::nullopt;
  truth.is_false = std::move(*others);
  return truth;
}

}  // namespace

std::optional<UnaryTruth> unary_truth(Expr formula, Expr x) {
  if (auto listed = by_listing(formula, x)) return listed;
  if (formula.sort() != Sort::Bool || x.sort() != Sort::Int || formula.node()->weight > kMaxWeight) return std::nullopt;
  return truth_of(formula, x);
}

}  // namespace dimgate::simplify
