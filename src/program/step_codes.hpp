// Which step an instruction becomes: the first of its group, whose others follow in a fixed order (step.hpp).
// Constant cost. Tested with the steps by tests/compile.
#pragma once

#include <optional>

#include "program/code.hpp"
#include "program/step.hpp"

namespace dimgate::detail {

constexpr StepCode after(StepCode first, unsigned by) noexcept {
  return static_cast<StepCode>(static_cast<unsigned>(first) + by);
}

/// As the steps number comparisons with a constant: Eq Ne Lt Ge Gt Le.
enum Comparison : std::uint8_t { kEq, kNe, kLt, kGe, kGt, kLe };
/// What a jump asks of its register and its constant; nullopt: it is no such jump.
std::optional<Comparison> comparison_of(Code code) noexcept;

/// Steps whose operands are registers or slots: the first of their four.
std::optional<StepCode> binary_of(Code code) noexcept;
/// The first of those that are compared at once.
std::optional<StepCode> fused_of(Code code) noexcept;
/// Steps that are what their instruction is, on registers; Leave: there is none.
StepCode plain_of(Code code) noexcept;

}  // namespace dimgate::detail
