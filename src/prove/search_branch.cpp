// Choosing a case split. Cheapest first: disjunctions, if-then-else and maxima, a violated disequality, the sign of a
// divisor or factor, the residue or the value of a symbol. Each list of branches covers every integer point.
#include <algorithm>

#include "prove/reached.hpp"
#include "prove/search.hpp"

namespace dimgate {

namespace {

constexpr std::size_t kWidest = 64;     // disjunctions up to this many parts
constexpr std::uint64_t kValues = 16;   // symbols with at most so many values are split by value
constexpr std::int64_t kResidues = 24;  // symbols under quotients are split by residue up to this modulus

Integer value_of(const std::vector<LinearTerm>& terms, const Relaxation& r) {
  Integer v = 0;
  for (const LinearTerm& t : terms) v += t.coefficient * r.value(t.var);
  return v;
}

}  // namespace

std::vector<Search::Branch> Search::split_formula(const Literal& l) {
  const bool negated = l.f.is(Op::Not);
  const Expr f = negated ? l.f[0] : l.f;
  std::vector<Branch> out;
  const auto branch = [&](std::vector<Expr> parts) {
    Branch b;
    for (const Expr p : parts) b.assume.push_back({p, l.deps});
    out.push_back(std::move(b));
  };
  switch (f.op()) {
    case Op::Or:
      for (std::size_t i = 0; i < f.size(); ++i) branch({f[i]});
      break;
    case Op::Iff:
      branch({f[0], negated ? ctx_.negate(f[1]) : f[1]});
      branch({ctx_.negate(f[0]), negated ? f[1] : ctx_.negate(f[1])});
      break;
    case Op::Ite:  // Bool
      branch({f[0], negated ? ctx_.negate(f[1]) : f[1]});
      branch({ctx_.negate(f[0]), negated ? ctx_.negate(f[2]) : f[2]});
      break;
    case Op::In: {
      std::vector<Expr> all;
      for (std::size_t i = 1; i < f.size(); ++i) all.push_back(ctx_.compare(negated ? Op::Ne : Op::Eq, f[0], f[i]));
      if (negated)
        branch(all);
      else
        for (const Expr e : all) branch({e});
      break;
    }
    case Op::Distinct: {
      std::vector<Expr> all;
      for (std::size_t i = 0; i < f.size(); ++i)
        for (std::size_t j = i + 1; j < f.size(); ++j)
          all.push_back(ctx_.compare(negated ? Op::Eq : Op::Ne, f[i], f[j]));
      if (!negated)
        branch(all);
      else
        for (const Expr e : all) branch({e});
      break;
    }
    default:
      break;
  }
  return out;
}

std::vector<Search::Branch> Search::split_disequality(const DisequalityRow& d) {
  std::vector<Branch> b(2);
  b[0].assume = {{ctx_.compare(Op::Le, d.literal[0], ctx_.integer(d.literal[1].integer() - 1)), d.deps}};
  b[1].assume = {{ctx_.compare(Op::Ge, d.literal[0], ctx_.integer(d.literal[1].integer() + 1)), d.deps}};
  return b;
}

// On the condition of an if-then-else.
std::vector<Search::Branch> Search::split_choice(const State& s) {
  const Expr e = first_reached(
      ctx_, s.literals, [](Expr n) { return n.is(Op::Ite) && n.sort() != Sort::Bool; },
      [](Expr n) { return n[0].is_total(); });
  if (!e) return {};
  const Deps basis = definedness_deps(ctx_, s.literals, e[0]);
  std::vector<Branch> b(2);
  b[0].assume = {{necessary_if_true(ctx_, e[0]), basis}};
  b[0].replace = {{e, e[1]}};
  b[1].assume = {{necessary_if_true(ctx_, ctx_.negate(e[0])), basis}};
  b[1].replace = {{e, e[2]}};
  for (Branch& each : b) {
    each.basis = basis;
    each.reaches = true;
  }
  return b;
}

// On which operand of a maximum is the largest.
std::vector<Search::Branch> Search::split_maximum(const State& s) {
  const Expr e =
      first_reached(ctx_, s.literals, [](Expr n) { return n.is(Op::Max); }, [](Expr n) { return n.is_total(); });
  if (!e) return {};
  const Deps basis = definedness_deps(ctx_, s.literals, e);
  std::vector<Branch> b;
  for (std::size_t i = 0; i < e.size(); ++i) {
    Branch each;
    for (std::size_t j = 0; j < e.size(); ++j)
      if (j != i) each.assume.push_back({ctx_.compare(j < i ? Op::Gt : Op::Ge, e[i], e[j]), basis});
    each.replace = {{e, e[i]}};
    each.basis = basis;
    b.push_back(std::move(each));
  }
  return b;
}

std::vector<Search::Branch> Search::split_sign(const State& s, Expr e) {
  const Deps basis = definedness_deps(ctx_, s.literals, e);
  std::vector<Branch> b(3);
  b[0].assume = {{ctx_.compare(Op::Ge, e, ctx_.integer(1)), basis}};
  b[1].assume = {{ctx_.compare(Op::Le, e, ctx_.integer(-1)), basis}};
  b[2].assume = {{ctx_.compare(Op::Eq, e, ctx_.integer(0)), basis}};
  return b;
}

std::vector<Search::Branch> Search::choose_branches(const State& s, const System& system,
                                                    const Relaxation* relaxation) {
  // Formulas that are not literals of the linear view: fewest branches first.
  std::vector<Branch> best;
  for (const Literal& l : s.literals) {
    const Expr f = l.f.is(Op::Not) ? l.f[0] : l.f;
    if (f.op() != Op::Or && f.op() != Op::Iff && f.op() != Op::Ite && f.op() != Op::In && f.op() != Op::Distinct)
      continue;
    if (f.size() > kWidest && f.op() == Op::Or) continue;
    std::vector<Branch> b = split_formula(l);
    if (b.empty() || (!best.empty() && best.size() <= b.size())) continue;
    best = std::move(b);
    // The split literal itself is spent: a branch replaces it by its part.
    for (Branch& each : best) {
      each.replace = {{l.f, ctx_.boolean(true)}};
      each.basis = l.deps;
    }
    if (best.size() == 1) break;
  }
  if (!best.empty()) return best;

  if (std::vector<Branch> b = split_choice(s); !b.empty()) return b;
  if (std::vector<Branch> b = split_maximum(s); !b.empty()) return b;
  for (const Column& c : system.columns)
    if (c.kind == Column::Kind::quotient_by_term && !c.defined) {
      bool tested = false;  // splitting on d == 0 twice would not end
      for (const Literal& l : s.literals) tested = tested || (l.f.is(Op::Eq) && l.f[0] == c.atom[1]);
      if (tested) continue;
      std::vector<Branch> b = split_sign(s, c.atom[1]);
      if (c.atom[1].is(Op::Add)) {
        b[0].signs = {{c.atom[1], true, {}}};
        b[1].signs = {{c.atom[1], false, {}}};
      }
      return b;
    }
  for (const DisequalityRow& d : system.disequalities) {
    if (relaxation != nullptr && !(value_of(d.terms, *relaxation) == d.value)) continue;
    return split_disequality(d);
  }
  if (std::vector<Branch> b = split_inequality(s); !b.empty()) return b;
  if (std::vector<Branch> b = split_residues(system); !b.empty()) return b;
  for (const Column& c : system.columns) {
    if (c.kind != Column::Kind::product) continue;
    for (const std::uint32_t f : c.factors) {
      const Domain& d = system.columns[f].domain;
      const bool signed_already =
          (d.interval.lo && d.interval.lo->sign() >= 0) || (d.interval.hi && d.interval.hi->sign() <= 0);
      if (!signed_already) return split_sign(s, system.columns[f].atom);
    }
    for (const std::uint32_t f : c.factors) {  // >= 0: zero or positive
      const Domain& d = system.columns[f].domain;
      if (!d.contains(0) || d.is_point()) continue;
      std::vector<Branch> b = split_sign(s, system.columns[f].atom);
      b.erase(b.begin() + (d.interval.lo && d.interval.lo->sign() >= 0 ? 1 : 0));
      for (Branch& each : b) each.assume[0].deps.merge(system.columns[f].deps);  // that there are no other cases
      return b;
    }
  }
  // The value of a symbol with few of them; fewest first.
  std::optional<std::uint64_t> fewest;
  const Column* chosen = nullptr;
  for (const Column& c : system.columns) {
    if (c.kind != Column::Kind::symbol && c.kind != Column::Kind::quotient) continue;
    const std::optional<std::uint64_t> n = c.domain.count(kValues);
    if (!n || *n < 2 || (fewest && *fewest <= *n)) continue;
    // Only what nonlinear atoms hold matters: the linear core has dealt with the rest.
    fewest = n;
    chosen = &c;
  }
  const bool nonlinear = std::any_of(system.columns.begin(), system.columns.end(), [](const Column& c) {
    return c.kind == Column::Kind::product || c.kind == Column::Kind::quotient_by_term;
  });
  if (chosen != nullptr && (nonlinear || relaxation == nullptr)) {
    std::vector<Branch> b;
    const Integer step = chosen->domain.congruence.modulus.is_zero() ? Integer(1) : chosen->domain.congruence.modulus;
    for (Integer v = *chosen->domain.interval.lo; v <= *chosen->domain.interval.hi; v += step) {
      Branch each;
      each.assume = {{ctx_.compare(Op::Eq, chosen->atom, ctx_.integer(v)), chosen->deps}};
      each.assume[0].deps.merge(definedness_deps(ctx_, s.literals, chosen->atom));
      b.push_back(std::move(each));
    }
    return b;
  }
  // The residue of a symbol under a constant quotient.
  if (nonlinear || relaxation == nullptr) {
    for (const Column& c : system.columns) {
      if (c.kind != Column::Kind::quotient || c.atom[1].integer() > Integer(kResidues)) continue;
      const std::vector<Expr> inside = symbols_of(ctx_, c.atom[0]);
      if (inside.size() != 1) continue;
      const Integer k = c.atom[1].integer();
      std::vector<Branch> b;
      for (Integer r = 0; r < k; r += 1) {
        Branch each;
        const Expr divisible = ctx_.make(Op::Divides, {ctx_.integer(k), ctx_.sub(inside[0], ctx_.integer(r))});
        each.assume = {{ctx_.canonical(divisible), {}}};
        b.push_back(std::move(each));
      }
      return b;
    }
  }
  if (effort_ != Effort::plain)
    if (std::vector<Branch> b = split_strip(system); !b.empty()) return b;
  // A disequality that the relaxation meets by luck: either side of it may be contradictory all the same.
  if (system.disequalities.empty()) return {};
  const DisequalityRow& d = system.disequalities.front();
  std::vector<Branch> b = split_disequality(d);
  for (Branch& each : b) {
    each.replace = {{d.literal, ctx_.boolean(true)}};
    each.basis = d.deps;
  }
  return b;
}

}  // namespace dimgate
