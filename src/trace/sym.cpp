// SymInt and SymBool: constants are computed, terms are built canonically and remembered.
#include "dimgate/sym.hpp"

#include <stdexcept>

#include "dimgate/trace.hpp"
#include "trace/spelling.hpp"
#include "trace/tracer_impl.hpp"

namespace dimgate {

namespace {

OpMemo::Key key_of(Op op, const SymInt& a, const SymInt& b) {
  const auto word = [](const SymInt& s) {
    return s.is_const() ? static_cast<std::uint64_t>(s.constant().small())
                        : static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(s.term().node()));
  };
  const unsigned tag = (static_cast<unsigned>(op) << 2U) | (a.is_const() ? 2U : 0U) | (b.is_const() ? 1U : 0U);
  return {word(a), word(b), static_cast<std::uint16_t>(tag)};
}

/// Of two operands, one of which is no constant.
Tracer& tracer_of(const SymInt& a, const SymInt& b) {
  if (a.is_const()) return *b.tracer();
  if (!b.is_const()) SymOps::same(a.tracer(), b.tracer());
  return *a.tracer();
}

[[noreturn]] void constant_division_by_zero(const SymInt& a, std::source_location at) {
  const std::string message = "division by zero: the divisor of " + a.to_string() + " is 0";
  if (a.tracer() != nullptr) a.tracer()->shape_error(message, at);
  throw ShapeError(message, Location::here(at));
}

}  // namespace

void SymOps::mixed(const Tracer*, const Tracer*) {
  throw std::logic_error("symbols of two tracers met in one term or decision: each belongs to the trace that made it");
}

// ---- building -------------------------------------------------------------------------------

SymInt SymOps::from_node(Tracer& t, const OpMemo::Made& made) {
  SymInt r;
  if (made.constant) {
    r.value_ = *made.node->integer;
  } else {
    r.node_ = made.node;
    r.tracer_ = &t;
  }
  return r;
}

OpMemo::Made SymOps::make(Tracer& t, Op op, const SymInt& a, const SymInt& b) {
  Tracer::Impl& impl = *t.impl_;
  const bool keyed = (!a.is_const() || a.constant().is_small()) && (!b.is_const() || b.constant().is_small());
  OpMemo::Key key;
  if (keyed) {
    key = key_of(op, a, b);
    if (const OpMemo::Made known = impl.memo.find(key); known.node != nullptr) return known;
  }
  Context& ctx = t.context();
  const Expr x = a.expr(ctx), y = b.expr(ctx);
  Expr r;
  switch (op) {
    case Op::Add:
      r = ctx.add(x, y);
      break;
    case Op::Sub:
      r = ctx.sub(x, y);
      break;
    case Op::Mul:
      r = ctx.mul(x, y);
      break;
    case Op::FloorDiv:
      r = ctx.floor_div(x, y);
      break;
    case Op::Mod:
      r = ctx.mod(x, y);
      break;
    case Op::CeilDiv:
      r = ctx.canonical(ctx.make(Op::CeilDiv, {x, y}));
      break;
    case Op::Min:
      r = ctx.min(x, y);
      break;
    case Op::Max:
      r = ctx.max(x, y);
      break;
    default:
      r = ctx.compare(op, x, y);
      break;
  }
  if (!r.is_const() && !impl.hints.is_set(r)) impl.hints.set(r, apply(op, hint_of(t, a), hint_of(t, b)));
  const OpMemo::Made made = OpMemo::Made::of(r);
  if (keyed) impl.memo.insert(key, made);
  return made;
}

SymInt SymOps::arithmetic(Op op, const SymInt& a, const SymInt& b) {
  if (a.is_const() && b.is_const())
    return SymInt(apply(op, HintValue::of(a.constant()), HintValue::of(b.constant())).value);
  Tracer& t = tracer_of(a, b);
  return from_node(t, make(t, op, a, b));
}

SymBool SymOps::compare(Op op, const SymInt& a, const SymInt& b, std::source_location at) {
  if (a.is_const() && b.is_const())
    return SymBool(!apply(op, HintValue::of(a.constant()), HintValue::of(b.constant())).value.is_zero(), at);
  Tracer& t = tracer_of(a, b);
  const OpMemo::Made made = make(t, op, a, b);
  if (made.constant) return SymBool(Expr(made.node).is_true(), at);
  SymBool r(false, at);
  r.node_ = made.node;
  r.id_ = made.id;
  r.tracer_ = &t;
  return r;
}

SymInt SymOps::divide(Op op, const Located& a, const Located& b) {
  if (b.value.is_const()) {
    if (b.value.constant().is_zero()) constant_division_by_zero(a.value, b.at);
    return arithmetic(op, a.value, b.value);
  }
  Tracer& t = *b.value.tracer();
  const HintValue h = hint_of(t, b.value);
  const SymBool nonzero = compare(Op::Ne, b.value, 0, b.at);
  const auto fail = [&] { t.shape_error("division by zero: the divisor " + b.value.to_string() + " is 0", b.at); };
  if (h.has_value() && h.value.is_zero()) fail();
  if (!t.decide(nonzero, "a divisor is not 0")) fail();
  return arithmetic(op, a.value, b.value);
}

// ---- handles --------------------------------------------------------------------------------

SymInt::SymInt(Tracer& tracer, Expr e) {
  const Expr c = tracer.context().canonical(e);
  *this = SymOps::from_node(tracer, OpMemo::Made::of(c));
}

std::int64_t SymInt::to_int(std::source_location at) const {
  if (tracer_ != nullptr) return tracer_->to_int(*this, at);
  const std::optional<std::int64_t> v = value_.to_int64();
  if (!v) throw ShapeError(value_.to_string() + " does not fit a 64-bit integer", Location::here(at));
  return *v;
}

std::optional<Integer> SymInt::hint() const { return is_const() ? std::optional(value_) : tracer_->hint(*this); }

std::string SymInt::to_string() const {
  return is_const() ? value_.to_string() : spelled_text(tracer_->context(), term());
}

SymInt& SymInt::operator+=(const SymInt& b) { return *this = *this + b; }
SymInt& SymInt::operator-=(const SymInt& b) { return *this = *this - b; }
SymInt& SymInt::operator*=(const SymInt& b) { return *this = *this * b; }

SymBool::SymBool(Tracer& tracer, Expr e, std::source_location at) : at_(at) {
  const Expr c = tracer.context().canonical(e);
  if (c.is(Op::BoolConst)) {
    value_ = c.is_true();
  } else {
    node_ = c.node();
    id_ = c.id();
    tracer_ = &tracer;
  }
}

bool SymBool::decide() const { return tracer_->decide(*this); }
std::optional<bool> SymBool::known() const { return is_const() ? std::optional(value_) : tracer_->known(*this); }
std::optional<bool> SymBool::hint() const { return is_const() ? std::optional(value_) : tracer_->hint(*this); }
bool SymBool::value_or(bool fallback) const { return is_const() ? value_ : tracer_->decide_or(*this, fallback); }
std::string SymBool::to_string() const {
  if (is_const()) return value_ ? "True" : "False";
  return spelled_text(tracer_->context(), Expr(node_));
}

// ---- operators ------------------------------------------------------------------------------

SymInt operator+(const SymInt& a, const SymInt& b) { return SymOps::arithmetic(Op::Add, a, b); }
SymInt operator-(const SymInt& a, const SymInt& b) { return SymOps::arithmetic(Op::Sub, a, b); }
SymInt operator*(const SymInt& a, const SymInt& b) { return SymOps::arithmetic(Op::Mul, a, b); }
SymInt operator-(const SymInt& a) { return SymOps::arithmetic(Op::Sub, 0, a); }
SymInt operator/(const Located& a, const Located& b) { return SymOps::divide(Op::FloorDiv, a, b); }
SymInt operator%(const Located& a, const Located& b) { return SymOps::divide(Op::Mod, a, b); }
SymInt ceildiv(const Located& a, const Located& b) { return SymOps::divide(Op::CeilDiv, a, b); }
SymInt min(const SymInt& a, const SymInt& b) { return SymOps::arithmetic(Op::Min, a, b); }
SymInt max(const SymInt& a, const SymInt& b) { return SymOps::arithmetic(Op::Max, a, b); }
SymInt abs(const SymInt& a) {
  if (a.is_const()) return SymInt(abs(a.constant()));
  return SymInt(*a.tracer(), a.tracer()->context().make(Op::Abs, {a.term()}));
}

SymInt where(const SymBool& condition, const SymInt& a, const SymInt& b) {
  if (condition.is_const()) return condition.constant() ? a : b;
  Tracer& t = *condition.tracer();
  for (const SymInt* value : {&a, &b})
    if (!value->is_const()) SymOps::same(&t, value->tracer());
  Context& ctx = t.context();
  return SymInt(t, ctx.make(Op::Ite, {condition.expr(ctx), a.expr(ctx), b.expr(ctx)}));
}

SymBool operator==(const Located& a, const Located& b) { return SymOps::compare(Op::Eq, a.value, b.value, a.at); }
SymBool operator!=(const Located& a, const Located& b) { return SymOps::compare(Op::Ne, a.value, b.value, a.at); }
SymBool operator<(const Located& a, const Located& b) { return SymOps::compare(Op::Lt, a.value, b.value, a.at); }
SymBool operator<=(const Located& a, const Located& b) { return SymOps::compare(Op::Le, a.value, b.value, a.at); }
SymBool operator>(const Located& a, const Located& b) { return SymOps::compare(Op::Gt, a.value, b.value, a.at); }
SymBool operator>=(const Located& a, const Located& b) { return SymOps::compare(Op::Ge, a.value, b.value, a.at); }

SymBool operator!(const SymBool& p) {
  if (p.is_const()) return SymBool(!p.constant(), p.at());
  Tracer& t = *p.tracer();
  return SymBool(t, t.context().negate(p.expr(t.context())), p.at());
}

SymBool sym_and(const SymBool& a, const SymBool& b) {
  if (a.is_const()) return a.constant() ? b : a;
  if (b.is_const()) return b.constant() ? a : b;
  Tracer& t = *a.tracer();
  SymOps::same(&t, b.tracer());
  const Expr parts[] = {a.expr(t.context()), b.expr(t.context())};
  return SymBool(t, t.context().conj(parts), a.at());
}

SymBool sym_or(const SymBool& a, const SymBool& b) {
  if (a.is_const()) return a.constant() ? a : b;
  if (b.is_const()) return b.constant() ? b : a;
  Tracer& t = *a.tracer();
  SymOps::same(&t, b.tracer());
  const Expr parts[] = {a.expr(t.context()), b.expr(t.context())};
  return SymBool(t, t.context().disj(parts), a.at());
}

std::string to_string(const Shape& shape) {
  std::string out = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) out += (i == 0 ? "" : ", ") + shape[i].to_string();
  return out + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace dimgate
