// Steps of tests on slots.
#include <algorithm>

#include "program/step_codes.hpp"
#include "program/step_maker.hpp"

namespace dimgate::detail {
namespace {

/// The code of the k-th of `count` in a row: how many are left.
StepCode in_row(StepCode one, std::uint32_t k, std::uint32_t count, std::uint32_t most) noexcept {
  return after(one, std::min(count - k, most - k % most) - 1);
}

}  // namespace

void StepMaker::needs(const Instr& i) {
  for (std::uint32_t k = i.b; k < i.b + i.c; ++k) {
    Step& s = add(StepCode::Need);
    s.b = p_.needs[k].word;
    s.p = p_.needs[k].mask;
  }
}

void StepMaker::loop(StepCode code, const Instr& i, const void* first) {
  Step& s = add(code);
  s.c = i.c;
  s.p = reinterpret_cast<std::uintptr_t>(first);
  s.q = reinterpret_cast<std::uintptr_t>(&p_);
}

Step& StepMaker::range(StepCode code, const Range& r) {
  Step& s = add(code);
  s.b = r.slot;
  s.imm = r.lo;
  s.p = r.width;
  return s;
}

Step& StepMaker::congruent(StepCode code, const Congruent& c) {
  Step& s = add(code);
  s.b = c.slot;
  s.c = c.shift;
  s.imm = static_cast<std::int64_t>((std::uint64_t{1} << 63) - c.residue);
  s.p = c.inverse;
  s.q = c.limit;
  return s;
}

void StepMaker::ranges(const Instr& i) {
  if (i.c > kFewTests) return loop(StepCode::Ranges, i, &p_.ranges[i.b]);
  for (std::uint32_t k = 0; k < i.c; ++k) {
    const Range& r = p_.ranges[i.b + k];
    Step& s = range(in_row(StepCode::Range1, k, i.c, kFewTests), r);
    s.a = guard(r.below);
    s.c = guard(r.above);
  }
}

void StepMaker::not_ranges(const Instr& i) {
  if (i.c > kFewTests) return loop(StepCode::NotRanges, i, &p_.ranges[i.b]);
  for (std::uint32_t k = 0; k < i.c; ++k) {
    const Range& r = p_.ranges[i.b + k];
    range(in_row(StepCode::NotRange1, k, i.c, kFewTests), r).a = guard(r.below);
  }
}

void StepMaker::mods(const Instr& i) {
  if (i.c > kFewTests) return loop(StepCode::Mods, i, &p_.mods[i.b]);
  for (std::uint32_t k = 0; k < i.c; ++k) {
    const Congruent& c = p_.mods[i.b + k];
    congruent(in_row(StepCode::Congruent1, k, i.c, kFewTests), c).a = guard(c.test);
  }
}

void StepMaker::pairs(StepCode one, const Instr& i) {
  for (std::uint32_t k = 0; k < i.c; ++k) {
    const Pair& pair = p_.pairs[i.b + k];
    Step& s = add(in_row(one, k, i.c, kFewTests));
    s.b = pair.left;
    s.c = pair.right;
    s.a = guard(pair.test);
  }
}

void StepMaker::slot_jump(const Instr& i) {
  const bool unless = (static_cast<unsigned>(i.code) - static_cast<unsigned>(Code::JIfRange)) % 2 == 1;
  const bool negated = unless != (i.x != 0);
  const auto pair = [&](StepCode code, SlotIndex left, SlotIndex right) {
    Step& s = add(after(code, 3));
    s.b = left;
    s.c = right;
  };
  switch (i.code) {
    case Code::JIfRange:
    case Code::JUnlessRange:
      range(negated ? StepCode::IfNotRange : StepCode::IfRange, p_.ranges[i.b]);
      break;
    case Code::JIfMod:
    case Code::JUnlessMod:
      congruent(negated ? StepCode::IfNotMod : StepCode::IfMod, p_.mods[i.b]);
      break;
    case Code::JIfIn:
    case Code::JUnlessIn: {
      Step& s = add(negated ? StepCode::IfNotIn : StepCode::IfIn);
      s.b = i.b;
      s.p = reinterpret_cast<std::uintptr_t>(p_.sets[i.c].data());
      s.q = p_.sets[i.c].size();
      break;
    }
    case Code::JIfSlotEq:
    case Code::JUnlessSlotEq:
      pair(unless ? StepCode::IfNeRR : StepCode::IfEqRR, i.b, i.c);
      break;
    case Code::JIfSlotNe:
    case Code::JUnlessSlotNe:
      pair(unless ? StepCode::IfEqRR : StepCode::IfNeRR, i.b, i.c);
      break;
    case Code::JIfSlotLt:
      pair(StepCode::IfLtRR, i.b, i.c);
      break;
    case Code::JUnlessSlotLt:
      pair(StepCode::IfLeRR, i.c, i.b);
      break;
    case Code::JIfSlotLe:
      pair(StepCode::IfLeRR, i.b, i.c);
      break;
    case Code::JUnlessSlotLe:
      pair(StepCode::IfLtRR, i.c, i.b);
      break;
    default: {
      const auto& list = p_.lists[i.b];
      Step& s = add(negated ? StepCode::IfNotDiffer : StepCode::IfDiffer);
      s.c = static_cast<std::uint32_t>(list.size());
      s.p = reinterpret_cast<std::uintptr_t>(list.data());
      s.q = reinterpret_cast<std::uintptr_t>(slots_differ_for(list.size()));
      break;
    }
  }
  jumps_to(i.a);
}

}  // namespace dimgate::detail
