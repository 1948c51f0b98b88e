#include "simplify/tape.hpp"

#include <bit>
#include <cmath>

namespace dimgate::simplify {

namespace {

using Cell = Tape::Cell;
using State = Tape::State;

Cell value(std::int64_t v) { return {v, State::value}; }
Cell truth(bool v) { return {v ? 1 : 0, State::value}; }
constexpr Cell kUndefined{0, State::undefined};
constexpr Cell kOverflow{0, State::overflow};

Cell add(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  return __builtin_add_overflow(a, b, &r) ? kOverflow : value(r);
}
Cell sub(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  return __builtin_sub_overflow(a, b, &r) ? kOverflow : value(r);
}
Cell mul(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  return __builtin_mul_overflow(a, b, &r) ? kOverflow : value(r);
}
Cell floor_div(std::int64_t a, std::int64_t b) {
  if (b == 0) return kUndefined;
  if (b == -1) return sub(0, a);
  const std::int64_t q = a / b;
  return value((a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q);
}
Cell mod(std::int64_t a, std::int64_t b) {
  if (b == 0) return kUndefined;
  if (b == -1) return value(0);
  const std::int64_t r = a % b;
  return value((r != 0 && ((r < 0) != (b < 0))) ? r + b : r);
}
Cell ceil_div(std::int64_t a, std::int64_t b) {
  if (b == 0) return kUndefined;
  if (b == -1) return sub(0, a);
  const std::int64_t q = a / b;
  return value((a % b != 0 && ((a < 0) == (b < 0))) ? q + 1 : q);
}

bool same(Sort sort, std::int64_t a, std::int64_t b) {
  if (sort == Sort::Float) return std::bit_cast<double>(a) == std::bit_cast<double>(b);
  return a == b;
}

Cell binary(Op op, Sort sort, Cell a, Cell b) {
  if (a.state != State::value) return a;
  if (b.state != State::value) return b;
  switch (op) {
    case Op::Add:
      return add(a.v, b.v);
    case Op::Sub:
      return sub(a.v, b.v);
    case Op::Mul:
      return mul(a.v, b.v);
    case Op::FloorDiv:
      return floor_div(a.v, b.v);
    case Op::Mod:
      return mod(a.v, b.v);
    case Op::CeilDiv:
      return ceil_div(a.v, b.v);
    case Op::Min:
      return value(a.v < b.v ? a.v : b.v);
    case Op::Max:
      return value(a.v > b.v ? a.v : b.v);
    case Op::Eq:
    case Op::Iff:
      return truth(same(sort, a.v, b.v));
    case Op::Ne:
      return truth(!same(sort, a.v, b.v));
    case Op::Lt:
      return truth(a.v < b.v);
    case Op::Le:
      return truth(a.v <= b.v);
    case Op::Gt:
      return truth(a.v > b.v);
    case Op::Ge:
      return truth(a.v >= b.v);
    case Op::Divides: {
      const Cell r = mod(b.v, a.v);
      return r.state == State::value ? truth(r.v == 0) : r;
    }
    case Op::SameBits:
      return truth(a.v == b.v);
    case Op::Pow: {
      if (b.v > 64 && a.v >= -1 && a.v <= 1) return value(a.v == -1 && b.v % 2 == 0 ? 1 : a.v);
      Cell r = value(1);
      for (std::int64_t k = 0; k < b.v && r.state == State::value; ++k) r = mul(r.v, a.v);
      return r;
    }
    default:
      return kOverflow;
  }
}

// Strong Kleene: `decides` wins over everything; overflow is "not known", undefined comes after it.
Cell junction(const Cell* args, std::uint32_t n, std::int64_t decides) {
  State worst = State::value;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (args[i].state == State::value && args[i].v == decides) return value(decides);
    if (args[i].state == State::overflow) worst = State::overflow;
    if (args[i].state == State::undefined && worst == State::value) worst = State::undefined;
  }
  return worst == State::value ? value(1 - decides) : Cell{0, worst};
}

Cell strict_list(Op op, Sort sort, const Cell* args, std::uint32_t n) {
  State worst = State::value;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (args[i].state == State::undefined) return kUndefined;
    if (args[i].state == State::overflow) worst = State::overflow;
  }
  if (worst != State::value) return kOverflow;
  if (op == Op::In) {
    for (std::uint32_t i = 1; i < n; ++i)
      if (same(sort, args[0].v, args[i].v)) return truth(true);
    return truth(false);
  }
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = i + 1; j < n; ++j)
      if (same(sort, args[i].v, args[j].v)) return truth(false);
  return truth(true);
}

Cell apply(Op op, Sort sort, const Cell* a, std::uint32_t n) {
  switch (op) {
    case Op::And:
      return junction(a, n, 0);
    case Op::Or:
      return junction(a, n, 1);
    case Op::Not:
      return a[0].state == State::value ? truth(a[0].v == 0) : a[0];
    case Op::Implies: {
      const Cell both[2] = {apply(Op::Not, sort, a, 1), a[1]};
      return junction(both, 2, 1);
    }
    case Op::Ite:
      return a[0].state != State::value ? a[0] : a[0].v != 0 ? a[1] : a[2];
    case Op::Neg:
      return binary(Op::Sub, sort, value(0), a[0]);
    case Op::Abs:
      return a[0].state != State::value ? a[0] : a[0].v < 0 ? sub(0, a[0].v) : a[0];
    case Op::IsNan:
      return a[0].state != State::value ? a[0] : truth(std::isnan(std::bit_cast<double>(a[0].v)));
    case Op::In:
    case Op::Distinct:
      return strict_list(op, sort, a, n);
    default:
      break;
  }
  // An undefined operand makes the result undefined even where another one overflows.
  for (std::uint32_t i = 0; i < n; ++i)
    if (a[i].state == State::undefined) return kUndefined;
  Cell r = a[0];
  for (std::uint32_t i = 1; i < n; ++i) r = binary(op, sort, r, a[i]);
  return r;
}

}  // namespace

Tape::Tape(Expr e) {
  if (e.node()->weight > kMaxTape) return;
  std::vector<std::pair<Expr, bool>> todo{{e, false}};
  while (!todo.empty()) {
    const auto [t, ready] = todo.back();
    todo.pop_back();
    Step step{t.op(), Sort::Int, static_cast<std::uint32_t>(t.size()), 0};
    switch (t.op()) {
      case Op::IntConst: {
        const auto v = t.integer().to_int64();
        if (!v) {
          code_.clear();
          return;
        }
        step.value = *v;
        break;
      }
      case Op::BoolConst:
        step.value = t.is_true() ? 1 : 0;
        break;
      case Op::FloatConst:
        step.value = static_cast<std::int64_t>(t.float_bits());
        break;
      case Op::EnumConst:
        step.value = t.index();
        break;
      case Op::Symbol:
        step.count = t.index();
        break;
      default:
        if (!ready) {
          todo.emplace_back(t, true);
          for (std::size_t i = t.size(); i-- > 0;) todo.emplace_back(t[i], false);
          continue;
        }
        if (t.size() > 0) step.sort = t[0].sort();
        break;
    }
    code_.push_back(step);
  }
  plain_ = is_plain();
}

// Only integers and what run_plain knows, on a short stack.
bool Tape::is_plain() const {
  std::size_t depth = 0;
  for (const Step& s : code_) {
    switch (s.op) {
      case Op::IntConst:
      case Op::Symbol:
        if (++depth > kPlainDepth) return false;
        continue;
      case Op::Add:
      case Op::Mul:
        if (s.count == 0) return false;
        break;
      case Op::Mod:
      case Op::FloorDiv:
      case Op::Divides:
      case Op::Eq:
      case Op::Ne:
      case Op::Lt:
      case Op::Le:
      case Op::Gt:
      case Op::Ge:
        if (s.count != 2 || s.sort != Sort::Int) return false;
        break;
      default:
        return false;
    }
    depth -= s.count - 1;
  }
  return true;
}

// The common case without states: false where a symbol is not known, a divisor is 0 or a value overflows.
bool Tape::run_plain(const Point& at, std::int64_t& out) const {
  std::int64_t stack[kPlainDepth];
  std::int64_t* top = stack;  // one past the last
  for (const Step& s : code_) {
    if (s.op == Op::IntConst) {
      *top++ = s.value;
      continue;
    }
    if (s.op == Op::Symbol) {
      if (!at.has(s.count)) return false;
      *top++ = at.at(s.count);
      continue;
    }
    std::int64_t* const a = top - s.count;
    top = a + 1;
    Cell r{a[0], State::value};
    switch (s.op) {
      case Op::Add:
        for (std::uint32_t i = 1; i < s.count; ++i)
          if (__builtin_add_overflow(a[0], a[i], &a[0])) return false;
        continue;
      case Op::Mul:
        for (std::uint32_t i = 1; i < s.count; ++i)
          if (__builtin_mul_overflow(a[0], a[i], &a[0])) return false;
        continue;
      case Op::Mod:
        r = mod(a[0], a[1]);
        break;
      case Op::FloorDiv:
        r = floor_div(a[0], a[1]);
        break;
      case Op::Divides:
        r = mod(a[1], a[0]);
        r.v = r.v == 0 ? 1 : 0;
        break;
      default:
        r = binary(s.op, Sort::Int, {a[0], State::value}, {a[1], State::value});
    }
    if (r.state != State::value) return false;
    a[0] = r.v;
  }
  out = stack[0];
  return true;
}

Cell Tape::run(const Point& at, std::vector<Cell>& stack) const {
  if (std::int64_t v = 0; plain_ && run_plain(at, v)) return dimgate::simplify::value(v);
  stack.clear();
  for (const Step& s : code_) {
    switch (s.op) {
      case Op::IntConst:
      case Op::BoolConst:
      case Op::FloatConst:
      case Op::EnumConst:
        stack.push_back(dimgate::simplify::value(s.value));
        break;
      case Op::Symbol:
        stack.push_back(at.has(s.count) ? dimgate::simplify::value(at.at(s.count)) : kUndefined);
        break;
      default: {
        const std::size_t base = stack.size() - s.count;
        const Cell r = apply(s.op, s.sort, stack.data() + base, s.count);
        stack.resize(base);
        stack.push_back(r);
      }
    }
  }
  return stack.back();
}

}  // namespace dimgate::simplify
