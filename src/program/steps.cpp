#include "program/steps.hpp"

#include <algorithm>

#include "program/step_codes.hpp"
#include "program/step_maker.hpp"

namespace dimgate::detail {

StepMaker::StepMaker(const ProgramCode& p)
    : p_(p), slot_of_(p.registers, kNoSlot), at_(p.code.size(), 0), is_target_(p.code.size() + 1, false) {
  for (const Instr& i : p.code)
    if (const std::uint32_t to = jump_of(i); to != kNoJump) is_target_[to] = true;
}

std::vector<Step> StepMaker::make() {
  steps_.reserve(p_.code.size());
  if (p_.code[0].code != Code::Need) add(StepCode::Need);  // of nothing
  for (std::uint32_t at = 0; at < p_.code.size(); ++at) {
    const Instr& i = p_.code[at];
    at_[at] = static_cast<std::uint32_t>(steps_.size());
    if (i.code == Code::Fail) continue;
    const std::uint32_t more = fused(at);
    if (more == 0) instruction(i);
    if (i.code != Code::Loads && writes_register(i.code)) slot_of_[i.a] = kNoSlot;
    at += more;
  }
  for (const auto& [step, to] : jumps_) steps_[step].t = jump(step, to);
  return std::move(steps_);
}

std::int32_t StepMaker::jump(std::uint32_t step, std::uint32_t to) const {
  if (p_.code[to].code == Code::Fail) return ends_with(p_.first_guard(p_.code[to].a));
  if (p_.code[to].code == Code::Pass) return ends_with(kPass);
  return static_cast<std::int32_t>((at_[to] - step) * sizeof(Step));
}

/// For a step that reads registers only.
void StepMaker::want(Reg r) {
  if (!in_slot(r)) return;
  Step& s = add(StepCode::Load);
  s.a = r;
  s.b = slot_of_[r];
}

/// Operands b and c, where they are, and the one of the four codes that reads them there.
Step& StepMaker::two(StepCode first, const Instr& i) {
  Step& s = add(after(first, (in_slot(i.b) ? 2U : 0U) + (in_slot(i.c) ? 1U : 0U)));
  s.a = i.a;
  s.b = place(i.b);
  s.c = place(i.c);
  return s;
}

/// What `at` computes is read by `next`, which follows on the only way there, and by nobody else.
bool StepMaker::is_only_read_by(std::uint32_t at, std::uint32_t next) const {
  return next < p_.code.size() && !is_target_[next] && p_.code[next].b == p_.code[at].a &&
         marks_last_read(p_.code[next].code) && p_.code[next].x != 0;
}

/// A value and the jump that compares it with a constant, or a sum, its quotient by a constant and the jump. How many
/// more instructions are done.
std::uint32_t StepMaker::fused(std::uint32_t at) {
  const Instr& i = p_.code[at];
  const bool by_constant = i.code == Code::DivMagic || i.code == Code::ModMagic;
  const auto first = fused_of(i.code);
  if ((!first && !by_constant) || !is_only_read_by(at, at + 1)) return 0;
  const Instr& next = p_.code[at + 1];
  if (const auto compared = comparison_of(next)) {
    // Undefined must go where an unwanted remainder goes.
    if (i.code == Code::ModOr && static_cast<std::uint32_t>(i.imm) != next.a) return 0;
    if (by_constant) {
      magic(i);
      steps_.back().at += 2U * (1U + compared->how);
    } else {
      two(after(*first, 4U * compared->how), i);
    }
    steps_.back().imm = compared->with;
    jumps_to(next.a);
    return 1;
  }
  const auto divided = divided_of(i.code);
  if (!divided || next.code != Code::DivMagic || !is_only_read_by(at + 1, at + 2)) return 0;
  const auto compared = comparison_of(p_.code[at + 2]);
  if (!compared) return 0;
  Step& s = two(after(*divided, 4U * compared->how), i);
  s.p = p_.magics[next.c].multiplier;
  s.q = p_.magics[next.c].shift;
  s.imm = compared->with;
  jumps_to(p_.code[at + 2].a);
  return 2;
}

void StepMaker::magic(const Instr& i) {
  const StepCode first = i.code == Code::DivMagic ? StepCode::DivMagicR : StepCode::ModMagicR;
  Step& s = add(after(first, in_slot(i.b) ? 1 : 0));
  s.a = i.a;
  s.b = place(i.b);
  s.c = p_.magics[i.c].shift;
  s.p = p_.magics[i.c].multiplier;
  s.q = static_cast<std::uint64_t>(i.imm);
}

void StepMaker::instruction(const Instr& i) {
  if (const auto first = binary_of(i.code)) {
    two(*first, i);
    if (jump_of(i) != kNoJump) jumps_to(jump_of(i));
    return;
  }
  if (const auto compared = comparison_of(i)) {
    Step& s = add(after(StepCode::IfEqIR, 2U * compared->how + (in_slot(i.b) ? 1U : 0U)));
    s.b = place(i.b);
    s.imm = compared->with;
    return jumps_to(i.a);
  }
  if (const auto always = always_jumps(i)) {
    if (!*always) return;
    add(StepCode::Jump);
    return jumps_to(i.a);
  }
  if (i.code >= Code::JIfEq && i.code <= Code::JUnlessLe) return compare(i);
  if (i.code >= Code::JIfRange) return slot_jump(i);
  switch (i.code) {
    case Code::Pass:
      add(StepCode::Pass).q = reinterpret_cast<std::uintptr_t>(&p_);
      return;
    case Code::Need:
      return needs(i);
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
void StepMaker::compare(const Instr& i) {
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

void StepMaker::plain(const Instr& i) {
  const unsigned reads = reads_of(i.code);
  if (i.code == Code::Distinct)
    for (std::uint32_t k = 0; k < i.c; ++k) want(i.b + k);
  if (reads > 2) want(static_cast<Reg>(i.imm));
  if (reads > 1) want(i.c);
  if (reads > 0) want(i.b);
  Step& s = add(plain_of(i.code));
  s.a = i.a;
  s.b = i.b;
  s.c = i.code == Code::DivPow2 ? i.x : i.c;
  s.imm = i.imm;
  if (i.code != Code::SetIn) return;
  s.p = reinterpret_cast<std::uintptr_t>(p_.sets[i.c].data());
  s.q = p_.sets[i.c].size();
}

namespace {

bool calls(const Step& s) noexcept {
  const auto code = static_cast<StepCode>(s.at);
  return (code >= StepCode::IfIn && code <= StepCode::IfNotDiffer) || code == StepCode::SetIn ||
         code == StepCode::Distinct;
}

}  // namespace

void make_steps(ProgramCode& code) {
  // A range is two steps at most, a word of presence one, an instruction four (its operands loaded first).
  constexpr std::size_t kMost = INT32_MAX / sizeof(Step);
  const std::size_t most =
      4 * code.code.size() + 2 * code.ranges.size() + code.mods.size() + code.pairs.size() + code.needs.size();
  if (code.slots.empty() || most >= kMost || code.registers > kStepRegisters) return;
  std::vector<Step> made = StepMaker(code).make();
  const StepRunner runner = step_runner(std::ranges::any_of(made, calls));
  if (runner.run == nullptr) return;
  for (Step& s : made) s.at = reinterpret_cast<std::uintptr_t>(runner.at[s.at]);
  auto steps = std::make_unique<Step[]>(made.size());
  std::ranges::copy(made, steps.get());
  code.steps = std::move(steps);
  code.step_count = made.size();
  code.run = runner.run;
  code.slot_limit = std::size_t{code.slots.back()} + 1;
}

}  // namespace dimgate::detail
