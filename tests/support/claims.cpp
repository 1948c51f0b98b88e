#include "support/claims.hpp"

#include <doctest/doctest.h>

namespace dimgate::test {

namespace {

void assume_all(Context& ctx, Facts& facts, const char* text) {
  const Result<std::vector<Expr>> known = parse_list(ctx, text);
  for (const Expr f : *known) facts.assume(f);
}

}  // namespace

Asked::Asked(const Claim& c) {
  assume_all(ctx, facts, c.facts);
  const std::string text = c.claim;
  NativeProver prover;
  if (const std::size_t at = text.find("==="); at != std::string::npos) {
    const Expr left = *parse(ctx, text.substr(0, at)), right = *parse(ctx, text.substr(at + 3));
    claim = ctx.make(Op::Eq, {left, right});
    proof = prover.prove_equal(facts, left, right);
  } else {
    claim = *parse(ctx, text);
    proof = prover.prove(facts, claim);
  }
}

void check_refuted_at_a_point(const Asked& a) {
  REQUIRE(a.proof.refuted());
  Assignment at;
  for (const auto& [s, v] : a.proof.counterexample) at.set(s, v);
  for (const Fact& f : a.facts.all()) CHECK(evaluate(a.ctx, f.formula, at).is_true());
  CHECK_FALSE(evaluate(a.ctx, a.claim, at).is_true());
}

void check_bounds(std::span<const BoundOf> bounds) {
  NativeProver prover;
  for (const BoundOf& b : bounds) {
    Context ctx;
    Facts facts(ctx);
    assume_all(ctx, facts, b.facts);
    INFO(std::string(b.term));
    CHECK(prover.bound(facts, *parse(ctx, b.term)).interval.to_string() == b.interval);
  }
}

}  // namespace dimgate::test
