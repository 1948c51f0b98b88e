// The bytecode: what a Program holds.
//
// Registers hold integers; truth values are 0 (false), 1 (undefined), 2 (true), so that strong Kleene `and`, `or`,
// `not` are min, max, 2-x. Definedness of a term that may be undefined is a second register holding 2 (defined) or 1.
// A term's value register holds 0 where it is undefined. All jumps go forward. Each conjunct of the guards is a *test*;
// a test that is not true ends at `Fail test`.
//
// One instruction is 24 bytes: code, x, a, b, c, imm. Below, [r] is register r, S[s] slot s.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

#include "dimgate/program.hpp"
#include "program/native.hpp"
#include "program/step.hpp"
#include "program/table.hpp"

namespace dimgate::detail {

// Each conditional jump exists twice: `JIf*` jumps where its condition is true, `JUnless*` where it is not true
// (false or undefined). Operands: target a.
#define DIMGATE_CODES(X)                                                                   \
  X(Pass)      /* every test held */                                                       \
  X(Fail)      /* test a is not true */                                                    \
  X(Need)      /* presence words needs[b, b+c) must all be there, else the partial path */ \
  X(Jump)      /* to a */                                                                  \
  X(Ranges)    /* ranges[b, b+c): each slot within its range, else fails its test */       \
  X(Mods)      /* mods[b, b+c): each slot congruent, else fails its test */                \
  X(NotRanges) /* ranges[b, b+c): each slot outside its range, else fails its test */      \
  X(PairsEq)   /* pairs[b, b+c): the slots of each are equal, else fails its test */       \
  X(PairsNe)                                                                               \
  X(PairsLt)                                                                               \
  X(PairsLe)                                                                               \
  X(Loads)     /* loads[b, b+c): [reg] = S[slot] */                                        \
  X(Load)      /* [a] = S[b] */                                                            \
  X(LoadBool)  /* [a] = truth of S[b]: 1 true, 0 false, anything else undefined */         \
  X(Const)     /* [a] = imm */                                                             \
  X(BigConst)  /* [a] = bigs[b]; leaves the fast path */                                   \
  X(Move)      /* [a] = [b] */                                                             \
  X(Add)       /* [a] = [b] + [c] */                                                       \
  X(AddI)      /* [a] = [b] + imm */                                                       \
  X(Sub)       /* [a] = [b] - [c] */                                                       \
  X(Neg)       /* [a] = -[b] */                                                            \
  X(Mul)       /* [a] = [b] * [c] */                                                       \
  X(MulI)      /* [a] = [b] * imm */                                                       \
  X(Div)       /* [a] = [b] // [c]; 0 where [c] is 0 */                                    \
  X(DivI)      /* [a] = [b] // imm, imm != 0 */                                            \
  X(DivPow2)   /* [a] = [b] // imm, imm = 2^x */                                           \
  X(DivMagic)  /* [a] = [b] // imm, imm >= 3, by magics[c] */                              \
  X(DivOr)     /* [a] = [b] // [c]; where that is undefined, jumps to imm */               \
  X(Mod)       /* [a] = [b] % [c]; 0 where [c] is 0 */                                     \
  X(ModI)      /* [a] = [b] % imm, imm != 0 */                                             \
  X(ModPow2)   /* [a] = [b] % imm, imm = 2^x */                                            \
  X(ModMagic)  /* [a] = [b] % imm, imm >= 3, by magics[c] */                               \
  X(ModOr)     /* [a] = [b] % [c]; where that is undefined, jumps to imm */                \
  X(CeilDiv)   /* [a] = ceil([b] / [c]); 0 where [c] is 0 */                               \
  X(CeilDivI)  /* [a] = ceil([b] / imm), imm != 0 */                                       \
  X(CeilDivOr) /* [a] = ceil([b] / [c]); where that is undefined, jumps to imm */          \
  X(Min)       /* [a] = min([b], [c]) */                                                   \
  X(Max)       /* [a] = max([b], [c]) */                                                   \
  X(MinI)      /* [a] = min([b], imm) */                                                   \
  X(MaxI)      /* [a] = max([b], imm) */                                                   \
  X(Abs)       /* [a] = |[b]| */                                                           \
  X(Select)    /* [a] = [b] is true ? [c] : [imm] */                                       \
  X(Choose)    /* truth [a] = [b] is true ? [c] : [b] is false ? [imm] : undefined */      \
  X(NonZero)   /* definedness [a] = [b] != 0 ? 2 : 1 */                                    \
  X(Mask)      /* truth [a] = [c] is 2 ? [b] : undefined */                                \
  X(Not)       /* truth [a] = 2 - [b] */                                                   \
  X(Iff)       /* truth [a]: strict equality of truths [b], [c] */                         \
  X(StrictOr)  /* truth [a]: undefined if [b] or [c] is, else true if either is */         \
  X(SetEq)     /* truth [a] = [b] == [c] */                                                \
  X(SetNe)                                                                                 \
  X(SetLt)                                                                                 \
  X(SetLe)                                                                                 \
  X(SetEqI) /* truth [a] = [b] == imm */                                                   \
  X(SetNeI)                                                                                \
  X(SetLtI)                                                                                \
  X(SetGtI)                                                                                \
  X(SetEqF)   /* truth [a]: IEEE equality of the doubles with bits [b], [c] */             \
  X(SetNan)   /* truth [a]: the double with bits [b] is a NaN */                           \
  X(SetIn)    /* truth [a]: [b] is one of sets[c] */                                       \
  X(Distinct) /* truth [a]: registers b .. b+c-1 pairwise different (may be reordered) */  \
  X(JIfEq)    /* [b] == [c] */                                                             \
  X(JUnlessEq)                                                                             \
  X(JIfNe)                                                                                 \
  X(JUnlessNe)                                                                             \
  X(JIfLt)                                                                                 \
  X(JUnlessLt)                                                                             \
  X(JIfLe)                                                                                 \
  X(JUnlessLe)                                                                             \
  X(JIfEqI) /* [b] == imm */                                                               \
  X(JUnlessEqI)                                                                            \
  X(JIfNeI)                                                                                \
  X(JUnlessNeI)                                                                            \
  X(JIfLtI)                                                                                \
  X(JUnlessLtI)                                                                            \
  X(JIfGtI)                                                                                \
  X(JUnlessGtI)                                                                            \
  X(JIfRange) /* S in ranges[b]; x = 1: outside */                                         \
  X(JUnlessRange)                                                                          \
  X(JIfMod) /* S congruent by mods[b]; x = 1: not */                                       \
  X(JUnlessMod)                                                                            \
  X(JIfIn) /* S[b] in sets[c]; x = 1: not */                                               \
  X(JUnlessIn)                                                                             \
  X(JIfSlotEq) /* S[b] == S[c] */                                                          \
  X(JUnlessSlotEq)                                                                         \
  X(JIfSlotNe)                                                                             \
  X(JUnlessSlotNe)                                                                         \
  X(JIfSlotLt)                                                                             \
  X(JUnlessSlotLt)                                                                         \
  X(JIfSlotLe)                                                                             \
  X(JUnlessSlotLe)                                                                         \
  X(JIfSlotsDiffer) /* slots lists[b] pairwise different; x = 1: some two equal */         \
  X(JUnlessSlotsDiffer)

enum class Code : std::uint16_t {
#define DIMGATE_CODE(name) name,
  DIMGATE_CODES(DIMGATE_CODE)
#undef DIMGATE_CODE
};
std::string_view to_string(Code code) noexcept;

// In comparisons with a constant and in divisions by magic, x = 1 says that nobody reads [b] after them;
// `allocate_registers` (draft.hpp) finds it.

using Reg = std::uint32_t;
inline constexpr Reg kNoReg = 0xffffffffU;

struct Instr {
  Code code = Code::Pass;
  std::uint16_t x = 0;
  std::uint32_t a = 0, b = 0, c = 0;
  std::int64_t imm = 0;
};
static_assert(sizeof(Instr) == 24);

/// lo <= S[slot] <= lo + width, one unsigned comparison.
struct Range {
  SlotIndex slot = 0;
  std::uint32_t below = 0;  // test that failed if the value is below lo ...
  std::uint32_t above = 0;  // ... or above lo + width
  std::int64_t lo = 0;
  std::uint64_t width = 0;
  [[nodiscard]] bool holds(std::int64_t v) const noexcept {
    return static_cast<std::uint64_t>(v) - static_cast<std::uint64_t>(lo) <= width;
  }
};

/// S[slot] == residue (mod modulus), without dividing. With u = v + 2^63 as an unsigned number and r the residue so
/// shifted, u - r is a multiple of modulus = odd * 2^shift, and not negative, exactly where rotr((u - r) * odd^-1,
/// shift) is at most limit = (2^64 - 1 - r) // modulus (Granlund and Montgomery 1994, section 9; Lemire 2019).
struct Congruent {
  SlotIndex slot = 0;
  std::uint32_t test = 0;
  std::uint64_t residue = 0;  // shifted: r
  std::uint64_t inverse = 0;
  std::uint64_t limit = 0;
  std::uint64_t modulus = 1;
  std::uint32_t shift = 0;
  [[nodiscard]] bool holds(std::int64_t v) const noexcept {
    const std::uint64_t w = (static_cast<std::uint64_t>(v) + (std::uint64_t{1} << 63) - residue) * inverse;
    return ((w >> shift) | (w << ((64 - shift) & 63))) <= limit;
  }
  /// modulus >= 1, 0 <= residue < modulus.
  static Congruent make(SlotIndex slot, std::uint32_t test, std::uint64_t modulus, std::uint64_t residue) noexcept;
  /// The residue as it was given to `make`.
  [[nodiscard]] std::uint64_t remainder() const noexcept {
    const std::uint64_t bias = (std::uint64_t{1} << 63) % modulus;
    return residue >= bias ? residue - bias : residue + (modulus - bias);
  }
};

/// Floor division by a constant d >= 3 that is no power of two, without dividing. For n >= 0 the high half of
/// n * multiplier, shifted, is exact for every n < 2^63, where multiplier = ceil(2^(63 + l) / d), l = ceil(log2 d) and
/// the shift is l - 1 (Granlund and Montgomery 1994, theorem 4.2 with N = 63). For n < 0, floor(n / d) = ~floor(~n /
/// d).
struct Magic {
  std::uint64_t multiplier = 0;
  std::uint32_t shift = 0;
  static Magic make(std::int64_t d) noexcept;
  [[nodiscard]] std::int64_t floor_div(std::int64_t n) const noexcept {
    __extension__ using Wide = unsigned __int128;
    const std::int64_t sign = n >> 63;
    const auto x = static_cast<std::uint64_t>(n ^ sign);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>((Wide{x} * multiplier) >> 64) >> shift) ^ sign;
  }
  /// n - d * floor(n / d), modulo 2^64: the product may leave int64 (INT64_MIN, INT64_MAX), the remainder does not.
  [[nodiscard]] std::int64_t floor_mod(std::int64_t n, std::int64_t d) const noexcept {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(n) -
                                     static_cast<std::uint64_t>(floor_div(n)) * static_cast<std::uint64_t>(d));
  }
};

/// Two slots that a test compares.
struct Pair {
  SlotIndex left = 0, right = 0;
  std::uint32_t test = 0;
};

struct RegisterLoad {
  Reg reg = 0;
  SlotIndex slot = 0;
};

struct PresenceWord {
  std::uint32_t word = 0;
  std::uint64_t mask = 0;
};

/// A constant beyond int64: sign and magnitude, least significant limb first.
struct BigInt {
  std::uint64_t negative = 0;
  Table<std::uint64_t> limbs;
};

class StrictCheck;  // strict.hpp

/// What a Program holds: one block, this in front, the tables behind it. Made by `freeze` (draft.hpp); nothing changes
/// once a Program has it. Counts the Programs that have it.
struct ProgramCode {
  ProgramCode() noexcept;
  ~ProgramCode();
  ProgramCode(const ProgramCode&) = delete;
  ProgramCode& operator=(const ProgramCode&) = delete;
  static void operator delete(void* block) noexcept { ::operator delete(block); }

  mutable std::atomic<std::uint32_t> owners{1};
  std::uint32_t registers = 0;
  std::uint32_t bits = 64;  // of the largest magnitude any register can hold
  std::uint32_t guard_count = 0;
  std::uint32_t tests = 0;
  bool exact = false;
  bool never = false;
  std::size_t block_bytes = 0;

  /// What runs where a snapshot has `slot_limit` slots or more: machine code, or else the interpreter on `steps`; null:
  /// neither.
  RunProgram run = nullptr;
  std::size_t slot_limit = 0;
  std::unique_ptr<const Step[]> steps;
  std::size_t step_count = 0;
  NativeCode native;
  std::unique_ptr<const StrictCheck> strict;  // if it has one, that answers

  // The tables, from `code` to `lists`: see `each_table` in draft.cpp.
  Table<Instr> code;
  Table<Range> ranges;
  Table<Congruent> mods;
  Table<Pair> pairs;
  Table<RegisterLoad> loads;
  Table<Magic> magics;
  Table<PresenceWord> needs;
  Table<Range> shadowed;             // implied by a tighter range: run only to name all failing guards
  Table<std::uint32_t> test_guards;  // guards of test t: [test_begin[t], test_begin[t+1]); if there are none, t itself
  Table<std::uint32_t> test_begin;
  Table<std::uint32_t> order;  // guards by the first place where they can fail
  Table<SlotIndex> slots;      // read, ascending
  Table<std::uint64_t> marks;  // what each of them stands for (Layout::mark); empty: nobody said
  Table<Pinned> pinned;
  Table<BigInt> bigs;
  Table<Table<std::int64_t>> sets;  // sorted
  Table<Table<SlotIndex>> lists;

  [[nodiscard]] std::int32_t first_guard(std::uint32_t test) const noexcept {
    return static_cast<std::int32_t>(test_begin.empty() ? test : test_guards[test_begin[test]]);
  }
};

/// What machine code and steps leave (a slot is absent, a number overflowed): as `run` where all slots below the limit
/// can be asked for presence.
std::int32_t check_left(const std::int64_t* values, const std::uint64_t* present, const ProgramCode* program) noexcept;

/// How many of b, c and imm are registers that it reads, in this order. (`Distinct` reads a block: 0.)
unsigned reads_of(Code code) noexcept;
/// Whether x says that [b] is not read again.
constexpr bool marks_last_read(Code code) noexcept {
  return (code >= Code::JIfEqI && code <= Code::JUnlessGtI) || code == Code::DivMagic || code == Code::ModMagic;
}
/// Where an instruction may jump to; kNoJump if it does not.
inline constexpr std::uint32_t kNoJump = 0xffffffffU;
constexpr std::uint32_t jump_of(const Instr& i) noexcept {
  if (i.code >= Code::JIfEq || i.code == Code::Jump) return i.a;
  if (i.code == Code::DivOr || i.code == Code::ModOr || i.code == Code::CeilDivOr)
    return static_cast<std::uint32_t>(i.imm);
  return kNoJump;
}
/// Whether the instruction's `a` is a register it writes.
bool writes_register(Code code) noexcept;

/// Bytes of stack the widest path needs for so many registers of so many bits; 0 if no machine is wide enough.
std::size_t exact_bytes(std::uint32_t registers, std::uint32_t bits) noexcept;
inline constexpr std::size_t kMaxRegisterBytes = std::size_t{1} << 20;
inline constexpr std::uint32_t kMaxRegisters = 1 << 14;
inline constexpr unsigned kMaxBits = 4096;

}  // namespace dimgate::detail
