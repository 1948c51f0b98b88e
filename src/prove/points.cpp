#include "prove/points.hpp"

#include <algorithm>
#include <array>

#include "expr/context_impl.hpp"

namespace dimgate {

namespace {
constexpr std::size_t kPlacedAtOnce = 64;  // nodes, counted as often as they occur
}

// A node's mark says where its value lies: marks of this walk are base_ + 1 + cell.
PointEvaluator::PointEvaluator(Context& ctx, std::span<const Expr> formulas, std::span<const Expr> more)
    : base_(ctx.next_mark()) {
  for (const Expr root : formulas) {
    if (root.node()->weight <= kPlacedAtOnce)
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
  std::array<const detail::Node*, kPlacedAtOnce> backwards, stack;
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
  Cell<std::int64_t>& cell = fast_.emplace_back(0, State::number);
  e.node()->mark = base_ + 1 + at;
  switch (e.op()) {
    case Op::IntConst:
      if (e.integer().is_small())
        cell.v = e.integer().small();
      else
        big_.push_back({at, e});
      return;
    case Op::BoolConst:
      cell.state = e.is_true() ? State::yes : State::no;
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

template <class A>
bool PointEvaluator::run(const Step& s, Cell<typename A::Number>* cells) const {
  const std::uint32_t* args = operands_.data() + s.first;
  const auto arg = [&](std::uint32_t i) -> const auto& { return cells[args[i]]; };
  return point::apply<A>(s.op, s.guarded, s.count, arg, cells[s.out]);
}

template <class A>
std::optional<std::size_t> PointEvaluator::first_not_true(Cell<typename A::Number>* cells) const {
  std::uint32_t at = 0;
  for (std::size_t r = 0; r < roots_.size(); ++r) {
    for (; at < root_end_[r]; ++at)
      if (!run<A>(steps_[at], cells)) return std::nullopt;
    if (cells[roots_[r]].state != State::yes) return r;
  }
  return roots_.size();
}

std::size_t PointEvaluator::first_not_true_exact() {
  if (exact_.empty()) {
    for (const Cell<std::int64_t>& c : fast_) exact_.push_back({c.v, c.state});
    for (const auto& [cell, constant] : big_) exact_[cell].v = constant.integer();
  }
  for (std::size_t i = 0; i < values_.size(); ++i) exact_[symbol_cell_[i]].v = values_[i];
  return *first_not_true<point::Exact>(exact_.data());
}

std::size_t PointEvaluator::first_not_true() {
  const bool small =
      big_.empty() && std::all_of(values_.begin(), values_.end(), [](const Integer& v) { return v.is_small(); });
  if (small)
    if (const std::optional<std::size_t> first = first_not_true<point::Checked>(fast_.data())) return *first;
  return first_not_true_exact();
}

}  // namespace dimgate
