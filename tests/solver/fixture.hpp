// Facts and formulas from text, for the solver's tests.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "dimgate/solver.hpp"

namespace dimgate::test {

struct Fixture {
  Context ctx;
  Facts facts{ctx};
  std::unique_ptr<Prover> z3 = make_z3_prover();

  Expr read(const std::string& text) {
    Result<Expr> e = parse(ctx, text);
    REQUIRE_MESSAGE(e.ok(), text << ": " << (e.ok() ? "" : e.error().to_string()));
    return *e;
  }
  void assume(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) facts.assume(read(text));
  }
  Proof prove(const std::string& claim) { return z3->prove(facts, read(claim)); }
  Verdict verdict(const std::string& claim) { return prove(claim).verdict; }
};

/// Makes every fact true and the claim not, by the reference evaluator.
inline bool is_counterexample(const Facts& facts, Expr claim, const Proof& proof) {
  Assignment at;
  for (const auto& [symbol, value] : proof.counterexample) at.set(symbol, value);
  for (const Fact& f : facts.all())
    if (!evaluate(facts.context(), f.formula, at).is_true()) return false;
  return !evaluate(facts.context(), claim, at).is_true();
}

}  // namespace dimgate::test
