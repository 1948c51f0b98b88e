// The interpreter's fast path.
#pragma once

#include "program/machine.hpp"

namespace dimgate::detail {

/// kPass, the first failing test, or kLeave: a slot is absent or a number overflowed, nothing is decided.
/// `registers` has room for p.registers.
std::int32_t run_fast(const ProgramCode& p, const RowInput& in, std::int64_t* registers) noexcept;

}  // namespace dimgate::detail
