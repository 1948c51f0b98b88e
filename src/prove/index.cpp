#include "prove/index.hpp"

#include <algorithm>
#include <unordered_set>

#include "expr/poly.hpp"
#include "prove/rewrite.hpp"

namespace dimgate {

namespace {

constexpr int kDepth = 12;  // nesting of quotients and maxima looked through

void remember(std::vector<FactId>& why, std::span<const FactId> more) {
  for (const FactId f : more)
    if (std::find(why.begin(), why.end(), f) == why.end()) why.push_back(f);
}

}  // namespace

FactIndex& FactIndex::of(const Facts& facts) {
  std::shared_ptr<void>& slot = facts.derived();
  auto* index = static_cast<FactIndex*>(slot.get());
  if (index == nullptr || index->generation_ != facts.generation()) {
    auto fresh = std::make_shared<FactIndex>();
    fresh->ctx_ = &facts.context();
    fresh->generation_ = facts.generation();
    index = fresh.get();
    slot = std::move(fresh);
  }
  index->extend(facts);
  return *index;
}

void FactIndex::extend(const Facts& facts) {
  for (; seen_ < facts.size(); ++seen_) {
    const Fact& f = facts[static_cast<FactId>(seen_)];
    const auto id = static_cast<FactId>(seen_);
    symbols_.push_back(symbols_of(*ctx_, f.canonical));
    formulas_.push_back(f.canonical);
    points_.emplace_back();
    for (const Expr s : symbols_.back()) by_symbol_[s].push_back(id);
    const Expr truth = necessary_if_true(*ctx_, f.canonical);
    if (truth.is(Op::And))
      for (std::size_t i = 0; i < truth.size(); ++i) add(truth[i], id);
    else
      add(truth, id);
    if (f.canonical.is(Op::And))
      for (std::size_t i = 0; i < f.canonical.size(); ++i) literals_.try_emplace(f.canonical[i], id);
    literals_.try_emplace(f.canonical, id);
  }
}

FactIndex::Known& FactIndex::known(Expr form) {
  const auto [it, fresh] = forms_.try_emplace(form);
  if (fresh && form.is_symbol() && ctx_->is_size(form)) it->second.domain.interval.lo = Integer(0);
  return it->second;
}

// Moves the ends past excluded values.
void FactIndex::cut(Known& k, FactId id) {
  bool again = true;
  while (again) {
    again = false;
    for (const Integer& v : k.excluded) {
      Domain d;
      if (k.domain.interval.lo && *k.domain.interval.lo == v)
        d.interval.lo = v + 1;
      else if (k.domain.interval.hi && *k.domain.interval.hi == v)
        d.interval.hi = v - 1;
      else
        continue;
      again = k.domain.meet(d) || again;
    }
  }
  (void)id;
}

void FactIndex::add(Expr l, FactId id) {
  literals_.try_emplace(l, id);
  Expr form;
  Domain d;
  std::optional<Integer> excluded;
  if (l.is(Op::Divides) && l[0].is_int()) {
    PolyRing ring(ctx_->impl());
    const Poly e = ring.of(l[1].node());
    const Poly lin = ring.without_constant(e);
    if (!lin.terms[0].c.is_one())
      return;  // canonical congruences have coprime coefficients, the leading one 1 if it can be
    form = Expr(ring.node(lin));
    d.congruence = Congruence::of(l[0].integer(), -ring.constant_of(e));
  } else if (l.size() == 2 && l[0].sort() == Sort::Int && l[1].is_int()) {
    form = l[0];
    switch (l.op()) {
      case Op::Ge:
        d.interval.lo = l[1].integer();
        break;
      case Op::Le:
        d.interval.hi = l[1].integer();
        break;
      case Op::Eq:
        d = Domain::point(l[1].integer());
        break;
      case Op::Ne:
        excluded = l[1].integer();
        break;
      default:
        return;
    }
  } else {
    return;
  }
  Known& k = known(form);
  if (excluded) {
    k.excluded.push_back(*excluded);
    remember(k.why, std::span(&id, 1));
  } else if (k.domain.meet(d)) {
    remember(k.why, std::span(&id, 1));
  }
  cut(k, id);
}

Domain FactIndex::domain(Expr term, std::vector<FactId>& why, int depth) {
  PolyRing ring(ctx_->impl());
  const auto of_form = [&](Expr form, Domain& d) {
    if (const auto it = forms_.find(form); it != forms_.end() && d.meet(it->second.domain))
      remember(why, it->second.why);
  };
  const auto of_atom = [&](Expr a) {
    Domain d;
    if (a.is_symbol() && ctx_->is_size(a)) d.interval.lo = Integer(0);
    if (depth < kDepth) {
      if (a.is(Op::FloorDiv)) {
        const Domain divisor = domain(a[1], why, depth + 1);
        if (divisor.nonzero()) d = divide(domain(a[0], why, depth + 1), divisor);
      } else if (a.is(Op::Max)) {
        d = domain(a[0], why, depth + 1);
        for (std::size_t i = 1; i < a.size(); ++i) d = maximum(d, domain(a[i], why, depth + 1));
      } else if (a.is(Op::Ite)) {
        d = join(domain(a[1], why, depth + 1), domain(a[2], why, depth + 1));
      } else if (a.is(Op::Add)) {
        d = domain(a, why, depth + 1);
      }
    }
    of_form(a, d);
    return d;
  };
  Domain sum = Domain::point(0);
  for (const Term& t : ring.of(term.node()).terms) {
    if (t.m == ctx_->impl().one) {
      sum = sum + Domain::point(t.c);
      continue;
    }
    if (ring.is_carrier(t.m)) continue;
    const Expr m(t.m);
    Domain d;
    if (m.is(Op::Mul)) {
      d = Domain::point(1);
      for (std::size_t i = 0; i < m.size();) {
        std::size_t n = i;
        const Domain base = of_atom(m[i]);
        Domain power = Domain::point(1);
        while (n < m.size() && m[n] == m[i]) power = power * base, ++n;
        if ((n - i) % 2 == 0) power.meet({Interval::at_least(0), {}, false});
        d = d * power;
        i = n;
      }
      of_form(m, d);
    } else {
      d = of_atom(m);
    }
    sum = sum + scale(d, t.c);
  }
  // Facts about the sum itself, up to its constant.
  const Poly p = ring.of(term.node());
  if (p.terms.size() > 1) {
    const Integer c = ring.constant_of(p);
    const Poly lin = ring.without_constant(p);
    Integer g = ring.content(lin);
    if (!g.is_zero() && lin.terms.size() > 1) {
      if (lin.terms[0].c.sign() < 0) g = -g;
      Poly primitive = lin;
      for (Term& t : primitive.terms) t.c = ring.is_carrier(t.m) ? t.c : floor_div(t.c, g);
      if (const auto it = forms_.find(Expr(ring.node(primitive))); it != forms_.end())
        if (sum.meet(scale(it->second.domain, g) + Domain::point(c))) remember(why, it->second.why);
    }
  }
  return sum;
}

std::optional<std::vector<FactId>> FactIndex::implies(Expr f) {
  std::vector<FactId> why;
  if (f.is_true()) return why;
  if (const auto it = literals_.find(f); it != literals_.end()) return std::vector<FactId>{it->second};
  if (f.is(Op::And)) {
    for (std::size_t i = 0; i < f.size(); ++i) {
      if (f[i].is(Op::And)) return std::nullopt;
      const auto part = implies(f[i]);
      if (!part) return std::nullopt;
      remember(why, *part);
    }
    std::sort(why.begin(), why.end());
    return why;
  }
  if (f.is(Op::Or)) {
    if (f.size() > 64) return std::nullopt;
    for (std::size_t i = 0; i < f.size(); ++i) {
      if (f[i].is(Op::And)) continue;
      if (auto part = implies(f[i])) return part;
    }
    return std::nullopt;
  }
  const bool negated = f.is(Op::Not);
  const Expr a = negated ? f[0] : f;
  if (a.size() != 2 || a[1].sort() != Sort::Int || a[0].sort() != Sort::Int) return std::nullopt;
  for (const Expr d : partial_divisors(*ctx_, a, true))
    if (!domain(d, why).nonzero()) return std::nullopt;
  bool holds = false;
  if (a.is(Op::Divides) && a[0].is_int()) {
    const Domain d = domain(a[1], why);
    const Integer& k = a[0].integer();
    const bool known = floor_mod(d.congruence.modulus, k).is_zero();
    const bool divisible = floor_mod(d.congruence.residue, k).is_zero();
    if (!negated)
      holds = known && divisible;
    else
      holds = !floor_mod(d.congruence.residue, gcd(d.congruence.modulus, k)).is_zero();
  } else if (!negated && a[1].is_int()) {
    const Integer& c = a[1].integer();
    const Domain d = domain(a[0], why);
    switch (a.op()) {
      case Op::Ge:
        holds = d.interval.lo && *d.interval.lo >= c;
        break;
      case Op::Le:
        holds = d.interval.hi && *d.interval.hi <= c;
        break;
      case Op::Eq:
        holds = d.is_point() && *d.interval.lo == c;
        break;
      case Op::Ne:
        holds = !d.contains(c);
        break;
      default:
        break;
    }
  }
  if (!holds) return std::nullopt;
  std::sort(why.begin(), why.end());
  return why;
}

std::vector<FactId> FactIndex::about(std::span<const Expr> symbols, bool closure) {
  std::unordered_set<const detail::Node*> in;
  for (const Expr s : symbols) in.insert(s.node());
  std::vector<Expr> todo(symbols.begin(), symbols.end());
  std::vector<FactId> out;
  std::unordered_set<FactId> taken;
  while (!todo.empty()) {
    const Expr s = todo.back();
    todo.pop_back();
    const auto it = by_symbol_.find(s);
    if (it == by_symbol_.end()) continue;
    for (const FactId f : it->second) {
      if (taken.contains(f)) continue;
      const std::vector<Expr>& of = symbols_[f];
      if (!closure && !std::all_of(of.begin(), of.end(), [&](Expr x) { return in.contains(x.node()); })) continue;
      taken.insert(f);
      out.push_back(f);
      for (const Expr x : of)
        if (closure && in.insert(x.node()).second) todo.push_back(x);
    }
  }
  for (FactId f = 0; f < symbols_.size(); ++f)  // facts about nothing (a plain `False`) concern everyone
    if (symbols_[f].empty()) out.push_back(f);
  std::sort(out.begin(), out.end());
  return out;
}

bool FactIndex::witness_holds(const Facts& facts) {
  if (facts.witness() == nullptr) return false;
  for (; witnessed_ < formulas_.size() && witness_ok_; ++witnessed_)
    witness_ok_ = evaluate(*ctx_, facts[static_cast<FactId>(witnessed_)].formula, *facts.witness()).is_true();
  return witness_ok_;
}

bool FactIndex::holds_about(Expr symbol, const Assignment& at) {
  const auto it = by_symbol_.find(symbol);
  if (it == by_symbol_.end()) return true;
  for (const FactId f : it->second) {
    std::unique_ptr<PointEvaluator>& p = points_[f];
    if (!p) p = std::make_unique<PointEvaluator>(*ctx_, std::span(&formulas_[f], 1));
    if (!p->supported()) return false;
    for (std::size_t i = 0; i < p->symbols().size(); ++i) {
      const Value& v = at.get(p->symbols()[i]);
      if (v.kind != Value::Kind::integer) return false;
      p->set(i, v.integer);
    }
    if (!p->all_true()) return false;
  }
  return true;
}

}  // namespace dimgate
