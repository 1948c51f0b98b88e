// Z3 behind the Prover interface. Link dimgate::solver; nothing else sees Z3.
#pragma once

#include <memory>

#include "dimgate/prove.hpp"

namespace dimgate {

struct Z3Options {
  std::uint64_t rlimit = 1'000'000;     // Z3 resource units per query: the real bound
  unsigned watchdog_ms = 20'000;        // far above what rlimit allows; hitting it yields unknown("watchdog")
  bool cache = true;                    // verdicts by canonical text of (facts, claim)
};

/// A prover over Z3's SimpleSolver. The context is made on first use.
std::unique_ptr<Prover> make_z3_prover(const Z3Options& options = {});
/// "5.4.1", "4.8.12".
std::string z3_version();

}  // namespace dimgate
