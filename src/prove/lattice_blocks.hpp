// The arithmetic of SolutionLattice without names and cores: the solution sets of the tied groups of variables, each
// x = x0 + B t with integer t. A block never changes: a new constraint makes a new block out of those it ties together,
// so undoing is forgetting. See hermite.hpp for the algorithm.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dimgate/facts.hpp"
#include "prove/linear.hpp"

namespace dimgate::linear {

struct Block {
  std::vector<std::uint32_t> variables;  // ascending
  std::vector<Integer> constant;         // by variable
  std::size_t parameters = 0;
  std::vector<Integer> basis;  // variables x parameters

  Integer& at(std::size_t row, std::size_t parameter) { return basis[row * parameters + parameter]; }
  [[nodiscard]] const Integer& at(std::size_t row, std::size_t parameter) const {
    return basis[row * parameters + parameter];
  }
  /// Row echelon columns with positive pivots, what stands left of a pivot reduced by it, likewise the constants: two
  /// blocks with the same solutions become equal.
  void canonicalise();
  /// column[to] -= times * column[from]
  void subtract(std::size_t to, std::size_t from, const Integer& times);
};

class Blocks {
 public:
  static constexpr std::uint32_t kFree = 0xffffffffU;

  void clear() { block_of_.clear(), blocks_.clear(), undo_.clear(); }
  void add_variable() { block_of_.push_back(kFree); }
  [[nodiscard]] std::uint32_t variables() const { return static_cast<std::uint32_t>(block_of_.size()); }
  struct Mark {
    std::size_t variables, blocks, undo;
  };
  [[nodiscard]] Mark mark() const { return {block_of_.size(), blocks_.size(), undo_.size()}; }
  void undo_to(const Mark& mark);

  /// sum(terms) == residue (mod modulus), modulus 0 for equality; terms sorted, no variable twice, none zero. False if
  /// that leaves no solution (then nothing changed).
  bool constrain(std::span<const LinearTerm> terms, const Integer& modulus, const Integer& residue);
  [[nodiscard]] Congruence residue(std::span<const LinearTerm> terms) const;
  /// kFree if no constraint mentions it.
  [[nodiscard]] std::uint32_t block_of(std::uint32_t variable) const { return block_of_[variable]; }
  Block& block(std::uint32_t id) { return blocks_[id]; }
  [[nodiscard]] const Block& block(std::uint32_t id) const { return blocks_[id]; }
  [[nodiscard]] std::size_t row(std::uint32_t variable) const;

 private:
  struct Undo {
    std::uint32_t variable, block;
  };
  [[nodiscard]] Block merge(std::span<const LinearTerm> terms) const;

  std::vector<std::uint32_t> block_of_;
  std::vector<Block> blocks_;
  std::vector<Undo> undo_;
};

}  // namespace dimgate::linear
