// Bytecode to steps (steps.hpp). Operands that are loaded slots are read where they are until their register is
// written. Linear. Tested with the other engines by tests/compile.
#pragma once

#include <utility>
#include <vector>

#include "program/steps.hpp"

namespace dimgate::detail {

class StepMaker {
 public:
  explicit StepMaker(const ProgramCode& p);
  /// All steps; `at` holds the StepCode.
  std::vector<Step> make();

 private:
  static constexpr std::uint32_t kFewTests = 6;  // of a kind in a row, as DIMGATE_STEP_RUN has them; more are a loop

  void instruction(const Instr& i);
  void compare(const Instr& i);
  void plain(const Instr& i);
  void magic(const Instr& i);
  std::uint32_t fused(std::uint32_t at);
  [[nodiscard]] bool is_only_read_by(std::uint32_t at, std::uint32_t next) const;

  // step_tests.cpp
  void needs(const Instr& i);
  void ranges(const Instr& i);
  void not_ranges(const Instr& i);
  void mods(const Instr& i);
  void pairs(StepCode one, const Instr& i);
  void slot_jump(const Instr& i);
  Step& range(StepCode code, const Range& r);
  Step& congruent(StepCode code, const Congruent& c);
  void loop(StepCode code, const Instr& i, const void* first);

  Step& add(StepCode code) {
    steps_.emplace_back().at = static_cast<std::uintptr_t>(code);
    return steps_.back();
  }
  void jumps_to(std::uint32_t to) { jumps_.emplace_back(static_cast<std::uint32_t>(steps_.size() - 1), to); }
  [[nodiscard]] std::int32_t jump(std::uint32_t step, std::uint32_t to) const;
  [[nodiscard]] std::uint32_t guard(std::uint32_t test) const {
    return static_cast<std::uint32_t>(p_.first_guard(test));
  }
  [[nodiscard]] bool in_slot(Reg r) const { return slot_of_[r] != kNoSlot; }
  [[nodiscard]] std::uint32_t place(Reg r) const { return in_slot(r) ? slot_of_[r] : r; }
  Step& two(StepCode first, const Instr& i);
  void want(Reg r);

  const ProgramCode& p_;
  std::vector<Step> steps_;
  std::vector<SlotIndex> slot_of_;  // where a register's value is still in its slot
  std::vector<std::uint32_t> at_;   // first step of each instruction
  std::vector<bool> is_target_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> jumps_;  // step, instruction it goes to
};

}  // namespace dimgate::detail
