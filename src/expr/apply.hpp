// What one operator makes of its operands' values at a point: three-valued, over any number type, in the words of
// docs/guard-language.md. Int and Bool only. `Checked` computes in int64 and says where that overflows, `Exact` in
// Integers. PointEvaluator and `value_at` are built on it; tests/prove/points_test.cpp and tests/expr/evaluate_test.cpp
// compare them with the reference, which is not.
#pragma once

#include <cstdint>

#include "dimgate/expr.hpp"

namespace dimgate::point {

enum class State : std::uint8_t { undefined, number, no, yes };

template <class N>
struct Cell {
  N v;
  State state;
};

struct Checked {
  using Number = std::int64_t;
  static bool add(Number& a, Number b) { return !__builtin_add_overflow(a, b, &a); }
  static bool subtract(Number& a, Number b) { return !__builtin_sub_overflow(a, b, &a); }
  static bool multiply(Number& a, Number b) { return !__builtin_mul_overflow(a, b, &a); }
  static bool zero(Number a) { return a == 0; }
  static bool quotient(Number& out, Number a, Number b) {
    if (b == -1) return out = 0, subtract(out, a);
    const Number q = a / b;
    out = q - static_cast<Number>(a % b != 0 && (a < 0) != (b < 0));
    return true;
  }
  static Number remainder(Number a, Number b) {
    if (b == -1) return 0;
    const Number r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
  }
  static bool power(Number&, Number, Number) { return false; }
};

struct Exact {
  using Number = Integer;
  static bool add(Integer& a, const Integer& b) { return a += b, true; }
  static bool subtract(Integer& a, const Integer& b) { return a -= b, true; }
  static bool multiply(Integer& a, const Integer& b) { return a *= b, true; }
  static bool zero(const Integer& a) { return a.is_zero(); }
  static bool quotient(Integer& out, const Integer& a, const Integer& b) { return out = floor_div(a, b), true; }
  static Integer remainder(const Integer& a, const Integer& b) { return floor_mod(a, b); }
  static bool power(Integer& out, const Integer& a, const Integer& b) {
    return out = pow(a, static_cast<unsigned>(b.small())), true;
  }
};

/// `arg(i)`: the operand's cell, never `out`. `guarded`: the operator is strict and an operand may be undefined.
/// false: the result does not fit the number.
template <class A, class Args>
[[gnu::always_inline]] inline bool apply(Op op, bool guarded, std::uint32_t count, const Args& arg,
                                         Cell<typename A::Number>& out) {
  using Number = typename A::Number;
  for (std::uint32_t i = 0; guarded && i < count; ++i)
    if (arg(i).state == State::undefined) {
      out.state = State::undefined;
      return true;
    }
  const auto truth = [&](bool b) {
    out.state = b ? State::yes : State::no;
    return true;
  };
  const auto same = [](const Cell<Number>& a, const Cell<Number>& b) {
    return a.state == State::number ? a.v == b.v : a.state == b.state;
  };
  bool fits = true;
  switch (op) {
    case Op::Ite: {
      const Cell<Number>& c = arg(0);
      if (c.state == State::undefined)
        out.state = State::undefined;
      else
        out = c.state == State::yes ? arg(1) : arg(2);
      return true;
    }
    case Op::And:
    case Op::Or: {
      const State absorbing = op == Op::And ? State::no : State::yes;
      bool any_undefined = false;
      for (std::uint32_t i = 0; i < count; ++i) {
        if (arg(i).state == absorbing) {
          out.state = absorbing;
          return true;
        }
        any_undefined = any_undefined || arg(i).state == State::undefined;
      }
      out.state = any_undefined ? State::undefined : (op == Op::And ? State::yes : State::no);
      return true;
    }
    case Op::Implies: {
      if (arg(0).state == State::no || arg(1).state == State::yes)
        out.state = State::yes;
      else if (arg(0).state == State::undefined || arg(1).state == State::undefined)
        out.state = State::undefined;
      else
        out.state = State::no;
      return true;
    }
    case Op::Add:
      out.v = arg(0).v;
      for (std::uint32_t i = 1; i < count; ++i) fits = A::add(out.v, arg(i).v) && fits;
      break;
    case Op::Sub:
      out.v = arg(0).v;
      fits = A::subtract(out.v, arg(1).v);
      break;
    case Op::Neg:
      out.v = 0;
      fits = A::subtract(out.v, arg(0).v);
      break;
    case Op::Mul:
      out.v = arg(0).v;
      for (std::uint32_t i = 1; i < count; ++i) fits = A::multiply(out.v, arg(i).v) && fits;
      break;
    case Op::FloorDiv:
    case Op::Mod:
    case Op::CeilDiv: {
      if (A::zero(arg(1).v)) {
        out.state = State::undefined;
        return true;
      }
      if (op == Op::Mod) {
        out.v = A::remainder(arg(0).v, arg(1).v);
      } else if (op == Op::FloorDiv) {
        fits = A::quotient(out.v, arg(0).v, arg(1).v);
      } else {  // -((-a)//b)
        Number negated = 0, q = 0;
        fits = A::subtract(negated, arg(0).v) && A::quotient(q, negated, arg(1).v);
        out.v = 0;
        fits = fits && A::subtract(out.v, q);
      }
      break;
    }
    case Op::Pow:
      fits = A::power(out.v, arg(0).v, arg(1).v);
      break;
    case Op::Min:
    case Op::Max: {
      const Cell<Number>* best = &arg(0);
      for (std::uint32_t i = 1; i < count; ++i)
        if ((op == Op::Max) == (arg(i).v > best->v)) best = &arg(i);
      out.v = best->v;
      break;
    }
    case Op::Abs:
      out.v = arg(0).v;
      if (arg(0).v < 0) {
        out.v = 0;
        fits = A::subtract(out.v, arg(0).v);
      }
      break;
    case Op::Eq:
    case Op::Iff:
      return truth(same(arg(0), arg(1)));
    case Op::Ne:
      return truth(!same(arg(0), arg(1)));
    case Op::Lt:
      return truth(arg(0).v < arg(1).v);
    case Op::Le:
      return truth(arg(0).v <= arg(1).v);
    case Op::Gt:
      return truth(arg(0).v > arg(1).v);
    case Op::Ge:
      return truth(arg(0).v >= arg(1).v);
    case Op::Divides:
      if (!A::zero(arg(0).v)) return truth(A::zero(A::remainder(arg(1).v, arg(0).v)));
      out.state = State::undefined;
      return true;
    case Op::Distinct: {
      bool different = true;
      for (std::uint32_t i = 0; i < count && different; ++i)
        for (std::uint32_t j = i + 1; j < count && different; ++j) different = !same(arg(i), arg(j));
      return truth(different);
    }
    case Op::In: {
      bool found = false;
      for (std::uint32_t i = 1; i < count && !found; ++i) found = same(arg(0), arg(i));
      return truth(found);
    }
    case Op::Not:
      if (arg(0).state != State::undefined) return truth(arg(0).state == State::no);
      out.state = State::undefined;
      return true;
    default:
      out.state = State::undefined;
      return true;
  }
  out.state = State::number;
  return fits;
}

}  // namespace dimgate::point
