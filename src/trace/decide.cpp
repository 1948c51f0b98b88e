// Decisions: known, else the hints' branch with a guard, else a soft assumption with a run-time assert, else an error.
#include <cassert>

#include "dimgate/trace.hpp"
#include "trace/spelling.hpp"
#include "trace/tracer_impl.hpp"

namespace dimgate {

namespace {

constexpr Budget kVerdictOnly{.counterexample = false};

/// `B=2, L=7` of a formula's symbols, for messages.
std::string values_of(Tracer& t, Expr e) {
  std::string out;
  for (const Expr s : symbols_of(t.context(), e)) {
    const HintValue h = SymOps::impl(t).hints.get(s);
    if (!out.empty()) out += ", ";
    out += t.context().symbol_name(s) + (h.has_value() ? "=" + h.value.to_string() : " (no value)");
  }
  return out;
}

std::string why(std::string_view op, std::string_view reason) {
  if (op.empty()) return std::string(reason.empty() ? "branch taken" : reason);
  return std::string(op) + ": " + std::string(reason.empty() ? "a branch of the rule" : reason);
}

}  // namespace

Expr SymOps::zero_divisor(Tracer& t, Expr e) {
  Context& ctx = t.context();
  const std::uint32_t mark = ctx.next_mark();
  std::vector<Expr> seen{e};
  e.node()->mark = mark;
  for (std::size_t i = 0; i < seen.size(); ++i)
    for (std::size_t k = 0; k < seen[i].size(); ++k)
      if (seen[i][k].node()->mark != mark) {
        seen[i][k].node()->mark = mark;
        seen.push_back(seen[i][k]);
      }
  for (const Expr s : seen) {
    Expr divisor;
    if (s.is(Op::FloorDiv) || s.is(Op::Mod) || s.is(Op::CeilDiv)) divisor = s[1];
    if (s.is(Op::Divides)) divisor = s[0];
    if (!divisor) continue;
    const HintValue h = hint_of(t, divisor);
    if (h.has_value() && h.value.is_zero()) return divisor;
  }
  return {};
}

bool SymOps::decide(Tracer& t, Expr c, std::source_location at, std::string_view reason, const Unbacked& unbacked) {
  Tracer::Impl& impl = *t.impl_;
  Context& ctx = t.context();
  // The branch taken is noted as well, so that the opposite question finds it: its own branch is this one.
  Expr branch;
  const auto choose = [&](bool value) { branch = value ? c : ctx.negate(c); };
  const auto conclude = [&](bool value) {
    impl.note(c, value);
    impl.note(branch, true);
    return value;
  };
  const auto record = [&](bool value, bool runtime_assert) {
    Guard g;
    g.formula = spelled(ctx, branch);
    g.kind = kind_of(ctx, branch);
    g.where = t.place(at);
    g.reason = why(t.scope_op_, reason);
    g.cost = estimated_cost(ctx, branch);
    g.runtime_assert = runtime_assert;
    impl.path.assume(branch, Standing::assumed, g.reason);
    if (runtime_assert) {
      ++t.statistics_.asserts;
      ProgramNode n{.op = "assert", .where = g.where};
      n.attributes.push_back({"condition", {where(SymBool(t, branch), 1, 0)}});
      t.program_.add_node(std::move(n));
    } else {
      ++t.statistics_.recorded;
    }
    t.guards_.add(std::move(g));
    return conclude(value);
  };

  const HintValue h = hint_of(t, c);
  if (h.has_value()) {
    // Facts and guards hold at the hints, so only the hints' branch can be implied: one question.
    const bool value = !h.value.is_zero();
    choose(value);
    if (impl.decision(branch) == Tracer::Impl::Decided::yes_true) {
      ++t.statistics_.repeated;
      return conclude(value);
    }
    if (t.prover().prove(impl.path, branch, kVerdictOnly).proved()) {
      ++t.statistics_.known;
      return conclude(value);
    }
    return record(value, false);
  }
  if (h.state == HintValue::State::undefined) {
    const Expr divisor = zero_divisor(t, c);
    t.shape_error("division by zero in `" + spelled_text(ctx, c) + "`" +
                      (divisor ? ": the divisor " + spelled_text(ctx, divisor) + " is 0" : std::string()) + " at " +
                      values_of(t, c),
                  at);
  }
  for (const bool value : {true, false}) {
    choose(value);
    if (impl.decision(branch) == Tracer::Impl::Decided::yes_true) {
      ++t.statistics_.repeated;
      return conclude(value);
    }
    if (t.prover().prove(impl.path, branch, kVerdictOnly).proved()) {
      ++t.statistics_.known;
      return conclude(value);
    }
  }
  if (unbacked.use_soft && !impl.soft.empty()) {
    impl.path.push();
    for (const Expr s : impl.soft) impl.path.assume(s, Standing::assumed, "soft assumption");
    std::optional<bool> value;
    for (const bool v : {true, false})
      if (!value && t.prover().prove(impl.path, v ? c : ctx.negate(c), kVerdictOnly).proved()) value = v;
    impl.path.pop();
    if (value) {
      choose(*value);
      return record(*value, true);
    }
  }
  if (unbacked.fallback) {
    choose(*unbacked.fallback);
    return record(*unbacked.fallback, true);
  }
  const std::string text = spelled_text(ctx, c);
  throw TraceError("cannot decide `" + text + "`: " + values_of(t, c) + "; declare `" + text + "` or `" +
                       spelled_text(ctx, ctx.negate(c)) + "`, or give a default",
                   t.place(at));
}

bool Tracer::decide(const SymBool& p, std::string_view reason) {
  ++statistics_.decisions;
  if (p.is_const()) return p.constant();
  SymOps::same(this, p.tracer_);
  const Impl::Decided d = impl_->decision(p.id_);
  if (d != Impl::Decided::no) {
    ++statistics_.repeated;
    return d == Impl::Decided::yes_true;
  }
  return SymOps::decide(*this, Expr(p.node_), p.at_, reason, {});
}

bool Tracer::decide_or(const SymBool& p, bool fallback, std::string_view reason) {
  ++statistics_.decisions;
  if (p.is_const()) return p.constant();
  SymOps::same(this, p.tracer_);
  const Impl::Decided d = impl_->decision(p.id_);
  if (d != Impl::Decided::no) {
    ++statistics_.repeated;
    return d == Impl::Decided::yes_true;
  }
  return SymOps::decide(*this, Expr(p.node_), p.at_, reason, {.fallback = fallback});
}

void Tracer::require(const SymBool& p, const std::function<std::string()>& message, std::string_view reason) {
  ++statistics_.decisions;
  if (!p.is_const()) SymOps::same(this, p.tracer_);
  bool value;
  if (p.is_const()) {
    value = p.constant();
  } else if (const Impl::Decided d = impl_->decision(p.id_); d != Impl::Decided::no) {
    ++statistics_.repeated;
    value = d == Impl::Decided::yes_true;
  } else {
    const HintValue h = SymOps::hint_of(*this, Expr(p.node_));
    // Eager fails here: no guard is worth recording on the way out.
    value = !(h.has_value() && h.value.is_zero()) &&
            SymOps::decide(*this, Expr(p.node_), p.at_, reason, {.fallback = true, .use_soft = false});
  }
  if (!value) shape_error(message(), p.at_);
}

std::optional<bool> Tracer::known(const SymBool& p) {
  if (p.is_const()) return p.constant();
  SymOps::same(this, p.tracer_);
  const Expr c(p.node_);
  const Impl::Decided d = impl_->decision(c);
  if (d != Impl::Decided::no) return d == Impl::Decided::yes_true;
  const HintValue h = SymOps::hint_of(*this, c);
  for (const bool value : {true, false}) {
    if (h.has_value() && h.value.is_zero() == value) continue;
    const Expr branch = value ? c : ctx_->negate(c);
    if (impl_->decision(branch) != Impl::Decided::yes_true &&
        !prover_->prove(impl_->path, branch, kVerdictOnly).proved())
      continue;
    impl_->note(c, value);
    impl_->note(branch, true);
    return value;
  }
  return std::nullopt;
}

std::int64_t Tracer::to_int(const SymInt& s, std::source_location at, std::string_view reason) {
  const auto fit = [&](const Integer& v) {
    const std::optional<std::int64_t> n = v.to_int64();
    if (!n) shape_error(s.to_string() + " = " + v.to_string() + " does not fit a 64-bit integer", at);
    return *n;
  };
  if (s.is_const()) return fit(s.constant());
  SymOps::same(this, s.tracer());
  if (reason.empty()) reason = "taken as a number";
  const HintValue h = SymOps::hint_of(*this, s);
  if (h.has_value()) {
    const std::int64_t n = fit(h.value);
    const bool is_that = decide(SymOps::compare(Op::Eq, s, n, at), reason);
    assert(is_that);
    (void)is_that;
    return n;
  }
  if (h.state == HintValue::State::undefined) {
    const Expr divisor = SymOps::zero_divisor(*this, s.term());
    shape_error("division by zero in `" + s.to_string() + "`" +
                    (divisor ? ": the divisor " + spelled_text(*ctx_, divisor) + " is 0" : std::string()),
                at);
  }
  const Bounds b = prover_->bound(impl_->path, s.term());
  if (!b.empty && b.interval.is_point() && decide_or(SymOps::compare(Op::Eq, s, *b.interval.lo, at), true, reason))
    return fit(*b.interval.lo);
  throw TraceError("`" + s.to_string() + "` is needed as a number, but " + values_of(*this, s.term()) +
                       "; declare its value (`" + s.to_string() + " == …`)",
                   place(at));
}

std::optional<Integer> Tracer::hint(const SymInt& s) {
  HintValue h = SymOps::hint_of(*this, s);
  return h.has_value() ? std::optional(std::move(h.value)) : std::nullopt;
}

std::optional<bool> Tracer::hint(const SymBool& p) {
  if (p.is_const()) return p.constant();
  const HintValue h = SymOps::hint_of(*this, Expr(p.node_));
  return h.has_value() ? std::optional(!h.value.is_zero()) : std::nullopt;
}

}  // namespace dimgate
