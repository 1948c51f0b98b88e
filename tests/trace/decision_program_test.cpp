// How many of a long run of decisions become guards: known ones record nothing, whatever was recorded before.
#include "support/decision_program.hpp"

#include <doctest/doctest.h>

#include "dimgate/simplify.hpp"

using namespace dimgate;

TEST_CASE("8 symbols record 27 guards, at 500 and at 5,000 decisions") {
  for (const std::int64_t decisions : {500, 5000}) {
    Context ctx;
    NativeProver prover;
    Tracer t(ctx, prover);
    const auto s = test::eight_symbols(t);
    for (std::int64_t i = 0; i < decisions; ++i) test::ask(s, i);
    CHECK(t.guards().size() == 27);
    CHECK(t.statistics().repeated + t.statistics().known + t.statistics().recorded == t.statistics().decisions);
  }
}

TEST_CASE("32 dims: of 1,000 decisions 266 are recorded and none of them is redundant") {
  Context ctx;
  NativeProver prover;
  Tracer t(ctx, prover);
  const auto s = test::thirty_two_symbols(t);
  for (std::int64_t i = 0; i < 1000; ++i) test::ask(s, i);
  CHECK(t.guards().size() == 266);
  std::vector<Expr> guards;
  for (const Guard& g : t.guards().all()) guards.push_back(g.formula);
  CHECK(minimise(prover, t.facts(), guards).kept.size() == 266);
}
