// Z3 behind the Prover interface. Link dimgate::solver; nothing else sees Z3.
#pragma once

#include <memory>

#include "dimgate/prove.hpp"

namespace dimgate {

struct Z3Options {
  std::uint64_t rlimit = 300'000;  // Z3 resource units per query: the real bound
  unsigned watchdog_ms = 20'000;   // far above what rlimit allows; hitting it yields unknown("watchdog")
  bool cache = true;               // verdicts by canonical text of (facts, claim)
};

/// A prover over Z3's SimpleSolver. Each question gets a Z3 context of its own (2 to 4 ms), so that no answer depends
/// on an earlier one. Budget::steps lowers rlimit: five units a step.
std::unique_ptr<Prover> make_z3_prover(Z3Options options = {});
/// Have `left` and `right` the same T and the same F (other sorts: the same value and domain) wherever the facts are
/// true? Asked on the trees as they stand: no canonical form takes part, so it can check one.
Proof z3_prove_same(const Facts& facts, Expr left, Expr right, Z3Options options = {});

/// "5.4.1", "4.8.12".
std::string z3_version();

}  // namespace dimgate
