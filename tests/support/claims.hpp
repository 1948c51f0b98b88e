// Claims and bounds written as text, asked of the native prover: what the tables of tests/prove have in common.
#pragma once

#include <span>
#include <string>

#include "dimgate/prove.hpp"

namespace dimgate::test {

/// Facts (separated by `;`) and a claim; `left === right`: equal wherever either side is defined.
struct Claim {
  const char *facts, *claim;
  [[nodiscard]] std::string text() const { return std::string(facts) + " |- " + claim; }
};

struct Asked {
  explicit Asked(const Claim& c);
  Context ctx;
  Facts facts{ctx};
  Expr claim;  // with === as an equation
  Proof proof;
};

/// Doctest checks: the claim is refuted, and at its counterexample all facts are true and the claim is not.
void check_refuted_at_a_point(const Asked& a);

struct BoundOf {
  const char *facts, *term, *interval;
};
/// Doctest checks: each interval is what `bound` says.
void check_bounds(std::span<const BoundOf> bounds);

}  // namespace dimgate::test
