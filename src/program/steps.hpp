// Steps: the bytecode as the interpreter runs it where every slot is present.
//
// Made from the bytecode when a program gets no machine code. A step holds the address of what runs it and what its
// instruction reads from tables (ranges, residues, multipliers), so that a test touches one line; operands are
// registers or slots, so that nothing is loaded first; a product, sum, remainder or quotient that is compared with a
// constant at once, and read by nobody else, is one step with the comparison; up to six tests of a kind run without a
// jump between them, more are a loop. The first step asks for presence. About 8 machine instructions a step. Linear to
// make. Tested with the other engines by tests/compile.
#pragma once

#include "program/code.hpp"
#include "program/step.hpp"

namespace dimgate::detail {

/// Gives code its steps. None (the bytecode is run) if it reads no slot, is too long for their jumps or has too many
/// registers, or the compiler has no computed jumps.
void make_steps(ProgramCode& code);

/// What runs steps that use at most kStepRegisters registers, and where in it the machine code of each StepCode is. One
/// that has the steps that call something (`calls`), or only the others. `run` is null if the compiler cannot make it.
struct StepRunner {
  RunProgram run = nullptr;
  const void* const* at = nullptr;
};
StepRunner step_runner(bool calls) noexcept;
inline constexpr std::size_t kStepRegisters = 1024;

/// Whether the slots listed are pairwise different; all are present.
using SlotsDiffer = bool (*)(const std::int64_t* values, const SlotIndex* list, std::size_t count) noexcept;
/// The fastest for so many on this machine.
SlotsDiffer slots_differ_for(std::size_t count) noexcept;

}  // namespace dimgate::detail
