#include "prove/points.hpp"

#include <algorithm>
#include <array>

#include "expr/context_impl.hpp"

namespace dimgate {

namespace {
constexpr std::size_t kSmallTree = 64;  // nodes, counted as often as they occur
}

// A node's mark says where its value lies: marks of this walk are base_ + 1 + cell.
PointEvaluator::PointEvaluator(Context& ctx, std::span<const Expr> formulas, std::span<const Expr> more)
    : base_(ctx.next_mark()) {
  for (const Expr root : formulas) {
    if (root.node()->weight <= kSmallTree)
      place_tree(root);
    else
      place_dag(root);
    roots_.push_back(cell_of(root));
    root_end_.push_back(static_cast<std::uint32_t>(steps_.size()));
  }
  for (const Expr s : more)
    if (!placed(s)) place(s);
  ctx.impl().marks += static_cast<std::uint32_t>(fast_.size());
  values_.resize(symbols_.size());
}

// Both walks place operands first, from left to right, each node once.
void PointEvaluator::place_tree(Expr root) {
  std::array<const detail::Node*, kSmallTree> backwards, stack;
  std::size_t count = 0, open = 0;
  stack[open++] = root.node();
  while (open > 0) {
    const detail::Node* n = stack[--open];
    if (placed(Expr(n))) continue;
    backwards[count++] = n;
    for (std::uint32_t i = 0; i < n->size; ++i) stack[open++] = n->args()[i];
  }
  while (count-- > 0)
    if (const Expr e(backwards[count]); !placed(e)) place(e);
}

void PointEvaluator::place_dag(Expr root) {
  SmallVector<Expr, 32> stack{root};
  while (!stack.empty()) {
    const Expr e = stack.back();
    bool ready = true;
    for (std::size_t i = placed(e) ? 0 : e.size(); i-- > 0;)
      if (!placed(e[i])) {
        stack.push_back(e[i]);
        ready = false;
      }
    if (!ready) continue;
    stack.pop_back();
    if (!placed(e)) place(e);
  }
}

void PointEvaluator::place(Expr e) {
  const auto at = static_cast<std::uint32_t>(fast_.size());
  Cell<std::int64_t>& cell = fast_.emplace_back();
  e.node()->mark = base_ + 1 + at;
  switch (e.op()) {
    case Op::IntConst:
      if (e.integer().is_small())
        cell.v = e.integer().small();
      else
        big_.push_back({at, e});
      return;
    case Op::BoolConst:
      cell.state = e.is_true() ? kTrue : kFalse;
      return;
    case Op::Symbol:
      supported_ = supported_ && e.sort() == Sort::Int;
      symbols_.push_back(e);
      symbol_cell_.push_back(at);
      return;
    case Op::FloatConst:
    case Op::EnumConst:
      supported_ = false;
      return;
    default:
      break;
  }
  supported_ = supported_ && (e.sort() == Sort::Int || e.sort() == Sort::Bool);
  const auto count = static_cast<std::uint32_t>(e.size()), first = static_cast<std::uint32_t>(operands_.size());
  bool guarded = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    operands_.emplace_back(cell_of(e[i]));
    guarded = guarded || !e[i].is_total();
  }
  guarded = guarded && info(e.op()).strictness == Strictness::strict;
  steps_.emplace_back(e.op(), guarded, at, first, count);
}

namespace {

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

}  // namespace

template <class A>
bool PointEvaluator::run(const Step& s, Cell<typename A::Number>* cells) const {
  using Number = typename A::Number;
  Cell<Number>& out = cells[s.out];
  const std::uint32_t* args = operands_.data() + s.first;
  const auto arg = [&](std::uint32_t i) -> const Cell<Number>& { return cells[args[i]]; };
  for (std::uint32_t i = 0; s.guarded && i < s.count; ++i)
    if (arg(i).state == kUndefined) {
      out.state = kUndefined;
      return true;
    }
  const auto truth = [&](bool b) {
    out.state = b ? kTrue : kFalse;
    return true;
  };
  const auto same = [](const Cell<Number>& a, const Cell<Number>& b) {
    return a.state == kInt ? a.v == b.v : a.state == b.state;
  };
  bool fits = true;
  switch (s.op) {
    case Op::Ite: {
      const Cell<Number>& c = arg(0);
      if (c.state == kUndefined)
        out.state = kUndefined;
      else
        out = c.state == kTrue ? arg(1) : arg(2);
      return true;
    }
    case Op::And:
    case Op::Or: {
      const State absorbing = s.op == Op::And ? kFalse : kTrue;
      bool undefined = false;
      for (std::uint32_t i = 0; i < s.count; ++i) {
        if (arg(i).state == absorbing) {
          out.state = absorbing;
          return true;
        }
        undefined = undefined || arg(i).state == kUndefined;
      }
      out.state = undefined ? kUndefined : (s.op == Op::And ? kTrue : kFalse);
      return true;
    }
    case Op::Implies: {
      if (arg(0).state == kFalse || arg(1).state == kTrue)
        out.state = kTrue;
      else if (arg(0).state == kUndefined || arg(1).state == kUndefined)
        out.state = kUndefined;
      else
        out.state = kFalse;
      return true;
    }
    case Op::Add:
      out.v = arg(0).v;
      for (std::uint32_t i = 1; i < s.count; ++i) fits = A::add(out.v, arg(i).v) && fits;
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
      for (std::uint32_t i = 1; i < s.count; ++i) fits = A::multiply(out.v, arg(i).v) && fits;
      break;
    case Op::FloorDiv:
    case Op::Mod:
    case Op::CeilDiv: {
      if (A::zero(arg(1).v)) {
        out.state = kUndefined;
        return true;
      }
      if (s.op == Op::Mod) {
        out.v = A::remainder(arg(0).v, arg(1).v);
      } else if (s.op == Op::FloorDiv) {
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
      for (std::uint32_t i = 1; i < s.count; ++i)
        if ((s.op == Op::Max) == (arg(i).v > best->v)) best = &arg(i);
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
      out.state = kUndefined;
      return true;
    case Op::Distinct: {
      bool different = true;
      for (std::uint32_t i = 0; i < s.count && different; ++i)
        for (std::uint32_t j = i + 1; j < s.count && different; ++j) different = !same(arg(i), arg(j));
      return truth(different);
    }
    case Op::In: {
      bool found = false;
      for (std::uint32_t i = 1; i < s.count && !found; ++i) found = same(arg(0), arg(i));
      return truth(found);
    }
    case Op::Not:
      if (arg(0).state != kUndefined) return truth(arg(0).state == kFalse);
      out.state = kUndefined;
      return true;
    default:
      out.state = kUndefined;
      return true;
  }
  out.state = kInt;
  return fits;
}

template <class A>
std::optional<std::size_t> PointEvaluator::first_not_true(Cell<typename A::Number>* cells) const {
  std::uint32_t at = 0;
  for (std::size_t r = 0; r < roots_.size(); ++r) {
    for (; at < root_end_[r]; ++at)
      if (!run<A>(steps_[at], cells)) return std::nullopt;
    if (cells[roots_[r]].state != kTrue) return r;
  }
  return roots_.size();
}

std::size_t PointEvaluator::first_not_true_exact() {
  if (exact_.empty()) {
    for (const Cell<std::int64_t>& c : fast_) exact_.push_back({c.v, c.state});
    for (const auto& [cell, constant] : big_) exact_[cell].v = constant.integer();
  }
  for (std::size_t i = 0; i < values_.size(); ++i) exact_[symbol_cell_[i]].v = values_[i];
  return *first_not_true<Exact>(exact_.data());
}

std::size_t PointEvaluator::first_not_true() {
  const bool small =
      big_.empty() && std::all_of(values_.begin(), values_.end(), [](const Integer& v) { return v.is_small(); });
  if (small)
    if (const std::optional<std::size_t> first = first_not_true<Checked>(fast_.data())) return *first;
  return first_not_true_exact();
}

}  // namespace dimgate
