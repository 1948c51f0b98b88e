#include "prove/points.hpp"

#include "expr/node_map.hpp"

namespace dimgate {

PointEvaluator::PointEvaluator(Context&, std::span<const Expr> formulas) {
  NodeMap<std::uint32_t, 32> cell;
  SmallVector<Expr, 32> stack;
  for (const Expr root : formulas) {
    stack.push_back(root);
    while (!stack.empty()) {
      const Expr e = stack.back();
      if (cell.contains(e.node())) {
        stack.pop_back();
        continue;
      }
      bool ready = true;
      for (std::size_t i = e.size(); i-- > 0;)
        if (!cell.contains(e[i].node())) {
          stack.push_back(e[i]);
          ready = false;
        }
      if (!ready) continue;
      stack.pop_back();
      const auto at = static_cast<std::uint32_t>(cells_.size());
      cell.try_emplace(e.node(), at);
      cells_.emplace_back();
      if (e.sort() != Sort::Int && e.sort() != Sort::Bool) supported_ = false;
      if (e.is_int()) {
        cells_[at].v = e.integer();
      } else if (e.op() == Op::BoolConst) {
        cells_[at].state = e.is_true() ? kTrue : kFalse;
      } else if (e.is_symbol()) {
        if (e.sort() != Sort::Int) supported_ = false;
        symbols_.push_back(e);
        symbol_cell_.push_back(at);
      } else {
        steps_.push_back(
            {e.op(), at, static_cast<std::uint32_t>(operands_.size()), static_cast<std::uint32_t>(e.size())});
        for (std::size_t i = 0; i < e.size(); ++i) operands_.push_back(*cell.find(e[i].node()));
      }
    }
    roots_.push_back(*cell.find(root.node()));
    root_end_.push_back(static_cast<std::uint32_t>(steps_.size()));
  }
}

void PointEvaluator::run(const Step& s) {
  Cell& out = cells_[s.out];
  const std::uint32_t* args = operands_.data() + s.first;
  const auto arg = [&](std::uint32_t i) -> const Cell& { return cells_[args[i]]; };
  const auto truth = [&](bool b) { out.state = b ? kTrue : kFalse; };
  switch (s.op) {  // not strict
    case Op::Ite: {
      const Cell& c = arg(0);
      if (c.state == kUndefined)
        out.state = kUndefined;
      else
        out = c.state == kTrue ? arg(1) : arg(2);
      return;
    }
    case Op::And:
    case Op::Or: {
      const State absorbing = s.op == Op::And ? kFalse : kTrue;
      bool undefined = false;
      for (std::uint32_t i = 0; i < s.count; ++i) {
        if (arg(i).state == absorbing) {
          out.state = absorbing;
          return;
        }
        undefined = undefined || arg(i).state == kUndefined;
      }
      out.state = undefined ? kUndefined : (s.op == Op::And ? kTrue : kFalse);
      return;
    }
    case Op::Implies: {
      if (arg(0).state == kFalse || arg(1).state == kTrue)
        out.state = kTrue;
      else if (arg(0).state == kUndefined || arg(1).state == kUndefined)
        out.state = kUndefined;
      else
        out.state = kFalse;
      return;
    }
    default:
      break;
  }
  for (std::uint32_t i = 0; i < s.count; ++i)
    if (arg(i).state == kUndefined) {
      out.state = kUndefined;
      return;
    }
  switch (s.op) {
    case Op::Add:
      out.v = arg(0).v;
      for (std::uint32_t i = 1; i < s.count; ++i) out.v += arg(i).v;
      break;
    case Op::Sub:
      out.v = arg(0).v - arg(1).v;
      break;
    case Op::Neg:
      out.v = -arg(0).v;
      break;
    case Op::Mul:
      out.v = arg(0).v;
      for (std::uint32_t i = 1; i < s.count; ++i) out.v *= arg(i).v;
      break;
    case Op::FloorDiv:
    case Op::Mod:
    case Op::CeilDiv: {
      const Integer &a = arg(0).v, &b = arg(1).v;
      if (b.is_zero()) {
        out.state = kUndefined;
        return;
      }
      if (s.op == Op::FloorDiv)
        out.v = floor_div(a, b);
      else if (s.op == Op::Mod)
        out.v = floor_mod(a, b);
      else
        out.v = ceil_div(a, b);
      break;
    }
    case Op::Pow:
      out.v = pow(arg(0).v, static_cast<unsigned>(arg(1).v.small()));
      break;
    case Op::Min:
    case Op::Max: {
      const Cell* best = &arg(0);
      for (std::uint32_t i = 1; i < s.count; ++i)
        if ((s.op == Op::Max) == (arg(i).v > best->v)) best = &arg(i);
      out.v = best->v;
      break;
    }
    case Op::Abs:
      out.v = abs(arg(0).v);
      break;
    case Op::Eq:
    case Op::Iff:
      truth(arg(0).state == kInt ? arg(0).v == arg(1).v : arg(0).state == arg(1).state);
      return;
    case Op::Ne:
      truth(arg(0).state == kInt ? !(arg(0).v == arg(1).v) : arg(0).state != arg(1).state);
      return;
    case Op::Lt:
      truth(arg(0).v < arg(1).v);
      return;
    case Op::Le:
      truth(arg(0).v <= arg(1).v);
      return;
    case Op::Gt:
      truth(arg(0).v > arg(1).v);
      return;
    case Op::Ge:
      truth(arg(0).v >= arg(1).v);
      return;
    case Op::Divides:
      if (arg(0).v.is_zero())
        out.state = kUndefined;
      else
        truth(floor_mod(arg(1).v, arg(0).v).is_zero());
      return;
    case Op::Distinct: {
      bool different = true;
      for (std::uint32_t i = 0; i < s.count && different; ++i)
        for (std::uint32_t j = i + 1; j < s.count && different; ++j)
          different = arg(0).state == kInt ? !(arg(i).v == arg(j).v) : arg(i).state != arg(j).state;
      truth(different);
      return;
    }
    case Op::In: {
      bool found = false;
      for (std::uint32_t i = 1; i < s.count && !found; ++i)
        found = arg(0).state == kInt ? arg(0).v == arg(i).v : arg(0).state == arg(i).state;
      truth(found);
      return;
    }
    case Op::Not:
      truth(arg(0).state == kFalse);
      return;
    default:
      out.state = kUndefined;
      return;
  }
  out.state = kInt;
}

std::size_t PointEvaluator::first_not_true() {
  std::uint32_t at = 0;
  for (std::size_t r = 0; r < roots_.size(); ++r) {
    for (; at < root_end_[r]; ++at) run(steps_[at]);
    if (cells_[roots_[r]].state != kTrue) return r;
  }
  return roots_.size();
}

void PointEvaluator::evaluate_all() {
  for (const Step& s : steps_) run(s);
}

}  // namespace dimgate
