// Threaded code: each step jumps to the next one's label (a GNU extension; other compilers make no steps).
#include <algorithm>
#include <bit>

#include "program/executor.hpp"
#include "program/steps.hpp"

namespace dimgate::detail {

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

namespace {

// Kept apart: what they need of registers would be saved by every run.
[[gnu::noinline]] bool is_member(const ProgramCode& p, std::uint32_t set, std::int64_t v) noexcept {
  return std::ranges::binary_search(p.sets[set], v);
}
[[gnu::noinline]] bool differ(const ProgramCode& p, std::uint32_t list, const std::int64_t* s) noexcept {
  return slots_differ(p.lists[list], RowInput{{s, nullptr, 0}});
}
[[gnu::noinline]] bool registers_differ(std::int64_t* first, std::uint32_t count) noexcept {
  return all_different(first, count, std::less<>{});
}
/// kPass, or the guard that fails.
[[gnu::always_inline]] inline std::int32_t run_ranges(const ProgramCode& p, const Step& i,
                                                      const std::int64_t* s) noexcept {
  const Range* const end = p.ranges.data() + i.b + i.c;
  for (const Range* q = end - i.c; q != end; ++q) {
    const std::int64_t v = s[q->slot];
    if (!q->holds(v)) return p.first_guard(v < q->lo ? q->below : q->above);
  }
  return kPass;
}
[[gnu::always_inline]] inline std::int32_t run_not_ranges(const ProgramCode& p, const Step& i,
                                                          const std::int64_t* s) noexcept {
  const Range* const end = p.ranges.data() + i.b + i.c;
  for (const Range* q = end - i.c; q != end; ++q)
    if (q->holds(s[q->slot])) return p.first_guard(q->below);
  return kPass;
}
[[gnu::always_inline]] inline std::int32_t run_mods(const ProgramCode& p, const Step& i,
                                                    const std::int64_t* s) noexcept {
  const Congruent* const end = p.mods.data() + i.b + i.c;
  for (const Congruent* q = end - i.c; q != end; ++q)
    if (!q->holds(s[q->slot])) return p.first_guard(q->test);
  return kPass;
}

bool in_range(const Step& i, std::int64_t v) noexcept {
  return static_cast<std::uint64_t>(v) - static_cast<std::uint64_t>(i.imm) <= i.p;
}
bool congruent(const Step& i, std::int64_t v) noexcept {
  return std::rotr((static_cast<std::uint64_t>(v) + static_cast<std::uint64_t>(i.imm)) * i.p, i.x) <= i.q;
}
std::int64_t magic_div(const Step& i, std::int64_t n) noexcept { return Magic{i.p, i.x}.floor_div(n); }
std::int64_t magic_mod(const Step& i, std::int64_t n) noexcept {
  return Magic{i.p, i.x}.floor_mod(n, static_cast<std::int64_t>(i.q));
}

// `kCalls`: with the steps that call something. Without them nothing must be saved, at the beginning or at the end.
// NOLINTNEXTLINE(readability-function-size): one label a step
template <bool kCalls>
std::int32_t run(const ProgramCode& p, const std::int64_t* const s, const std::uint64_t* const present,
                 std::size_t size) noexcept {
  std::int64_t r[kStepRegisters];
  static const void* const kLabels[] = {
#define DIMGATE_STEP(name) &&L_##name,
      DIMGATE_STEPS(DIMGATE_STEP)
#undef DIMGATE_STEP
  };
  const Step* const base = p.steps.data();
  const Step* i = base;

#define CALL(expression) (kCalls && (expression))
#define GO() goto* kLabels[static_cast<std::size_t>(i->code)]  // NOLINT(bugprone-macro-parentheses): a statement
#define NEXT() \
  do {         \
    ++i;       \
    GO();      \
  } while (0)
#define JUMP()                                                                                               \
  do {                                                                                                       \
    const std::int32_t to = i->t;                                                                            \
    if (to < 0) return answer_of(to);                                                                        \
    i = reinterpret_cast<const Step*>(reinterpret_cast<const char*>(base) + static_cast<std::uint32_t>(to)); \
    GO();                                                                                                    \
  } while (0)
#define FAIL(guard) return static_cast<std::int32_t>(guard)
#define BRANCH(name, condition)     \
  L_##name : if (condition) JUMP(); \
  NEXT();
#define ONE(name, condition, guard)                      \
  L_##name : if (!(condition)) [[unlikely]] FAIL(guard); \
  ++i;
#define TESTS(name, condition, guard) \
  ONE(name##6, condition, guard)      \
  ONE(name##5, condition, guard)      \
  ONE(name##4, condition, guard)      \
  ONE(name##3, condition, guard)      \
  ONE(name##2, condition, guard)      \
  ONE(name##1, condition, guard)      \
  GO();
#define GROUP(name, run)                                                                 \
  L_##name : if (const std::int32_t guard = run(p, *i, s); guard != kPass) return guard; \
  NEXT();
#define VALUE(name, expression)      \
  L_##name : r[i->a] = (expression); \
  NEXT();
#define CHECKED(name, call)           \
  L_##name : if (!(call)) goto leave; \
  NEXT();
#define MODES(M, name, ...)                  \
  M(name##RR, r[i->b], r[i->c], __VA_ARGS__) \
  M(name##RS, r[i->b], s[i->c], __VA_ARGS__) \
  M(name##SR, s[i->b], r[i->c], __VA_ARGS__) \
  M(name##SS, s[i->b], s[i->c], __VA_ARGS__)
#define COMPARE(name, left, right, op) BRANCH(name, (left)op(right))
#define IMMEDIATE(name, op)              \
  BRANCH(If##name##R, r[i->b] op i->imm) \
  BRANCH(If##name##S, s[i->b] op i->imm)
#define BINARY(name, left, right, call) CHECKED(name, call(r[i->a], left, right))
#define CHOSEN(name, left, right, call) VALUE(name, call(std::int64_t{left}, std::int64_t{right}))
#define DIVIDE(name, left, right, call)     \
  L_##name : {                              \
    const std::int64_t divisor = right;     \
    if (divisor == 0)                       \
      r[i->a] = 0;                          \
    else if (!call(r[i->a], left, divisor)) \
      goto leave;                           \
  }                                         \
  NEXT();
#define DIVIDE_OR(name, left, right, call)         \
  L_##name : {                                     \
    const std::int64_t divisor = right;            \
    if (divisor == 0) JUMP();                      \
    if (!call(r[i->a], left, divisor)) goto leave; \
  }                                                \
  NEXT();
#define THEN(name, left, right, call, op)  \
  L_##name : {                             \
    std::int64_t v;                        \
    if (!call(v, left, right)) goto leave; \
    r[i->a] = v;                           \
    if (v op i->imm) JUMP();               \
  }                                        \
  NEXT();
#define MOD_THEN(name, left, right, call, op) \
  L_##name : {                                \
    const std::int64_t divisor = right;       \
    if (divisor == 0) JUMP();                 \
    std::int64_t v;                           \
    call(v, left, divisor);                   \
    r[i->a] = v;                              \
    if (v op i->imm) JUMP();                  \
  }                                           \
  NEXT();
#define FUSED(M, name, call)       \
  MODES(M, name##ThenEq, call, ==) \
  MODES(M, name##ThenNe, call, !=) \
  MODES(M, name##ThenLt, call, <)  \
  MODES(M, name##ThenGe, call, >=) \
  MODES(M, name##ThenGt, call, >)  \
  MODES(M, name##ThenLe, call, <=)
#define MAGIC_THEN(name, call, op)            \
  L_##name : {                                \
    const std::int64_t v = call(*i, r[i->b]); \
    r[i->a] = v;                              \
    if (v op i->imm) JUMP();                  \
  }                                           \
  NEXT();
#define MAGIC(name, call)            \
  VALUE(name, call(*i, r[i->b]))     \
  MAGIC_THEN(name##ThenEq, call, ==) \
  MAGIC_THEN(name##ThenNe, call, !=) \
  MAGIC_THEN(name##ThenLt, call, <)  \
  MAGIC_THEN(name##ThenGe, call, >=) \
  MAGIC_THEN(name##ThenGt, call, >)  \
  MAGIC_THEN(name##ThenLe, call, <=)

  // The first step is nearly always this one.
  if (i->code != StepCode::Need) GO();
L_Need:
  if ((present[i->b] & i->p) != i->p) goto leave;
  NEXT();
L_Pass:
  return kPass;
L_Leave:
leave:
  return check_otherwise(p, {s, present, size});
L_Jump:
  JUMP();
  TESTS(Range, in_range(*i, s[i->b]), s[i->b] < i->imm ? i->a : i->d)
  TESTS(NotRange, !in_range(*i, s[i->b]), i->a)
  TESTS(Congruent, congruent(*i, s[i->b]), i->a)
  GROUP(Ranges, run_ranges)
  GROUP(NotRanges, run_not_ranges)
  GROUP(Mods, run_mods)
  TESTS(PairEq, s[i->b] == s[i->c], i->a)
  TESTS(PairNe, s[i->b] != s[i->c], i->a)
  TESTS(PairLt, s[i->b] < s[i->c], i->a)
  TESTS(PairLe, s[i->b] <= s[i->c], i->a)
  BRANCH(IfRange, in_range(*i, s[i->b]))
  BRANCH(IfNotRange, !in_range(*i, s[i->b]))
  BRANCH(IfMod, congruent(*i, s[i->b]))
  BRANCH(IfNotMod, !congruent(*i, s[i->b]))
  BRANCH(IfIn, CALL(is_member(p, i->c, s[i->b])))
  BRANCH(IfNotIn, CALL(!is_member(p, i->c, s[i->b])))
  BRANCH(IfDiffer, CALL(differ(p, i->b, s)))
  BRANCH(IfNotDiffer, CALL(!differ(p, i->b, s)))
  IMMEDIATE(Eq, ==)
  IMMEDIATE(Ne, !=)
  IMMEDIATE(Lt, <)
  IMMEDIATE(Ge, >=)
  IMMEDIATE(Gt, >)
  IMMEDIATE(Le, <=)
  MODES(COMPARE, IfEq, ==)
  MODES(COMPARE, IfNe, !=)
  MODES(COMPARE, IfLt, <)
  MODES(COMPARE, IfLe, <=)
  MODES(BINARY, Add, Checked::add)
  MODES(BINARY, Sub, Checked::sub)
  MODES(BINARY, Mul, Checked::mul)
  MODES(DIVIDE, Div, Checked::floor_div)
  MODES(DIVIDE_OR, DivOr, Checked::floor_div)
  MODES(DIVIDE, Mod, Checked::floor_mod)
  MODES(DIVIDE_OR, ModOr, Checked::floor_mod)
  MODES(DIVIDE, CeilDiv, Checked::ceil_div)
  MODES(DIVIDE_OR, CeilDivOr, Checked::ceil_div)
  MODES(CHOSEN, Min, std::min)
  MODES(CHOSEN, Max, std::max)
  FUSED(THEN, Add, Checked::add)
  FUSED(THEN, Sub, Checked::sub)
  FUSED(THEN, Mul, Checked::mul)
  FUSED(MOD_THEN, ModOr, Checked::floor_mod)
  MAGIC(DivMagic, magic_div)
  MAGIC(ModMagic, magic_mod)
  VALUE(Load, s[i->b])
  VALUE(LoadBool, s[i->b] == 1 ? kTrue : s[i->b] == 0 ? kFalse : kUndefined)
  VALUE(Const, i->imm)
L_Abs:
  if (r[i->b] >= 0)
    r[i->a] = r[i->b];
  else if (!Checked::sub(r[i->a], 0, r[i->b]))
    goto leave;
  NEXT();
#include "program/register_values.inc"
  VALUE(SetIn, truth(CALL(is_member(p, i->c, r[i->b]))))
  VALUE(Distinct, truth(CALL(registers_differ(r + i->b, i->c))))

#undef CALL
#undef GO
#undef NEXT
#undef JUMP
#undef FAIL
#undef ONE
#undef TESTS
#undef BRANCH
#undef GROUP
#undef VALUE
#undef CHECKED
#undef MODES
#undef COMPARE
#undef IMMEDIATE
#undef BINARY
#undef CHOSEN
#undef DIVIDE
#undef DIVIDE_OR
#undef THEN
#undef MOD_THEN
#undef FUSED
#undef MAGIC_THEN
#undef MAGIC
}

}  // namespace

RunSteps steps_runner(bool calls) noexcept { return calls ? run<true> : run<false>; }

#pragma GCC diagnostic pop
#else

RunSteps steps_runner(bool) noexcept { return nullptr; }

#endif

}  // namespace dimgate::detail
