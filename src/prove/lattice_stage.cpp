#include "prove/lattice_stage.hpp"

#include "prove/hermite.hpp"
#include "prove/literals.hpp"

namespace dimgate {

namespace {

constexpr std::size_t kLatticeFacts = 48;

bool is_congruence(Expr l) { return l.is(Op::Divides) && l[0].is_int(); }
bool is_equation(Expr l) { return l.is(Op::Eq) && l[0].sort() == Sort::Int && l[1].is_int(); }

bool asks_for_residues(Expr claim) {
  const Expr f = claim.is(Op::And) || claim.is(Op::Or) ? claim[0] : claim;
  const Expr a = f.is(Op::Not) ? f[0] : f;
  return is_congruence(a) || ((a.is(Op::Eq) || a.is(Op::Ne)) && a[0].sort() == Sort::Int && a[1].is_int());
}

class Lattice {
 public:
  Lattice(const Facts& facts, FactIndex& index, std::span<const FactId> ids)
      : index_(index), columns_(facts.context()) {
    each_fact_literal(facts, ids, order_, [&](Expr l, std::uint32_t tag) {
      if (!is_congruence(l) && !is_equation(l)) return;
      const Columns::Form f = *columns_.form(l[is_congruence(l) ? 1 : 0], false);
      while (lattice_.variables() < columns_.size()) lattice_.new_variable();
      if (is_congruence(l))
        lattice_.congruent(f.terms, l[0].integer(), -f.constant, tag);
      else
        lattice_.equals(f.terms, l[1].integer() - f.constant, tag);
      ++taken_;
    });
  }
  [[nodiscard]] bool useful() const { return taken_ > 0; }
  [[nodiscard]] std::optional<FactIndex::Ids> contradiction() const {
    if (lattice_.consistent()) return std::nullopt;
    return facts_named(order_, lattice_.core());
  }

  std::optional<FactIndex::Ids> implies(Expr l) {
    const bool negated = l.is(Op::Not) || l.is(Op::Ne);
    const Expr a = l.is(Op::Not) ? l[0] : l;
    const bool divides = is_congruence(a);
    if (!divides && !is_equation(a) && !(a.is(Op::Ne) && a[0].sort() == Sort::Int && a[1].is_int()))
      return std::nullopt;
    FactIndex::Ids why;
    if (!index_.defined(a, why)) return std::nullopt;
    const std::optional<Columns::Form> f = columns_.form(a[divides ? 1 : 0], true);
    if (!f) return std::nullopt;
    const Integer wanted = divides ? -f->constant : a[1].integer() - f->constant;
    const Congruence residue = lattice_.residue(f->terms);
    // The form is in `claim` (wanted), or apart from it.
    Congruence claim = Congruence::of(divides ? a[0].integer() : Integer(0), wanted);
    if (negated) {
      const Congruence apart = Congruence::of(gcd(residue.modulus, claim.modulus), residue.residue);
      if (apart.contains(wanted)) return std::nullopt;
      claim = apart;
    } else if (claim.modulus.is_zero()
                   ? !(residue == claim)
                   : !floor_mod(residue.modulus, claim.modulus).is_zero() || !claim.contains(residue.residue)) {
      return std::nullopt;
    }
    const FactIndex::Ids used = facts_named(order_, lattice_.why(f->terms, claim));
    why.append(used.begin(), used.end());
    return why;
  }

 private:
  FactIndex& index_;
  Columns columns_;
  SolutionLattice lattice_;
  std::vector<FactId> order_;
  std::size_t taken_ = 0;
};

}  // namespace

std::optional<FactIndex::Ids> implied_by_lattice(const Facts& facts, FactIndex& index, std::span<const FactId> ids,
                                                 Expr claim) {
  if (ids.empty() || ids.size() > kLatticeFacts || !asks_for_residues(claim)) return std::nullopt;
  Lattice lattice(facts, index, ids);
  if (!lattice.useful()) return std::nullopt;
  if (auto core = lattice.contradiction()) return core;
  return implied_by_literals(claim, [&](Expr l) { return lattice.implies(l); });
}

}  // namespace dimgate
