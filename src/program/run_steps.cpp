// Threaded code: each step jumps to what runs the next one (a GNU extension; other compilers make no steps).
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
[[gnu::noinline]] bool is_member(const Step& i, std::int64_t v) noexcept {
  const auto* const first = reinterpret_cast<const std::int64_t*>(i.p);
  return std::binary_search(first, first + i.q, v);
}
[[gnu::noinline]] bool differ(const Step& i, const std::int64_t* s) noexcept {
  return reinterpret_cast<SlotsDiffer>(i.q)(s, reinterpret_cast<const SlotIndex*>(i.p), i.c);
}
[[gnu::noinline]] bool registers_differ(std::int64_t* first, std::uint32_t count) noexcept {
  return all_different(first, count, std::less<>{});
}
/// Runs of ranges or residues: kPass, or the guard that fails.
template <class T>
const T* table(const Step& i) noexcept {
  return reinterpret_cast<const T*>(i.p);
}
const ProgramCode& owner(const Step& i) noexcept { return *reinterpret_cast<const ProgramCode*>(i.q); }
[[gnu::always_inline]] inline std::int32_t run_ranges(const Step& i, const std::int64_t* s) noexcept {
  const Range* const end = table<Range>(i) + i.c;
  for (const Range* q = end - i.c; q != end; ++q) {
    const std::int64_t v = s[q->slot];
    if (!q->holds(v)) return owner(i).first_guard(v < q->lo ? q->below : q->above);
  }
  return kPass;
}
[[gnu::always_inline]] inline std::int32_t run_not_ranges(const Step& i, const std::int64_t* s) noexcept {
  const Range* const end = table<Range>(i) + i.c;
  for (const Range* q = end - i.c; q != end; ++q)
    if (q->holds(s[q->slot])) return owner(i).first_guard(q->below);
  return kPass;
}
[[gnu::always_inline]] inline std::int32_t run_mods(const Step& i, const std::int64_t* s) noexcept {
  const Congruent* const end = table<Congruent>(i) + i.c;
  for (const Congruent* q = end - i.c; q != end; ++q)
    if (!q->holds(s[q->slot])) return owner(i).first_guard(q->test);
  return kPass;
}

bool in_range(const Step& i, std::int64_t v) noexcept {
  return static_cast<std::uint64_t>(v) - static_cast<std::uint64_t>(i.imm) <= i.p;
}
bool congruent(const Step& i, std::int64_t v) noexcept {
  return std::rotr((static_cast<std::uint64_t>(v) + static_cast<std::uint64_t>(i.imm)) * i.p, static_cast<int>(i.c)) <=
         i.q;
}
std::int64_t magic_div(const Step& i, std::int64_t n) noexcept { return Magic{i.p, i.c}.floor_div(n); }
std::int64_t magic_mod(const Step& i, std::int64_t n) noexcept {
  return Magic{i.p, i.c}.floor_mod(n, static_cast<std::int64_t>(i.q));
}
/// Where the shift does not find room in c.
std::int64_t magic_div_of_two(const Step& i, std::int64_t n) noexcept {
  return Magic{i.p, static_cast<std::uint32_t>(i.q)}.floor_div(n);
}

/// A step that asks a runner for its labels: it wants presence that is not there.
constexpr std::uintptr_t kAsks = 0;
struct Asking {
  Step step{.at = kAsks, .p = 1};
  const void* const* answer = nullptr;
};

/// Cold: the program is found in its last step.
[[gnu::noinline, gnu::cold]] std::int32_t leave_to_exact(const std::int64_t* s, const std::uint64_t* present,
                                                         const Step* i, const void* const* labels) noexcept {
  if (i->at == kAsks) {
    const_cast<Asking*>(reinterpret_cast<const Asking*>(i))->answer = labels;
    return kPass;
  }
  const auto pass = reinterpret_cast<std::uintptr_t>(labels[static_cast<std::size_t>(StepCode::Pass)]);
  while (i->at != pass) ++i;
  return check_left(s, present, &owner(*i));
}

// `kCalls`: with the steps that call something. Without them nothing must be saved, at the beginning or at the end.
// NOLINTNEXTLINE(readability-function-size): one label a step
template <bool kCalls>
std::int32_t run(const std::int64_t* const s, const std::uint64_t* const present, const Step* i) noexcept {
  std::int64_t r[kStepRegisters];
  static const void* const kLabels[] = {
#define DIMGATE_STEP(name) &&L_##name,
      DIMGATE_STEPS(DIMGATE_STEP)
#undef DIMGATE_STEP
  };

#define CALL(expression) (kCalls && (expression))
#define GO() goto* reinterpret_cast<const void*>(i->at)
#define NEXT() \
  do {         \
    ++i;       \
    GO();      \
  } while (0)
#define JUMP()                                                                                            \
  do {                                                                                                    \
    const std::int32_t by = i->t;                                                                         \
    if (by < 0) return answer_of(by);                                                                     \
    i = reinterpret_cast<const Step*>(reinterpret_cast<const char*>(i) + static_cast<std::uint32_t>(by)); \
    GO();                                                                                                 \
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
#define GROUP(name, run)                                                              \
  L_##name : if (const std::int32_t guard = run(*i, s); guard != kPass) return guard; \
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
#define IMMEDIATE(name, op)               \
  BRANCH(If##name##IR, r[i->b] op i->imm) \
  BRANCH(If##name##IS, s[i->b] op i->imm)
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
    if (v op i->imm) JUMP();               \
  }                                        \
  NEXT();
#define MOD_THEN(name, left, right, call, op) \
  L_##name : {                                \
    const std::int64_t divisor = right;       \
    if (divisor == 0) JUMP();                 \
    std::int64_t v;                           \
    call(v, left, divisor);                   \
    if (v op i->imm) JUMP();                  \
  }                                           \
  NEXT();
#define DIV_THEN(name, left, right, call, op)      \
  L_##name : {                                     \
    std::int64_t v;                                \
    if (!call(v, left, right)) goto leave;         \
    if (magic_div_of_two(*i, v) op i->imm) JUMP(); \
  }                                                \
  NEXT();
#define FUSED(M, name, call)       \
  MODES(M, name##ThenEq, call, ==) \
  MODES(M, name##ThenNe, call, !=) \
  MODES(M, name##ThenGt, call, >)  \
  MODES(M, name##ThenLe, call, <=)
#define MAGIC_IN(place, name, v, call)               \
  VALUE(name##place, call(*i, v))                    \
  BRANCH(name##ThenEq##place, call(*i, v) == i->imm) \
  BRANCH(name##ThenNe##place, call(*i, v) != i->imm) \
  BRANCH(name##ThenGt##place, call(*i, v) > i->imm)  \
  BRANCH(name##ThenLe##place, call(*i, v) <= i->imm)
#define MAGIC(name, call)          \
  MAGIC_IN(R, name, r[i->b], call) \
  MAGIC_IN(S, name, s[i->b], call)

L_Need:  // the first step is one
  if ((present[i->b] & i->p) != i->p) goto leave;
  NEXT();
L_Pass:
  return kPass;
L_Leave:
leave:
  return leave_to_exact(s, present, i, kLabels);
L_Jump:
  JUMP();
  TESTS(Range, in_range(*i, s[i->b]), s[i->b] < i->imm ? i->a : i->c)
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
  BRANCH(IfIn, CALL(is_member(*i, s[i->b])))
  BRANCH(IfNotIn, CALL(!is_member(*i, s[i->b])))
  BRANCH(IfDiffer, CALL(differ(*i, s)))
  BRANCH(IfNotDiffer, CALL(!differ(*i, s)))
  IMMEDIATE(Eq, ==)
  IMMEDIATE(Ne, !=)
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
  FUSED(DIV_THEN, AddDivMagic, Checked::add)
  FUSED(DIV_THEN, SubDivMagic, Checked::sub)
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
  VALUE(DivPow2, r[i->b] >> i->c)
  VALUE(SetIn, truth(CALL(is_member(*i, r[i->b]))))
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
#undef DIV_THEN
#undef FUSED
#undef MAGIC_IN
#undef MAGIC
}

}  // namespace

StepRunner step_runner(bool calls) noexcept {
  const RunProgram runner = calls ? run<true> : run<false>;
  const std::uint64_t absent = 0;
  Asking asking;
  runner(nullptr, &absent, &asking.step);
  return {runner, asking.answer};
}

#pragma GCC diagnostic pop
#else

StepRunner step_runner(bool) noexcept { return {}; }

#endif

}  // namespace dimgate::detail
