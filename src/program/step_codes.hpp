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

/// As the steps number comparisons with a constant.
enum Comparison : std::uint8_t { kEq, kNe, kGt, kLe };
struct Compared {
  Comparison how = kEq;
  std::int64_t with = 0;
};
/// What a jump asks of its register; nullopt: it compares with no constant, or always comes out the same
/// (`always_jumps`).
std::optional<Compared> comparison_of(const Instr& i) noexcept;
/// Of a jump that compares with a constant: it always jumps, it never does; nullopt: neither.
std::optional<bool> always_jumps(const Instr& i) noexcept;

/// Steps whose operands are registers or slots: the first of their four.
std::optional<StepCode> binary_of(Code code) noexcept;
/// The first of those that are compared at once.
std::optional<StepCode> fused_of(Code code) noexcept;
/// The first of those that divide a sum by a constant and compare the quotient.
std::optional<StepCode> divided_of(Code code) noexcept;
/// Steps that are what their instruction is, on registers; Leave: there is none.
StepCode plain_of(Code code) noexcept;

}  // namespace dimgate::detail
