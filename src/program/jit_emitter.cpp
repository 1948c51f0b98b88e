#include "program/jit_emitter.hpp"

#include <algorithm>

namespace dimgate::detail {

JitEmitter::Gp JitEmitter::physical(std::uint32_t r) {
  static constexpr Gp kRegisters[kRdx + 1] = {Gp::r8,  Gp::r9,  Gp::r10, Gp::r11, Gp::rbx, Gp::rbp,
                                              Gp::r12, Gp::r13, Gp::r14, Gp::r15, Gp::rax, Gp::rdx};
  return kRegisters[r];
}

/// Registers that are written (by more than a load) get machine registers, the often used ones first; then stack.
void JitEmitter::assign_homes() {
  std::vector<std::uint32_t> uses(p_.registers, 0);
  for (const Instr& i : p_.code)
    if (writes_register(i.code)) ++uses[i.a];
  std::vector<std::uint32_t> written;
  for (std::uint32_t r = 0; r < p_.registers; ++r)
    if (uses[r] != 0) written.push_back(r);
  std::stable_sort(written.begin(), written.end(), [&](std::uint32_t a, std::uint32_t b) { return uses[a] > uses[b]; });
  home_.resize(p_.registers);
  for (const std::uint32_t r : written) {
    if (machine_used_ < kPhysical)
      home_[r] = {Place::Kind::machine, machine_used_++};
    else
      home_[r] = {Place::Kind::stack, stack_used_++};
  }
  place_ = home_;
}

JitEmitter::Gp JitEmitter::get(std::uint32_t r, Gp scratch) {
  if (in_machine(r)) return machine(r);
  a_.mov(scratch, memory(r));
  return scratch;
}

void JitEmitter::copy(Gp to, std::uint32_t r) {
  if (!in_machine(r))
    a_.mov(to, memory(r));
  else if (machine(r) != to)
    a_.mov(to, machine(r));
}

void JitEmitter::put(std::uint32_t r, Gp from) {
  if (read_at_once_ && (from == rax || from == rdx)) {
    place_[r] = {Place::Kind::machine, from == rax ? kRax : kRdx};
    return;
  }
  place_[r] = home_[r];
  if (!in_machine(r))
    a_.mov(memory(r), from);
  else if (machine(r) != from)
    a_.mov(machine(r), from);
}

void JitEmitter::put_imm(std::uint32_t r, std::int64_t v) {
  place_[r] = home_[r];
  if (in_machine(r)) {
    a_.mov(machine(r), v);
  } else if (fits(v)) {
    a_.mov(memory(r), static_cast<std::int32_t>(v));
  } else {
    a_.mov(rax, v);
    a_.mov(memory(r), rax);
  }
}

void JitEmitter::apply(Op op, Gp to, std::uint32_t r) {
  if (in_machine(r))
    a_.op(op, to, machine(r));
  else
    a_.op(op, to, memory(r));
}

void JitEmitter::compare(std::uint32_t b, std::uint32_t c) { apply(Op::cmp, get(b, rax), c); }

void JitEmitter::compare_imm(std::uint32_t b, std::int64_t v) {
  if (in_machine(b) && v == 0) {
    a_.test(machine(b), machine(b));
  } else if (fits(v)) {
    if (in_machine(b))
      a_.op_imm(Op::cmp, machine(b), static_cast<std::int32_t>(v));
    else
      a_.op_imm(Op::cmp, memory(b), static_cast<std::int32_t>(v));
  } else {
    a_.mov(rcx, v);
    a_.op(Op::cmp, get(b, rax), rcx);
  }
}

void JitEmitter::compare_mem(const Mem& m, std::int64_t v) {
  if (fits(v)) {
    a_.op_imm(Op::cmp, m, static_cast<std::int32_t>(v));
  } else {
    a_.mov(rcx, v);
    a_.cmp(m, rcx);
  }
}

void JitEmitter::jump(const Instr& i, Condition when_true) {
  const bool unless = (static_cast<unsigned>(i.code) - static_cast<unsigned>(Code::JIfEq)) % 2 == 1;
  a_.j(unless ? x86::negate(when_true) : when_true, target(i.a));
}

void JitEmitter::prologue() {
  for (std::uint32_t r = kFree; r < machine_used_; ++r) a_.push(physical(r));
  if (stack_used_ != 0) a_.op_imm(Op::sub, rsp, static_cast<std::int32_t>(static_cast<std::int64_t>(stack_used_) * 8));
}

void JitEmitter::epilogue() {
  const auto restore = [&] {
    if (stack_used_ != 0)
      a_.op_imm(Op::add, rsp, static_cast<std::int32_t>(static_cast<std::int64_t>(stack_used_) * 8));
    for (std::uint32_t r = machine_used_; r-- > kFree;) a_.pop(physical(r));
  };
  a_.bind(leave_);
  restore();
  a_.mov(rdx,
         static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(&p_)));  // values and presence are where they came
  a_.mov(rax, static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(&check_left)));
  a_.jmp(rax);
  a_.bind(done_);
  restore();
  a_.ret();
}

bool JitEmitter::emit() {
  constexpr std::uint32_t kMostRegisters = 4096;  // of stack; more is left to the interpreter
  if (p_.registers > kMostRegisters) return false;
  // Room for the usual: growing copies, and what is never touched costs nothing.
  a_.reserve(256 + 20 * (p_.code.size() + p_.ranges.size() + p_.mods.size() + p_.pairs.size()),
             p_.code.size() + p_.tests + 1);
  leave_ = a_.new_label();
  done_ = a_.new_label();
  // Labels only where something jumps to.
  at_.resize(p_.code.size());
  fail_.resize(p_.tests);
  for (const Instr& i : p_.code)
    if (const std::uint32_t to = jump_of(i); to != kNoJump)
      if (p_.code[to].code != Code::Fail && !at_[to].is_valid()) at_[to] = a_.new_label();
  for (Label& l : fail_) l = a_.new_label();
  assign_homes();
  // Ways out come first: jumps to them are backward, so that nothing has to be patched. The body begins at `entry_`.
  epilogue();
  bare_ = machine_used_ <= kFree && stack_used_ == 0;
  for (std::uint32_t t = 0; t < fail_.size(); ++t) {
    a_.bind(fail_[t]);
    result(p_.first_guard(t));
    if (bare_)
      a_.ret();
    else
      a_.jmp(done_);
  }
  a_.align(16);
  entry_ = a_.size();
  prologue();
  for (std::size_t at = 0; at < p_.code.size(); ++at) {
    if (p_.code[at].code == Code::Fail) continue;
    if (at_[at].is_valid()) a_.bind(at_[at]);
    read_at_once_ = is_read_at_once(at);
    if (!instruction(p_.code[at])) return false;
  }
  return a_.patch();
}

/// By a comparison with a constant or a quotient, which look at their operand before they use a scratch register.
bool JitEmitter::is_read_at_once(std::size_t at) const {
  if (at + 1 >= p_.code.size() || at_[at + 1].is_valid()) return false;
  const Instr &i = p_.code[at], &next = p_.code[at + 1];
  return writes_register(i.code) && next.b == i.a && next.x != 0 && marks_last_read(next.code) &&
         next.code != Code::ModMagic;
}

bool JitEmitter::instruction(const Instr& i) {
  switch (i.code) {
    case Code::Pass:
      result(kPass);
      if (bare_)
        a_.ret();
      else
        a_.jmp(done_);
      return true;
    case Code::Fail:
      return true;
    case Code::Need:
      return need(i), true;
    case Code::Jump:
      return a_.jmp(target(i.a)), true;
    case Code::Ranges:
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k)
        range(p_.ranges[k], true, fail_[p_.ranges[k].below], fail_[p_.ranges[k].above]);
      return true;
    case Code::NotRanges:
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k)
        range(p_.ranges[k], false, fail_[p_.ranges[k].below], fail_[p_.ranges[k].below]);
      return true;
    case Code::Mods:
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k) congruence(p_.mods[k], false, fail_[p_.mods[k].test]);
      return true;
    case Code::PairsEq:
    case Code::PairsNe:
    case Code::PairsLt:
    case Code::PairsLe:
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k) {
        const Pair& q = p_.pairs[k];
        a_.mov(rax, slot(q.left));
        a_.op(Op::cmp, rax, slot(q.right));
        a_.j(i.code == Code::PairsEq   ? Condition::ne
             : i.code == Code::PairsNe ? Condition::e
             : i.code == Code::PairsLt ? Condition::ge
                                       : Condition::g,
             fail_[q.test]);
      }
      return true;
    case Code::JIfEq:
    case Code::JUnlessEq:
      return compare(i.b, i.c), jump(i, Condition::e), true;
    case Code::JIfNe:
    case Code::JUnlessNe:
      return compare(i.b, i.c), jump(i, Condition::ne), true;
    case Code::JIfLt:
    case Code::JUnlessLt:
      return compare(i.b, i.c), jump(i, Condition::l), true;
    case Code::JIfLe:
    case Code::JUnlessLe:
      return compare(i.b, i.c), jump(i, Condition::le), true;
    case Code::JIfEqI:
    case Code::JUnlessEqI:
      return compare_imm(i.b, i.imm), jump(i, Condition::e), true;
    case Code::JIfNeI:
    case Code::JUnlessNeI:
      return compare_imm(i.b, i.imm), jump(i, Condition::ne), true;
    case Code::JIfLtI:
    case Code::JUnlessLtI:
      return compare_imm(i.b, i.imm), jump(i, Condition::l), true;
    case Code::JIfGtI:
    case Code::JUnlessGtI:
      return compare_imm(i.b, i.imm), jump(i, Condition::g), true;
    case Code::JIfRange:
    case Code::JUnlessRange:
      return range_jump(i);
    case Code::JIfMod:
    case Code::JUnlessMod:
      return congruence(p_.mods[i.b], (i.code == Code::JIfMod) != (i.x != 0), target(i.a)), true;
    case Code::JIfIn:
    case Code::JUnlessIn: {
      const Label after = a_.new_label();
      const bool jump_if_member = (i.code == Code::JIfIn) != (i.x != 0);
      member(slot(i.b), p_.sets[i.c], jump_if_member ? target(i.a) : after, jump_if_member ? after : target(i.a));
      a_.bind(after);
      return true;
    }
    case Code::JIfSlotEq:
    case Code::JUnlessSlotEq:
      a_.mov(rax, slot(i.b));
      return a_.op(Op::cmp, rax, slot(i.c)), jump(i, Condition::e), true;
    case Code::JIfSlotNe:
    case Code::JUnlessSlotNe:
      a_.mov(rax, slot(i.b));
      return a_.op(Op::cmp, rax, slot(i.c)), jump(i, Condition::ne), true;
    case Code::JIfSlotLt:
    case Code::JUnlessSlotLt:
      a_.mov(rax, slot(i.b));
      return a_.op(Op::cmp, rax, slot(i.c)), jump(i, Condition::l), true;
    case Code::JIfSlotLe:
    case Code::JUnlessSlotLe:
      a_.mov(rax, slot(i.b));
      return a_.op(Op::cmp, rax, slot(i.c)), jump(i, Condition::le), true;
    case Code::JIfSlotsDiffer:
    case Code::JUnlessSlotsDiffer:
      return slots_differ(i), true;
    case Code::Distinct:
      return distinct(i);
    case Code::BigConst:
      return a_.jmp(leave_), true;
    default:
      return arithmetic(i), true;
  }
}

}  // namespace dimgate::detail
