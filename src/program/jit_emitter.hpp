// x86-64 for one program, instruction by instruction.
//
// The function made is a RunProgram that needs values and presence alone: kPass, the index of a guard that is not true,
// or what `check_left` says where a slot is absent or a number overflowed. Bytecode
// registers are the machine's as far as they go (kPhysical), then stack slots; rax, rcx, rdx are scratch. Tested by
// tests/compile (oracle) against the reference evaluator.
#pragma once

#include <vector>

#include "program/machine.hpp"
#include "program/x86.hpp"

namespace dimgate::detail {

class JitEmitter {
 public:
  /// `vectors`: the machine has AVX2.
  JitEmitter(const ProgramCode& p, bool vectors) : p_(p), vectors_(vectors) {}
  /// False if the program has something that is left to the interpreter.
  bool emit();
  [[nodiscard]] const x86::Encoder& code() const noexcept { return a_; }
  /// Where the function begins in what was emitted.
  [[nodiscard]] std::size_t entry() const noexcept { return entry_; }

 private:
  using Gp = x86::Gp;
  using Mem = x86::Mem;
  using Label = x86::Label;
  using Condition = x86::Condition;
  using Op = x86::Op;
  using Shift = x86::Shift;
  static constexpr Gp rax = Gp::rax, rcx = Gp::rcx, rdx = Gp::rdx, rsi = Gp::rsi, rsp = Gp::rsp;
  static constexpr x86::Gp32 eax{Gp::rax}, ecx{Gp::rcx}, edx{Gp::rdx};

  static constexpr std::uint32_t kFree = 4;                               // r8..r11 need not be saved
  static constexpr std::uint32_t kPhysical = 10;                          // then rbx, rbp, r12..r15
  static constexpr std::uint32_t kRax = kPhysical, kRdx = kPhysical + 1;  // what lives for one instruction
  static Gp physical(std::uint32_t r);

  void prologue();
  void epilogue();
  bool instruction(const Instr& i);

  // jit_values.cpp
  void arithmetic(const Instr& i);
  void divide(const Instr& i, std::int64_t imm, bool by_imm);
  void divide_by_constant(const Instr& i);
  void select(const Instr& i);
  void set_if(std::uint32_t r, Condition c);
  void float_equal(const Instr& i);

  // jit_tests.cpp
  void need(const Instr& i);
  void range(const Range& r, bool outside_fails, Label below, Label above);
  bool range_jump(const Instr& i);
  void congruence(const Congruent& c, bool want, Label target);
  void member(const Mem& value, std::span<const std::int64_t> set, Label found, Label absent);
  void slots_differ(const Instr& i);
  void slots_differ_by_vectors(std::span<const SlotIndex> list, Label on_equal);
  bool distinct(const Instr& i);

  [[nodiscard]] Mem slot(SlotIndex s) const { return {Gp::rdi, static_cast<std::int32_t>(s * 8)}; }
  /// Where a bytecode register's value is now.
  struct Place {
    enum class Kind : std::uint8_t { machine, stack, slot } kind = Kind::stack;
    std::uint32_t index = 0;
  };
  void assign_homes();
  [[nodiscard]] bool is_read_at_once(std::size_t at) const;
  [[nodiscard]] bool in_machine(std::uint32_t r) const { return place_[r].kind == Place::Kind::machine; }
  [[nodiscard]] Gp machine(std::uint32_t r) const { return physical(place_[r].index); }
  [[nodiscard]] Mem memory(std::uint32_t r) const {
    const Place& p = place_[r];
    if (p.kind == Place::Kind::slot) return slot(p.index);
    return {rsp, static_cast<std::int32_t>(p.index * 8)};
  }
  /// The register itself, or its value in `scratch`.
  Gp get(std::uint32_t r, Gp scratch);
  void copy(Gp to, std::uint32_t r);
  void put(std::uint32_t r, Gp from);
  void put_imm(std::uint32_t r, std::int64_t v);
  /// op to, [r]
  void apply(Op op, Gp to, std::uint32_t r);
  void result(std::int32_t v) { a_.mov(rax, static_cast<std::int64_t>(static_cast<std::uint32_t>(v))); }
  /// Flags of [b] - [c], [b] - imm, memory - imm.
  void compare(std::uint32_t b, std::uint32_t c);
  void compare_imm(std::uint32_t b, std::int64_t v);
  void compare_mem(const Mem& m, std::int64_t v);
  void jump(const Instr& i, Condition when_true);
  Label target(std::uint32_t at) const { return p_.code[at].code == Code::Fail ? fail_[p_.code[at].a] : at_[at]; }
  static bool fits(std::int64_t v) { return v >= INT32_MIN && v <= INT32_MAX; }

  const ProgramCode& p_;
  x86::Encoder a_;
  bool vectors_;
  std::vector<Place> home_;   // by register: where its value goes when it is written
  std::vector<Place> place_;  // by register
  std::uint32_t machine_used_ = 0, stack_used_ = 0;
  bool bare_ = false;          // nothing to restore at the end
  bool read_at_once_ = false;  // what is written now: by the next instruction, and never again
  std::vector<Label> at_;      // by instruction
  std::vector<Label> fail_;    // by test
  Label leave_, done_;
  std::size_t entry_ = 0;
};

}  // namespace dimgate::detail
