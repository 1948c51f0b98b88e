// A Prover that tries every point of a small box: complete there, and says nothing about the rest of the integers, so
// tests that use it state the box as facts.
#pragma once

#include <algorithm>
#include <vector>

#include "dimgate/prove.hpp"
#include "support/brute_force.hpp"

namespace dimgate::test {

class BoxProver final : public Prover {
 public:
  explicit BoxProver(Box box) : box_(box) {}
  [[nodiscard]] std::string name() const override { return "box"; }

  Proof prove(const Facts& facts, Expr claim, const Budget&) override {
    ++questions;
    Proof out;
    out.stage = "enumeration";
    out.steps = 1;
    std::vector<FactId> ids(facts.size());
    for (FactId i = 0; i < ids.size(); ++i) ids[i] = i;
    const BruteForce all = ask(facts, ids, claim);
    if (!all.holds) {
      out.verdict = Verdict::refuted;
      out.counterexample = all.counterexample;
      return out;
    }
    out.verdict = Verdict::proved;
    for (std::size_t k = ids.size(); k-- > 0;) {  // leave out what is not needed
      std::vector<FactId> fewer = ids;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      if (ask(facts, fewer, claim).holds) ids = fewer;
    }
    out.used = ids;
    return out;
  }
  SatResult satisfiable(const Facts& facts, const Budget&) override {
    SatResult out;
    out.stage = "enumeration";
    Context& ctx = facts.context();
    const Proof none = prove(facts, ctx.boolean(false), {});
    out.verdict = none.refuted() ? Verdict::proved : Verdict::refuted;
    out.model = none.counterexample;
    out.core = none.used;
    return out;
  }
  Bounds bound(const Facts&, Expr, const Budget&) override { return {}; }
  int questions = 0;

 private:
  BruteForce ask(const Facts& facts, const std::vector<FactId>& ids, Expr claim) const {
    std::vector<Expr> formulas;
    for (const FactId id : ids) formulas.push_back(facts[id].formula);
    return test::prove(facts.context(), formulas, claim, box_);
  }
  Box box_;
};

}  // namespace dimgate::test
