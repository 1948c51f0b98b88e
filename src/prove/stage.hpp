// What decides a question, in the order in which it is asked: the names that `Proof::stage` shows, and where each
// stands.
//
// native.cpp walks the stages up to the search; search.cpp asks the later ones again at every node of its splits.
// docs/prover.md describes the same table; tests/prove/stages_test.cpp holds the two against each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dimgate {

enum class ProofStage : std::uint8_t {
  canonical,
  bounds,
  witness,
  corners,
  lattice,
  differences,
  contradiction,
  equalities,
  squares,
  residues,
  linear,
  enumeration,
  cases,
};

struct ProofStageInfo {
  ProofStage stage;
  std::string_view name;    // as Proof::stage shows it
  std::string_view file;    // where to look first
  std::string_view engine;  // how it decides
  std::string_view cost;    // at most
  std::string_view paper;   // where the method is from; empty: common knowledge
};

inline constexpr std::array<ProofStageInfo, static_cast<std::size_t>(ProofStage::cases) + 1> kProofStages{{
    {ProofStage::canonical, "canonical", "src/expr/canonical.cpp", "equal terms are one node", "near-linear", ""},
    {ProofStage::bounds, "bounds", "src/prove/index.cpp", "interval x congruence of a term", "size of the term",
     "Granger 1991"},
    {ProofStage::witness, "witness", "src/prove/neighbours.cpp", "values near the recorded inputs", "240 points", ""},
    {ProofStage::corners, "refuter", "src/prove/refuter.cpp", "ends of intervals, neighbours of constants", "40 points",
     ""},
    {ProofStage::lattice, "lattice", "src/prove/lattice_stage.cpp", "integer solutions in Hermite form", "48 facts",
     "Schrijver 1986"},
    {ProofStage::differences, "differences", "src/prove/difference_stage.cpp", "octagon with integer tightening",
     "64 facts", "Mine 2006"},
    {ProofStage::contradiction, "contradictory facts", "src/prove/native.cpp", "facts beside the claim's", "a search",
     ""},
    {ProofStage::equalities, "equalities", "src/prove/search_simplify.cpp", "symbols solved for and replaced", "steps",
     "Pugh 1991"},
    {ProofStage::squares, "squares", "src/prove/squares.cpp", "squares completed", "24 terms", "Lagrange"},
    {ProofStage::residues, "residues", "src/prove/search_polynomials.cpp", "a polynomial modulo small numbers",
     "4,096 residues a modulus", ""},
    {ProofStage::linear, "linear", "src/prove/linear.cpp", "general simplex, cuts, branching", "rows rewritten",
     "Dutertre, de Moura 2006"},
    {ProofStage::enumeration, "enumeration", "src/prove/search_models.cpp", "every point of a small box",
     "4,096 points", ""},
    {ProofStage::cases, "cases", "src/prove/search_branch.cpp", "splits that cover every point", "depth 40", ""},
}};

constexpr std::string_view name_of(ProofStage stage) noexcept {
  return kProofStages[static_cast<std::size_t>(stage)].name;
}

/// Why a search left a question open.
enum class OpenReason : std::uint8_t {
  incomplete,  // nothing left to try; a search of more effort may decide
  budget,      // out of steps, or too deep
};

constexpr std::string_view name_of(OpenReason reason) noexcept {
  return reason == OpenReason::budget ? "budget" : "incomplete";
}

namespace detail {
consteval bool stages_are_in_order() {
  for (std::size_t i = 0; i < kProofStages.size(); ++i)
    if (static_cast<std::size_t>(kProofStages[i].stage) != i || kProofStages[i].name.empty()) return false;
  return true;
}
static_assert(stages_are_in_order(), "kProofStages needs one row for each stage, in the order of the enum");
}  // namespace detail

}  // namespace dimgate
