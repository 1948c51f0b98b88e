#include "simplify/guard_item.hpp"

#include <algorithm>
#include <unordered_map>

#include "simplify/forms.hpp"
#include "simplify/unary.hpp"

namespace dimgate::simplify {

namespace {

// Conjuncts about single Int slots, each with the set it allows, collected by slot and intersected at the end.
class SlotParts {
 public:
  explicit SlotParts(Context& ctx) : ctx_(ctx) {}

  // False if the part is not about a single Int slot, or does not fit a set.
  bool add(Expr part) {
    const auto symbols = symbols_of(ctx_, part);
    if (symbols.size() != 1 || symbols[0].sort() != Sort::Int) return false;
    auto truth = unary_truth(part, symbols[0]);
    if (!truth) truth = unary_truth(ctx_.canonical(part), symbols[0]);
    if (!truth) return false;
    const auto [it, fresh] = index_.try_emplace(symbols[0], slots_.size());
    if (fresh) slots_.push_back({symbols[0], {}});
    slots_[it->second].second.push_back({std::move(truth->is_true), {part}});
    return true;
  }

  void finish(GuardItem& item) {
    for (auto& [x, parts] : slots_) {
      // In a balanced tree, so that n exclusions of single values cost n log n. What does not fit stays a formula.
      while (parts.size() > 1) {
        std::vector<Part> next;
        for (std::size_t i = 0; i < parts.size(); i += 2) {
          next.push_back(std::move(parts[i]));
          if (i + 1 == parts.size()) break;
          auto both = intersect(next.back().set, parts[i + 1].set);
          if (both) {
            next.back().set = std::move(*both);
            auto& from = next.back().from;
            from.insert(from.end(), parts[i + 1].from.begin(), parts[i + 1].from.end());
          } else {
            item.rest.insert(item.rest.end(), parts[i + 1].from.begin(), parts[i + 1].from.end());
          }
        }
        parts = std::move(next);
      }
      for (const Expr e : parts[0].from) item.parts.emplace_back(x, e);
      item.slots.emplace_back(x, std::move(parts[0].set));
    }
  }

 private:
  struct Part {
    IntSet set;
    std::vector<Expr> from;
  };
  Context& ctx_;
  std::unordered_map<Expr, std::size_t> index_;
  std::vector<std::pair<Expr, std::vector<Part>>> slots_;
};

}  // namespace

GuardItem read_guard(Context& ctx, Expr guard) {
  GuardItem item;
  item.raw = guard;
  item.canonical = ctx.canonical(guard);
  item.symbols = symbols_of(ctx, item.canonical);
  SlotParts slots(ctx);
  for (const Expr part : conjuncts_of(guard)) {
    if (slots.add(part)) continue;
    const Expr c = ctx.canonical(part);
    if (!c.is(Op::And)) {
      if (!c.is_true()) item.rest.push_back(part);
      continue;
    }
    for (std::size_t i = 0; i < c.size(); ++i)
      if (!slots.add(c[i])) item.rest.push_back(c[i]);
  }
  slots.finish(item);
  return item;
}

double default_cost(Context& ctx, Expr guard) {
  double cost = 0;
  std::uint32_t nodes = 0;
  std::vector<Expr> todo{guard};
  while (!todo.empty() && ++nodes < 10'000) {
    const Expr t = todo.back();
    todo.pop_back();
    switch (t.op()) {
      case Op::FloorDiv:
      case Op::Mod:
      case Op::CeilDiv:
      case Op::Divides:
        cost += 8;
        break;
      case Op::Mul:
      case Op::Pow:
        cost += 2;
        break;
      default:
        cost += 1;
        break;
    }
    for (std::size_t i = 0; i < t.size(); ++i) todo.push_back(t[i]);
  }
  return cost + 4.0 * static_cast<double>(symbols_of(ctx, guard).size());
}

}  // namespace dimgate::simplify
