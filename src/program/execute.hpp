// The interpreter, once for every path: M says what registers hold (machine.hpp), In where slots come from.
#pragma once

#include <algorithm>
#include <cmath>

#include "program/machine.hpp"

namespace dimgate::detail {

/// Registers [first, first + count) pairwise different; may reorder them.
template <class Cell, class Less>
bool all_different(Cell* first, std::uint32_t count, Less less) noexcept {
  if (count <= 16) {
    for (std::uint32_t i = 0; i < count; ++i)
      for (std::uint32_t j = 0; j < i; ++j)
        if (!less(first[i], first[j]) && !less(first[j], first[i])) return false;
    return true;
  }
  // Heap sort: in place, no allocation, n log n at worst.
  std::make_heap(first, first + count, less);
  std::sort_heap(first, first + count, less);
  for (std::uint32_t i = 1; i < count; ++i)
    if (!less(first[i - 1], first[i])) return false;
  return true;
}

inline bool is_nan_bits(std::int64_t bits) noexcept {
  return (static_cast<std::uint64_t>(bits) << 1) > (std::uint64_t{0x7ff} << 53);
}

/// Slots pairwise different; all present. No early exit: the lists are short and usually differ.
template <class In>
bool slots_differ(const std::vector<SlotIndex>& list, const In& in) noexcept {
  bool equal = false;
  for (std::size_t j = 1; j < list.size(); ++j) {
    const std::int64_t v = in.raw(list[j]);
    for (std::size_t k = 0; k < j; ++k) equal |= in.raw(list[k]) == v;
  }
  return !equal;
}

template <class M, class In>
struct Executor {
  using Cell = typename M::Cell;
  using Number = typename M::Number;
  using Ops = typename M::Ops;

  const ProgramCode& p;
  const In& in;
  Cell* r;
  std::vector<std::uint32_t>* failed;  // null: stop at the first
  std::int32_t found = kPass;          // of the last run

  [[nodiscard]] bool has(SlotIndex s) const noexcept {
    if constexpr (M::kPartial) return in.has(s);
    return true;
  }
  template <class Condition>
  [[nodiscard]] int on(std::uint32_t b, std::uint32_t c, Condition condition) const noexcept {
    if (!M::defined(r[b]) || !M::defined(r[c])) return kUndefined;
    return truth(condition(M::number(r[b]), M::number(r[c])));
  }
  template <class Condition>
  [[nodiscard]] int on(std::uint32_t b, Condition condition) const noexcept {
    if (!M::defined(r[b])) return kUndefined;
    return truth(condition(M::number(r[b])));
  }
  template <class Condition>
  [[nodiscard]] int on_slots(const Instr& i, Condition condition) const noexcept {
    if (!has(i.b) || !has(i.c)) return kUndefined;
    return truth(condition(in.raw(i.b), in.raw(i.c)));
  }
  [[nodiscard]] int range(const Instr& i) const noexcept {
    const Range& t = p.ranges[i.b];
    return has(t.slot) ? truth(t.holds(in.raw(t.slot)) != (i.x != 0)) : kUndefined;
  }
  [[nodiscard]] int mod(const Instr& i) const noexcept {
    const Congruent& t = p.mods[i.b];
    return has(t.slot) ? truth(t.holds(in.raw(t.slot)) != (i.x != 0)) : kUndefined;
  }
  [[nodiscard]] int member(const Instr& i) const noexcept {
    if (!has(i.b)) return kUndefined;
    return truth(std::ranges::binary_search(p.sets[i.c], in.raw(i.b)) != (i.x != 0));
  }
  [[nodiscard]] int slots_differ(const Instr& i) const noexcept {
    const std::vector<SlotIndex>& list = p.lists[i.b];
    if constexpr (M::kPartial)
      for (const SlotIndex s : list)
        if (!in.has(s)) return kUndefined;
    return truth(detail::slots_differ(list, in) != (i.x != 0));
  }
  [[nodiscard]] int truth_of(std::uint32_t b) const noexcept { return static_cast<int>(Ops::low(M::number(r[b]))); }

  template <class Op>
  [[nodiscard]] bool arith(const Instr& i, Op op) noexcept {
    if constexpr (M::kPartial) {
      if (!M::defined(r[i.b]) || !M::defined(r[i.c])) return M::set_undefined(r[i.a]), true;
    }
    Number out{};
    if (!op(out, M::number(r[i.b]), M::number(r[i.c]))) return false;
    M::set(r[i.a], out);
    return true;
  }
  template <class Op>
  [[nodiscard]] bool arith_imm(const Instr& i, Op op) noexcept {
    if constexpr (M::kPartial) {
      if (!M::defined(r[i.b])) return M::set_undefined(r[i.a]), true;
    }
    Number out{};
    if (!op(out, M::number(r[i.b]), Number(i.imm))) return false;
    M::set(r[i.a], out);
    return true;
  }
  template <class Op>
  [[nodiscard]] bool divide(const Instr& i, Op op) noexcept {
    if (M::number(r[i.c]) == 0) return M::set_undefined(r[i.a]), true;
    return arith(i, op);
  }

  /// False if a pair fails and that ends the run: the test is in `found`.
  template <class Fails, class Condition>
  [[nodiscard]] bool pairs(const Instr& i, Fails fails, Condition condition) noexcept {
    const Pair* const end = p.pairs.data() + i.b + i.c;
    for (const Pair* q = end - i.c; q != end; ++q) {
      if (has(q->left) && has(q->right) && condition(in.raw(q->left), in.raw(q->right))) continue;
      found = static_cast<std::int32_t>(q->test);
      if (fails(q->test)) return false;
    }
    return true;
  }

  /// kPass, the first failing test, or kLeave.
  std::int32_t run() noexcept;
  bool step_value(const Instr& i) noexcept;
};

template <class M, class In>
inline bool Executor<M, In>::step_value(const Instr& i) noexcept {
  const auto set = [&](int t) { M::set(r[i.a], Number(t)); };
  const auto less = [](const Cell& a, const Cell& b) { return M::number(a) < M::number(b); };
  switch (i.code) {
    case Code::Loads:
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k) {
        const RegisterLoad& load = p.loads[k];
        if (has(load.slot))
          M::set(r[load.reg], Number(in.raw(load.slot)));
        else
          M::set_undefined(r[load.reg]);
      }
      return true;
    case Code::Load:
      if (has(i.b))
        M::set(r[i.a], Number(in.raw(i.b)));
      else
        M::set_undefined(r[i.a]);
      return true;
    case Code::LoadBool: {
      const std::int64_t v = has(i.b) ? in.raw(i.b) : -1;
      set(v == 1 ? kTrue : v == 0 ? kFalse : kUndefined);
      return true;
    }
    case Code::Const:
      M::set(r[i.a], Number(i.imm));
      return true;
    case Code::BigConst: {
      Number out{};
      if (!Ops::big(out, p.bigs[i.b])) return false;
      M::set(r[i.a], out);
      return true;
    }
    case Code::Move:
      r[i.a] = r[i.b];
      return true;
    case Code::Add:
      return arith(i, Ops::add);
    case Code::AddI:
      return arith_imm(i, Ops::add);
    case Code::Sub:
      return arith(i, Ops::sub);
    case Code::Neg:
      return arith_imm(i, [](Number& o, const Number& a, const Number&) { return Ops::sub(o, 0, a); });
    case Code::Mul:
      return arith(i, Ops::mul);
    case Code::MulI:
      return arith_imm(i, Ops::mul);
    case Code::Div:
      return divide(i, Ops::floor_div);
    case Code::DivI:
    case Code::DivPow2:
      return arith_imm(i, Ops::floor_div);
    case Code::Mod:
      return divide(i, Ops::floor_mod);
    case Code::ModI:
    case Code::ModPow2:
      return arith_imm(i, Ops::floor_mod);
    case Code::CeilDiv:
      return divide(i, Ops::ceil_div);
    case Code::CeilDivI:
      return arith_imm(i, Ops::ceil_div);
    case Code::Min:
      return arith(i, [](Number& o, const Number& a, const Number& b) { return o = b < a ? b : a, true; });
    case Code::Max:
      return arith(i, [](Number& o, const Number& a, const Number& b) { return o = a < b ? b : a, true; });
    case Code::MinI:
      return arith_imm(i, [](Number& o, const Number& a, const Number& b) { return o = b < a ? b : a, true; });
    case Code::MaxI:
      return arith_imm(i, [](Number& o, const Number& a, const Number& b) { return o = a < b ? b : a, true; });
    case Code::Abs:
      return arith_imm(i, [](Number& o, const Number& a, const Number&) {
        if (a < 0) return Ops::sub(o, 0, a);
        return o = a, true;
      });
    case Code::Select: {
      const int t = truth_of(i.b);
      if (t == kUndefined)
        M::set_undefined(r[i.a]);
      else
        r[i.a] = t == kTrue ? r[i.c] : r[static_cast<std::size_t>(i.imm)];
      return true;
    }
    case Code::Choose: {
      const int t = truth_of(i.b);
      set(t == kTrue    ? truth_of(i.c)
          : t == kFalse ? truth_of(static_cast<std::uint32_t>(i.imm))
                        : static_cast<int>(kUndefined));
      return true;
    }
    case Code::NonZero:
      set(M::defined(r[i.b]) && M::number(r[i.b]) != 0 ? kTrue : kUndefined);
      return true;
    case Code::Mask:
      set(truth_of(i.c) == kTrue ? truth_of(i.b) : kUndefined);
      return true;
    case Code::Not:
      set(kTrue - truth_of(i.b));
      return true;
    case Code::Iff: {
      const int b = truth_of(i.b), c = truth_of(i.c);
      set(b == kUndefined || c == kUndefined ? kUndefined : truth(b == c));
      return true;
    }
    case Code::StrictOr: {
      const int b = truth_of(i.b), c = truth_of(i.c);
      set(b == kUndefined || c == kUndefined ? static_cast<int>(kUndefined) : b | c);
      return true;
    }
    case Code::SetEq:
      set(on(i.b, i.c, [](const Number& a, const Number& b) { return a == b; }));
      return true;
    case Code::SetNe:
      set(on(i.b, i.c, [](const Number& a, const Number& b) { return a != b; }));
      return true;
    case Code::SetLt:
      set(on(i.b, i.c, [](const Number& a, const Number& b) { return a < b; }));
      return true;
    case Code::SetLe:
      set(on(i.b, i.c, [](const Number& a, const Number& b) { return a <= b; }));
      return true;
    case Code::SetEqI:
      set(on(i.b, [&](const Number& a) { return a == i.imm; }));
      return true;
    case Code::SetNeI:
      set(on(i.b, [&](const Number& a) { return a != i.imm; }));
      return true;
    case Code::SetLtI:
      set(on(i.b, [&](const Number& a) { return a < i.imm; }));
      return true;
    case Code::SetGtI:
      set(on(i.b, [&](const Number& a) { return a > i.imm; }));
      return true;
    case Code::SetEqF:
      set(on(i.b, i.c, [](const Number& a, const Number& b) {
        return std::bit_cast<double>(Ops::low(a)) == std::bit_cast<double>(Ops::low(b));
      }));
      return true;
    case Code::SetNan:
      set(on(i.b, [](const Number& a) { return is_nan_bits(Ops::low(a)); }));
      return true;
    case Code::SetIn:
      set(on(i.b, [&](const Number& a) {
        return std::binary_search(p.sets[i.c].begin(), p.sets[i.c].end(), a,
                                  [](const auto& x, const auto& y) { return x < y; });
      }));
      return true;
    case Code::Distinct: {
      bool defined = true;
      for (std::uint32_t k = 0; k < i.c; ++k) defined = defined && M::defined(r[i.b + k]);
      set(defined ? truth(all_different(r + i.b, i.c, less)) : kUndefined);
      return true;
    }
    default:
      return false;  // jumps and runs are not values: `run` has them
  }
}

// NOLINTNEXTLINE(readability-function-size): one case an instruction
template <class M, class In>
std::int32_t Executor<M, In>::run() noexcept {
  const Instr* const code = p.code.data();
  const Instr* pc = code;
  bool any_failed = false;
  // A jump to Fail stops, or, when all failing tests are wanted, is noted and not taken: what follows still computes.
  const auto jump = [&](const Instr& i) -> bool {
    if constexpr (M::kPartial) {
      if (failed != nullptr && code[i.a].code == Code::Fail) {
        failed->push_back(code[i.a].a);
        any_failed = true;
        ++pc;
        return true;
      }
    }
    pc = code + i.a;
    return true;
  };
  const auto fails = [&](std::uint32_t test) -> bool {
    if constexpr (M::kPartial) {
      if (failed != nullptr) return failed->push_back(test), any_failed = true, false;
    }
    return true;
  };
  for (;;) {
    const Instr& i = *pc;
    int t = kUndefined;
    switch (i.code) {
      case Code::Pass:
        return any_failed ? static_cast<std::int32_t>(failed->front()) : kPass;
      case Code::Fail:
        return static_cast<std::int32_t>(i.a);
      case Code::Need:
        if constexpr (!M::kPartial)
          if (!in.has_all(p.needs.data() + i.b, i.c)) return kLeave;
        ++pc;
        continue;
      case Code::Jump:
        jump(i);
        continue;
      case Code::Ranges: {
        const Range* const end = p.ranges.data() + i.b + i.c;
        for (const Range* q = end - i.c; q != end; ++q) {
          if (has(q->slot)) {
            const std::int64_t v = in.raw(q->slot);
            if (q->holds(v)) continue;
            if (fails(v < q->lo ? q->below : q->above))
              return static_cast<std::int32_t>(v < q->lo ? q->below : q->above);
          } else {
            if (fails(q->below)) return static_cast<std::int32_t>(q->below);
            if (q->above != q->below) fails(q->above);
          }
        }
        ++pc;
        continue;
      }
      case Code::NotRanges: {
        const Range* const end = p.ranges.data() + i.b + i.c;
        for (const Range* q = end - i.c; q != end; ++q)
          if ((!has(q->slot) || q->holds(in.raw(q->slot))) && fails(q->below))
            return static_cast<std::int32_t>(q->below);
        ++pc;
        continue;
      }
      case Code::PairsEq:
        if (!pairs(i, fails, [](std::int64_t a, std::int64_t b) { return a == b; })) return found;
        ++pc;
        continue;
      case Code::PairsNe:
        if (!pairs(i, fails, [](std::int64_t a, std::int64_t b) { return a != b; })) return found;
        ++pc;
        continue;
      case Code::PairsLt:
        if (!pairs(i, fails, [](std::int64_t a, std::int64_t b) { return a < b; })) return found;
        ++pc;
        continue;
      case Code::PairsLe:
        if (!pairs(i, fails, [](std::int64_t a, std::int64_t b) { return a <= b; })) return found;
        ++pc;
        continue;
      case Code::DivOr:
      case Code::ModOr:
      case Code::CeilDivOr:
        // Undefined: the atom it is part of is neither true nor false.
        if (!M::defined(r[i.b]) || !M::defined(r[i.c]) || M::number(r[i.c]) == 0) {
          M::set_undefined(r[i.a]);
          jump({.a = static_cast<std::uint32_t>(i.imm)});
          continue;
        }
        if (!(i.code == Code::DivOr   ? arith(i, Ops::floor_div)
              : i.code == Code::ModOr ? arith(i, Ops::floor_mod)
                                      : arith(i, Ops::ceil_div)))
          return kLeave;
        ++pc;
        continue;
      case Code::Mods: {
        const Congruent* const end = p.mods.data() + i.b + i.c;
        for (const Congruent* q = end - i.c; q != end; ++q)
          if ((!has(q->slot) || !q->holds(in.raw(q->slot))) && fails(q->test))
            return static_cast<std::int32_t>(q->test);
        ++pc;
        continue;
      }
#define DIMGATE_JUMP(name, condition)    \
  case Code::JIf##name:                  \
    t = (condition);                     \
    if (t == kTrue && jump(i)) continue; \
    ++pc;                                \
    continue;                            \
  case Code::JUnless##name:              \
    t = (condition);                     \
    if (t != kTrue && jump(i)) continue; \
    ++pc;                                \
    continue;
        DIMGATE_JUMP(Eq, on(i.b, i.c, [](const Number& a, const Number& b) { return a == b; }))
        DIMGATE_JUMP(Ne, on(i.b, i.c, [](const Number& a, const Number& b) { return a != b; }))
        DIMGATE_JUMP(Lt, on(i.b, i.c, [](const Number& a, const Number& b) { return a < b; }))
        DIMGATE_JUMP(Le, on(i.b, i.c, [](const Number& a, const Number& b) { return a <= b; }))
        DIMGATE_JUMP(EqI, on(i.b, [&](const Number& a) { return a == i.imm; }))
        DIMGATE_JUMP(NeI, on(i.b, [&](const Number& a) { return a != i.imm; }))
        DIMGATE_JUMP(LtI, on(i.b, [&](const Number& a) { return a < i.imm; }))
        DIMGATE_JUMP(GtI, on(i.b, [&](const Number& a) { return a > i.imm; }))
        DIMGATE_JUMP(Range, range(i))
        DIMGATE_JUMP(Mod, mod(i))
        DIMGATE_JUMP(In, member(i))
        DIMGATE_JUMP(SlotEq, on_slots(i, [](std::int64_t a, std::int64_t b) { return a == b; }))
        DIMGATE_JUMP(SlotNe, on_slots(i, [](std::int64_t a, std::int64_t b) { return a != b; }))
        DIMGATE_JUMP(SlotLt, on_slots(i, [](std::int64_t a, std::int64_t b) { return a < b; }))
        DIMGATE_JUMP(SlotLe, on_slots(i, [](std::int64_t a, std::int64_t b) { return a <= b; }))
        DIMGATE_JUMP(SlotsDiffer, slots_differ(i))
#undef DIMGATE_JUMP
      default:
        if (!step_value(i)) return kLeave;
        ++pc;
        continue;
    }
  }
}

}  // namespace dimgate::detail
