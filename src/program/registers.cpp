#include <algorithm>
#include <array>
#include <bit>

#include "program/draft.hpp"

namespace dimgate::detail {
namespace {

enum class Use : std::uint8_t { none, b, bc, bci, block };

// Which operands are registers that are read, and whether `a` is one that is written.
struct Shape {
  Use reads = Use::none;
  bool writes = false;
};

constexpr Shape shape_by_switch(Code code) noexcept {
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

constexpr auto kShapes = [] {
  std::array<Shape, static_cast<std::size_t>(Code::JUnlessSlotsDiffer) + 1> all{};
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = shape_by_switch(static_cast<Code>(k));
  return all;
}();
Shape shape_of(Code code) noexcept { return kShapes[static_cast<std::size_t>(code)]; }

/// Real registers that are free, the lowest first.
class FreeRegisters {
 public:
  void push(Reg r) {
    const std::size_t word = r / 64;
    if (word >= words_.size()) words_.resize(word + 1, 0);
    words_[word] |= std::uint64_t{1} << (r % 64);
    first_ = std::min(first_, word);
  }
  /// kNoReg if there is none.
  Reg pop() {
    for (; first_ < words_.size(); ++first_)
      if (std::uint64_t& word = words_[first_]; word != 0) {
        const auto bit = static_cast<Reg>(std::countr_zero(word));
        word &= word - 1;
        return static_cast<Reg>(first_ * 64) + bit;
      }
    return kNoReg;
  }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t first_ = 0;  // no free register lies in a word before
};

/// What is known of a virtual register.
struct Life {
  std::uint32_t last : 31 = 0;     // index of the last instruction that touches it
  std::uint32_t in_block : 1 = 0;  // of a `Distinct`
  Reg real = kNoReg;
};

}  // namespace

unsigned reads_of(Code code) noexcept {
  const Use use = shape_of(code).reads;
  return use == Use::b ? 1 : use == Use::bc ? 2 : use == Use::bci ? 3 : 0;
}

bool writes_register(Code code) noexcept { return shape_of(code).writes; }

void allocate_registers(Draft& p) {
  std::vector<Life> lives(p.registers);
  const auto size = static_cast<std::uint32_t>(p.code.size()) & 0x7fffffffU;
  const auto each_read = [](Instr& i, Use use, auto&& visit) {
    if (use == Use::none || use == Use::block) return;
    visit(i.b);
    if (use == Use::b) return;
    visit(i.c);
    if (use == Use::bc) return;
    auto r = static_cast<Reg>(i.imm);
    visit(r);
    i.imm = r;
  };
  bool blocks = false;
  for (std::uint32_t at = 0; at < size; ++at) {
    Instr& i = p.code[at];
    const Shape shape = shape_of(i.code);
    each_read(i, shape.reads, [&](Reg& r) { lives[r].last = at; });
    if (shape.reads == Use::block) {
      blocks = true;
      for (std::uint32_t k = 0; k < i.c; ++k) lives[i.b + k].in_block = 1;
    }
    if (shape.writes) lives[i.a].last = at;
    if (i.code == Code::Loads)
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k) lives[p.loads[k].reg].last = at;
  }
  // Blocks lie at the bottom, each for good: they are rare, and their registers must be neighbours. Two blocks never
  // overlap in time unless the program has two `Distinct`, so all share the place only if that is safe; it is not
  // assumed.
  std::uint32_t next = 0;
  if (blocks)
    for (Life& life : lives)
      if (life.in_block != 0) life.real = next++;
  FreeRegisters free;
  for (std::uint32_t at = 0; at < size; ++at) {
    Instr& i = p.code[at];
    const Shape shape = shape_of(i.code);
    if (marks_last_read(i.code)) i.x = lives[i.b].last == at && lives[i.b].in_block == 0 ? 1 : 0;
    // Freed before the target is chosen: every instruction reads its operands before it writes. (Twice for one that is
    // read twice: a set does not mind.)
    each_read(i, shape.reads, [&](Reg& r) {
      const Life& life = lives[r];
      if (life.last == at && life.in_block == 0) free.push(life.real);
      r = life.real;
    });
    if (shape.reads == Use::block) i.b = lives[i.b].real;
    const auto take = [&](Reg& r) {
      Life& life = lives[r];
      if (life.real == kNoReg) {
        life.real = free.pop();
        if (life.real == kNoReg) life.real = next++;
      }
      r = life.real;
      return life.last == at && life.in_block == 0;  // written, never read
    };
    if (i.code == Code::Loads)
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k) take(p.loads[k].reg);
    if (shape.writes && take(i.a)) free.push(i.a);
  }
  p.registers = next;
}

}  // namespace dimgate::detail
