// Declarations: facts with a standing. All symbols with hints that satisfy a fact are its witness; only facts over
// unbacked symbols, or broken by the hints, cost a question.
#include "dimgate/trace.hpp"
#include "trace/spelling.hpp"
#include "trace/tracer_impl.hpp"

namespace dimgate {

namespace {

std::string core_of(const Facts& facts, const SatResult& sat) {
  std::string out;
  Context& ctx = facts.context();
  for (const FactId id : sat.core) out += (out.empty() ? "`" : ", `") + spelled_text(ctx, facts[id].canonical) + "`";
  return out;
}

}  // namespace

void Tracer::declare(const SymBool& fact, Standing standing, std::string origin) {
  if (fact.is_const() && fact.constant()) return;
  if (!fact.is_const()) SymOps::same(this, fact.tracer());
  const Expr e = fact.expr(*ctx_);
  const HintValue h = SymOps::hint_of(*this, e);
  const bool witnessed = h.has_value() && !h.value.is_zero();
  if (!witnessed) {
    Facts trial = impl_->path;  // so that a refused fact leaves nothing behind
    const FactId id = trial.assume(e, standing, origin);
    const SatResult sat = prover_->satisfiable(trial);
    const Location where = place(fact.at());
    if (sat.verdict == Verdict::refuted)
      throw TraceError("the declared facts contradict each other: " + core_of(trial, sat), where);
    if (h.state != HintValue::State::unbacked) {
      const std::string text = spelled_text(*ctx_, trial[id].canonical);
      const Expr divisor = h.has_value() ? Expr() : SymOps::zero_divisor(*this, e);
      throw OutsideError("the values seen break the declared fact `" + text + "`" +
                             (divisor ? ": the divisor " + spelled_text(*ctx_, divisor) + " is 0" : std::string()),
                         where);
    }
  }
  impl_->path.assume(e, standing, origin);
  declared_.assume(spelled(*ctx_, e), standing, std::move(origin));
}

void Tracer::declare_range(const SymInt& s, std::optional<Integer> lo, std::optional<Integer> hi, Standing standing) {
  if (lo) declare(s >= SymInt(*lo), standing, "declared range");
  if (hi) declare(s <= SymInt(*hi), standing, "declared range");
}

void Tracer::declare_divisible(const SymInt& s, const Integer& by, Standing standing) {
  if (by.is_zero()) throw TraceError("nothing is divisible by 0", place(std::source_location::current()));
  declare(s % SymInt(by) == 0, standing, "declared divisible");
}

void Tracer::declare_equal(const SymInt& a, const SymInt& b, Standing standing) {
  declare(a == b, standing, "declared equal");
}

SymInt Tracer::declare_static(const SymInt& s, const Integer& value, Standing standing) {
  declare(s == SymInt(value), standing, "declared static");
  return SymInt(value);
}

void Tracer::assume_soft(const SymBool& p) {
  if (!p.is_const()) impl_->soft.push_back(p.expr(*ctx_));
}

}  // namespace dimgate
