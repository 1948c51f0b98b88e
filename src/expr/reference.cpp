// See reference.hpp: the meaning of every operator, with nothing to make it fast.
#include "expr/reference.hpp"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string>
#include <unordered_map>

namespace dimgate {

using Kind = Value::Kind;

// Operands before operators, each node once: a depth-first walk with its own stack.
ReferenceEvaluator::ReferenceEvaluator(const Context& ctx, std::span<const Expr> roots) : ctx_(ctx) {
  std::unordered_map<Expr, std::size_t> place;
  std::vector<Expr> stack;
  for (const Expr root : roots) {
    stack.push_back(root);
    while (!stack.empty()) {
      const Expr e = stack.back();
      bool ready = true;
      for (std::size_t i = e.size(); i-- > 0 && !place.contains(e);)
        if (!place.contains(e[i])) {
          stack.push_back(e[i]);
          ready = false;
        }
      if (!ready) continue;
      stack.pop_back();
      if (place.contains(e)) continue;
      Step step{e, {}};
      for (std::size_t i = 0; i < e.size(); ++i) step.operands.push_back(place.at(e[i]));
      place.emplace(e, steps_.size());
      steps_.push_back(std::move(step));
    }
    roots_.push_back(place.at(root));
  }
  values_.resize(steps_.size());
}

const Value& ReferenceEvaluator::operator()(const Assignment& at) {
  for (std::size_t i = 0; i < steps_.size(); ++i)
    values_[i] = steps_[i].node.op() <= Op::Symbol ? leaf(steps_[i].node, at) : apply(steps_[i]);
  return values_[roots_.front()];
}

std::vector<Value> ReferenceEvaluator::all(const Assignment& at) {
  std::vector<Value> out;
  if (roots_.empty()) return out;
  (*this)(at);
  for (const std::size_t r : roots_) out.push_back(values_[r]);
  return out;
}

// A value of another sort than the symbol's is no value: the formula fails closed.
Value ReferenceEvaluator::leaf(Expr e, const Assignment& at) const {
  if (e.op() == Op::IntConst) return Value::of(e.integer());
  if (e.op() == Op::BoolConst) return Value::of(e.is_true());
  if (e.op() == Op::FloatConst) return Value::of_float_bits(e.float_bits());
  if (e.op() == Op::EnumConst) return Value::of_enum(ctx_.enum_name(e));
  const Value& v = at.get(e);
  const bool right_sort =
      (e.sort() == Sort::Int && v.kind == Kind::integer) || (e.sort() == Sort::Bool && v.kind == Kind::boolean) ||
      (e.sort() == Sort::Float && v.kind == Kind::floating) || (e.sort() == Sort::Enum && v.kind == Kind::enumeration);
  return right_sort ? v : Value::undefined();
}

Value ReferenceEvaluator::apply(const Step& s) const {
  const Op op = s.node.op();
  if (op == Op::Ite) return branch(s);
  if (op == Op::And || op == Op::Or || op == Op::Not || op == Op::Implies) return connective(s);
  for (std::size_t i = 0; i < s.operands.size(); ++i)
    if (arg(s, i).is_undefined()) return Value::undefined();
  return s.node.sort() == Sort::Int ? arithmetic(s) : relation(s);
}

Value ReferenceEvaluator::branch(const Step& s) const {
  if (arg(s, 0).is_undefined()) return Value::undefined();
  return arg(s, 0).is_true() ? arg(s, 1) : arg(s, 2);
}

// Strong Kleene: an operand that decides wins over an undefined one.
Value ReferenceEvaluator::connective(const Step& s) const {
  const std::size_t n = s.operands.size();
  switch (s.node.op()) {
    case Op::Not:
      return arg(s, 0).is_undefined() ? Value::undefined() : Value::of(arg(s, 0).is_false());
    case Op::Implies:
      if (arg(s, 0).is_false() || arg(s, 1).is_true()) return Value::of(true);
      if (arg(s, 0).is_true() && arg(s, 1).is_false()) return Value::of(false);
      return Value::undefined();
    case Op::And:
      for (std::size_t i = 0; i < n; ++i)
        if (arg(s, i).is_false()) return Value::of(false);
      for (std::size_t i = 0; i < n; ++i)
        if (arg(s, i).is_undefined()) return Value::undefined();
      return Value::of(true);
    default:  // Or
      for (std::size_t i = 0; i < n; ++i)
        if (arg(s, i).is_true()) return Value::of(true);
      for (std::size_t i = 0; i < n; ++i)
        if (arg(s, i).is_undefined()) return Value::undefined();
      return Value::of(false);
  }
}

namespace {

// The q with a == q*b + r where r lies between 0 and b, b left out. The division may come from anywhere: what makes q
// right is checked here.
Integer floor_quotient(const Integer& a, const Integer& b) {
  Integer q = floor_div(a, b);
  const Integer r = a - q * b;
  if (b.sign() > 0 ? (r.sign() < 0 || r >= b) : (r.sign() > 0 || r <= b)) std::abort();
  return q;
}

bool equal(const Value& a, const Value& b) {
  if (a.kind == Kind::floating) return std::bit_cast<double>(a.bits) == std::bit_cast<double>(b.bits);  // IEEE
  return a == b;
}

}  // namespace

Value ReferenceEvaluator::arithmetic(const Step& s) const {
  const std::size_t n = s.operands.size();
  const auto x = [&](std::size_t i) -> const Integer& { return arg(s, i).integer; };
  Integer v = x(0);
  switch (s.node.op()) {
    case Op::Add:
      for (std::size_t i = 1; i < n; ++i) v = v + x(i);
      return Value::of(v);
    case Op::Sub:
      return Value::of(x(0) - x(1));
    case Op::Neg:
      return Value::of(Integer(0) - x(0));
    case Op::Mul:
      for (std::size_t i = 1; i < n; ++i) v = v * x(i);
      return Value::of(v);
    case Op::FloorDiv:
      return x(1).is_zero() ? Value::undefined() : Value::of(floor_quotient(x(0), x(1)));
    case Op::Mod:
      return x(1).is_zero() ? Value::undefined() : Value::of(x(0) - x(1) * floor_quotient(x(0), x(1)));
    case Op::CeilDiv:
      if (x(1).is_zero()) return Value::undefined();
      return Value::of(Integer(0) - floor_quotient(Integer(0) - x(0), x(1)));
    case Op::Pow:
      v = 1;
      for (Integer i = 0; i < x(1); i = i + 1) v = v * x(0);
      return Value::of(v);
    case Op::Min:
      for (std::size_t i = 1; i < n; ++i) v = x(i) < v ? x(i) : v;
      return Value::of(v);
    case Op::Max:
      for (std::size_t i = 1; i < n; ++i) v = x(i) > v ? x(i) : v;
      return Value::of(v);
    case Op::Abs:
      return Value::of(x(0).sign() < 0 ? Integer(0) - x(0) : x(0));
    default:
      return Value::undefined();
  }
}

Value ReferenceEvaluator::relation(const Step& s) const {
  const std::size_t n = s.operands.size();
  const Value &a = arg(s, 0), &b = arg(s, n > 1 ? 1 : 0);
  switch (s.node.op()) {
    case Op::Eq:
    case Op::Iff:
      return Value::of(equal(a, b));
    case Op::Ne:
      return Value::of(!equal(a, b));
    case Op::Lt:
      return Value::of(a.integer < b.integer);
    case Op::Le:
      return Value::of(a.integer <= b.integer);
    case Op::Gt:
      return Value::of(a.integer > b.integer);
    case Op::Ge:
      return Value::of(a.integer >= b.integer);
    case Op::Divides:  // a | b
      if (a.integer.is_zero()) return Value::undefined();
      return Value::of(b.integer == a.integer * floor_quotient(b.integer, a.integer));
    case Op::In:
      for (std::size_t i = 1; i < n; ++i)
        if (equal(a, arg(s, i))) return Value::of(true);
      return Value::of(false);
    case Op::Distinct:
      return Value::of(distinct(s));
    case Op::SameBits:
      return Value::of(a.bits == b.bits);
    case Op::IsNan:
      return Value::of(std::isnan(std::bit_cast<double>(a.bits)));
    default:
      return Value::undefined();
  }
}

bool ReferenceEvaluator::distinct(const Step& s) const {
  std::set<Integer> integers;
  std::set<double> numbers;  // -0.0 is 0.0 there too
  std::set<std::string> names;
  for (std::size_t i = 0; i < s.operands.size(); ++i) {
    const Value& v = arg(s, i);
    const double number = std::bit_cast<double>(v.bits);
    bool fresh = true;
    if (v.kind == Kind::integer) fresh = integers.insert(v.integer).second;
    if (v.kind == Kind::boolean) fresh = integers.insert(v.is_true() ? 1 : 0).second;
    if (v.kind == Kind::floating && !std::isnan(number)) fresh = numbers.insert(number).second;  // nan equals nothing
    if (v.kind == Kind::enumeration) fresh = names.insert(v.name).second;
    if (!fresh) return false;
  }
  return true;
}

Value evaluate(const Context& ctx, Expr e, const Assignment& at) { return ReferenceEvaluator(ctx, e)(at); }

}  // namespace dimgate
