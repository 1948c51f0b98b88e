// Facts about a dimension, questions about it, three-valued answers. The README shows this program.
#include <iostream>

#include "dimgate/expr.hpp"
#include "dimgate/facts.hpp"
#include "dimgate/prove.hpp"

int main() {
  dimgate::Context ctx;
  dimgate::Facts facts(ctx);
  facts.assume(*dimgate::parse(ctx, "n % 8 == 0 and 16 <= n <= 4096"));

  dimgate::NativeProver prover;
  for (const char* text : {"(3*n) % 4 == 0", "n // 2 >= 8", "n % 16 == 0"}) {
    const dimgate::Proof proof = prover.prove(facts, *dimgate::parse(ctx, text));
    std::cout << text << ": " << to_string(proof.verdict);
    for (const auto& [symbol, value] : proof.counterexample)
      std::cout << ", not where " << ctx.symbol_name(symbol) << " = " << value.to_string();
    std::cout << '\n';
  }

  const bool all = prover.prove(facts, *dimgate::parse(ctx, "(3*n) % 4 == 0 and n // 2 >= 8")).proved() &&
                   prover.prove(facts, *dimgate::parse(ctx, "n % 16 == 0")).refuted();
  return all ? 0 : 1;
}
