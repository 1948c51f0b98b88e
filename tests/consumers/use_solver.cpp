// A program on dimgate::solver: the same question to Z3.
#include <cstdio>

#include "dimgate/expr.hpp"
#include "dimgate/facts.hpp"
#include "dimgate/prove.hpp"
#include "dimgate/solver.hpp"

int main() {
  dimgate::Context ctx;
  const auto fact = dimgate::parse(ctx, "2 <= a and a <= 5 and b == 3*a");
  const auto claim = dimgate::parse(ctx, "6 <= b and b <= 15");
  if (!fact || !claim) return 1;
  dimgate::Facts facts(ctx);
  facts.assume(*fact);
  const auto z3 = dimgate::make_z3_prover();
  const auto proof = z3->prove(facts, *claim);
  std::printf("Z3 %s: %s\n", dimgate::z3_version().c_str(), proof.proved() ? "proved" : proof.reason.c_str());
  return proof.proved() ? 0 : 1;
}
