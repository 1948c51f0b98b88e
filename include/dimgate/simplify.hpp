// Making guards fewer and readable, and entries fewer; every step proved, and its proof kept.
//
// Meaning: every function keeps T (where the formula is true) under the facts, undefined included; where a proof is
// not found (`unknown`) things stay as they are. Two kinds of proof are used: exact sets of one slot's values
// (stages "set", "box": finite unions of ranges and residue classes, no prover needed) and the given Prover.
// Cost: minimise is near-linear over connected components of guards that share symbols; within one component the
// number of questions put to the prover is bounded by SimplifyOptions::component_steps.
// Deterministic: results depend on the formulas and symbol names only. Tested by tests/simplify.
#pragma once

#include <cstdint>
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

/// Work allowed, counted in prover steps (never in time).
struct SimplifyOptions {
  Budget question;  // one question
  /// All questions about one component of guards that share symbols, and as many again for every 20,000 guards in it.
  std::uint64_t component_steps = 300'000;
  /// All questions to a solver, if the prover has one: it is asked last, about what the native prover left open.
  std::uint64_t solver_steps = 300'000;
  bool readable = true;  // minimise: fill Minimised::readable
  /// Values under which facts and guards are all true (a trace's hints): spares looking for some. Checked, so wrong or
  /// missing ones cost time only.
  std::vector<std::pair<Expr, Value>> witness;
  std::vector<double> costs;  // minimise: cost of each guard (dearest goes first); empty: estimated
};

/// Why a guard is no longer there.
struct DroppedGuard {
  std::size_t guard = 0;                // index in the input
  std::vector<std::size_t> implied_by;  // indices of guards that stay (of the input)
  std::vector<FactId> facts;            // facts that were needed as well
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
  std::vector<Obligation> obligations;  // of the readable form
};

/// The minimal equivalent of a conjunction under facts: nothing that stays is proved implied by the facts and
/// the rest. Truth under the facts is unchanged, undefined included. `unknown` keeps the guard.
Minimised minimise(Prover& prover, const Facts& facts, std::span<const Expr> guards,
                   const SimplifyOptions& options = {});

/// The cheapest readable formula with the same T as `formula` under the facts.
/// Conjuncts come in a fixed order: equalities, ranges, residues, relations, each by symbol name.
Expr readable(Prover& prover, const Facts& facts, Expr formula, std::vector<Obligation>* obligations = nullptr);
/// The conjuncts of `readable`, one formula each (empty: True).
std::vector<Expr> readable_conjuncts(Prover& prover, const Facts& facts, Expr formula,
                                     std::vector<Obligation>* obligations = nullptr);

/// T(inner) within T(outer) under the facts.
Proof subsumes(Prover& prover, const Facts& facts, Expr outer, Expr inner);
/// T(a) and T(b) share no point under the facts.
Proof disjoint(Prover& prover, const Facts& facts, Expr a, Expr b);

/// The simplest formula found with the same T as the disjunction of `parts` (integer-exact).
struct Joined {
  Expr formula;  // raw, readable
  std::vector<Obligation> obligations;
};
Joined join(Prover& prover, const Facts& facts, std::span<const Expr> parts);

/// What an entry is to the merger.
struct MergeEntry {
  Expr guard;               // raw conjunction
  std::string fingerprint;  // equal bytes: the same artifact
  std::string label;        // for people
  std::uint64_t age = 0;    // insertion order
};
struct MergeStep {
  enum class Kind : std::uint8_t { joined, retired, freed, kept } kind = Kind::kept;
  std::vector<std::size_t> entries;  // indices of the input that took part
  std::string reason;
  std::vector<Obligation> obligations;
};
struct MergeResult {
  struct Out {
    Expr guard;
    std::string fingerprint;
    std::vector<std::size_t> from;  // indices of the input
  };
  std::vector<Out> entries;
  std::vector<MergeStep> steps;
  std::size_t lower_bound = 0;  // distinct fingerprints
};
/// Joins entries with equal fingerprints and retires those inside more general ones (the older entry stays where two
/// cover each other). An entry whose guard contradicts the facts retires as unreachable.
MergeResult merge(Prover& prover, const Facts& facts, std::span<const MergeEntry> entries);

// ---- freeing constants that were seen with several values ----------------------------------------

/// A formula that holds on every row of values seen: a guess about the next ones, never a proof.
struct Guess {
  enum class Kind : std::uint8_t { constant, relation, residue, range } kind = Kind::range;
  Expr formula;  // raw
};
/// What the values have in common: constants, affine relations between slots (integer elimination), residues
/// (modulus > 1, at least three distinct values), ranges. rows[i][k] is the value of symbols[k].
std::vector<Guess> suggest(Context& ctx, std::span<const Expr> symbols, std::span<const std::vector<Integer>> rows);

/// What to trace again: `freed` symbols are no constants any more; `assumed` guesses hold on all values seen (a trace
/// that needs one of them must put it into its guard); `hint` gives the values to decide branches with.
struct RetraceRequest {
  std::vector<Expr> freed;
  std::vector<Expr> assumed;
  std::vector<std::pair<Expr, Integer>> hint;
};
struct Retraced {
  Expr guard;
  std::string fingerprint;
};
/// nullopt: the front end cannot trace that way.
using Retrace = std::function<std::optional<Retraced>(const RetraceRequest&)>;
/// Finds slots that entries fix to different constants, asks for a trace with these slots free, and retires the
/// entries that the new guard is proved to cover; then merges. Without a proof the entries stay as they are.
MergeResult generalise(Prover& prover, const Facts& facts, std::span<const MergeEntry> entries, const Retrace& retrace);

}  // namespace dimgate
