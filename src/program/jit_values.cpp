// Machine code of values.
#include "program/jit_emitter.hpp"

namespace dimgate::detail {

/// 2 where the flags say c, else 0.
void JitEmitter::set_if(std::uint32_t r, Condition c) {
  a_.set(c, eax);
  a_.movzx_byte(eax, eax);
  a_.add(eax, eax);
  put(r, rax);
}

void JitEmitter::select(const Instr& i) {
  if (i.code == Code::Select) {
    copy(rax, static_cast<std::uint32_t>(i.imm));
    compare_imm(i.b, kTrue);
    apply(x86::cmov(Condition::e), rax, i.c);
  } else {
    a_.mov(rax, kUndefined);
    compare_imm(i.b, kFalse);
    apply(x86::cmov(Condition::e), rax, static_cast<std::uint32_t>(i.imm));
    compare_imm(i.b, kTrue);
    apply(x86::cmov(Condition::e), rax, i.c);
  }
  put(i.a, rax);
}

void JitEmitter::float_equal(const Instr& i) {
  a_.movq(x86::Vector{0}, get(i.b, rax));
  a_.movq(x86::Vector{1}, get(i.c, rcx));
  a_.ucomisd(x86::Vector{0}, x86::Vector{1});  // unordered sets parity as well as zero
  a_.set(Condition::np, ecx);
  a_.set(Condition::e, eax);
  a_.and_bytes(eax, ecx);
  a_.movzx_byte(eax, eax);
  a_.add(eax, eax);
  put(i.a, rax);
}

/// See Magic.
void JitEmitter::divide_by_constant(const Instr& i) {
  const Magic& magic = p_.magics[i.c];
  copy(rax, i.b);
  a_.mov(rcx, rax);
  a_.shift(Shift::sar, rcx, 63);
  a_.op(Op::xor_, rax, rcx);
  a_.mov(rdx, magic.multiplier);
  a_.mul(rdx);
  if (magic.shift != 0) a_.shift(Shift::shr, rdx, magic.shift);
  a_.op(Op::xor_, rdx, rcx);
  if (i.code == Code::DivMagic) return put(i.a, rdx);
  if (fits(i.imm)) {
    a_.imul(rdx, rdx, static_cast<std::int32_t>(i.imm));
  } else {
    a_.mov(rcx, i.imm);
    a_.op(Op::imul, rdx, rcx);
  }
  copy(rax, i.b);
  a_.op(Op::sub, rax, rdx);
  put(i.a, rax);
}

void JitEmitter::divide(const Instr& i, std::int64_t imm, bool by_imm) {
  const bool mod = i.code == Code::Mod || i.code == Code::ModI || i.code == Code::ModOr;
  const bool ceil = i.code == Code::CeilDiv || i.code == Code::CeilDivI || i.code == Code::CeilDivOr;
  const Label done = a_.new_label(), minus_one = a_.new_label(), zero = a_.new_label();
  const bool jumps = i.code == Code::DivOr || i.code == Code::ModOr || i.code == Code::CeilDivOr;
  if (by_imm) {
    a_.mov(rcx, imm);
  } else {
    copy(rcx, i.c);
    a_.test(rcx, rcx);
    a_.j(Condition::e, jumps ? target(static_cast<std::uint32_t>(i.imm)) : zero);
  }
  copy(rax, i.b);
  if (!by_imm || imm == -1) {
    a_.op_imm(Op::cmp, rcx, -1);
    a_.j(Condition::e, minus_one);
  }
  a_.cqo();
  a_.idiv(rcx);
  a_.test(rdx, rdx);
  a_.j(Condition::e, done);  // exact: quotient and remainder stand
  if (mod) {
    // A remainder takes the divisor's sign.
    const Label same = a_.new_label();
    a_.mov(rax, rdx);
    a_.op(Op::xor_, rax, rcx);
    a_.j(Condition::ns, same);
    a_.op(Op::add, rdx, rcx);
    a_.bind(same);
  } else {
    a_.op(Op::xor_, rdx, rcx);
    a_.shift(Shift::shr, rdx, 63);  // 1 where the signs differ
    if (ceil) {
      a_.op_imm(Op::xor_, rdx, 1);
      a_.op(Op::add, rax, rdx);
    } else {
      a_.op(Op::sub, rax, rdx);
    }
  }
  a_.jmp(done);
  a_.bind(minus_one);
  if (mod) {
    a_.xor_(edx, edx);
  } else {
    a_.neg(rax);
    a_.j(Condition::o, leave_);
  }
  if (!by_imm && !jumps) {
    a_.jmp(done);
    a_.bind(zero);
    a_.xor_(eax, eax);
    a_.xor_(edx, edx);
  }
  a_.bind(done);
  put(i.a, mod ? rdx : rax);
}

// NOLINTNEXTLINE(readability-function-size): one case an instruction
void JitEmitter::arithmetic(const Instr& i) {
  const auto checked = [&](Op op) {
    copy(rax, i.b);
    apply(op, rax, i.c);
    a_.j(Condition::o, leave_);
    put(i.a, rax);
  };
  const auto checked_imm = [&](Op op) {
    copy(rax, i.b);
    if (fits(i.imm)) {
      if (op == Op::imul)
        a_.imul(rax, rax, static_cast<std::int32_t>(i.imm));
      else
        a_.op_imm(op, rax, static_cast<std::int32_t>(i.imm));
    } else {
      a_.mov(rcx, i.imm);
      a_.op(op, rax, rcx);
    }
    a_.j(Condition::o, leave_);
    put(i.a, rax);
  };
  const auto extreme = [&](Op move, bool imm) {
    copy(rax, i.b);
    if (imm)
      a_.mov(rcx, i.imm);
    else
      copy(rcx, i.c);
    a_.op(Op::cmp, rax, rcx);
    a_.op(move, rax, rcx);
    put(i.a, rax);
  };
  switch (i.code) {
    case Code::Loads:
      // Not loaded: read where they are, until the register is written.
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k) place_[p_.loads[k].reg] = {Place::Kind::slot, p_.loads[k].slot};
      return;
    case Code::Load:
      a_.mov(rax, slot(i.b));
      return put(i.a, rax);
    case Code::LoadBool:
      a_.mov(rax, slot(i.b));
      a_.mov(rcx, kUndefined);
      a_.op_imm(Op::cmp, rax, 1);
      a_.lea(rax, rax, rax);  // 0 -> 0, 1 -> 2
      a_.op(x86::cmov(Condition::a), rax, rcx);
      return put(i.a, rax);
    case Code::Const:
      return put_imm(i.a, i.imm);
    case Code::Move:
      return put(i.a, get(i.b, rax));
    case Code::Add:
      return checked(Op::add);
    case Code::AddI:
      return checked_imm(Op::add);
    case Code::Sub:
      return checked(Op::sub);
    case Code::Mul:
      return checked(Op::imul);
    case Code::MulI:
      return checked_imm(Op::imul);
    case Code::Neg:
      copy(rax, i.b);
      a_.neg(rax);
      a_.j(Condition::o, leave_);
      return put(i.a, rax);
    case Code::Abs:
      copy(rax, i.b);
      a_.neg(rax);
      a_.j(Condition::o, leave_);
      apply(x86::cmov(Condition::s), rax, i.b);
      return put(i.a, rax);
    case Code::Div:
    case Code::Mod:
    case Code::CeilDiv:
    case Code::DivOr:
    case Code::ModOr:
    case Code::CeilDivOr:
      return divide(i, 0, false);
    case Code::DivMagic:
    case Code::ModMagic:
      return divide_by_constant(i);
    case Code::DivI:
    case Code::ModI:
    case Code::CeilDivI:
      return divide(i, i.imm, true);
    case Code::DivPow2:
      copy(rax, i.b);
      if (i.x != 0) a_.shift(Shift::sar, rax, i.x);
      return put(i.a, rax);
    case Code::ModPow2:
      if (fits(i.imm - 1)) {
        copy(rax, i.b);
        a_.op_imm(Op::and_, rax, static_cast<std::int32_t>(i.imm - 1));
      } else {
        a_.mov(rax, i.imm - 1);
        apply(Op::and_, rax, i.b);
      }
      return put(i.a, rax);
    case Code::Min:
      return extreme(x86::cmov(Condition::g), false);
    case Code::Max:
      return extreme(x86::cmov(Condition::l), false);
    case Code::MinI:
      return extreme(x86::cmov(Condition::g), true);
    case Code::MaxI:
      return extreme(x86::cmov(Condition::l), true);
    case Code::Select:
    case Code::Choose:
      return select(i);
    case Code::NonZero:
      compare_imm(i.b, 0);
      a_.set(Condition::ne, eax);
      a_.movzx_byte(eax, eax);
      a_.inc(eax);
      return put(i.a, rax);
    case Code::Mask:
      a_.mov(rax, kUndefined);
      compare_imm(i.c, kTrue);
      apply(x86::cmov(Condition::e), rax, i.b);
      return put(i.a, rax);
    case Code::Not:
      a_.mov(rax, kTrue);
      apply(Op::sub, rax, i.b);
      return put(i.a, rax);
    case Code::Iff:
      compare(i.b, i.c);
      a_.set(Condition::e, edx);
      a_.movzx_byte(edx, edx);
      a_.add(edx, edx);
      a_.mov(rcx, kUndefined);
      compare_imm(i.b, kUndefined);
      a_.op(x86::cmov(Condition::e), rdx, rcx);
      compare_imm(i.c, kUndefined);
      a_.op(x86::cmov(Condition::e), rdx, rcx);
      return put(i.a, rdx);
    case Code::StrictOr:
      // 1 or 2 makes 3: undefined and true.
      copy(rax, i.b);
      apply(Op::or_, rax, i.c);
      a_.mov(rcx, kUndefined);
      a_.op_imm(Op::cmp, rax, static_cast<std::int32_t>(kUndefined | kTrue));
      a_.op(x86::cmov(Condition::e), rax, rcx);
      return put(i.a, rax);
    case Code::SetEq:
      return compare(i.b, i.c), set_if(i.a, Condition::e);
    case Code::SetNe:
      return compare(i.b, i.c), set_if(i.a, Condition::ne);
    case Code::SetLt:
      return compare(i.b, i.c), set_if(i.a, Condition::l);
    case Code::SetLe:
      return compare(i.b, i.c), set_if(i.a, Condition::le);
    case Code::SetEqI:
      return compare_imm(i.b, i.imm), set_if(i.a, Condition::e);
    case Code::SetNeI:
      return compare_imm(i.b, i.imm), set_if(i.a, Condition::ne);
    case Code::SetLtI:
      return compare_imm(i.b, i.imm), set_if(i.a, Condition::l);
    case Code::SetGtI:
      return compare_imm(i.b, i.imm), set_if(i.a, Condition::g);
    case Code::SetEqF:
      return float_equal(i);
    case Code::SetNan:
      copy(rax, i.b);
      a_.op(Op::add, rax, rax);  // the sign drops out
      a_.mov(rcx, std::uint64_t{0x7ff} << 53);
      a_.op(Op::cmp, rax, rcx);
      return set_if(i.a, Condition::a);
    case Code::SetIn: {
      // The value goes through memory so that one routine serves slots and registers: the red zone is ours, nothing is
      // called.
      const Mem place{rsp, -8};
      a_.mov(place, get(i.b, rax));
      const Label found = a_.new_label(), absent = a_.new_label(), after = a_.new_label();
      member(place, p_.sets[i.c], found, absent);
      a_.bind(found);
      put_imm(i.a, kTrue);
      a_.jmp(after);
      a_.bind(absent);
      put_imm(i.a, kFalse);
      a_.bind(after);
      return;
    }
    default:
      return;
  }
}

}  // namespace dimgate::detail
