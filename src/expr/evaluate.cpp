// See evaluate.hpp.
#include "expr/evaluate.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <set>
#include <unordered_map>

#include "base/small_vector.hpp"
#include "expr/apply.hpp"
#include "expr/names.hpp"
#include "expr/node_map.hpp"

namespace dimgate {

using Kind = Value::Kind;

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

template <class Number>
Value value_of(const point::Cell<Number>& w) {
  if (w.state == point::State::undefined) return Value::undefined();
  return w.state == point::State::number ? Value::of(w.v) : Value::of(w.state == point::State::yes);
}

}  // namespace

std::optional<Value> value_in_words(Expr e, const Assignment& at) {
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
  return value_of(values.front());
}

namespace {

/// One pass over a DAG in exact integers. Floats are numbers here by their bits and names by when they were first met,
/// so that all sorts go through apply.hpp; what compares Floats does so itself.
class Pass {
 public:
  Pass(const Context& ctx, const Assignment& at) : ctx_(ctx), at_(at) {}

  Value run(Expr root) {
    SmallVector<Expr, 32> stack{root};
    while (!stack.empty()) {
      const Expr e = stack.back();
      bool ready = true;
      for (std::size_t i = cells_.contains(e.node()) ? 0 : e.size(); i-- > 0;)
        if (!cells_.contains(e[i].node())) {
          stack.push_back(e[i]);
          ready = false;
        }
      if (!ready) continue;
      stack.pop_back();
      if (cells_.contains(e.node())) continue;
      Cell made{0, State::undefined};
      if (e.op() <= Op::Symbol)
        leaf(e, made);
      else
        apply(e, made);
      cells_[e.node()] = std::move(made);
    }
    const Cell& out = *cells_.find(root.node());
    if (out.state == State::number && root.sort() == Sort::Float)
      return Value::of_float_bits(static_cast<std::uint64_t>(out.v.small()));
    if (out.state == State::number && root.sort() == Sort::Enum)
      return Value::of_enum(*names_[static_cast<std::size_t>(out.v.small())]);
    return value_of(out);
  }

 private:
  using State = point::State;
  using Cell = point::Cell<Integer>;
  static constexpr std::uint32_t kManyPairs = 64;  // operands of `distinct` from which on they are sorted

  void leaf(Expr e, Cell& out) {
    switch (e.op()) {
      case Op::IntConst:
        return number(out, e.integer());
      case Op::BoolConst:
        return truth(out, e.is_true());
      case Op::FloatConst:
        return number(out, static_cast<std::int64_t>(e.float_bits()));
      case Op::EnumConst:
        return number(out, name(ctx_.enum_name(e)));
      default:
        break;
    }
    const Value& v = at_.get(e);  // of another sort: no value
    if (e.sort() == Sort::Int && v.kind == Kind::integer) number(out, v.integer);
    if (e.sort() == Sort::Bool && v.kind == Kind::boolean) truth(out, v.bits == 1);
    if (e.sort() == Sort::Float && v.kind == Kind::floating) number(out, static_cast<std::int64_t>(v.bits));
    if (e.sort() == Sort::Enum && v.kind == Kind::enumeration) number(out, name(v.name));
  }

  void apply(Expr e, Cell& out) {
    const auto arg = [&](std::size_t i) -> const Cell& { return *cells_.find(e[i].node()); };
    const auto n = static_cast<std::uint32_t>(e.size());
    const bool strict = info(e.op()).strictness == Strictness::strict;
    if (strict && n > 0 && e[0].sort() == Sort::Float) {
      for (std::uint32_t i = 0; i < n; ++i)
        if (arg(i).state == State::undefined) return;
      return truth(out, compare_floats(e, [&](std::size_t i) { return std::bit_cast<double>(arg(i).v.small()); }));
    }
    if (e.is(Op::Distinct) && n > kManyPairs && e[0].sort() != Sort::Bool) return truth_of_distinct(e, out);
    point::apply<point::Exact>(e.op(), strict, n, arg, out);
  }

  void truth_of_distinct(Expr e, Cell& out) {
    std::set<Integer> seen;
    bool all = true;
    for (std::size_t i = 0; i < e.size(); ++i) {
      const Cell& c = *cells_.find(e[i].node());
      if (c.state == State::undefined) return;
      all = seen.insert(c.v).second && all;
    }
    truth(out, all);
  }

  template <class Arg>
  static bool compare_floats(Expr e, Arg arg) {
    const auto bits = [&](std::size_t i) { return std::bit_cast<std::uint64_t>(arg(i)); };
    bool found = false;
    switch (e.op()) {
      case Op::SameBits:
        return bits(0) == bits(1);
      case Op::IsNan:
        return std::isnan(arg(0));
      case Op::In:
        for (std::size_t i = 1; i < e.size(); ++i) found = found || arg(0) == arg(i);
        return found;
      case Op::Distinct:
        for (std::size_t i = 0; i < e.size(); ++i)
          for (std::size_t j = i + 1; j < e.size(); ++j) found = found || arg(i) == arg(j);
        return !found;
      case Op::Ne:
        return arg(0) != arg(1);
      default:  // Eq
        return arg(0) == arg(1);
    }
  }

  static void number(Cell& out, Integer v) { out = {std::move(v), State::number}; }
  static void truth(Cell& out, bool b) { out.state = b ? State::yes : State::no; }
  std::int64_t name(const std::string& text) {
    const auto [at, fresh] = numbers_.try_emplace(text, static_cast<std::int64_t>(names_.size()));
    if (fresh) names_.push_back(&at->first);
    return at->second;
  }

  const Context& ctx_;
  const Assignment& at_;
  NodeMap<Cell, 32> cells_;
  std::unordered_map<std::string, std::int64_t> numbers_;
  std::vector<const std::string*> names_;
};

}  // namespace

Value value_in_integers(const Context& ctx, Expr e, const Assignment& at) { return Pass(ctx, at).run(e); }

Value value_at(const Context& ctx, Expr e, const Assignment& at) {
  if (e.node()->weight <= kSmallTree)
    if (std::optional<Value> v = value_in_words(e, at)) return *v;
  return value_in_integers(ctx, e, at);
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
