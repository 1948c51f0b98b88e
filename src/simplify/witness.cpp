#include "simplify/witness.hpp"

#include <algorithm>

#include "simplify/forms.hpp"
#include "simplify/guard_item.hpp"
#include "simplify/model_search.hpp"

namespace dimgate::simplify {

Witnesses::Witnesses(Questions& questions, std::vector<Expr> symbols)
    : questions_(questions), symbols_(std::move(symbols)) {
  for (FactId id = 0; id < questions_.facts().size(); ++id)
    for (const Expr s : questions_.symbols_of_fact(id)) symbols_.push_back(s);
  Context& ctx = questions_.context();
  std::sort(symbols_.begin(), symbols_.end(),
            [&ctx](Expr a, Expr b) { return ctx.symbol_name(a) < ctx.symbol_name(b); });
  symbols_.erase(std::unique(symbols_.begin(), symbols_.end()), symbols_.end());
}

std::optional<Point> Witnesses::find(Expr guard) {
  Context& ctx = questions_.context();
  const GuardItem item = read_guard(ctx, guard);
  std::vector<ModelSearch::Slot> slots;
  std::vector<Expr> constraints{guard};
  for (FactId id = 0; id < questions_.facts().size(); ++id) constraints.push_back(questions_.facts()[id].canonical);
  for (const Expr s : symbols_) {
    ModelSearch::Slot slot;
    slot.symbol = s;
    if (s.sort() == Sort::Bool) {
      slot.domain = slot.allowed = IntSet::range(0, 1);
      slot.start = {1, 0};
    } else if (s.sort() == Sort::Int) {
      slot.domain = slot.allowed = questions_.domain(s);
      for (const auto& [x, set] : item.slots)
        if (x == s)
          if (auto both = intersect(slot.allowed, set)) slot.allowed = std::move(*both);
      // A value in general position: it breaks other guards more often than a special one.
      for (const std::int64_t from : {61, 1009, 2})
        if (const auto v = slot.allowed.after(from - 1)) slot.start.push_back(*v);
      for (const std::int64_t v : slot.allowed.samples(8)) slot.start.push_back(v);
      if (ctx.is_size(s)) constraints.push_back(make_at_least(ctx, s, 0));
    }
    if (slot.start.empty()) return std::nullopt;
    slots.push_back(std::move(slot));
  }
  ModelSearch search(ctx, std::move(slots), constraints);
  if (!search.find_base()) return std::nullopt;
  return search.point();
}

bool surely_not_true(const Tape& tape, const Point& at, std::vector<Tape::Cell>& scratch) {
  if (!tape.has()) return false;
  const Tape::Cell c = tape.run(at, scratch);
  return c.state == Tape::State::undefined || (c.state == Tape::State::value && c.v == 0);
}

}  // namespace dimgate::simplify
