// Candidate models: a point of the relaxation, corner and neighbour points, and every point of a small box.
#include <algorithm>

#include "expr/evaluate.hpp"
#include "expr/node_map.hpp"
#include "expr/symbols.hpp"
#include "prove/points.hpp"
#include "prove/search.hpp"

namespace dimgate {

namespace {
constexpr std::size_t kModelValues = 12;  // values tried for one symbol
}  // namespace

bool Search::try_point(const State& s, const Assignment& point, SearchResult& out) {
  Assignment a = point;
  const auto set_default = [&](Expr x) {
    if (!a.get(x).is_undefined()) return;
    switch (x.sort()) {
      case Sort::Int:
        a.set(x, Value::of(0));
        break;
      case Sort::Bool:
        a.set(x, Value::of(false));
        break;
      case Sort::Float:
        a.set(x, Value::of_float_bits(0));
        break;
      case Sort::Enum:
        a.set(x, Value::of_enum("other:" + ctx_.symbol_name(x)));
        break;
    }
  };
  for (const Literal& l : s.literals) each_symbol(ctx_, l.f, set_default);
  for (std::size_t i = s.trail.size(); i-- > 0;) {
    for (const Expr x : symbols_of(ctx_, s.trail[i].second)) set_default(x);
    a.set(s.trail[i].first, value_at(ctx_, s.trail[i].second, a));
  }
  for (const Expr x : symbols_) set_default(x);
  steps_ -= std::min<std::uint64_t>(steps_, 8 + s.trail.size() + s.literals.size());
  for (const Literal& l : s.literals)
    if (!value_at(ctx_, l.f, a).is_true()) return false;
  if (!accept_(a)) return false;
  out.status = SearchResult::Status::sat;
  out.model = std::move(a);
  out.stage = ProofStage::corners;
  return true;
}

bool Search::sample(const State& s, const System& system, const Relaxation* relaxation, std::size_t most,
                    SearchResult& out) {
  std::vector<Expr> formulas;
  for (const Literal& l : s.literals) formulas.push_back(l.f);
  PointEvaluator points(ctx_, formulas);
  if (!points.supported()) {
    Assignment none;
    return try_point(s, none, out);
  }
  std::vector<std::vector<Integer>> values;
  std::vector<Domain> domains;
  for (const Expr x : points.symbols()) {
    std::vector<Integer> v;
    Domain d;
    if (const std::uint32_t* c = system.index().find(x.node()); c != nullptr) {
      d = system.columns[*c].domain;
      if (relaxation != nullptr) v.push_back(relaxation->value(*c));
    }
    const auto push = [&](const Integer& c) {
      Integer n = c;
      if (d.congruence.modulus > 1) n = c + floor_mod(d.congruence.residue - c, d.congruence.modulus);
      if (d.contains(n) && std::find(v.begin(), v.end(), n) == v.end() && v.size() < kModelValues) v.push_back(n);
    };
    if (d.interval.lo) push(*d.interval.lo), push(*d.interval.lo + 1), push(*d.interval.lo + 2);
    if (d.interval.hi) push(*d.interval.hi), push(*d.interval.hi - 1);
    for (const int c : {0, 1, -1, 2, 3, 7, -2, 64, 1000, -1000}) push(c);
    if (v.empty()) v.push_back(d.interval.lo ? *d.interval.lo : (d.interval.hi ? *d.interval.hi : Integer(0)));
    values.push_back(std::move(v));
    domains.push_back(std::move(d));
  }
  // Each symbol alone over its values, then a fixed pseudo-random walk over them and over small values near an end.
  const std::size_t n = points.symbols().size();
  std::vector<std::size_t> at(n, 0);
  std::size_t tried = 0;
  std::vector<Integer> now(n);
  const auto test_now = [&]() -> bool {
    ++tried;
    for (std::size_t i = 0; i < n; ++i) points.set(i, now[i]);
    steps_ -= std::min<std::uint64_t>(steps_, 1 + points.size() / 8);
    if (!points.all_true()) return false;
    Assignment a;
    for (std::size_t i = 0; i < n; ++i) a.set(points.symbols()[i], Value::of(now[i]));
    return try_point(s, a, out);
  };
  const auto test = [&]() -> bool {
    for (std::size_t i = 0; i < n; ++i) now[i] = values[i][at[i]];
    return test_now();
  };
  if (test()) return true;
  for (std::size_t i = 0; i < n && tried < most; ++i) {
    for (at[i] = 1; at[i] < values[i].size() && tried < most; ++at[i])
      if (test()) return true;
    at[i] = 0;
  }
  std::uint64_t seed = 0x9e3779b97f4a7c15ULL;
  while (tried < most && steps_ > 0) {
    for (std::size_t i = 0; i < n; ++i) {
      seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
      const std::uint64_t r = seed >> 33U;
      if (r % 2 == 0) {
        now[i] = values[i][(r / 2) % values[i].size()];
        continue;
      }
      const Domain& d = domains[i];
      const Integer step = d.congruence.modulus > 1 ? d.congruence.modulus : Integer(1);
      const Integer away = step * static_cast<std::int64_t>((r / 2) % 24);
      now[i] = d.interval.lo ? *d.interval.lo + away
                             : (d.interval.hi ? *d.interval.hi - away : d.congruence.residue + away - step * 12);
      if (!d.contains(now[i])) now[i] = values[i][0];
    }
    if (test_now()) return true;
  }
  return false;
}

std::optional<bool> Search::enumerate(const State& s, const System& system, std::uint64_t limit, SearchResult& out) {
  std::vector<Expr> formulas;
  for (const Literal& l : s.literals) formulas.push_back(l.f);
  PointEvaluator points(ctx_, formulas);
  if (!points.supported()) return std::nullopt;
  struct Axis {
    Integer start, step;
    std::uint64_t count = 0, at = 0;
  };
  std::vector<Axis> axes;
  std::uint64_t total = 1;
  for (const Expr x : points.symbols()) {
    const std::uint32_t* column = system.index().find(x.node());
    if (column == nullptr) return std::nullopt;
    const Domain& d = system.columns[*column].domain;
    const std::optional<std::uint64_t> count = d.count(limit);
    if (!count || *count == 0 || total * *count > limit) return std::nullopt;
    total *= *count;
    axes.push_back({*d.interval.lo, d.congruence.modulus.is_zero() ? Integer(1) : d.congruence.modulus, *count, 0});
  }
  for (std::uint64_t p = 0; p < total; ++p) {
    std::uint64_t rest = p;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      axes[i].at = rest % axes[i].count;
      rest /= axes[i].count;
      points.set(i, axes[i].start + axes[i].step * Integer::from_u64(axes[i].at));
    }
    if (!points.all_true()) continue;
    Assignment a;
    for (std::size_t i = 0; i < axes.size(); ++i)
      a.set(points.symbols()[i], Value::of(axes[i].start + axes[i].step * Integer::from_u64(axes[i].at)));
    if (try_point(s, a, out)) return true;
    return std::nullopt;  // literals true but not accepted: the caller's check is stricter, so this decides nothing
  }
  steps_ -= std::min<std::uint64_t>(steps_, total * (1 + points.size() / 8));
  return false;
}

}  // namespace dimgate
