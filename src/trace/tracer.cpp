// A Tracer's symbols, places and boundary.
#include "dimgate/trace.hpp"
#include "trace/tracer_impl.hpp"

namespace dimgate {

Tracer::Tracer(Context& ctx, Prover& prover)
    : ctx_(&ctx), prover_(&prover), declared_(ctx), impl_(std::make_unique<Impl>(ctx)) {}
Tracer::~Tracer() = default;

// ---- symbols --------------------------------------------------------------------------------

SymInt Tracer::size(std::string_view name, std::optional<Integer> hint) {
  const SymInt s = integer(name, std::move(hint));
  const HintValue h = impl_->hints.get(s.term());
  if (h.has_value() && h.value.sign() < 0)
    throw TraceError("size " + std::string(name) + " cannot be " + h.value.to_string() + ": sizes are >= 0", {});
  if (!ctx_->is_size(s.term())) {  // a symbol of its own contradicts nothing: no question
    const Expr fact = (s >= 0).expr(*ctx_);
    declared_.assume(fact, Standing::intrinsic, "a size");
    impl_->path.assume(fact, Standing::intrinsic, "a size");
  }
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
    // No value was seen; one that most facts allow makes refutations cheap (the prover checks it first).
    impl_->path.set_witness(s, Value::of(2));
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
  } catch (const OutsideError& e) {
    return {TraceOutcome::Kind::outside, error(e)};
  } catch (const TraceError& e) {
    return {TraceOutcome::Kind::failed, error(e)};
  }
}

}  // namespace dimgate
