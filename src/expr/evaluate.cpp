#include "expr/evaluate.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "expr/apply.hpp"
#include "expr/names.hpp"
#include "expr/node_map.hpp"

namespace dimgate {

using Kind = Value::Kind;

Evaluator::Evaluator(const Context& ctx, Expr e) : ctx_(ctx) { order(std::span(&e, 1)); }
Evaluator::Evaluator(const Context& ctx, std::vector<Expr> roots) : ctx_(ctx) { order(roots); }

// Operands before operators, each node once: a depth-first walk with its own stack.
void Evaluator::order(std::span<const Expr> roots) {
  constexpr std::uint32_t kOpen = 0xffffffffU;
  NodeMap<std::uint32_t, 32> index;
  SmallVector<Expr, 32> stack;
  for (const Expr root : roots) {
    stack.push_back(root);
    while (!stack.empty()) {
      const Expr e = stack.back();
      const auto [at, fresh] = index.try_emplace(e.node(), kOpen);
      if (fresh) {
        for (std::size_t i = e.size(); i-- > 0;)
          if (!index.contains(e[i].node())) stack.push_back(e[i]);
        if (e.size() != 0) continue;
      }
      stack.pop_back();
      if (at != kOpen) continue;
      at = static_cast<std::uint32_t>(steps_.size());
      steps_.push_back({e, static_cast<std::uint32_t>(operands_.size())});
      for (std::size_t i = 0; i < e.size(); ++i) operands_.push_back(*index.find(e[i].node()));
    }
    roots_.push_back(*index.find(root.node()));
  }
  cells_.resize(steps_.size());
}

Value Evaluator::operator()(const Assignment& at) {
  run(at);
  return value_of(cells_[roots_.front()]);
}

std::vector<Value> Evaluator::all(const Assignment& at) {
  run(at);
  std::vector<Value> out;
  out.reserve(roots_.size());
  for (const std::uint32_t r : roots_) out.push_back(value_of(cells_[r]));
  return out;
}

void Evaluator::run(const Assignment& at) {
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    cells_[i].kind = Kind::undefined;
    if (steps_[i].node.op() <= Op::Symbol)
      leaf(cells_[i], steps_[i].node, at);
    else
      apply(cells_[i], {steps_[i].node, cells_.data(), operands_.data() + steps_[i].first});
  }
}

namespace {

constexpr Kind kind_of(Sort s) {
  switch (s) {
    case Sort::Int:
      return Kind::integer;
    case Sort::Bool:
      return Kind::boolean;
    case Sort::Float:
      return Kind::floating;
    case Sort::Enum:
      return Kind::enumeration;
  }
  return Kind::undefined;
}

}  // namespace

void Evaluator::leaf(Cell& out, Expr e, const Assignment& at) const {
  switch (e.op()) {
    case Op::IntConst:
      out.integer = e.integer();
      break;
    case Op::BoolConst:
      out.bits = e.is_true() ? 1 : 0;
      break;
    case Op::FloatConst:
      out.bits = e.float_bits();
      break;
    case Op::EnumConst:
      out.name = &ctx_.enum_name(e);
      break;
    default: {
      // A value of another sort than the symbol's is no value: the formula fails closed.
      const Value& v = at.get(e);
      if (v.kind != kind_of(e.sort())) return;
      out.integer = v.integer;
      out.bits = v.bits;
      out.name = &v.name;
    }
  }
  out.kind = kind_of(e.sort());
}

void Evaluator::apply(Cell& out, const Applied& s) const {
  const OpInfo& row = info(s.node.op());
  if (row.strictness == Strictness::kleene) return connective(out, s);
  if (row.strictness == Strictness::branch) {
    const Cell& condition = arg(s, 0);
    if (condition.kind == Kind::boolean) out = arg(s, condition.bits == 1 ? 1 : 2);
    return;
  }
  for (std::size_t i = 0; i < s.node.size(); ++i)
    if (arg(s, i).kind == Kind::undefined) return;
  if (row.result == Sort::Int) return arithmetic(out, s);

  bool truth = false;
  switch (s.node.op()) {
    case Op::Eq:
    case Op::Iff:
      truth = equal(arg(s, 0), arg(s, 1));
      break;
    case Op::Ne:
      truth = !equal(arg(s, 0), arg(s, 1));
      break;
    case Op::Lt:
      truth = arg(s, 0).integer < arg(s, 1).integer;
      break;
    case Op::Le:
      truth = arg(s, 0).integer <= arg(s, 1).integer;
      break;
    case Op::Gt:
      truth = arg(s, 0).integer > arg(s, 1).integer;
      break;
    case Op::Ge:
      truth = arg(s, 0).integer >= arg(s, 1).integer;
      break;
    case Op::Distinct:
      truth = distinct(s);
      break;
    case Op::Divides:
      if (arg(s, 0).integer.is_zero()) return;
      truth = floor_mod(arg(s, 1).integer, arg(s, 0).integer).is_zero();
      break;
    case Op::In:
      for (std::size_t i = 1; i < s.node.size() && !truth; ++i) truth = equal(arg(s, 0), arg(s, i));
      break;
    case Op::SameBits:
      truth = arg(s, 0).bits == arg(s, 1).bits;
      break;
    case Op::IsNan:
      truth = std::isnan(std::bit_cast<double>(arg(s, 0).bits));
      break;
    default:
      return;
  }
  out.kind = Kind::boolean;
  out.bits = truth ? 1 : 0;
}

void Evaluator::arithmetic(Cell& out, const Applied& s) const {
  Integer value = arg(s, 0).integer;
  const std::size_t n = s.node.size();
  switch (s.node.op()) {
    case Op::Add:
      for (std::size_t i = 1; i < n; ++i) value += arg(s, i).integer;
      break;
    case Op::Sub:
      value -= arg(s, 1).integer;
      break;
    case Op::Neg:
      value = -value;
      break;
    case Op::Mul:
      for (std::size_t i = 1; i < n; ++i) value *= arg(s, i).integer;
      break;
    case Op::FloorDiv:
      if (arg(s, 1).integer.is_zero()) return;
      value = floor_div(value, arg(s, 1).integer);
      break;
    case Op::Mod:
      if (arg(s, 1).integer.is_zero()) return;
      value = floor_mod(value, arg(s, 1).integer);
      break;
    case Op::CeilDiv:
      if (arg(s, 1).integer.is_zero()) return;
      value = ceil_div(value, arg(s, 1).integer);
      break;
    case Op::Pow:
      value = pow(value, static_cast<unsigned>(arg(s, 1).integer.small()));
      break;
    case Op::Min:
      for (std::size_t i = 1; i < n; ++i)
        if (arg(s, i).integer < value) value = arg(s, i).integer;
      break;
    case Op::Max:
      for (std::size_t i = 1; i < n; ++i)
        if (value < arg(s, i).integer) value = arg(s, i).integer;
      break;
    case Op::Abs:
      value = abs(value);
      break;
    default:
      return;
  }
  out.kind = Kind::integer;
  out.integer = std::move(value);
}

// Strong Kleene: an operand that decides wins over an undefined one.
void Evaluator::connective(Cell& out, const Applied& s) const {
  const auto set = [&](bool b) {
    out.kind = Kind::boolean;
    out.bits = b ? 1 : 0;
  };
  const auto is = [&](std::size_t i, bool b) { return arg(s, i).kind == Kind::boolean && (arg(s, i).bits == 1) == b; };
  const std::size_t n = s.node.size();
  switch (s.node.op()) {
    case Op::Not:
      if (arg(s, 0).kind == Kind::boolean) set(arg(s, 0).bits == 0);
      return;
    case Op::Implies:
      if (is(0, false) || is(1, true)) return set(true);
      if (is(0, true) && is(1, false)) set(false);
      return;
    default: {
      const bool decides = s.node.is(Op::Or);
      bool all = true;
      for (std::size_t i = 0; i < n; ++i) {
        if (is(i, decides)) return set(decides);
        all = all && is(i, !decides);
      }
      if (all) set(!decides);
    }
  }
}

bool Evaluator::equal(const Cell& a, const Cell& b) const {
  switch (a.kind) {
    case Kind::integer:
      return a.integer == b.integer;
    case Kind::boolean:
      return a.bits == b.bits;
    case Kind::floating:
      return std::bit_cast<double>(a.bits) == std::bit_cast<double>(b.bits);  // IEEE: nan != nan
    case Kind::enumeration:
      return *a.name == *b.name;
    case Kind::undefined:
      break;
  }
  return false;
}

// All pairs, by sorting.
bool Evaluator::distinct(const Applied& s) const {
  std::vector<const Cell*> all;
  for (std::size_t i = 0; i < s.node.size(); ++i) {
    const Cell& c = arg(s, i);
    if (c.kind == Kind::floating && std::isnan(std::bit_cast<double>(c.bits))) continue;  // differs from everything
    all.push_back(&c);
  }
  std::sort(all.begin(), all.end(), [](const Cell* a, const Cell* b) {
    switch (a->kind) {
      case Kind::integer:
        return a->integer < b->integer;
      case Kind::floating:
        return std::bit_cast<double>(a->bits) < std::bit_cast<double>(b->bits);
      case Kind::enumeration:
        return *a->name < *b->name;
      default:
        return a->bits < b->bits;
    }
  });
  for (std::size_t i = 1; i < all.size(); ++i)
    if (equal(*all[i - 1], *all[i])) return false;
  return true;
}

Value Evaluator::value_of(const Cell& c) {
  switch (c.kind) {
    case Kind::integer:
      return Value::of(c.integer);
    case Kind::boolean:
      return Value::of(c.bits == 1);
    case Kind::floating:
      return Value::of_float_bits(c.bits);
    case Kind::enumeration:
      return Value::of_enum(*c.name);
    case Kind::undefined:
      break;
  }
  return Value::undefined();
}

// Operands before operators on a stack of values: no look-up and no steps kept.
Value Evaluator::of_small(const Context& ctx, Expr e, const Assignment& at) {
  std::array<const detail::Node*, kSmallTree> backwards, stack;
  std::size_t count = 0, open = 0;
  stack[open++] = e.node();
  while (open > 0) {
    const detail::Node* n = stack[--open];
    backwards[count++] = n;
    for (std::uint32_t i = 0; i < n->size; ++i) stack[open++] = n->args()[i];
  }
  const Evaluator evaluator(ctx);
  SmallVector<Cell, 16> values;
  while (count-- > 0) {
    const detail::Node* n = backwards[count];
    if (n->op <= Op::Symbol) {
      evaluator.leaf(values.emplace_back(), Expr(n), at);
      continue;
    }
    Cell out;
    Cell* const operands = values.end() - n->size;
    evaluator.apply(out, {Expr(n), operands, nullptr});
    values.erase_from(operands);
    values.emplace_back(std::move(out));
  }
  return value_of(values.back());
}

namespace {

using Word = point::Cell<std::int64_t>;

// false: no Int in int64 and no Bool.
bool word_of(Expr leaf, const Assignment& at, Word& out) {
  const auto number = [&](const Integer& v) {
    if (v.is_small()) out = {v.small(), point::State::number};
    return v.is_small();
  };
  const auto truth = [&](bool b) {
    out = {0, b ? point::State::yes : point::State::no};
    return true;
  };
  if (leaf.op() == Op::IntConst) return number(leaf.integer());
  if (leaf.op() == Op::BoolConst) return truth(leaf.is_true());
  if (leaf.op() != Op::Symbol) return false;
  const Value& v = at.get(leaf);
  if (leaf.sort() == Sort::Int && v.kind == Kind::integer) return number(v.integer);
  return leaf.sort() == Sort::Bool && v.kind == Kind::boolean && truth(v.bits == 1);
}

Value value_of(const Word& w) {
  if (w.state == point::State::undefined) return Value::undefined();
  return w.state == point::State::number ? Value::of(w.v) : Value::of(w.state == point::State::yes);
}

}  // namespace

std::optional<Value> Evaluator::of_words(Expr e, const Assignment& at) {
  std::array<const detail::Node*, kSmallTree> backwards, stack;
  std::array<Word, kSmallTree> values;
  std::size_t count = 0, open = 0, top = 0;
  stack[open++] = e.node();
  while (open > 0) {
    const detail::Node* n = stack[--open];
    backwards[count++] = n;
    for (std::uint32_t i = 0; i < n->size; ++i) stack[open++] = n->args()[i];
  }
  while (count-- > 0) {
    const Expr n(backwards[count]);
    if (n.op() <= Op::Symbol) {
      if (!word_of(n, at, values[top++])) return std::nullopt;
      continue;
    }
    const auto size = static_cast<std::uint32_t>(n.size());
    const Word* args = values.data() + (top -= size);
    const bool guarded = !n.is_total() && info(n.op()).strictness == Strictness::strict;
    Word out{0, point::State::undefined};
    if (!point::apply<point::Checked>(
            n.op(), guarded, size, [&](std::uint32_t i) -> const Word& { return args[i]; }, out))
      return std::nullopt;
    values[top++] = out;
  }
  return ::dimgate::value_of(values.front());
}

Value evaluate(const Context& ctx, Expr e, const Assignment& at) {
  if (e.node()->weight <= Evaluator::kSmallTree) {
    if (const std::optional<Value> v = Evaluator::of_words(e, at)) return *v;
    return Evaluator::of_small(ctx, e, at);
  }
  return Evaluator(ctx, e)(at);
}

std::string Value::to_string() const {
  switch (kind) {
    case Kind::integer:
      return integer.to_string();
    case Kind::boolean:
      return bits == 1 ? "True" : "False";
    case Kind::floating:
      return detail::float_spelling(bits);
    case Kind::enumeration:
      return detail::enum_spelling(name);
    case Kind::undefined:
      break;
  }
  return "undefined";
}

}  // namespace dimgate
