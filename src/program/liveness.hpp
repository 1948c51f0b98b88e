// Which values nobody reads any more: a backward pass over bytecode, whose jumps all go forward. O(instructions +
// jumps * registers / 64). Tested with the steps by tests/compile.
#pragma once

#include <vector>

#include "program/code.hpp"

namespace dimgate::detail {

/// By instruction: the value in register b, which it reads, is read on no path behind it.
std::vector<bool> last_reads(const ProgramCode& p);

/// Where an instruction may jump to; kNoJump if it does not.
inline constexpr std::uint32_t kNoJump = 0xffffffffU;
std::uint32_t jump_of(const Instr& i) noexcept;

}  // namespace dimgate::detail
