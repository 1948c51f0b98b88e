#include "program/steps.hpp"

#include <algorithm>

#include "program/step_codes.hpp"

namespace dimgate::detail {
namespace {

constexpr std::uint32_t kFewTests = 6;  // of one kind in a row, as DIMGATE_STEP_RUN has them; more are a loop

class StepMaker {
 public:
  explicit StepMaker(const ProgramCode& p, std::vector<Step>& steps)
      : p_(p), steps_(steps), slot_of_(p.registers, kNoSlot), at_(p.code.size(), 0) {}

  /// Whether some step calls something.
  [[nodiscard]] bool calls() const {
    return std::ranges::any_of(steps_, [](const Step& s) {
      return (s.code >= StepCode::IfIn && s.code <= StepCode::IfNotDiffer) || s.code == StepCode::SetIn ||
             s.code == StepCode::Distinct;
    });
  }
  void make() {
    find_targets();
    steps_.reserve(p_.code.size());
    for (std::uint32_t at = 0; at < p_.code.size(); ++at) {
      const Instr& i = p_.code[at];
      at_[at] = static_cast<std::uint32_t>(steps_.size());
      if (i.code == Code::Fail) continue;
      const std::size_t first = steps_.size();
      if (at + 1 < p_.code.size() && !is_target_[at + 1] && fuse(i, p_.code[at + 1])) {
        ++at;
        at_[at] = at_[at - 1];
        continue;
      }
      instruction(i);
      if (i.code != Code::Loads && writes_register(i.code) && first != steps_.size()) slot_of_[i.a] = kNoSlot;
    }
    for (const auto& [step, to] : jumps_) steps_[step].t = target(to);
  }

 private:
  void find_targets() {
    is_target_.assign(p_.code.size() + 1, false);
    for (const Instr& i : p_.code) {
      if (i.code >= Code::JIfEq || i.code == Code::Jump)
        is_target_[i.a] = true;
      else if (is_or(i.code))
        is_target_[static_cast<std::size_t>(i.imm)] = true;
    }
  }
  static bool is_or(Code c) noexcept { return c == Code::DivOr || c == Code::ModOr || c == Code::CeilDivOr; }

  [[nodiscard]] std::int32_t target(std::uint32_t to) const {
    if (p_.code[to].code == Code::Fail) return ends_with(p_.first_guard(p_.code[to].a));
    if (p_.code[to].code == Code::Pass) return ends_with(kPass);
    return static_cast<std::int32_t>(at_[to] * sizeof(Step));
  }
  Step& add(StepCode code) {
    steps_.emplace_back().code = code;
    return steps_.back();
  }
  void jumps_to(std::uint32_t to) { jumps_.emplace_back(static_cast<std::uint32_t>(steps_.size() - 1), to); }
  [[nodiscard]] std::uint32_t guard(std::uint32_t test) const {
    return static_cast<std::uint32_t>(p_.first_guard(test));
  }
  [[nodiscard]] bool in_slot(Reg r) const { return slot_of_[r] != kNoSlot; }
  [[nodiscard]] std::uint32_t place(Reg r) const { return in_slot(r) ? slot_of_[r] : r; }
  /// For a step that reads registers only.
  void want(Reg r) {
    if (!in_slot(r)) return;
    Step& s = add(StepCode::Load);
    s.a = r;
    s.b = slot_of_[r];
  }
  /// Operands b and c, where they are, and the one of the four codes that reads them there.
  void two(StepCode first, const Instr& i) {
    Step& s = add(after(first, (in_slot(i.b) ? 2U : 0U) + (in_slot(i.c) ? 1U : 0U)));
    s.a = i.a;
    s.b = place(i.b);
    s.c = place(i.c);
  }

  /// A value and the jump that compares it with a constant: the value is kept, others may read it.
  bool fuse(const Instr& i, const Instr& next) {
    const auto how = comparison_of(next.code);
    if (!how || next.b != i.a) return false;
    if (i.code == Code::DivMagic || i.code == Code::ModMagic) {
      magic(i);
      Step& s = steps_.back();
      s.code = after(s.code, 1U + *how);
    } else if (const auto first = fused_of(i.code)) {
      if (i.code == Code::ModOr && static_cast<std::uint32_t>(i.imm) != next.a) return false;
      two(after(*first, 4U * *how), i);
    } else {
      return false;
    }
    steps_.back().imm = next.imm;
    slot_of_[i.a] = kNoSlot;
    jumps_to(next.a);
    return true;
  }

  void magic(const Instr& i) {
    want(i.b);
    Step& s = add(i.code == Code::DivMagic ? StepCode::DivMagic : StepCode::ModMagic);
    s.a = i.a;
    s.b = i.b;
    s.x = static_cast<std::uint16_t>(p_.magics[i.c].shift);
    s.p = p_.magics[i.c].multiplier;
    s.q = static_cast<std::uint64_t>(i.imm);
  }

  void group(StepCode code, const Instr& i) {
    Step& s = add(code);
    s.b = i.b;
    s.c = i.c;
  }
  Step& range(StepCode code, const Range& r) {
    Step& s = add(code);
    s.b = r.slot;
    s.imm = r.lo;
    s.p = r.width;
    return s;
  }
  Step& congruent(StepCode code, const Congruent& c) {
    Step& s = add(code);
    s.b = c.slot;
    s.x = static_cast<std::uint16_t>(c.shift);
    s.imm = static_cast<std::int64_t>((std::uint64_t{1} << 63) - c.residue);
    s.p = c.inverse;
    s.q = c.limit;
    return s;
  }
  /// The code of the k-th of `count` in a row: how many are left.
  static StepCode in_row(StepCode one, std::uint32_t k, std::uint32_t count) {
    return after(one, std::min(count - k, kFewTests - k % kFewTests) - 1);
  }
  void ranges(const Instr& i) {
    if (i.c > kFewTests) return group(StepCode::Ranges, i);
    for (std::uint32_t k = 0; k < i.c; ++k) {
      const Range& r = p_.ranges[i.b + k];
      Step& s = range(in_row(StepCode::Range1, k, i.c), r);
      s.a = guard(r.below);
      s.d = guard(r.above);
    }
  }
  void not_ranges(const Instr& i) {
    if (i.c > kFewTests) return group(StepCode::NotRanges, i);
    for (std::uint32_t k = 0; k < i.c; ++k) {
      const Range& r = p_.ranges[i.b + k];
      range(in_row(StepCode::NotRange1, k, i.c), r).a = guard(r.below);
    }
  }
  void mods(const Instr& i) {
    if (i.c > kFewTests) return group(StepCode::Mods, i);
    for (std::uint32_t k = 0; k < i.c; ++k) {
      const Congruent& c = p_.mods[i.b + k];
      congruent(in_row(StepCode::Congruent1, k, i.c), c).a = guard(c.test);
    }
  }
  void pairs(StepCode one, const Instr& i) {
    for (std::uint32_t k = 0; k < i.c; ++k) {
      const Pair& pair = p_.pairs[i.b + k];
      Step& s = add(in_row(one, k, i.c));
      s.b = pair.left;
      s.c = pair.right;
      s.a = guard(pair.test);
    }
  }

  void instruction(const Instr& i) {
    if (const auto first = binary_of(i.code)) {
      two(*first, i);
      if (is_or(i.code)) jumps_to(static_cast<std::uint32_t>(i.imm));
      return;
    }
    if (const auto how = comparison_of(i.code)) {
      Step& s = add(after(StepCode::IfEqR, 2U * *how + (in_slot(i.b) ? 1U : 0U)));
      s.b = place(i.b);
      s.imm = i.imm;
      return jumps_to(i.a);
    }
    if (i.code >= Code::JIfEq && i.code <= Code::JUnlessLe) return compare(i);
    if (i.code >= Code::JIfRange) return slot_jump(i);
    switch (i.code) {
      case Code::Pass:
        add(StepCode::Pass);
        return;
      case Code::Need:
        for (std::uint32_t k = i.b; k < i.b + i.c; ++k) {
          Step& s = add(StepCode::Need);
          s.b = p_.needs[k].word;
          s.p = p_.needs[k].mask;
        }
        return;
      case Code::Jump:
        add(StepCode::Jump);
        return jumps_to(i.a);
      case Code::Ranges:
        return ranges(i);
      case Code::NotRanges:
        return not_ranges(i);
      case Code::Mods:
        return mods(i);
      case Code::PairsEq:
        return pairs(StepCode::PairEq1, i);
      case Code::PairsNe:
        return pairs(StepCode::PairNe1, i);
      case Code::PairsLt:
        return pairs(StepCode::PairLt1, i);
      case Code::PairsLe:
        return pairs(StepCode::PairLe1, i);
      case Code::Loads:
        // Not loaded: read where they are, until the register is written.
        for (std::uint32_t k = i.b; k < i.b + i.c; ++k) slot_of_[p_.loads[k].reg] = p_.loads[k].slot;
        return;
      case Code::DivMagic:
      case Code::ModMagic:
        return magic(i);
      default:
        return plain(i);
    }
  }

  /// Jumps that compare registers: `unless` is `if` the other way round.
  void compare(const Instr& i) {
    Instr swapped = i;
    std::swap(swapped.b, swapped.c);
    switch (i.code) {
      case Code::JIfEq:
      case Code::JUnlessNe:
        two(StepCode::IfEqRR, i);
        break;
      case Code::JIfNe:
      case Code::JUnlessEq:
        two(StepCode::IfNeRR, i);
        break;
      case Code::JIfLt:
        two(StepCode::IfLtRR, i);
        break;
      case Code::JUnlessLt:
        two(StepCode::IfLeRR, swapped);
        break;
      case Code::JIfLe:
        two(StepCode::IfLeRR, i);
        break;
      default:
        two(StepCode::IfLtRR, swapped);
        break;
    }
    jumps_to(i.a);
  }

  void slot_jump(const Instr& i) {
    const bool unless = (static_cast<unsigned>(i.code) - static_cast<unsigned>(Code::JIfRange)) % 2 == 1;
    const auto pair = [&](StepCode code, SlotIndex left, SlotIndex right) {
      Step& s = add(after(code, 3));
      s.b = left;
      s.c = right;
    };
    switch (i.code) {
      case Code::JIfRange:
      case Code::JUnlessRange:
        range(unless != (i.x != 0) ? StepCode::IfNotRange : StepCode::IfRange, p_.ranges[i.b]);
        break;
      case Code::JIfMod:
      case Code::JUnlessMod:
        congruent(unless != (i.x != 0) ? StepCode::IfNotMod : StepCode::IfMod, p_.mods[i.b]);
        break;
      case Code::JIfIn:
      case Code::JUnlessIn: {
        Step& s = add(unless != (i.x != 0) ? StepCode::IfNotIn : StepCode::IfIn);
        s.b = i.b;
        s.c = i.c;
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
      default:
        add(unless != (i.x != 0) ? StepCode::IfNotDiffer : StepCode::IfDiffer).b = i.b;
        break;
    }
    jumps_to(i.a);
  }

  void plain(const Instr& i) {
    switch (reads_of(i.code)) {
      case 3:
        want(static_cast<Reg>(i.imm));
        [[fallthrough]];
      case 2:
        want(i.c);
        [[fallthrough]];
      case 1:
        want(i.b);
        break;
      default:
        break;
    }
    Step& s = add(plain_of(i.code));
    s.x = i.x;
    s.a = i.a;
    s.b = i.b;
    s.c = i.c;
    s.imm = i.imm;
  }

  const ProgramCode& p_;
  std::vector<Step>& steps_;
  std::vector<SlotIndex> slot_of_;  // where a register's value is still in its slot
  std::vector<std::uint32_t> at_;   // first step of each instruction
  std::vector<bool> is_target_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> jumps_;  // step, instruction it goes to
};

}  // namespace

void drop_steps(ProgramCode& code) noexcept {
  code.steps = {};
  code.steps_limit = ~std::size_t{0};
  code.run_steps = nullptr;
}

void make_steps(ProgramCode& code) {
  drop_steps(code);
  // A range is two steps at most, a word of presence one, an instruction four (its operands loaded first).
  constexpr std::size_t kMost = INT32_MAX / sizeof(Step);
  const std::size_t steps =
      4 * code.code.size() + 2 * code.ranges.size() + code.mods.size() + code.pairs.size() + code.needs.size();
  if (steps_runner(true) == nullptr || steps >= kMost || code.registers > kStepRegisters) return;
  StepMaker maker(code, code.steps);
  maker.make();
  code.run_steps = steps_runner(maker.calls());
  code.steps_limit = code.slots.empty() ? 0 : std::size_t{code.slots.back()} + 1;
}

}  // namespace dimgate::detail
