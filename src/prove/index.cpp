#include "prove/index.hpp"

#include <algorithm>

#include "prove/rewrite.hpp"

namespace dimgate {

using detail::Node;

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
  if (index->seen_ < facts.size()) index->extend(facts);
  return *index;
}

void FactIndex::extend(const Facts& facts) {
  last_.term = {};
  for (; seen_ < facts.size(); ++seen_) {
    const auto id = static_cast<FactId>(seen_);
    const Expr canonical = facts[id].canonical;
    formulas_.push_back(canonical);
    const Expr truth = necessary_if_true(*ctx_, canonical);
    if (truth.is(Op::And))
      for (std::size_t i = 0; i < truth.size(); ++i) add(truth[i], id);
    else
      add(truth, id);
    if (canonical.is(Op::And) && !(canonical == truth))
      for (std::size_t i = 0; i < canonical.size(); ++i) literals_.try_emplace(canonical[i].node(), id);
    literals_.try_emplace(canonical.node(), id);
  }
}

Mentions& FactIndex::mentions() {
  if (!mentions_) mentions_ = std::make_unique<Mentions>();
  mentions_->extend(*ctx_, formulas());
  return *mentions_;
}

FactTrials& FactIndex::trials() {
  if (!trials_) trials_ = std::make_unique<FactTrials>();
  return *trials_;
}

FactIndex::Known& FactIndex::known(const Node* form) {
  const auto [k, fresh] = forms_.try_emplace(form);
  if (fresh && form->op == Op::Symbol && ctx_->is_size(Expr(form))) k.domain.interval.lo = Integer(0);
  sums_ = sums_ || form->op == Op::Add;
  products_ = products_ || form->op == Op::Mul;
  return k;
}

// Moves the ends past excluded values.
void FactIndex::cut(Known& k) {
  bool again = !k.excluded.empty();
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
}

namespace {

void remember(FactIndex::Ids& why, const FactIndex::Ids& more) {
  for (const FactId f : more)
    if (std::find(why.begin(), why.end(), f) == why.end()) why.push_back(f);
}

}  // namespace

void FactIndex::add(Expr l, FactId id) {
  literals_.try_emplace(l.node(), id);
  const Node* form = nullptr;
  Domain d;
  const Integer* excluded = nullptr;
  if (l.is(Op::Divides) && l[0].is_int()) {
    PolyRing ring(ctx_->impl());
    const Poly e = ring.of(l[1].node());
    const Poly lin = ring.without_constant(e);
    if (!lin.terms[0].c.is_one())
      return;  // canonical congruences have coprime coefficients, the leading one 1 if it can be
    form = ring.node(lin);
    d.congruence = Congruence::of(l[0].integer(), -ring.constant_of(e));
  } else if (l.size() == 2 && l[0].sort() == Sort::Int && l[1].is_int()) {
    form = l[0].node();
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
        excluded = &l[1].integer();
        break;
      default:
        return;
    }
  } else {
    return;
  }
  Known& k = known(form);
  if (excluded != nullptr) k.excluded.push_back(*excluded);
  const bool narrower = excluded != nullptr || k.domain.meet(d);
  if (narrower && std::find(k.why.begin(), k.why.end(), id) == k.why.end()) k.why.push_back(id);
  if (!k.excluded.empty()) cut(k);
}

// ---- domains of terms --------------------------------------------------------------------------

namespace {
constexpr int kDepth = 12;  // nesting of quotients and maxima looked through
}  // namespace

void FactIndex::meet_known(const Node* form, Domain& d, Ids& why) const {
  const Known* k = forms_.find(form);
  if (k == nullptr || k->domain.is_all()) return;
  if (d.is_all())
    d = k->domain;  // reduced already
  else if (!d.meet(k->domain))
    return;
  remember(why, k->why);
}

Domain FactIndex::atom(Expr a, Ids& why, int depth) {
  Domain d;
  if (depth < kDepth) {
    if (a.is_symbol()) {
      if (ctx_->is_size(a)) d.interval.lo = Integer(0);
    } else if (a.is(Op::FloorDiv) && a[1].is_int() && a[1].integer().sign() > 0) {
      d = divide(domain(a[0], why, depth + 1), a[1].integer());
    } else if (a.is(Op::FloorDiv)) {
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
  meet_known(a.node(), d, why);
  return d;
}

// Domain of coefficient * product of the atoms (sorted, so powers are runs).
Domain FactIndex::monomial(std::span<const Node* const> atoms, const Integer& coefficient, Ids& why, int depth) {
  if (atoms.size() == 1) {
    Domain d = atom(Expr(atoms[0]), why, depth);
    return coefficient.is_one() ? d : scale(d, coefficient);
  }
  Domain d;
  for (std::size_t i = 0; i < atoms.size();) {
    std::size_t n = i + 1;
    const Domain base = atom(Expr(atoms[i]), why, depth);
    Domain power = base.empty ? Domain::nothing() : base;
    while (n < atoms.size() && atoms[n] == atoms[i]) power = power * base, ++n;
    if ((n - i) % 2 == 0) power.meet({Interval::at_least(0), {}, false});
    d = i == 0 ? power : d * power;
    i = n;
  }
  if (products_) meet_known(ctx_->impl().intern(Op::Mul, Sort::Int, atoms), d, why);
  return scale(d, coefficient);
}

Domain FactIndex::domain(Expr term, Ids& why, int depth) {
  const Context::Impl& impl = ctx_->impl();
  if (term.is_symbol()) return atom(term, why, depth);
  if (term.is_int()) return Domain::point(term.integer());
  Domain sum;
  bool first = true;
  const auto plus = [&](Domain d) {
    sum = first ? std::move(d) : sum + d;
    first = false;
  };
  const auto each = [&](const Node* t) {
    if (t->op == Op::IntConst) {
      plus(Domain::point(*t->integer));
    } else if (t->op != Op::Mul) {
      if (t->op == Op::FloorDiv && t->args()[0] == impl.zero) return;  // a carrier
      plus(atom(Expr(t), why, depth));
    } else if (t->args()[0] != impl.zero) {
      const bool scaled = t->args()[0]->op == Op::IntConst;
      plus(monomial({t->args() + (scaled ? 1 : 0), t->size - (scaled ? 1U : 0U)},
                    scaled ? *t->args()[0]->integer : Integer(1), why, depth));
    }
  };
  if (!term.is(Op::Add)) {
    each(term.node());
    return first ? Domain::point(0) : sum;
  }
  for (std::size_t i = 0; i < term.size(); ++i) each(term[i].node());
  if (first) sum = Domain::point(0);
  if (sums_) meet_sum(term, sum, why);
  return sum;
}

// Facts about the sum itself, up to its constant.
void FactIndex::meet_sum(Expr term, Domain& sum, Ids& why) {
  PolyRing ring(ctx_->impl());
  const Poly p = ring.of(term.node());
  const Integer c = ring.constant_of(p);
  Poly primitive = ring.without_constant(p);
  if (primitive.terms.size() < 2) return;
  Integer g = ring.content(primitive);
  if (g.is_zero()) return;
  if (primitive.terms[0].c.sign() < 0) g = -g;
  for (Term& t : primitive.terms) t.c = ring.is_carrier(t.m) ? t.c : floor_div(t.c, g);
  if (const Known* k = forms_.find(ring.node(primitive)); k != nullptr)
    if (sum.meet(scale(k->domain, g) + Domain::point(c))) remember(why, k->why);
}

// ---- literals ----------------------------------------------------------------------------------

bool FactIndex::defined(Expr f, Ids& why) {
  if (f.is_total()) return true;
  for (const Expr d : partial_divisors(*ctx_, f, true))
    if (!domain(d, why).nonzero()) return false;
  return true;
}

const Domain& FactIndex::domain_again(Expr term, Ids& why) {
  if (!(last_.term == term)) {
    last_.why.clear();
    last_.domain = domain(term, last_.why);
    last_.term = term;
  }
  remember(why, last_.why);
  return last_.domain;
}

bool FactIndex::implies_literal(Expr f, Ids& why) {
  const bool negated = f.is(Op::Not);
  const Expr a = negated ? f[0] : f;
  if (a.size() != 2 || a[1].sort() != Sort::Int || a[0].sort() != Sort::Int) return false;
  if (!defined(a, why)) return false;
  if (a.is(Op::Divides) && a[0].is_int()) {
    const Congruence d = domain(a[1], why).congruence;
    const Integer& k = a[0].integer();
    if (negated) return !floor_mod(d.residue, gcd(d.modulus, k)).is_zero();
    return floor_mod(d.modulus, k).is_zero() && floor_mod(d.residue, k).is_zero();
  }
  if (negated || !a[1].is_int()) return false;
  const Integer& c = a[1].integer();
  const Domain& d = domain_again(a[0], why);
  switch (a.op()) {
    case Op::Ge:
      return d.interval.lo && *d.interval.lo >= c;
    case Op::Le:
      return d.interval.hi && *d.interval.hi <= c;
    case Op::Eq:
      return d.is_point() && *d.interval.lo == c;
    case Op::Ne:
      return !d.contains(c);
    default:
      return false;
  }
}

std::optional<FactIndex::Ids> FactIndex::implies(Expr f) {
  Ids why;
  if (f.is_true()) return why;
  if (const FactId* id = literals_.find(f.node()); id != nullptr) return Ids{*id};
  if (f.is(Op::And)) {
    for (std::size_t i = 0; i < f.size(); ++i) {
      if (f[i].is(Op::And)) return std::nullopt;
      const auto part = implies(f[i]);
      if (!part) return std::nullopt;
      remember(why, *part);
    }
  } else if (f.is(Op::Or)) {
    if (f.size() > 64) return std::nullopt;
    for (std::size_t i = 0; i < f.size(); ++i) {
      if (f[i].is(Op::And)) continue;
      if (auto part = implies(f[i])) return part;
    }
    return std::nullopt;
  } else if (!implies_literal(f, why)) {
    return std::nullopt;
  }
  std::sort(why.begin(), why.end());
  return why;
}

}  // namespace dimgate
