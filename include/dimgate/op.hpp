// The operators of the formula language: one table row each.
//
// Everything that walks formulas (parser, printers, evaluators, solvers, bytecode) reads names, arity
// and sorts from here. `static_assert`s at the end refuse a table with a missing or misplaced row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dimgate {

/// Int: unbounded integers. Float: an IEEE double as a bit pattern (no arithmetic).
/// Enum: interned names (a dtype, a device, a type id, an object identity, a key list).
enum class Sort : std::uint8_t { Int, Bool, Float, Enum };

enum class Op : std::uint8_t {
  // leaves
  IntConst,
  BoolConst,
  FloatConst,
  EnumConst,
  Symbol,
  // Int -> Int; undefined where a divisor is 0, else total
  Add,
  Sub,
  Neg,
  Mul,
  FloorDiv,
  Mod,
  CeilDiv,
  Pow,
  Min,
  Max,
  Abs,
  // any sort: (condition, then, else)
  Ite,
  // Int -> Bool, strict (Eq and Ne also on Bool, Float and Enum)
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  // strict, n-ary
  Distinct,  // all pairwise different
  Divides,   // (k, e): k | e; undefined where k is 0
  In,        // (e, v1, ..., vn): e is one of the v
  // Bool, strong Kleene
  And,
  Or,
  Not,
  Implies,
  // Bool, strict
  Iff,
  // Float -> Bool
  SameBits,
  IsNan,
};
inline constexpr std::size_t kOpCount = static_cast<std::size_t>(Op::IsNan) + 1;

/// How an operator treats an undefined operand.
enum class Strictness : std::uint8_t {
  leaf,
  strict,  // undefined if any operand is
  kleene,  // strong Kleene: a deciding operand wins
  branch,  // undefined if the condition or the chosen branch is
};

/// What an operator asks of its operands' sorts.
enum class ArgSorts : std::uint8_t { none, ints, bools, floats, same, condition_then_same };

struct OpInfo {
  Op op;
  std::string_view name;    // the spelling used by JSON and by call syntax: `FloorDiv(a, b)`
  std::string_view infix;   // the Python spelling between operands; empty: call syntax only
  std::uint8_t precedence;  // Python's, higher binds tighter; 0: leaf or call
  std::uint8_t min_args;
  std::uint8_t max_args;  // kVariadic: no limit
  ArgSorts args;
  Sort result;  // for `same`-typed results (Ite): see Context::make
  Strictness strictness;
  bool commutative;  // operands may be sorted
};
inline constexpr std::uint8_t kVariadic = 255;

inline constexpr std::array<OpInfo, kOpCount> kOps{{
    {Op::IntConst, "Int", "", 0, 0, 0, ArgSorts::none, Sort::Int, Strictness::leaf, false},
    {Op::BoolConst, "Bool", "", 0, 0, 0, ArgSorts::none, Sort::Bool, Strictness::leaf, false},
    {Op::FloatConst, "Float", "", 0, 0, 0, ArgSorts::none, Sort::Float, Strictness::leaf, false},
    {Op::EnumConst, "Enum", "", 0, 0, 0, ArgSorts::none, Sort::Enum, Strictness::leaf, false},
    {Op::Symbol, "Symbol", "", 0, 0, 0, ArgSorts::none, Sort::Int, Strictness::leaf, false},
    {Op::Add, "Add", "+", 8, 2, kVariadic, ArgSorts::ints, Sort::Int, Strictness::strict, true},
    {Op::Sub, "Sub", "-", 8, 2, 2, ArgSorts::ints, Sort::Int, Strictness::strict, false},
    {Op::Neg, "Neg", "", 10, 1, 1, ArgSorts::ints, Sort::Int, Strictness::strict, false},
    {Op::Mul, "Mul", "*", 9, 2, kVariadic, ArgSorts::ints, Sort::Int, Strictness::strict, true},
    {Op::FloorDiv, "FloorDiv", "//", 9, 2, 2, ArgSorts::ints, Sort::Int, Strictness::strict, false},
    {Op::Mod, "Mod", "%", 9, 2, 2, ArgSorts::ints, Sort::Int, Strictness::strict, false},
    {Op::CeilDiv, "CeilDiv", "", 0, 2, 2, ArgSorts::ints, Sort::Int, Strictness::strict, false},
    {Op::Pow, "Pow", "**", 11, 2, 2, ArgSorts::ints, Sort::Int, Strictness::strict, false},
    {Op::Min, "Min", "", 0, 1, kVariadic, ArgSorts::ints, Sort::Int, Strictness::strict, true},
    {Op::Max, "Max", "", 0, 1, kVariadic, ArgSorts::ints, Sort::Int, Strictness::strict, true},
    {Op::Abs, "Abs", "", 0, 1, 1, ArgSorts::ints, Sort::Int, Strictness::strict, false},
    {Op::Ite, "Where", "", 0, 3, 3, ArgSorts::condition_then_same, Sort::Int, Strictness::branch, false},
    {Op::Eq, "Eq", "==", 6, 2, 2, ArgSorts::same, Sort::Bool, Strictness::strict, true},
    {Op::Ne, "Ne", "!=", 6, 2, 2, ArgSorts::same, Sort::Bool, Strictness::strict, true},
    {Op::Lt, "Lt", "<", 6, 2, 2, ArgSorts::ints, Sort::Bool, Strictness::strict, false},
    {Op::Le, "Le", "<=", 6, 2, 2, ArgSorts::ints, Sort::Bool, Strictness::strict, false},
    {Op::Gt, "Gt", ">", 6, 2, 2, ArgSorts::ints, Sort::Bool, Strictness::strict, false},
    {Op::Ge, "Ge", ">=", 6, 2, 2, ArgSorts::ints, Sort::Bool, Strictness::strict, false},
    {Op::Distinct, "distinct", "", 0, 1, kVariadic, ArgSorts::same, Sort::Bool, Strictness::strict, true},
    {Op::Divides, "divides", "", 0, 2, 2, ArgSorts::ints, Sort::Bool, Strictness::strict, false},
    {Op::In, "In", "in", 6, 1, kVariadic, ArgSorts::same, Sort::Bool, Strictness::strict, false},
    {Op::And, "And", "and", 4, 0, kVariadic, ArgSorts::bools, Sort::Bool, Strictness::kleene, true},
    {Op::Or, "Or", "or", 3, 0, kVariadic, ArgSorts::bools, Sort::Bool, Strictness::kleene, true},
    {Op::Not, "Not", "not", 5, 1, 1, ArgSorts::bools, Sort::Bool, Strictness::kleene, false},
    {Op::Implies, "implies", "", 0, 2, 2, ArgSorts::bools, Sort::Bool, Strictness::kleene, false},
    {Op::Iff, "iff", "", 0, 2, 2, ArgSorts::bools, Sort::Bool, Strictness::strict, true},
    {Op::SameBits, "same_bits", "", 0, 2, 2, ArgSorts::floats, Sort::Bool, Strictness::strict, true},
    {Op::IsNan, "isnan", "", 0, 1, 1, ArgSorts::floats, Sort::Bool, Strictness::strict, false},
}};

constexpr const OpInfo& info(Op op) noexcept { return kOps[static_cast<std::size_t>(op)]; }

namespace detail {
consteval bool table_is_complete() {
  for (std::size_t i = 0; i < kOpCount; ++i)
    if (static_cast<std::size_t>(kOps[i].op) != i || kOps[i].name.empty()) return false;
  return true;
}
static_assert(table_is_complete(), "kOps needs one row per Op, in the order of the enum");
}  // namespace detail

std::string_view to_string(Sort sort) noexcept;

}  // namespace dimgate
