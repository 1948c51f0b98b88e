// Making guards fewer and readable, and entries fewer; every step proved, and its proof kept.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dimgate/guard.hpp"
#include "dimgate/prove.hpp"

namespace dimgate {

/// A proof obligation and its answer: under `facts` and `premises`, `claim`.
struct Obligation {
  std::string claim_text;
  Verdict verdict = Verdict::unknown;
  std::string stage;
  std::string note;
};

/// Why a guard is no longer there.
struct DroppedGuard {
  std::size_t guard = 0;                   // index in the input
  std::vector<std::size_t> implied_by;     // indices of guards that stay (of the input)
  std::vector<FactId> facts;               // facts that were needed as well
  Obligation obligation;
};

struct Minimised {
  /// Indices into the input of the guards that stay, in input order.
  std::vector<std::size_t> kept;
  std::vector<DroppedGuard> dropped;
  /// The same truth in readable form: what stays, merged and put as people write it
  /// (`2 <= s0 <= 8`, `H % 32 == 0`). Each conjunct is raw and parses back.
  std::vector<Expr> readable;
  /// Set if guards and facts contradict each other: then `readable` is {False}.
  bool contradictory = false;
  std::vector<Obligation> obligations;     // of the readable form
};

/// The minimal equivalent of a conjunction under facts: nothing that stays is proved implied by the facts and
/// the rest. Truth under the facts is unchanged, undefined included. `unknown` keeps the guard.
Minimised minimise(Prover& prover, const Facts& facts, std::span<const Expr> guards);

/// The cheapest readable formula with the same T as `formula` under the facts.
Expr readable(Prover& prover, const Facts& facts, Expr formula, std::vector<Obligation>* obligations = nullptr);

/// T(inner) within T(outer) under the facts.
Proof subsumes(Prover& prover, const Facts& facts, Expr outer, Expr inner);
/// T(a) and T(b) share no point under the facts.
Proof disjoint(Prover& prover, const Facts& facts, Expr a, Expr b);

/// The simplest formula found with the same T as the disjunction of `parts` (integer-exact).
struct Joined {
  Expr formula;                  // raw, readable
  std::vector<Obligation> obligations;
};
Joined join(Prover& prover, const Facts& facts, std::span<const Expr> parts);

/// What an entry is to the merger.
struct MergeEntry {
  Expr guard;                          // raw conjunction
  std::string fingerprint;             // equal bytes: the same artifact
  std::string label;                   // for people
  std::uint64_t age = 0;               // insertion order
};
struct MergeStep {
  enum class Kind : std::uint8_t { joined, retired, freed, kept } kind = Kind::kept;
  std::vector<std::size_t> entries;    // indices of the input that took part
  std::string reason;
  std::vector<Obligation> obligations;
};
struct MergeResult {
  struct Out {
    Expr guard;
    std::string fingerprint;
    std::vector<std::size_t> from;     // indices of the input
  };
  std::vector<Out> entries;
  std::vector<MergeStep> steps;
  std::size_t lower_bound = 0;         // distinct fingerprints
};
/// Joins entries with equal fingerprints and retires those inside more general ones.
MergeResult merge(Prover& prover, const Facts& facts, std::span<const MergeEntry> entries);

}  // namespace dimgate
