#include "prove/hermite.hpp"

#include <algorithm>

#include "prove/lattice_blocks.hpp"
#include "prove/linear_reasons.hpp"
#include "prove/linear_store.hpp"

namespace dimgate {

namespace {

struct Constraint {
  std::vector<LinearTerm> terms;  // sorted, primitive: factor * terms == residue (mod modulus)
  Integer factor, modulus, residue;
  std::uint32_t tag;
};

// factor * terms == residue (mod modulus) as a constraint on the primitive terms. False: no values of the terms do.
bool insert(linear::Blocks& blocks, const Constraint& c) {
  if (c.terms.empty()) return blocks.constrain({}, c.modulus, c.residue);
  const Integer d = gcd(c.factor, c.modulus);
  if (!floor_mod(c.residue, d).is_zero()) return false;
  if (c.modulus.is_zero()) return blocks.constrain(c.terms, 0, floor_div(c.residue, c.factor));
  const Integer modulus = floor_div(c.modulus, d);
  Integer one, inverse, unused;
  extended_gcd(floor_div(c.factor, d), modulus, one, inverse, unused);
  return blocks.constrain(c.terms, modulus, floor_mod(floor_div(c.residue, d) * inverse, modulus));
}

bool implies(const Congruence& strong, const Congruence& weak) {
  if (weak.modulus.is_zero()) return strong == weak;
  return floor_mod(strong.modulus, weak.modulus).is_zero() &&
         floor_mod(strong.residue - weak.residue, weak.modulus).is_zero();
}

}  // namespace

struct SolutionLattice::Impl {
  struct Level {
    linear::Blocks::Mark mark;
    std::size_t constraints;
    bool contradiction;
  };
  linear::Blocks blocks;
  std::vector<Constraint> constraints;
  std::vector<Level> levels;
  std::vector<std::uint32_t> core;
  bool contradiction = false;

  bool add(std::span<const LinearTerm> terms, const Integer& modulus, const Integer& residue, std::uint32_t tag);
  [[nodiscard]] std::vector<std::uint32_t> tied(std::span<const LinearTerm> terms) const;
  template <class Test>
  [[nodiscard]] std::vector<std::uint32_t> fewest(std::vector<std::uint32_t> of, const Test& enough) const;
};

bool SolutionLattice::Impl::add(std::span<const LinearTerm> terms, const Integer& modulus, const Integer& residue,
                                std::uint32_t tag) {
  if (contradiction) return false;
  Constraint c;
  c.factor = linear::make_primitive(terms, c.terms);
  c.modulus = abs(modulus);
  c.residue = residue;
  c.tag = tag;
  constraints.push_back(std::move(c));
  const Constraint& added = constraints.back();
  if (insert(blocks, added)) return true;
  contradiction = true;
  std::vector<std::uint32_t> involved = tied(added.terms);
  involved.push_back(static_cast<std::uint32_t>(constraints.size() - 1));
  core = fewest(std::move(involved), [](const linear::Blocks&, bool consistent) { return !consistent; });
  return false;
}

// The constraints of the blocks that the terms touch.
std::vector<std::uint32_t> SolutionLattice::Impl::tied(std::span<const LinearTerm> terms) const {
  std::vector<std::uint32_t> ids, out;
  for (const LinearTerm& t : terms)
    if (const auto b = blocks.block_of(t.var); b != linear::Blocks::kFree) ids.push_back(b);
  linear::make_set(ids);
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    if (constraints[i].terms.empty()) continue;
    const auto b = blocks.block_of(constraints[i].terms[0].var);
    if (b != linear::Blocks::kFree && std::binary_search(ids.begin(), ids.end(), b))
      out.push_back(static_cast<std::uint32_t>(i));
  }
  return out;
}

// Leaves out one tag after the other, latest first, where the rest is still enough.
template <class Test>
std::vector<std::uint32_t> SolutionLattice::Impl::fewest(std::vector<std::uint32_t> of, const Test& enough) const {
  std::vector<std::uint32_t> tags;
  for (const std::uint32_t i : of) tags.push_back(constraints[i].tag);
  linear::make_set(tags);
  linear::Blocks trial;
  for (std::size_t n = tags.size(); n-- > 0;) {
    trial.clear();
    for (std::uint32_t v = 0; v < blocks.variables(); ++v) trial.add_variable();
    bool consistent = true;
    for (const std::uint32_t i : of) {
      const Constraint& c = constraints[i];
      if (c.tag == tags[n] || !std::binary_search(tags.begin(), tags.end(), c.tag)) continue;
      if (!(consistent = insert(trial, c))) break;
    }
    if (enough(trial, consistent)) tags.erase(tags.begin() + static_cast<std::ptrdiff_t>(n));
  }
  return tags;
}

SolutionLattice::SolutionLattice() : impl_(std::make_unique<Impl>()) {}
SolutionLattice::~SolutionLattice() = default;
SolutionLattice::SolutionLattice(SolutionLattice&&) noexcept = default;
SolutionLattice& SolutionLattice::operator=(SolutionLattice&&) noexcept = default;

void SolutionLattice::clear() {
  impl_->blocks.clear();
  impl_->constraints.clear();
  impl_->levels.clear();
  impl_->core.clear();
  impl_->contradiction = false;
}
std::uint32_t SolutionLattice::new_variable() {
  impl_->blocks.add_variable();
  return impl_->blocks.variables() - 1;
}
std::uint32_t SolutionLattice::variables() const { return impl_->blocks.variables(); }
void SolutionLattice::push() {
  impl_->levels.push_back({impl_->blocks.mark(), impl_->constraints.size(), impl_->contradiction});
}
void SolutionLattice::pop() {
  const Impl::Level level = impl_->levels.back();
  impl_->levels.pop_back();
  impl_->blocks.undo_to(level.mark);
  impl_->constraints.resize(level.constraints);
  impl_->contradiction = level.contradiction;
}
bool SolutionLattice::equals(std::span<const LinearTerm> terms, const Integer& bound, std::uint32_t tag) {
  return impl_->add(terms, 0, bound, tag);
}
bool SolutionLattice::congruent(std::span<const LinearTerm> terms, const Integer& modulus, const Integer& residue,
                                std::uint32_t tag) {
  return impl_->add(terms, modulus, residue, tag);
}
bool SolutionLattice::consistent() const { return !impl_->contradiction; }
const std::vector<std::uint32_t>& SolutionLattice::core() const { return impl_->core; }

Congruence SolutionLattice::residue(std::span<const LinearTerm> terms) const {
  std::vector<LinearTerm> sorted;
  const Integer factor = linear::make_primitive(terms, sorted);
  const Congruence c = impl_->blocks.residue(sorted);
  return Congruence::of(c.modulus * factor, c.residue * factor);
}

std::vector<std::uint32_t> SolutionLattice::why(std::span<const LinearTerm> terms, const Congruence& claim) const {
  std::vector<LinearTerm> sorted;
  const Integer factor = linear::make_primitive(terms, sorted);
  return impl_->fewest(impl_->tied(sorted), [&](const linear::Blocks& blocks, bool) {
    const Congruence c = blocks.residue(sorted);
    return implies(Congruence::of(c.modulus * factor, c.residue * factor), claim);
  });
}

SolutionLattice::Affine SolutionLattice::solution(std::uint32_t var) const {
  const std::uint32_t id = impl_->blocks.block_of(var);
  if (id == linear::Blocks::kFree) return {0, {{var, 1}}};
  // A parameter has the number of the variable of its pivot row: unique, and the same whatever the order.
  const linear::Block& b = impl_->blocks.block(id);
  Affine out;
  const std::size_t row = impl_->blocks.row(var);
  out.constant = b.constant[row];
  std::size_t pivot_row = 0;
  for (std::size_t k = 0; k < b.parameters; ++k, ++pivot_row) {
    while (b.at(pivot_row, k).is_zero()) ++pivot_row;
    if (!b.at(row, k).is_zero()) out.terms.push_back({b.variables[pivot_row], b.at(row, k)});
  }
  return out;
}

}  // namespace dimgate
