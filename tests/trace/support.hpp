// What the tests of the tracing front share.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "dimgate/trace.hpp"

namespace dimgate::testing {

/// A prover that finds out nothing beyond what is literally there: every decision that is new becomes a guard.
class IgnorantProver : public Prover {
 public:
  [[nodiscard]] std::string name() const override { return "ignorant"; }
  Proof prove(const Facts& facts, Expr claim, const Budget& /*budget*/) override {
    ++questions;
    Proof p;
    for (FactId i = 0; i < facts.size(); ++i)
      if (facts[i].canonical == claim) {
        p.verdict = Verdict::proved;
        p.used = {i};
      }
    return p;
  }
  SatResult satisfiable(const Facts& /*facts*/, const Budget& /*budget*/) override { return {}; }
  Bounds bound(const Facts& /*facts*/, Expr /*term*/, const Budget& /*budget*/) override { return {}; }
  int questions = 0;
};

/// Exact on a box: a claim is proved if it is true on every point of [0, side)^n where all facts are. Good for tests
/// whose symbols are declared to lie in the box.
class BoxProver final : public Prover {
 public:
  explicit BoxProver(std::int64_t side) : side_(side) {}
  [[nodiscard]] std::string name() const override { return "box"; }
  Proof prove(const Facts& facts, Expr claim, const Budget& /*budget*/) override {
    Proof p;
    const bool broken = any(facts, claim, [&](const Value& v) { return !v.is_true(); });
    p.verdict = broken ? Verdict::refuted : Verdict::proved;
    return p;
  }
  SatResult satisfiable(const Facts& facts, const Budget& /*budget*/) override {
    SatResult r;
    const bool found = any(facts, facts.context().boolean(true), [](const Value&) { return true; });
    r.verdict = found ? Verdict::proved : Verdict::refuted;
    if (!found)
      for (FactId i = 0; i < facts.size(); ++i) r.core.push_back(i);
    return r;
  }
  Bounds bound(const Facts& facts, Expr term, const Budget& /*budget*/) override {
    Bounds b;
    b.empty = true;
    any(facts, term, [&](const Value& v) {
      if (v.is_undefined()) return false;
      b.interval = b.empty ? Interval::point(v.integer) : b.interval.join(Interval::point(v.integer));
      b.empty = false;
      return false;
    });
    return b;
  }

 private:
  /// True if `stop` is true of e's value at some point where every fact is true.
  template <class Stop>
  bool any(const Facts& facts, Expr e, Stop stop) {
    Context& ctx = facts.context();
    std::vector<Expr> symbols = symbols_of(ctx, e);
    for (const Fact& f : facts.all())
      for (const Expr s : symbols_of(ctx, f.canonical))
        if (std::find(symbols.begin(), symbols.end(), s) == symbols.end()) symbols.push_back(s);
    std::vector<std::int64_t> point(symbols.size(), 0);
    for (;;) {
      Assignment at;
      for (std::size_t i = 0; i < symbols.size(); ++i) at.set(symbols[i], Value::of(point[i]));
      bool inside = true;
      for (const Fact& f : facts.all()) inside = inside && evaluate(ctx, f.formula, at).is_true();
      if (inside && stop(evaluate(ctx, e, at))) return true;
      std::size_t i = 0;
      while (i < point.size() && ++point[i] == side_) point[i++] = 0;
      if (i == point.size()) return false;
    }
  }
  std::int64_t side_;
};

/// How many seeds a property test runs through: DIMGATE_ROUNDS in the environment multiplies it for a longer search.
inline unsigned rounds(unsigned usual) {
  const char* times = std::getenv("DIMGATE_ROUNDS");
  return times == nullptr ? usual : usual * static_cast<unsigned>(std::max(1, std::atoi(times)));
}

/// The guards as "a; assert b; c".
inline std::string texts(Tracer& t) {
  std::string out;
  for (const Guard& g : t.guards().all())
    out += (out.empty() ? "" : "; ") + std::string(g.runtime_assert ? "assert " : "") + to_text(t.context(), g.formula);
  return out;
}

}  // namespace dimgate::testing
