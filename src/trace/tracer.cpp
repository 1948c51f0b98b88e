// Decisions: known, else the hints' branch with a guard, else a soft assumption with a run-time assert, else an error.
#include <cassert>

#include "dimgate/trace.hpp"
#include "trace/spelling.hpp"
#include "trace/tracer_impl.hpp"

namespace dimgate {

namespace {

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

Tracer::Tracer(Context& ctx, Prover& prover)
    : ctx_(&ctx), prover_(&prover), declared_(ctx), impl_(std::make_unique<Impl>(ctx)) {}
Tracer::~Tracer() = default;

// ---- symbols --------------------------------------------------------------------------------

SymInt Tracer::size(std::string_view name, std::optional<Integer> hint) {
  const SymInt s = integer(name, std::move(hint));
  const HintValue h = impl_->hints.get(s.term());
  if (h.has_value() && h.value.sign() < 0)
    throw TraceError("size " + std::string(name) + " cannot be " + h.value.to_string() + ": sizes are >= 0", {});
  if (!ctx_->is_size(s.term())) declare(s >= 0, Standing::intrinsic, "a size");
  return s;
}

SymInt Tracer::integer(std::string_view name, std::optional<Integer> hint) {
  if (const Expr old = ctx_->find_symbol(name); old && old.sort() != Sort::Int)
    throw TraceError("symbol " + std::string(name) + " is not an integer", {});
  const Expr s = ctx_->symbol(name);
  if (impl_->hints.is_set(s)) throw TraceError("symbol " + std::string(name) + " was made twice", {});
  if (hint) {
    impl_->path.set_witness(s, Value::of(*hint));
    impl_->hints.set(s, HintValue::of(*std::move(hint)));
  } else {
    impl_->hints.set(s, HintValue::unbacked());
    impl_->has_unbacked = true;
  }
  return SymInt(*this, s);
}

namespace {
Result<Expr> read(Tracer& t, std::string_view text, Sort sort) {
  Result<Expr> e = parse(t.context(), text, {.declared_only = true});
  if (e.ok() && e->sort() != sort)
    return Error{sort == Sort::Int ? "an integer term is needed here, not a truth value"
                                   : "a formula is needed here, such as `L % 8 == 0`"};
  return e;
}
}  // namespace

Result<SymInt> Tracer::term(std::string_view text) {
  Result<Expr> e = read(*this, text, Sort::Int);
  if (!e.ok()) return e.error();
  return SymInt(*this, *e);
}

Result<SymBool> Tracer::formula(std::string_view text) {
  Result<Expr> e = read(*this, text, Sort::Bool);
  if (!e.ok()) return e.error();
  return SymBool(*this, *e);
}

// ---- decisions ------------------------------------------------------------------------------

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
  const auto conclude = [&](bool value) {
    impl.note(c, value);
    impl.note(ctx.negate(c), !value);
    return value;
  };
  const auto record = [&](bool value, bool runtime_assert) {
    const Expr branch = value ? c : ctx.negate(c);
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
    if (t.prover().prove(impl.path, value ? c : ctx.negate(c)).proved()) {
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
  for (const bool value : {true, false})
    if (t.prover().prove(impl.path, value ? c : ctx.negate(c)).proved()) {
      ++t.statistics_.known;
      return conclude(value);
    }
  if (unbacked.use_soft && !impl.soft.empty()) {
    impl.path.push();
    for (const Expr s : impl.soft) impl.path.assume(s, Standing::assumed, "soft assumption");
    std::optional<bool> value;
    for (const bool v : {true, false})
      if (!value && t.prover().prove(impl.path, v ? c : ctx.negate(c)).proved()) value = v;
    impl.path.pop();
    if (value) return record(*value, true);
  }
  if (unbacked.fallback) return record(*unbacked.fallback, true);
  const std::string text = spelled_text(ctx, c);
  throw TraceError("cannot decide `" + text + "`: " + values_of(t, c) + "; declare `" + text + "` or `" +
                       spelled_text(ctx, ctx.negate(c)) + "`, or give a default",
                   t.place(at));
}

bool Tracer::decide(const SymBool& p, std::string_view reason) {
  ++statistics_.decisions;
  if (p.is_const()) return p.constant();
  const Impl::Decided d = impl_->decision(Expr(p.node_));
  if (d != Impl::Decided::no) {
    ++statistics_.repeated;
    return d == Impl::Decided::yes_true;
  }
  return SymOps::decide(*this, Expr(p.node_), p.at_, reason, {});
}

bool Tracer::decide_or(const SymBool& p, bool fallback, std::string_view reason) {
  ++statistics_.decisions;
  if (p.is_const()) return p.constant();
  const Impl::Decided d = impl_->decision(Expr(p.node_));
  if (d != Impl::Decided::no) {
    ++statistics_.repeated;
    return d == Impl::Decided::yes_true;
  }
  return SymOps::decide(*this, Expr(p.node_), p.at_, reason, {.fallback = fallback});
}

void Tracer::require(const SymBool& p, const std::function<std::string()>& message, std::string_view reason) {
  ++statistics_.decisions;
  bool value;
  if (p.is_const()) {
    value = p.constant();
  } else if (const Impl::Decided d = impl_->decision(Expr(p.node_)); d != Impl::Decided::no) {
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
  const Expr c(p.node_);
  const Impl::Decided d = impl_->decision(c);
  if (d != Impl::Decided::no) return d == Impl::Decided::yes_true;
  const HintValue h = SymOps::hint_of(*this, c);
  for (const bool value : {true, false}) {
    if (h.has_value() && h.value.is_zero() == value) continue;
    if (!prover_->prove(impl_->path, value ? c : ctx_->negate(c)).proved()) continue;
    impl_->note(c, value);
    impl_->note(ctx_->negate(c), !value);
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

// ---- places ---------------------------------------------------------------------------------

Location Tracer::place(std::source_location at) const { return scope_place_ ? *scope_place_ : Location::here(at); }

void Tracer::shape_error(const std::string& message, std::source_location at) const {
  throw ShapeError(scope_op_.empty() ? message : scope_op_ + ": " + message, place(at));
}

Tracer::Scope::Scope(Tracer& tracer, std::string_view op, std::source_location at)
    : Scope(tracer, op, tracer.scope_place_ ? Location{} : Location::here(at)) {}

Tracer::Scope::Scope(Tracer& tracer, std::string_view op, Location at)
    : tracer_(&tracer), saved_op_(std::move(tracer.scope_op_)), owns_place_(!tracer.scope_place_) {
  tracer.scope_op_ = op;
  if (owns_place_) tracer.scope_place_ = std::move(at);
}

Tracer::Scope::~Scope() {
  tracer_->scope_op_ = std::move(saved_op_);
  if (owns_place_) tracer_->scope_place_.reset();
}

TraceOutcome Tracer::run(const std::function<void()>& body) {
  const auto error = [](const TraceError& e) { return Error{e.what(), e.where().file, e.where().line, 0}; };
  try {
    body();
    return {};
  } catch (const ShapeError& e) {
    return {TraceOutcome::Kind::rejected, error(e)};
  } catch (const TraceError& e) {
    return {TraceOutcome::Kind::failed, error(e)};
  }
}

}  // namespace dimgate
