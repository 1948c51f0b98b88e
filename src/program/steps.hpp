// Steps: the bytecode as the interpreter runs it where every slot is present.
//
// Made from the bytecode when a program gets no machine code. A step holds what its instruction reads from tables
// (ranges, residues, multipliers), so that a test touches one line; operands are registers or slots, so that nothing is
// loaded first; a product, sum or remainder that is compared with a constant at once is one step; up to six tests of a
// kind run without a jump between them, more are a loop. About 10 machine instructions a step.
// Linear to make. Tested with the other engines by tests/compile.
#pragma once

#include "program/code.hpp"
#include "program/machine.hpp"

namespace dimgate::detail {

/// Gives code its steps. None (the bytecode is run) if it is too long for their jumps or has too many registers, or the
/// compiler has no computed jumps.
void make_steps(ProgramCode& code);

/// Drops them.
void drop_steps(ProgramCode& code) noexcept;

/// Runs the steps of a program with at most kStepRegisters registers on a snapshot of p.steps_limit slots or more;
/// where a slot is absent or a number overflows, check_otherwise answers. One that has the steps that call something
/// (`calls`), or only the others.
RunSteps steps_runner(bool calls) noexcept;
inline constexpr std::size_t kStepRegisters = 1024;

/// Any program on any snapshot: by bytecode, then with definedness, then on wide numbers (program.cpp).
std::int32_t check_otherwise(const ProgramCode& p, const SnapshotView& at) noexcept;

}  // namespace dimgate::detail
