// A program on dimgate::dimgate: a formula from text, a fact, a proof by the native prover.
#include <cstdio>

#include "dimgate/expr.hpp"
#include "dimgate/facts.hpp"
#include "dimgate/prove.hpp"

int main() {
  dimgate::Context ctx;
  const auto fact = dimgate::parse(ctx, "n % 8 == 0");
  const auto claim = dimgate::parse(ctx, "(3*n) % 4 == 0");
  const auto too_much = dimgate::parse(ctx, "n % 16 == 0");
  if (!fact || !claim || !too_much) return 1;
  dimgate::Facts facts(ctx);
  facts.assume(*fact);
  dimgate::NativeProver prover;
  const bool first = prover.prove(facts, *claim).proved();
  const bool second = prover.prove(facts, *too_much).refuted();
  std::printf("%s is %s, %s is %s\n", dimgate::to_text(ctx, *claim).c_str(), first ? "proved" : "not proved",
              dimgate::to_text(ctx, *too_much).c_str(), second ? "refuted" : "not refuted");
  return first && second ? 0 : 1;
}
