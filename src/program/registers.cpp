#include <queue>
#include <span>

#include "program/code.hpp"

namespace dimgate::detail {
namespace {

enum class Use : std::uint8_t { none, b, bc, bci, block };

// Which operands are registers that are read, and whether `a` is one that is written.
struct Shape {
  Use reads = Use::none;
  bool writes = false;
};

Shape shape_of(Code code) noexcept {
  switch (code) {
    case Code::Pass:
    case Code::Fail:
    case Code::Need:
    case Code::Jump:
    case Code::Ranges:
    case Code::Mods:
    case Code::NotRanges:
    case Code::PairsEq:
    case Code::PairsNe:
    case Code::PairsLt:
    case Code::PairsLe:
    case Code::Loads:  // writes, but not through its operands: see allocate_registers
      return {};
    case Code::Load:
    case Code::LoadBool:
    case Code::Const:
    case Code::BigConst:
      return {Use::none, true};
    case Code::Move:
    case Code::AddI:
    case Code::Neg:
    case Code::MulI:
    case Code::DivI:
    case Code::DivPow2:
    case Code::DivMagic:
    case Code::ModMagic:
    case Code::ModPow2:
    case Code::ModI:
    case Code::CeilDivI:
    case Code::MinI:
    case Code::MaxI:
    case Code::Abs:
    case Code::NonZero:
    case Code::Not:
    case Code::SetEqI:
    case Code::SetNeI:
    case Code::SetLtI:
    case Code::SetGtI:
    case Code::SetNan:
    case Code::SetIn:
      return {Use::b, true};
    case Code::Add:
    case Code::Sub:
    case Code::Mul:
    case Code::Div:
    case Code::DivOr:
    case Code::ModOr:
    case Code::CeilDivOr:
    case Code::Mod:
    case Code::CeilDiv:
    case Code::Min:
    case Code::Max:
    case Code::Mask:
    case Code::Iff:
    case Code::StrictOr:
    case Code::SetEq:
    case Code::SetNe:
    case Code::SetLt:
    case Code::SetLe:
    case Code::SetEqF:
      return {Use::bc, true};
    case Code::Select:
    case Code::Choose:
      return {Use::bci, true};
    case Code::Distinct:
      return {Use::block, true};
    case Code::JIfEq:
    case Code::JUnlessEq:
    case Code::JIfNe:
    case Code::JUnlessNe:
    case Code::JIfLt:
    case Code::JUnlessLt:
    case Code::JIfLe:
    case Code::JUnlessLe:
      return {Use::bc, false};
    case Code::JIfEqI:
    case Code::JUnlessEqI:
    case Code::JIfNeI:
    case Code::JUnlessNeI:
    case Code::JIfLtI:
    case Code::JUnlessLtI:
    case Code::JIfGtI:
    case Code::JUnlessGtI:
      return {Use::b, false};
    case Code::JIfRange:
    case Code::JUnlessRange:
    case Code::JIfMod:
    case Code::JUnlessMod:
    case Code::JIfIn:
    case Code::JUnlessIn:
    case Code::JIfSlotEq:
    case Code::JUnlessSlotEq:
    case Code::JIfSlotNe:
    case Code::JUnlessSlotNe:
    case Code::JIfSlotLt:
    case Code::JUnlessSlotLt:
    case Code::JIfSlotLe:
    case Code::JUnlessSlotLe:
    case Code::JIfSlotsDiffer:
    case Code::JUnlessSlotsDiffer:
      return {};
  }
  return {};
}

}  // namespace

bool writes_register(Code code) noexcept { return shape_of(code).writes; }

void allocate_registers(ProgramCode& p) {
  std::vector<std::size_t> last(p.registers, 0);  // index of the last instruction that touches it
  std::vector<bool> in_block(p.registers, false);
  const auto each_read = [](Instr& i, auto&& visit) {
    const Use use = shape_of(i.code).reads;
    if (use == Use::b || use == Use::bc || use == Use::bci) visit(i.b);
    if (use == Use::bc || use == Use::bci) visit(i.c);
    if (use == Use::bci) {
      auto r = static_cast<Reg>(i.imm);
      visit(r);
      i.imm = r;
    }
  };
  for (std::size_t at = 0; at < p.code.size(); ++at) {
    Instr& i = p.code[at];
    each_read(i, [&](Reg& r) { last[r] = at; });
    if (shape_of(i.code).reads == Use::block)
      for (std::uint32_t k = 0; k < i.c; ++k) in_block[i.b + k] = true;
    if (shape_of(i.code).writes) last[i.a] = std::max(last[i.a], at);
    if (i.code == Code::Loads)
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k) last[p.loads[k].reg] = at;
  }
  // Blocks lie at the bottom, each for good: they are rare, and their registers must be neighbours. Two blocks never
  // overlap in time unless the program has two `Distinct`, so all share the place only if that is safe; it is not
  // assumed.
  std::uint32_t next = 0;
  std::vector<Reg> real(p.registers, kNoReg);
  for (Reg r = 0; r < p.registers; ++r)
    if (in_block[r]) real[r] = next++;
  std::priority_queue<Reg, std::vector<Reg>, std::greater<>> free;
  for (std::size_t at = 0; at < p.code.size(); ++at) {
    Instr& i = p.code[at];
    const Shape shape = shape_of(i.code);
    Reg dying[3];
    int deaths = 0;
    each_read(i, [&](Reg& r) {
      if (last[r] == at && !in_block[r]) {
        bool seen = false;
        for (int k = 0; k < deaths; ++k) seen = seen || dying[k] == real[r];
        if (!seen) dying[deaths++] = real[r];
      }
      r = real[r];
    });
    if (shape.reads == Use::block) i.b = real[i.b];
    // Freed before the target is chosen: every instruction reads its operands before it writes.
    for (int k = 0; k < deaths; ++k) free.push(dying[k]);
    const auto take = [&](Reg& r) {
      const Reg virt = r;
      if (real[virt] == kNoReg) {
        if (free.empty()) {
          real[virt] = next++;
        } else {
          real[virt] = free.top();
          free.pop();
        }
      }
      r = real[virt];
      return last[virt] == at && !in_block[virt];  // written, never read
    };
    if (i.code == Code::Loads)
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k) take(p.loads[k].reg);
    if (shape.writes && take(i.a)) free.push(i.a);
  }
  p.registers = next;
}

}  // namespace dimgate::detail
