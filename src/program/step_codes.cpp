#include "program/step_codes.hpp"

namespace dimgate::detail {

std::optional<Compared> comparison_of(const Instr& i) noexcept {
  // v < c is v <= c - 1: the ends of int64 have none, see always_jumps.
  const bool at_end = i.imm == INT64_MIN;
  switch (i.code) {
    case Code::JIfEqI:
    case Code::JUnlessNeI:
      return Compared{kEq, i.imm};
    case Code::JIfNeI:
    case Code::JUnlessEqI:
      return Compared{kNe, i.imm};
    case Code::JIfLtI:
      return at_end ? std::nullopt : std::optional(Compared{kLe, i.imm - 1});
    case Code::JUnlessLtI:
      return at_end ? std::nullopt : std::optional(Compared{kGt, i.imm - 1});
    case Code::JIfGtI:
      return Compared{kGt, i.imm};
    case Code::JUnlessGtI:
      return Compared{kLe, i.imm};
    default:
      return std::nullopt;
  }
}

std::optional<bool> always_jumps(const Instr& i) noexcept {
  if (i.imm != INT64_MIN) return std::nullopt;
  if (i.code == Code::JIfLtI) return false;
  if (i.code == Code::JUnlessLtI) return true;
  return std::nullopt;
}

std::optional<StepCode> binary_of(Code code) noexcept {
  switch (code) {
    case Code::Add:
      return StepCode::AddRR;
    case Code::Sub:
      return StepCode::SubRR;
    case Code::Mul:
      return StepCode::MulRR;
    case Code::Div:
      return StepCode::DivRR;
    case Code::DivOr:
      return StepCode::DivOrRR;
    case Code::Mod:
      return StepCode::ModRR;
    case Code::ModOr:
      return StepCode::ModOrRR;
    case Code::CeilDiv:
      return StepCode::CeilDivRR;
    case Code::CeilDivOr:
      return StepCode::CeilDivOrRR;
    case Code::Min:
      return StepCode::MinRR;
    case Code::Max:
      return StepCode::MaxRR;
    default:
      return std::nullopt;
  }
}

std::optional<StepCode> fused_of(Code code) noexcept {
  switch (code) {
    case Code::Add:
      return StepCode::AddThenEqRR;
    case Code::Sub:
      return StepCode::SubThenEqRR;
    case Code::Mul:
      return StepCode::MulThenEqRR;
    case Code::ModOr:
      return StepCode::ModOrThenEqRR;
    default:
      return std::nullopt;
  }
}

std::optional<StepCode> divided_of(Code code) noexcept {
  switch (code) {
    case Code::Add:
      return StepCode::AddDivMagicThenEqRR;
    case Code::Sub:
      return StepCode::SubDivMagicThenEqRR;
    default:
      return std::nullopt;
  }
}

StepCode plain_of(Code code) noexcept {
  switch (code) {
#define DIMGATE_SAME(name) \
  case Code::name:         \
    return StepCode::name;
    DIMGATE_SAME(Load)
    DIMGATE_SAME(LoadBool)
    DIMGATE_SAME(Const)
    DIMGATE_SAME(Move)
    DIMGATE_SAME(AddI)
    DIMGATE_SAME(Neg)
    DIMGATE_SAME(MulI)
    DIMGATE_SAME(DivI)
    DIMGATE_SAME(DivPow2)
    DIMGATE_SAME(ModI)
    DIMGATE_SAME(ModPow2)
    DIMGATE_SAME(CeilDivI)
    DIMGATE_SAME(MinI)
    DIMGATE_SAME(MaxI)
    DIMGATE_SAME(Abs)
    DIMGATE_SAME(Select)
    DIMGATE_SAME(Choose)
    DIMGATE_SAME(NonZero)
    DIMGATE_SAME(Mask)
    DIMGATE_SAME(Not)
    DIMGATE_SAME(Iff)
    DIMGATE_SAME(StrictOr)
    DIMGATE_SAME(SetEq)
    DIMGATE_SAME(SetNe)
    DIMGATE_SAME(SetLt)
    DIMGATE_SAME(SetLe)
    DIMGATE_SAME(SetEqI)
    DIMGATE_SAME(SetNeI)
    DIMGATE_SAME(SetLtI)
    DIMGATE_SAME(SetGtI)
    DIMGATE_SAME(SetEqF)
    DIMGATE_SAME(SetNan)
    DIMGATE_SAME(SetIn)
    DIMGATE_SAME(Distinct)
#undef DIMGATE_SAME
    default:
      return StepCode::Leave;
  }
}

}  // namespace dimgate::detail
