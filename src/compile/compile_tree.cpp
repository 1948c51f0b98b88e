#include "dimgate/compile_tree.hpp"

#include <limits>
#include <optional>

#include "dimgate/guard.hpp"

namespace dimgate {
namespace {

/// lo <= slot <= hi.
struct SlotRange {
  SlotIndex slot;
  std::int64_t lo, hi;
};

/// A comparison of an Int symbol with a constant, by the values of int64 for which it is true; nullopt: something else.
std::optional<SlotRange> integer_range(const Context& ctx, Expr e, const Layout& layout) {
  if (e.op() != Op::Eq && e.op() != Op::Lt && e.op() != Op::Le && e.op() != Op::Gt && e.op() != Op::Ge)
    return std::nullopt;
  const bool swapped = e[1].is_symbol();
  const Expr symbol = e[swapped ? 1 : 0], constant = e[swapped ? 0 : 1];
  if (!symbol.is_symbol() || symbol.sort() != Sort::Int || !constant.is_int()) return std::nullopt;
  const std::optional<std::int64_t> value = constant.integer().to_int64();
  const SlotIndex slot = layout.find(ctx.symbol_name(symbol));
  if (!value || slot == kNoSlot || layout[slot].sort != SlotSort::integer) return std::nullopt;
  constexpr std::int64_t kLo = std::numeric_limits<std::int64_t>::min(), kHi = std::numeric_limits<std::int64_t>::max();
  switch (e.op()) {
    case Op::Eq:
      return SlotRange{slot, *value, *value};
    case Op::Le:
    case Op::Ge:
      return (e.op() == Op::Le) != swapped ? SlotRange{slot, kLo, *value} : SlotRange{slot, *value, kHi};
    default: {
      const bool below = (e.op() == Op::Lt) != swapped;
      if (*value == (below ? kLo : kHi)) return std::nullopt;  // never: left to a program
      return below ? SlotRange{slot, kLo, *value - 1} : SlotRange{slot, *value + 1, kHi};
    }
  }
}

/// A Bool symbol or its negation, an Enum symbol and a constant.
std::optional<SlotRange> raw_equality(const Context& ctx, Expr e, const Layout& layout) {
  const bool negated = e.is(Op::Not);
  const Expr flag = negated ? e[0] : e;
  if (flag.is_symbol() && flag.sort() == Sort::Bool) {
    const SlotIndex slot = layout.find(ctx.symbol_name(flag));
    if (slot == kNoSlot || layout[slot].sort != SlotSort::boolean) return std::nullopt;
    const std::int64_t v = negated ? 0 : 1;
    return SlotRange{slot, v, v};
  }
  if (!e.is(Op::Eq) || e[0].sort() != Sort::Enum) return std::nullopt;
  const std::size_t s = e[0].is_symbol() ? 0 : 1;
  if (!e[s].is_symbol() || !e[1 - s].is_const()) return std::nullopt;
  const SlotIndex slot = layout.find(ctx.symbol_name(e[s]));
  if (slot == kNoSlot || layout[slot].sort != SlotSort::name) return std::nullopt;
  const std::int64_t id = layout.names().intern(ctx.enum_name(e[1 - s]));
  return SlotRange{slot, id, id};
}

/// The slot at the end of the edges: what hangs together by edges is one object with its parts.
SlotIndex root_of(const Layout& layout, SlotIndex s) {
  for (std::size_t n = 0; n < layout.size() && layout[s].edge != kNoSlot; ++n) s = layout[s].edge;
  return s;
}

std::vector<Expr> conjuncts(Expr e) {
  std::vector<Expr> out, open{e};
  while (!open.empty()) {
    const Expr at = open.back();
    open.pop_back();
    if (at.is(Op::And) && at.size() > 0)
      for (std::size_t i = at.size(); i-- > 0;) open.push_back(at[i]);
    else
      out.push_back(at);
  }
  return out;
}

}  // namespace

Result<GuardTree> compile_tree(Context& ctx, std::span<const Expr> guards, const Layout& layout,
                               const TreeOptions& options) {
  std::vector<detail::TreeUnit> units;
  std::vector<Program> programs;
  for (std::uint32_t g = 0; g < guards.size(); ++g) {
    if (!guards[g] || guards[g].sort() != Sort::Bool) {
      // `compile` words the error.
      Result<Program> refused = compile(ctx, guards, layout, options.compile);
      return refused ? Error{"guard " + std::to_string(g) + " is not a Bool"} : refused.error();
    }
    for (const Expr part : conjuncts(guards[g])) {
      detail::TreeUnit unit;
      unit.test.guard = g;
      unit.test.unit = static_cast<std::uint32_t>(units.size());
      std::optional<SlotRange> range = integer_range(ctx, part, layout);
      if (!range) range = raw_equality(ctx, part, layout);
      if (range) {
        unit.slots.push_back(range->slot);
        unit.test.lo = range->lo;
        unit.test.hi = range->hi;
      } else {
        CompileOptions how = options.compile;
        how.failure_rates = {};
        Result<Program> program = compile(ctx, std::span(&part, 1), layout, how);
        if (!program) {
          // With the guard's own number and text.
          Result<Program> whole = compile(ctx, guards, layout, how);
          return whole ? program.error() : whole.error();
        }
        // All symbols, not only the slots the program reads: a formula that folds keeps what makes it undefined.
        for (const Expr s : symbols_of(ctx, part)) unit.slots.push_back(layout.find(ctx.symbol_name(s)));
        unit.test.program = static_cast<std::int32_t>(programs.size());
        programs.push_back(std::move(*program));
        unit.evaluation = 1 + estimated_cost(ctx, part);
      }
      bool one = !unit.slots.empty();
      for (const SlotIndex s : unit.slots) {
        one = one && layout[s].source.base == layout[unit.slots.front()].source.base;
        unit.from_data = unit.from_data || layout[s].read_cost >= kDataReadCost;
      }
      if (one) unit.object = layout[root_of(layout, unit.slots.front())].source.base;
      units.push_back(std::move(unit));
    }
  }
  std::vector<GuardTree::Slot> slots;
  slots.reserve(layout.size());
  for (const Slot& s : layout.slots()) slots.push_back({s.edge, s.read_cost, s.source.base});
  return GuardTree(std::move(units), std::move(programs), std::move(slots), options.order);
}

}  // namespace dimgate
