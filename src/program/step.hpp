// What the interpreter runs: one step (steps.hpp says how they are made and run).
#pragma once

#include <cstdint>

namespace dimgate::detail {

// Two operands, each a register (R) or a slot (S); the order of the four is what `make_steps` counts on.
#define DIMGATE_STEP_MODES(X, name) X(name##RR) X(name##RS) X(name##SR) X(name##SS)
#define DIMGATE_STEP_FUSED(X, name)   \
  DIMGATE_STEP_MODES(X, name##ThenEq) \
  DIMGATE_STEP_MODES(X, name##ThenNe) \
  DIMGATE_STEP_MODES(X, name##ThenGt) \
  DIMGATE_STEP_MODES(X, name##ThenLe)
// One operand.
#define DIMGATE_STEP_PLACES(X, name) X(name##R) X(name##S)
#define DIMGATE_STEP_MAGIC(X, name)    \
  DIMGATE_STEP_PLACES(X, name)         \
  DIMGATE_STEP_PLACES(X, name##ThenEq) \
  DIMGATE_STEP_PLACES(X, name##ThenNe) \
  DIMGATE_STEP_PLACES(X, name##ThenGt) \
  DIMGATE_STEP_PLACES(X, name##ThenLe)

// So many of a kind in a row: no jump between them.
#define DIMGATE_STEP_RUN(X, name) X(name##1) X(name##2) X(name##3) X(name##4) X(name##5) X(name##6)

// clang-format off: it does not come to rest on this table
#define DIMGATE_STEPS(X)                                                                                              \
  X(Pass)                        /* q points at the ProgramCode */                                                    \
  X(Jump)                        /* to t */                                                                           \
  X(Need)                        /* presence word b has all of p, else the partial path */                            \
  DIMGATE_STEP_RUN(X, Range)     /* S[b] in [imm, imm + p], else fails guard a if below, c if above */                \
  DIMGATE_STEP_RUN(X, NotRange)  /* S[b] outside of it, else fails guard a */                                         \
  DIMGATE_STEP_RUN(X, Congruent) /* ror((S[b] + imm) * p, c) <= q, else fails guard a */                              \
  DIMGATE_STEP_RUN(X, PairEq)    /* S[b] == S[c], else fails guard a */                                               \
  DIMGATE_STEP_RUN(X, PairNe)                                                                                         \
  DIMGATE_STEP_RUN(X, PairLt)                                                                                         \
  DIMGATE_STEP_RUN(X, PairLe)                                                                                         \
  X(Ranges) /* the c ranges at p, as the bytecode of q has them */                                                    \
  X(NotRanges)                                                                                                        \
  X(Mods)                                                                                                             \
  X(IfRange) /* to t where S[b] in [imm, imm + p] */                                                                  \
  X(IfNotRange)                                                                                                       \
  X(IfMod) /* to t where S[b] is congruent: as Congruent */                                                           \
  X(IfNotMod)                                                                                                         \
  X(IfIn) /* to t where S[b] is one of the q values at p */                                                           \
  X(IfNotIn)                                                                                                          \
  X(IfDiffer) /* to t where the c slots listed at p are pairwise different, as q finds it */                          \
  X(IfNotDiffer)                                                                                                      \
  DIMGATE_STEP_PLACES(X, IfEqI) /* to t where [b] == imm */                                                           \
  DIMGATE_STEP_PLACES(X, IfNeI)                                                                                       \
  DIMGATE_STEP_PLACES(X, IfGtI)                                                                                       \
  DIMGATE_STEP_PLACES(X, IfLeI)                                                                                       \
  DIMGATE_STEP_MODES(X, IfEq) /* to t where [b] == [c] */                                                             \
  DIMGATE_STEP_MODES(X, IfNe)                                                                                         \
  DIMGATE_STEP_MODES(X, IfLt)                                                                                         \
  DIMGATE_STEP_MODES(X, IfLe)                                                                                         \
  DIMGATE_STEP_MODES(X, Add) /* [a] = [b] + [c] */                                                                    \
  DIMGATE_STEP_MODES(X, Sub)                                                                                          \
  DIMGATE_STEP_MODES(X, Mul)                                                                                          \
  DIMGATE_STEP_MODES(X, Div) /* as the bytecode has them; `Or`: undefined goes to t */                                \
  DIMGATE_STEP_MODES(X, DivOr)                                                                                        \
  DIMGATE_STEP_MODES(X, Mod)                                                                                          \
  DIMGATE_STEP_MODES(X, ModOr)                                                                                        \
  DIMGATE_STEP_MODES(X, CeilDiv)                                                                                      \
  DIMGATE_STEP_MODES(X, CeilDivOr)                                                                                    \
  DIMGATE_STEP_MODES(X, Min)                                                                                          \
  DIMGATE_STEP_MODES(X, Max)                                                                                          \
  DIMGATE_STEP_FUSED(X, Add) /* to t where [b] + [c] compares so with imm; the sum is not kept */                     \
  DIMGATE_STEP_FUSED(X, Sub)                                                                                          \
  DIMGATE_STEP_FUSED(X, Mul)                                                                                          \
  DIMGATE_STEP_FUSED(X, ModOr) /* to t also where it is undefined */                                                  \
  DIMGATE_STEP_MAGIC(X, DivMagic)    /* [a] = [b] // q by multiplier p and shift c; compared it is not kept */        \
  DIMGATE_STEP_MAGIC(X, ModMagic)    /* [a] = [b] % q */                                                              \
  DIMGATE_STEP_FUSED(X, AddDivMagic) /* ([b] + [c]) // constant by multiplier p and shift q, compared */              \
  DIMGATE_STEP_FUSED(X, SubDivMagic)                                                                                  \
  /* The rest as the bytecode has them, registers only. */                                                            \
  X(Load)                                                                                                             \
  X(LoadBool)                                                                                                         \
  X(Const)                                                                                                            \
  X(Leave)                                                                                                            \
  X(Move)                                                                                                             \
  X(AddI)                                                                                                             \
  X(Neg)                                                                                                              \
  X(MulI)                                                                                                             \
  X(DivI) X(DivPow2) X(ModI) X(ModPow2) X(CeilDivI) X(MinI) X(MaxI) X(Abs) X(Select) X(Choose) X(NonZero) X(Mask)     \
      X(Not) X(Iff) X(StrictOr) X(SetEq) X(SetNe) X(SetLt) X(SetLe) X(SetEqI) X(SetNeI) X(SetLtI) X(SetGtI) X(SetEqF) \
          X(SetNan) X(SetIn) /* [b] is one of the q values at p */ X(Distinct)
// clang-format on

enum class StepCode : std::uint16_t {
#define DIMGATE_STEP(name) name,
  DIMGATE_STEPS(DIMGATE_STEP)
#undef DIMGATE_STEP
};

struct Step {
  std::uintptr_t at = 0;  // where its machine code is; while steps are made, its StepCode
  std::int32_t t = 0;     // where a jump goes, in bytes from here; below 0: the answer, see ends_with
  std::uint32_t a = 0, b = 0, c = 0;
  std::int64_t imm = 0;
  std::uint64_t p = 0, q = 0;
};
static_assert(sizeof(Step) == 48);

/// A jump that ends the run: with kPass (-1) or a guard that fails.
constexpr std::int32_t ends_with(std::int32_t answer) noexcept { return INT32_MIN + answer + 1; }
constexpr std::int32_t answer_of(std::int32_t t) noexcept { return (t - INT32_MIN) - 1; }

}  // namespace dimgate::detail
