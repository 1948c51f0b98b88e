// The interpreter's fast path: every slot present, int64, threaded code (each instruction jumps to the next one's
// label, a GNU extension; other compilers get the switch of execute.hpp).
#include "program/fast.hpp"

#include <algorithm>

#include "program/execute.hpp"

namespace dimgate::detail {

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

// NOLINTNEXTLINE(readability-function-size): one label an instruction
std::int32_t run_fast(const ProgramCode& p, const RowInput& in, std::int64_t* const r) noexcept {
  static const void* const kLabels[] = {
#define DIMGATE_CODE(name) &&L_##name,
      DIMGATE_CODES(DIMGATE_CODE)
#undef DIMGATE_CODE
  };
  const Instr* const code = p.code.data();
  const Instr* i = code;
  const std::int64_t* const s = in.view.values;

#define GO() goto* kLabels[static_cast<std::size_t>(i->code)]  // NOLINT(bugprone-macro-parentheses): a statement
#define NEXT() \
  do {         \
    ++i;       \
    GO();      \
  } while (0)
#define JUMP(target)     \
  do {                   \
    i = code + (target); \
    GO();                \
  } while (0)
#define VALUE(name, expression)      \
  L_##name : r[i->a] = (expression); \
  NEXT();
#define CHECKED(name, call)              \
  L_##name : if (!(call)) return kLeave; \
  NEXT();
#define BRANCH(name, condition)                   \
  L_JIf##name : if (condition) JUMP(i->a);        \
  NEXT();                                         \
  L_JUnless##name : if (!(condition)) JUMP(i->a); \
  NEXT();
#define PAIRS(name, op)                                                            \
  L_Pairs##name : {                                                                \
    const Pair* const end = p.pairs.data() + i->b + i->c;                          \
    for (const Pair* q = end - i->c; q != end; ++q)                                \
      if (!(s[q->left] op s[q->right])) return static_cast<std::int32_t>(q->test); \
  }                                                                                \
  NEXT();

  GO();
L_Pass:
  return kPass;
L_Fail:
  return static_cast<std::int32_t>(i->a);
L_Need:
  if (!in.has_all(p.needs.data() + i->b, i->c)) return kLeave;
  NEXT();
L_Jump:
  JUMP(i->a);
L_Ranges: {
  const Range* const end = p.ranges.data() + i->b + i->c;
  for (const Range* q = end - i->c; q != end; ++q) {
    const std::int64_t v = s[q->slot];
    if (!q->holds(v)) return static_cast<std::int32_t>(v < q->lo ? q->below : q->above);
  }
}
  NEXT();
L_NotRanges: {
  const Range* const end = p.ranges.data() + i->b + i->c;
  for (const Range* q = end - i->c; q != end; ++q)
    if (q->holds(s[q->slot])) return static_cast<std::int32_t>(q->below);
}
  NEXT();
L_Mods: {
  const Congruent* const end = p.mods.data() + i->b + i->c;
  for (const Congruent* q = end - i->c; q != end; ++q)
    if (!q->holds(s[q->slot])) return static_cast<std::int32_t>(q->test);
}
  NEXT();
  PAIRS(Eq, ==)
  PAIRS(Ne, !=)
  PAIRS(Lt, <)
  PAIRS(Le, <=)
L_Loads: {
  const RegisterLoad* const end = p.loads.data() + i->b + i->c;
  for (const RegisterLoad* q = end - i->c; q != end; ++q) r[q->reg] = s[q->slot];
}
  NEXT();
  VALUE(Load, s[i->b])
  VALUE(LoadBool, s[i->b] == 1 ? kTrue : s[i->b] == 0 ? kFalse : kUndefined)
  VALUE(Const, i->imm)
L_BigConst:
  return kLeave;
  CHECKED(Add, Checked::add(r[i->a], r[i->b], r[i->c]))
  CHECKED(Sub, Checked::sub(r[i->a], r[i->b], r[i->c]))
  CHECKED(Mul, Checked::mul(r[i->a], r[i->b], r[i->c]))
L_Div:
  if (r[i->c] == 0)
    r[i->a] = 0;
  else if (!Checked::floor_div(r[i->a], r[i->b], r[i->c]))
    return kLeave;
  NEXT();
  VALUE(DivPow2, r[i->b] >> i->x)
  VALUE(DivMagic, p.magics[i->c].floor_div(r[i->b]))
L_DivOr:
  if (r[i->c] == 0) JUMP(i->imm);
  if (!Checked::floor_div(r[i->a], r[i->b], r[i->c])) return kLeave;
  NEXT();
L_Mod:
  if (r[i->c] == 0)
    r[i->a] = 0;
  else
    Checked::floor_mod(r[i->a], r[i->b], r[i->c]);
  NEXT();
  VALUE(ModMagic, p.magics[i->c].floor_mod(r[i->b], i->imm))
L_ModOr:
  if (r[i->c] == 0) JUMP(i->imm);
  Checked::floor_mod(r[i->a], r[i->b], r[i->c]);
  NEXT();
L_CeilDiv:
  if (r[i->c] == 0)
    r[i->a] = 0;
  else if (!Checked::ceil_div(r[i->a], r[i->b], r[i->c]))
    return kLeave;
  NEXT();
L_CeilDivOr:
  if (r[i->c] == 0) JUMP(i->imm);
  if (!Checked::ceil_div(r[i->a], r[i->b], r[i->c])) return kLeave;
  NEXT();
  VALUE(Min, std::min(r[i->b], r[i->c]))
  VALUE(Max, std::max(r[i->b], r[i->c]))
L_Abs:
  if (r[i->b] >= 0)
    r[i->a] = r[i->b];
  else if (!Checked::sub(r[i->a], 0, r[i->b]))
    return kLeave;
  NEXT();
#include "program/register_values.inc"
  VALUE(SetIn, truth(std::ranges::binary_search(p.sets[i->c], r[i->b])))
  VALUE(Distinct, truth(all_different(r + i->b, i->c, std::less<>{})))
  BRANCH(Eq, r[i->b] == r[i->c])
  BRANCH(Ne, r[i->b] != r[i->c])
  BRANCH(Lt, r[i->b] < r[i->c])
  BRANCH(Le, r[i->b] <= r[i->c])
  BRANCH(EqI, r[i->b] == i->imm)
  BRANCH(NeI, r[i->b] != i->imm)
  BRANCH(LtI, r[i->b] < i->imm)
  BRANCH(GtI, r[i->b] > i->imm)
  BRANCH(Range, p.ranges[i->b].holds(s[p.ranges[i->b].slot]) != (i->x != 0))
  BRANCH(Mod, p.mods[i->b].holds(s[p.mods[i->b].slot]) != (i->x != 0))
  BRANCH(In, std::ranges::binary_search(p.sets[i->c], s[i->b]) != (i->x != 0))
  BRANCH(SlotEq, s[i->b] == s[i->c])
  BRANCH(SlotNe, s[i->b] != s[i->c])
  BRANCH(SlotLt, s[i->b] < s[i->c])
  BRANCH(SlotLe, s[i->b] <= s[i->c])
  BRANCH(SlotsDiffer, slots_differ(p.lists[i->b], in) != (i->x != 0))

#undef GO
#undef NEXT
#undef JUMP
#undef VALUE
#undef CHECKED
#undef BRANCH
#undef PAIRS
}

#pragma GCC diagnostic pop
#else

std::int32_t run_fast(const ProgramCode& p, const RowInput& in, std::int64_t* const r) noexcept {
  return Executor<Total, RowInput>{p, in, r, nullptr}.run();
}

#endif

}  // namespace dimgate::detail
