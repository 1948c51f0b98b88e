// Machine code of values.
#include "program/jit_emitter.hpp"

namespace dimgate::detail {

using namespace asmjit;  // NOLINT
using x86::CondCode;
using x86::eax;
using x86::rax;
using x86::rcx;
using x86::rdx;

/// 2 where the flags say c, else 0.
void JitEmitter::set_if(std::uint32_t r, CondCode c) {
  a_.set(c, x86::al);
  a_.movzx(eax, x86::al);
  a_.add(eax, eax);
  put(r, rax);
}

void JitEmitter::select(const Instr& i) {
  if (i.code == Code::Select) {
    copy(rax, static_cast<std::uint32_t>(i.imm));
    compare_imm(i.b, kTrue);
    apply(x86::Inst::kIdCmove, rax, i.c);
  } else {
    a_.mov(eax, Imm(kUndefined));
    compare_imm(i.b, kFalse);
    apply(x86::Inst::kIdCmove, rax, static_cast<std::uint32_t>(i.imm));
    compare_imm(i.b, kTrue);
    apply(x86::Inst::kIdCmove, rax, i.c);
  }
  put(i.a, rax);
}

void JitEmitter::float_equal(const Instr& i) {
  a_.movq(x86::xmm0, get(i.b, rax));
  a_.movq(x86::xmm1, get(i.c, rcx));
  a_.ucomisd(x86::xmm0, x86::xmm1);  // unordered sets parity as well as zero
  a_.set(CondCode::kNP, x86::cl);
  a_.set(CondCode::kE, x86::al);
  a_.and_(x86::al, x86::cl);
  a_.movzx(eax, x86::al);
  a_.add(eax, eax);
  put(i.a, rax);
}

/// See Magic.
void JitEmitter::divide_by_constant(const Instr& i) {
  const Magic& magic = p_.magics[i.c];
  copy(rax, i.b);
  a_.mov(rcx, rax);
  a_.sar(rcx, Imm(63));
  a_.xor_(rax, rcx);
  a_.mov(rdx, magic.multiplier);
  a_.mul(rdx);
  if (magic.shift != 0) a_.shr(rdx, Imm(magic.shift));
  a_.xor_(rdx, rcx);
  if (i.code == Code::DivMagic) return put(i.a, rdx);
  if (fits(i.imm)) {
    a_.imul(rdx, rdx, Imm(i.imm));
  } else {
    a_.mov(rcx, i.imm);
    a_.imul(rdx, rcx);
  }
  copy(rax, i.b);
  a_.sub(rax, rdx);
  put(i.a, rax);
}

void JitEmitter::divide(const Instr& i, std::int64_t imm, bool by_imm) {
  const bool mod = i.code == Code::Mod || i.code == Code::ModI || i.code == Code::ModOr;
  const bool ceil = i.code == Code::CeilDiv || i.code == Code::CeilDivI || i.code == Code::CeilDivOr;
  const Label done = a_.newLabel(), minus_one = a_.newLabel(), zero = a_.newLabel();
  const bool jumps = i.code == Code::DivOr || i.code == Code::ModOr || i.code == Code::CeilDivOr;
  if (by_imm) {
    a_.mov(rcx, imm);
  } else {
    copy(rcx, i.c);
    a_.test(rcx, rcx);
    a_.jz(jumps ? target(static_cast<std::uint32_t>(i.imm)) : zero);
  }
  copy(rax, i.b);
  if (!by_imm || imm == -1) {
    a_.cmp(rcx, Imm(-1));
    a_.je(minus_one);
  }
  a_.cqo();
  a_.idiv(rcx);
  a_.test(rdx, rdx);
  a_.jz(done);  // exact: quotient and remainder stand
  if (mod) {
    // A remainder takes the divisor's sign.
    const Label same = a_.newLabel();
    a_.mov(rax, rdx);
    a_.xor_(rax, rcx);
    a_.jns(same);
    a_.add(rdx, rcx);
    a_.bind(same);
  } else {
    a_.xor_(rdx, rcx);
    a_.shr(rdx, Imm(63));  // 1 where the signs differ
    if (ceil) {
      a_.xor_(rdx, Imm(1));
      a_.add(rax, rdx);
    } else {
      a_.sub(rax, rdx);
    }
  }
  a_.jmp(done);
  a_.bind(minus_one);
  if (mod) {
    a_.xor_(x86::edx, x86::edx);
  } else {
    a_.neg(rax);
    a_.jo(leave_);
  }
  if (!by_imm && !jumps) {
    a_.jmp(done);
    a_.bind(zero);
    a_.xor_(eax, eax);
    a_.xor_(x86::edx, x86::edx);
  }
  a_.bind(done);
  put(i.a, mod ? rdx : rax);
}

// NOLINTNEXTLINE(readability-function-size): one case an instruction
void JitEmitter::arithmetic(const Instr& i) {
  const auto checked = [&](x86::Inst::Id op) {
    copy(rax, i.b);
    apply(op, rax, i.c);
    a_.jo(leave_);
    put(i.a, rax);
  };
  const auto checked_imm = [&](x86::Inst::Id op) {
    copy(rax, i.b);
    if (fits(i.imm)) {
      if (op == x86::Inst::kIdImul)
        a_.imul(rax, rax, Imm(i.imm));
      else
        a_.emit(op, rax, Imm(i.imm));
    } else {
      a_.mov(rcx, i.imm);
      a_.emit(op, rax, rcx);
    }
    a_.jo(leave_);
    put(i.a, rax);
  };
  const auto extreme = [&](x86::Inst::Id move, bool imm) {
    copy(rax, i.b);
    if (imm)
      a_.mov(rcx, i.imm);
    else
      copy(rcx, i.c);
    a_.cmp(rax, rcx);
    a_.emit(move, rax, rcx);
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
      a_.mov(rcx, Imm(kUndefined));
      a_.cmp(rax, Imm(1));
      a_.lea(rax, x86::ptr(rax, rax));  // 0 -> 0, 1 -> 2
      a_.cmova(rax, rcx);
      return put(i.a, rax);
    case Code::Const:
      return put_imm(i.a, i.imm);
    case Code::Move:
      return put(i.a, get(i.b, rax));
    case Code::Add:
      return checked(x86::Inst::kIdAdd);
    case Code::AddI:
      return checked_imm(x86::Inst::kIdAdd);
    case Code::Sub:
      return checked(x86::Inst::kIdSub);
    case Code::Mul:
      return checked(x86::Inst::kIdImul);
    case Code::MulI:
      return checked_imm(x86::Inst::kIdImul);
    case Code::Neg:
      copy(rax, i.b);
      a_.neg(rax);
      a_.jo(leave_);
      return put(i.a, rax);
    case Code::Abs:
      copy(rax, i.b);
      a_.neg(rax);
      a_.jo(leave_);
      apply(x86::Inst::kIdCmovs, rax, i.b);
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
      if (i.x != 0) a_.sar(rax, Imm(i.x));
      return put(i.a, rax);
    case Code::ModPow2:
      if (fits(i.imm - 1)) {
        copy(rax, i.b);
        a_.and_(rax, Imm(i.imm - 1));
      } else {
        a_.mov(rax, i.imm - 1);
        apply(x86::Inst::kIdAnd, rax, i.b);
      }
      return put(i.a, rax);
    case Code::Min:
      return extreme(x86::Inst::kIdCmovg, false);
    case Code::Max:
      return extreme(x86::Inst::kIdCmovl, false);
    case Code::MinI:
      return extreme(x86::Inst::kIdCmovg, true);
    case Code::MaxI:
      return extreme(x86::Inst::kIdCmovl, true);
    case Code::Select:
    case Code::Choose:
      return select(i);
    case Code::NonZero:
      compare_imm(i.b, 0);
      a_.set(CondCode::kNE, x86::al);
      a_.movzx(eax, x86::al);
      a_.inc(eax);
      return put(i.a, rax);
    case Code::Mask:
      a_.mov(eax, Imm(kUndefined));
      compare_imm(i.c, kTrue);
      apply(x86::Inst::kIdCmove, rax, i.b);
      return put(i.a, rax);
    case Code::Not:
      a_.mov(eax, Imm(kTrue));
      apply(x86::Inst::kIdSub, rax, i.b);
      return put(i.a, rax);
    case Code::Iff:
      compare(i.b, i.c);
      a_.set(CondCode::kE, x86::dl);
      a_.movzx(x86::edx, x86::dl);
      a_.add(x86::edx, x86::edx);
      a_.mov(x86::ecx, Imm(kUndefined));
      compare_imm(i.b, kUndefined);
      a_.cmove(rdx, rcx);
      compare_imm(i.c, kUndefined);
      a_.cmove(rdx, rcx);
      return put(i.a, rdx);
    case Code::StrictOr:
      // 1 or 2 makes 3: undefined and true.
      copy(rax, i.b);
      apply(x86::Inst::kIdOr, rax, i.c);
      a_.mov(x86::ecx, Imm(kUndefined));
      a_.cmp(rax, Imm(kUndefined | kTrue));
      a_.cmove(rax, rcx);
      return put(i.a, rax);
    case Code::SetEq:
      return compare(i.b, i.c), set_if(i.a, CondCode::kE);
    case Code::SetNe:
      return compare(i.b, i.c), set_if(i.a, CondCode::kNE);
    case Code::SetLt:
      return compare(i.b, i.c), set_if(i.a, CondCode::kL);
    case Code::SetLe:
      return compare(i.b, i.c), set_if(i.a, CondCode::kLE);
    case Code::SetEqI:
      return compare_imm(i.b, i.imm), set_if(i.a, CondCode::kE);
    case Code::SetNeI:
      return compare_imm(i.b, i.imm), set_if(i.a, CondCode::kNE);
    case Code::SetLtI:
      return compare_imm(i.b, i.imm), set_if(i.a, CondCode::kL);
    case Code::SetGtI:
      return compare_imm(i.b, i.imm), set_if(i.a, CondCode::kG);
    case Code::SetEqF:
      return float_equal(i);
    case Code::SetNan:
      copy(rax, i.b);
      a_.add(rax, rax);  // the sign drops out
      a_.mov(rcx, std::uint64_t{0x7ff} << 53);
      a_.cmp(rax, rcx);
      return set_if(i.a, CondCode::kA);
    case Code::SetIn: {
      // The value goes through memory so that one routine serves slots and registers: the red zone is ours, nothing is
      // called.
      const Mem place = x86::qword_ptr(x86::rsp, -8);
      a_.mov(place, get(i.b, rax));
      const Label found = a_.newLabel(), absent = a_.newLabel(), after = a_.newLabel();
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
