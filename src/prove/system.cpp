// Building: literals to rows, monomials to columns, atoms to the rows that define them. Domains: propagation.cpp.
#include "prove/system.hpp"

#include <algorithm>

namespace dimgate {

std::uint32_t System::column(const Node* m) {
  const auto [position, fresh] = index_.try_emplace(m, static_cast<std::uint32_t>(columns.size()));
  if (fresh) {
    Column c;
    c.atom = Expr(m);
    switch (m->op) {
      case Op::Symbol:
        c.kind = Column::Kind::symbol;
        break;
      case Op::Mul:
        c.kind = Column::Kind::product;
        break;
      case Op::FloorDiv:
        c.kind = m->args()[1]->op == Op::IntConst ? Column::Kind::quotient : Column::Kind::quotient_by_term;
        break;
      case Op::Max:
        c.kind = Column::Kind::maximum;
        break;
      case Op::Ite:
        c.kind = Column::Kind::branch;
        break;
      default:
        c.kind = Column::Kind::opaque;
    }
    columns.push_back(std::move(c));
    undefined_.push_back(position);
  }
  return position;
}

System::Affine System::affine(Expr term) {
  Affine a;
  const Poly p = ring_.of(term.node());
  for (const Term& t : p.terms) {
    if (t.m == ctx_.impl().one)
      a.constant = t.c;
    else if (!ring_.is_carrier(t.m))
      a.terms.push_back({column(t.m), t.c});
  }
  steps_ -= std::min<std::uint64_t>(steps_, p.terms.size());
  return a;
}

void System::push_row(const Affine& a, const Integer& bound, bool equality, const Deps& deps) {
  rows.push_back({a.terms, bound - a.constant, equality, deps});
}

namespace {
System::Affine minus(System::Affine a) {
  for (LinearTerm& t : a.terms) t.coefficient = -t.coefficient;
  a.constant = -a.constant;
  return a;
}
}  // namespace

void System::define(std::uint32_t c) {
  const Expr atom = columns[c].atom;
  switch (columns[c].kind) {
    case Column::Kind::product: {
      std::vector<std::uint32_t> factors;
      for (std::size_t i = 0; i < atom.size(); ++i) factors.push_back(column(atom[i].node()));
      columns[c].factors = std::move(factors);
      break;
    }
    case Column::Kind::quotient: {
      const Integer k = atom[1].integer();
      if (k.sign() <= 0) break;
      Affine e = affine(atom[0]);
      e.terms.push_back({c, -k});
      push_row(e, 0, false, {});
      push_row(minus(e), 1 - k, false, {});
      break;
    }
    case Column::Kind::maximum:
      for (std::size_t i = 0; i < atom.size(); ++i) {
        Affine a = minus(affine(atom[i]));
        a.terms.push_back({c, 1});
        push_row(a, 0, false, {});
      }
      break;
    case Column::Kind::quotient_by_term:
      affine(atom[0]);
      affine(atom[1]);
      break;
    case Column::Kind::branch:
      affine(atom[1]);
      affine(atom[2]);
      break;
    case Column::Kind::opaque:
      if (atom.is(Op::Add)) affine(atom);  // a sum kept as a factor
      break;
    case Column::Kind::symbol:
      break;
  }
}

void System::add(const Literal& l) {
  Expr f = l.f;
  const bool negated = f.is(Op::Not);
  if (negated) f = f[0];
  if (f.is(Op::Divides) && f[0].is_int()) {
    const Affine a = affine(f[1]);
    divides.push_back({a.terms, a.constant, f[0].integer(), negated, l.deps});
  } else if (!negated && f.size() == 2 && f[0].sort() == Sort::Int) {
    const Affine a = affine(f[0]);
    switch (f.op()) {
      case Op::Ge:
        push_row(a, f[1].integer(), false, l.deps);
        break;
      case Op::Le:
        push_row(minus(a), -f[1].integer(), false, l.deps);
        break;
      case Op::Eq:
        push_row(a, f[1].integer(), true, l.deps);
        break;
      case Op::Ne:
        disequalities.push_back({a.terms, f[1].integer() - a.constant, l.deps, l.f});
        break;
      default:
        break;
    }
  }
  define_pending();
}

void System::add_sign(Expr term, bool positive, const Deps& deps) {
  const Affine a = affine(term);
  push_row(positive ? a : minus(a), 1, false, deps);
  define_pending();
}

void System::define_pending() {
  while (!undefined_.empty()) {
    const std::uint32_t c = undefined_.back();
    undefined_.pop_back();
    define(c);
  }
}

System::Affine System::probe(Expr term) {
  Affine a = affine(term);
  define_pending();
  return a;
}

void System::cross_quotients() {
  constexpr std::size_t kQuotients = 4, kRowTerms = 3;
  std::vector<std::uint32_t> quotients;
  for (std::uint32_t c = 0; c < columns.size(); ++c)
    if (columns[c].kind == Column::Kind::quotient_by_term || columns[c].kind == Column::Kind::quotient)
      quotients.push_back(c);
  if (quotients.size() > kQuotients) return;
  const std::size_t known_rows = rows.size();
  for (const std::uint32_t other : quotients) {
    if (columns[other].kind != Column::Kind::quotient_by_term) continue;
    const Poly d = ring_.of(columns[other].atom[1].node());
    for (const std::uint32_t q : quotients) {
      if (quotients.size() < 2) break;
      const Poly own = ring_.of(columns[q].atom[1].node());
      const Poly once = ring_.mul(d, ring_.atom(columns[q].atom.node()));
      affine(Expr(ring_.node(once)));
      if (q != other) affine(Expr(ring_.node(ring_.mul(own, once))));
    }
    for (std::size_t i = 0; i < known_rows; ++i) {  // d times what a short row compares the quotient with
      const std::vector<LinearTerm> terms = rows[i].terms;
      const auto is_it = [&](const LinearTerm& t) { return t.var == other; };
      if (terms.size() > kRowTerms || std::none_of(terms.begin(), terms.end(), is_it)) continue;
      for (const LinearTerm& t : terms) affine(Expr(ring_.node(ring_.mul(d, ring_.atom(columns[t.var].atom.node())))));
    }
  }
  define_pending();
}

bool System::widen_products() {
  constexpr std::size_t kMost = 16, kSquares = 4;
  constexpr std::uint32_t kDegree = 4;
  std::vector<const Node*> made;
  const std::size_t known_columns = columns.size();
  for (std::size_t c = 0; c < known_columns; ++c) {
    const Node* m = columns[c].atom.node();
    if (columns[c].kind != Column::Kind::product || m->degree < 3) continue;
    widened = true;
    if (m->degree > kDegree) continue;
    for (const Row& r : rows) {
      if (r.equality || r.terms.size() != 2 || made.size() >= kMost) continue;
      for (const std::size_t u : {0, 1}) {
        const Node* part = columns[r.terms[u].var].atom.node();
        const Node* rest = part->degree >= 2 ? ring_.divide_monomial(m, part) : nullptr;
        if (rest == nullptr || rest == ctx_.impl().one) continue;
        made.push_back(ring_.multiply_monomials(rest, columns[r.terms[1 - u].var].atom.node()));
      }
    }
  }
  Nodes squared;
  for (std::size_t c = 0; c < known_columns; ++c) {
    const Node* m = columns[c].atom.node();
    if (m->op == Op::Mul && m->size == 2 && m->args()[0] == m->args()[1]) squared.push_back(m->args()[0]);
  }
  for (std::size_t i = 0; i < squared.size() && squared.size() <= kSquares; ++i)
    for (std::size_t j = i + 1; j < squared.size(); ++j)
      made.push_back(ring_.multiply_monomials(squared[i], squared[j]));
  for (const Node* m : made) column(m);
  define_pending();
  return columns.size() > known_columns;
}

void System::define_quotients_by_terms() {
  for (std::uint32_t c = 0; c < columns.size(); ++c) {
    if (columns[c].kind != Column::Kind::quotient_by_term || columns[c].defined) continue;
    const Expr atom = columns[c].atom, d = atom[1];
    Deps deps;
    const Domain divisor = domain_by_rows(affine(d), &deps);
    if (!divisor.positive() && !divisor.negative()) continue;
    columns[c].defined = true;
    // r = p - d*q;  d > 0: 0 <= r <= d - 1;  d < 0: d + 1 <= r <= 0.
    const Expr r = ctx_.sub(atom[0], ctx_.mul(d, atom));
    const Expr rest = ctx_.sub(d, r);  // d - r
    if (divisor.positive()) {
      push_row(affine(r), 0, false, deps);
      push_row(affine(rest), 1, false, deps);
    } else {
      push_row(minus(affine(r)), 0, false, deps);
      push_row(minus(affine(rest)), 1, false, deps);
    }
    define_pending();
  }
}

}  // namespace dimgate
