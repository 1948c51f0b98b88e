// Compiled guards: a bytecode program that says, for one snapshot, whether every guard is true, else which failed
// first.
//
// A guard is true only on T(f): false, undefined (a zero divisor) and missing slots all fail. Arithmetic is in Z: the
// fast path computes in checked int64; if that overflows, or a needed slot is absent, the program runs again in
// fixed-width integers on the stack, wide enough by the bound computed when it was built. A Program refers to no
// Context or Layout, is immutable, and may be run by any number of threads at once. Cost: about a nanosecond a guard of
// the common kinds. `check` allocates nothing, locks nothing and throws nothing. Built by `compile` (compile.hpp).
// Tested by tests/program and, against the reference evaluator, tests/compile.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dimgate/world.hpp"

namespace dimgate {

namespace detail {
struct ProgramCode;  // src/program/code.hpp
struct Step;         // src/program/step.hpp
class NativeCode;    // src/program/native.hpp

/// Machine code, or the interpreter on the program's steps (machine code ignores those): kPass or the failing guard.
using RunProgram = std::int32_t (*)(const std::int64_t* values, const std::uint64_t* present,
                                    const Step* steps) noexcept;
}  // namespace detail

/// Every guard held.
inline constexpr std::int32_t kPass = -1;

/// `slot == value` (raw bits) as part of what a program demands.
struct Pinned {
  SlotIndex slot;
  std::int64_t value;
  friend bool operator==(const Pinned&, const Pinned&) = default;
};

class Program {
 public:
  /// The program without guards: passes always.
  Program();
  explicit Program(std::unique_ptr<detail::ProgramCode> code);
  ~Program();
  Program(const Program&) noexcept;
  Program& operator=(const Program&) noexcept;
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;

  /// kPass, or the index (in the list that was compiled) of the first guard, in the order the program runs them, that
  /// is not true.
  [[nodiscard]] std::int32_t check(SnapshotView at) const noexcept {
    // It reads presence words without looking at the size.
    if (slot_limit_ <= at.size) [[likely]]
      return run_(at.values, at.present, steps_);
    return check_slowly(at.values, at.present, at.size);
  }
  /// Indices of all guards that are not true, ascending. Cold: allocates.
  [[nodiscard]] std::vector<std::uint32_t> failing(SnapshotView at) const;
  /// Row by row over columns: columns[slot] points at `rows` values, null for an absent slot. pass[i] is 1 where all
  /// guards hold.
  void check_batch(std::span<const std::int64_t* const> columns, std::size_t rows, std::uint8_t* pass) const noexcept;

  [[nodiscard]] std::size_t guard_count() const noexcept;
  /// Guard indices in the order they are run.
  [[nodiscard]] std::span<const std::uint32_t> order() const noexcept;
  /// Slots that are read, ascending.
  [[nodiscard]] std::span<const SlotIndex> slots() const noexcept;
  /// What each of them stands for (Layout::mark); empty where the program was made without a layout.
  [[nodiscard]] std::span<const std::uint64_t> slot_marks() const noexcept;
  /// Slots demanded to equal a constant by some guard, by slot: true programs imply them.
  [[nodiscard]] std::span<const Pinned> pinned() const noexcept;
  /// True if the pinned slots are all it demands.
  [[nodiscard]] bool is_exact() const noexcept;
  /// True if no snapshot can pass (a guard is constantly false or undefined).
  [[nodiscard]] bool is_never() const noexcept;
  /// Width in bits of the exact path.
  [[nodiscard]] unsigned bits() const noexcept;
  [[nodiscard]] std::size_t bytes() const noexcept;
  /// True if it runs as machine code.
  [[nodiscard]] bool is_native() const noexcept;
  /// True if every check runs every engine (strict.hpp).
  [[nodiscard]] bool is_strict() const noexcept;
  /// One instruction a line, for people and tests.
  [[nodiscard]] std::string disassemble() const;
  [[nodiscard]] const detail::ProgramCode& code() const noexcept { return *code_; }

 private:
  /// A view's parts: nobody need put them together in memory for a call that is not made.
  [[nodiscard]] std::int32_t check_slowly(const std::int64_t* values, const std::uint64_t* present,
                                          std::size_t size) const noexcept;

  // Copies of what the code holds: a check by machine code touches nothing else of it. Where there is nothing to run
  // the limit is one that no snapshot has.
  detail::RunProgram run_ = nullptr;
  const detail::Step* steps_ = nullptr;
  std::size_t slot_limit_ = ~std::size_t{0};
  const detail::ProgramCode* code_;  // one of its owners
};

/// Makes machine code of programs (x86-64). Programs made with it keep it alive; their pages go back when the last copy
/// of a program is gone. Thread-safe. Pages are never writable and executable at one address.
class Jit : public std::enable_shared_from_this<Jit> {
 public:
  /// Null where machine code cannot be made or run (another CPU, a kernel that refuses such pages, a build without
  /// machine code) or DIMGATE_JIT=0: the interpreter serves.
  static std::shared_ptr<Jit> create();
  ~Jit();
  Jit(const Jit&) = delete;
  Jit& operator=(const Jit&) = delete;

  /// The program with machine code; as it is where it has something that is left to the interpreter.
  Program translate(const Program& program);
  /// Gives code that no program has yet its machine code, if it can have any.
  void attach(detail::ProgramCode& code);
  /// Bytes of machine code alive.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  friend class detail::NativeCode;
  Jit();
  void release(const void* function) noexcept;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dimgate
