// Values under the hints: of an operator from its operands', of any term by the reference evaluator.
#include "trace/hint_table.hpp"

#include <cassert>

#include "dimgate/trace.hpp"
#include "expr/evaluate.hpp"
#include "trace/tracer_impl.hpp"

namespace dimgate {

namespace {

bool holds(Op op, const Integer& a, const Integer& b) {
  switch (op) {
    case Op::Eq:
      return a == b;
    case Op::Ne:
      return a != b;
    case Op::Lt:
      return a < b;
    case Op::Le:
      return a <= b;
    case Op::Gt:
      return a > b;
    default:
      assert(op == Op::Ge);
      return a >= b;
  }
}

Integer compute(Op op, const Integer& a, const Integer& b) {
  switch (op) {
    case Op::Add:
      return a + b;
    case Op::Sub:
      return a - b;
    case Op::Mul:
      return a * b;
    case Op::FloorDiv:
      return floor_div(a, b);
    case Op::Mod:
      return floor_mod(a, b);
    case Op::CeilDiv:
      return ceil_div(a, b);
    case Op::Min:
      return a < b ? a : b;
    default:
      assert(op == Op::Max);
      return a < b ? b : a;
  }
}

/// Values of more bits are refused: the compiled guard could not hold them, and squaring in a loop would eat all
/// memory.
constexpr unsigned kMaxBits = 4096;

Integer bounded(Integer v) {
  if (v.bit_length() > kMaxBits)
    throw TraceError("a value of more than " + std::to_string(kMaxBits) + " bits came up", {});
  return v;
}

bool divides_by(Op op) { return op == Op::FloorDiv || op == Op::Mod || op == Op::CeilDiv; }
bool compares(Op op) { return op >= Op::Eq && op <= Op::Ge; }

}  // namespace

HintValue apply(Op op, const HintValue& a, const HintValue& b) {
  using State = HintValue::State;
  if (divides_by(op) && b.has_value() && b.value.is_zero()) return HintValue::undefined();
  if (a.state == State::undefined || b.state == State::undefined) return HintValue::undefined();
  if (!a.has_value() || !b.has_value()) return HintValue::unbacked();
  if (compares(op)) return HintValue::of(holds(op, a.value, b.value) ? 1 : 0);
  return HintValue::of(bounded(compute(op, a.value, b.value)));
}

HintValue SymOps::hint_of(Tracer& t, const SymInt& s) {
  return s.is_const() ? HintValue::of(s.constant()) : hint_of(t, s.term());
}

HintValue SymOps::hint_of(Tracer& t, Expr e) {
  Tracer::Impl& impl = *t.impl_;
  if (e.is(Op::IntConst)) return HintValue::of(e.integer());
  if (e.is(Op::BoolConst)) return HintValue::of(e.is_true() ? 1 : 0);
  if (impl.hints.is_set(e)) return impl.hints.get(e);
  // Not built by SymInt arithmetic (text, if-then-else): ask the reference evaluator.
  Context& ctx = t.context();
  Assignment at;
  HintValue result;
  for (const Expr s : symbols_of(ctx, e)) {
    const HintValue h = impl.hints.get(s);
    if (!h.has_value()) {
      result = HintValue::unbacked();
      break;
    }
    at.set(s, s.sort() == Sort::Bool ? Value::of(!h.value.is_zero()) : Value::of(h.value));
  }
  if (result.state == HintValue::State::unset) {
    const Value v = value_at(ctx, e, at);
    if (v.kind == Value::Kind::integer)
      result = HintValue::of(v.integer);
    else if (v.kind == Value::Kind::boolean)
      result = HintValue::of(v.is_true() ? 1 : 0);
    else
      result = v.is_undefined() ? HintValue::undefined() : HintValue::unbacked();
  }
  impl.hints.set(e, result);
  return result;
}

}  // namespace dimgate
