// The interpreter, once for every path: M says what registers hold (machine.hpp), In where slots come from.
#pragma once

#include "program/values.hpp"

namespace dimgate::detail {

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
