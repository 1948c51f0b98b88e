#include "expr/functions.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace dimgate::detail {
namespace {

constexpr Function alias(std::string_view name, Op op) {
  return {name, CallKind::op, op, info(op).min_args, info(op).max_args};
}

constexpr Function integer(std::string_view name, CallKind kind, std::uint8_t arguments) {
  return {name, kind, Op::Symbol, arguments, arguments};
}

// Other spellings of the operators, besides the name in kOps. Mod, PythonMod and CleanDiv are PyTorch's: its Mod asks
// for non-negative operands and CleanDiv for an exact quotient, where they agree with Python's % and //.
constexpr std::array kAliases{
    alias("PythonMod", Op::Mod),
    alias("mod", Op::Mod),
    alias("CleanDiv", Op::FloorDiv),
    alias("floordiv", Op::FloorDiv),
    alias("ceildiv", Op::CeilDiv),
    alias("pow", Op::Pow),
    alias("PowByNatural", Op::Pow),
    alias("Max", Op::Max),
    alias("max", Op::Max),
    alias("sym_max", Op::Max),
    alias("Min", Op::Min),
    alias("min", Op::Min),
    alias("sym_min", Op::Min),
    alias("abs", Op::Abs),
    alias("Abs", Op::Abs),
    alias("sym_ite", Op::Ite),
    alias("Equality", Op::Eq),
    alias("Unequality", Op::Ne),
    alias("Implies", Op::Implies),
    alias("Iff", Op::Iff),
    alias("Equivalent", Op::Iff),
    alias("sym_and", Op::And),
    alias("sym_or", Op::Or),
    alias("sym_not", Op::Not),
    alias("isnan", Op::IsNan),
    Function{"Piecewise", CallKind::piecewise, Op::Ite, 1, kVariadic},
    Function{"Identity", CallKind::identity, Op::Abs, 1, 1},
    Function{"ModularIndexing", CallKind::modular_indexing, Op::Mod, 3, 3},
    Function{"Symbol", CallKind::symbol, Op::Symbol, 1, 1},
    Function{"float", CallKind::float_of, Op::FloatConst, 1, 1},
    Function{"float_bits", CallKind::float_bits, Op::FloatConst, 1, 1},
    alias("floormod", Op::Mod),
    alias("floor_divide", Op::FloorDiv),
    alias("ITE", Op::Ite),
    alias("select", Op::Ite),
    alias("Select", Op::Ite),
    alias("if_then_else", Op::Ite),
    integer("floor", CallKind::floor, 1),
    integer("FloorToInt", CallKind::floor, 1),
    integer("ceil", CallKind::ceil, 1),
    integer("ceiling", CallKind::ceil, 1),
    integer("CeilToInt", CallKind::ceil, 1),
    integer("trunc", CallKind::trunc, 1),
    integer("TruncToInt", CallKind::trunc, 1),
    integer("int", CallKind::trunc, 1),
    integer("sym_int", CallKind::trunc, 1),
    integer("round", CallKind::round, 1),
    integer("RoundToInt", CallKind::round, 1),
    integer("TruncToFloat", CallKind::trunc_float, 1),
    integer("ToFloat", CallKind::to_float, 1),
    integer("sym_float", CallKind::to_float, 1),
    integer("IntTrueDiv", CallKind::true_div, 2),
    integer("FloatTrueDiv", CallKind::true_div, 2),
    integer("truediv", CallKind::true_div, 2),
    integer("sqrt", CallKind::sqrt, 1),
    integer("sym_sqrt", CallKind::sqrt, 1),
    integer("OpaqueUnaryFn_sqrt", CallKind::sqrt, 1),
    integer("TruncDiv", CallKind::trunc_div, 2),
    integer("truncdiv", CallKind::trunc_div, 2),
    integer("truncmod", CallKind::trunc_mod, 2),
    integer("divmod", CallKind::divmod, 2),
    integer("gcd", CallKind::gcd, 2),
    integer("bitwise_and", CallKind::bit_and, 2),
    integer("BitwiseFn_bitwise_and", CallKind::bit_and, 2),
    integer("bitwise_or", CallKind::bit_or, 2),
    integer("BitwiseFn_bitwise_or", CallKind::bit_or, 2),
    integer("bitwise_xor", CallKind::bit_xor, 2),
    integer("BitwiseFn_bitwise_xor", CallKind::bit_xor, 2),
    integer("bitwise_not", CallKind::bit_not, 1),
    integer("LShift", CallKind::shift_left, 2),
    integer("shift_left", CallKind::shift_left, 2),
    integer("RShift", CallKind::shift_right, 2),
    integer("shift_right", CallKind::shift_right, 2),
    Function{"Xor", CallKind::exclusive_or, Op::Iff, 1, kVariadic},
    Function{"any", CallKind::any, Op::Or, 0, kVariadic},
    Function{"all", CallKind::all, Op::And, 0, kVariadic},
};

// Float functions that front ends write, and what says the same about integers.
constexpr std::array<std::pair<std::string_view, std::string_view>, 21> kOutside{{
    {"log", "powers: x < 2**k for log2(x) < k"},
    {"log2", "powers: x < 2**k for log2(x) < k"},
    {"log10", "powers: x < 10**k for log10(x) < k"},
    {"OpaqueUnaryFn_log", "powers: x < 2**k for log2(x) < k"},
    {"OpaqueUnaryFn_log2", "powers: x < 2**k for log2(x) < k"},
    {"exp", "powers of integers: 2**k"},
    {"OpaqueUnaryFn_exp", "powers of integers: 2**k"},
    {"FloatPow", "a constant exponent >= 0, or sqrt"},
    {"ToDecimal", "a fraction of integers"},
    {"RoundDecimal", "round(x*10**k) and fractions of integers"},
    {"isqrt", "k*k <= x and x < (k + 1)*(k + 1)"},
    {"cbrt", "cubes: x < k**3 for cbrt(x) < k"},
    {"hypot", "squares"},
    {"sin", ""},
    {"cos", ""},
    {"tan", ""},
    {"tanh", ""},
    {"atan", ""},
    {"asin", ""},
    {"acos", ""},
    {"fmod", "truncmod(a, b), or a % b"},
}};

constexpr std::size_t kFirstCallable = static_cast<std::size_t>(Op::Symbol) + 1;

const std::array<Function, kOpCount - kFirstCallable>& own_names() {
  static const auto table = [] {
    std::array<Function, kOpCount - kFirstCallable> t{};
    for (std::size_t i = kFirstCallable; i < kOpCount; ++i) t[i - kFirstCallable] = alias(kOps[i].name, kOps[i].op);
    return t;
  }();
  return table;
}

// Builtins and PyTorch's helpers that guards call on sources.
constexpr std::array<std::string_view, 26> kReaders{
    "len",
    "hasattr",
    "getattr",
    "list",
    "tuple",
    "dict",
    "set",
    "frozenset",
    "type",
    "id",
    "str",
    "repr",
    "sorted",
    "iter",
    "next",
    "range",
    "callable",
    "isinstance",
    "check_tensor",
    "check_no_aliasing",
    "check_storage_overlap",
    "check_type_id",
    "check_obj_id",
    "cast_symbool_to_symint_guardless",
    "utils_device",
    "storage",
};

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Two neighbouring letters swapped count once.
  std::vector<std::size_t> two(b.size() + 1), one(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) one[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same =
          std::tolower(static_cast<unsigned char>(a[i - 1])) == std::tolower(static_cast<unsigned char>(b[j - 1]));
      now[j] = std::min({one[j] + 1, now[j - 1] + 1, one[j - 1] + (same ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], two[j - 2] + 1);
    }
    std::swap(two, one);
    std::swap(one, now);
  }
  return one[b.size()];
}

}  // namespace

const Function* find_function(std::string_view name) {
  for (const Function& f : kAliases)
    if (f.name == name) return &f;
  for (const Function& f : own_names())
    if (f.name == name) return &f;
  static const Function refused{"", CallKind::outside, Op::Symbol, 0, kVariadic};
  for (const auto& [outside, instead] : kOutside)
    if (outside == name) return &refused;
  return nullptr;
}

std::string_view instead_of(std::string_view name) {
  for (const auto& [outside, instead] : kOutside)
    if (outside == name) return instead;
  return {};
}

bool is_reading_function(std::string_view name) {
  // PyTorch's own helpers all begin with underscores: ___check_type_id, __nn_module_guard_0, __math_isnan.
  return name.starts_with("__") || std::find(kReaders.begin(), kReaders.end(), name) != kReaders.end();
}

std::optional<std::size_t> closest(std::string_view name, std::span<const std::string_view> candidates) {
  if (name.size() > 64) return std::nullopt;
  std::size_t best = std::max<std::size_t>(1, name.size() / 3) + 1;
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::size_t longer = std::max(candidates[i].size(), name.size());
    if (longer - std::min(candidates[i].size(), name.size()) >= best) continue;
    if (const std::size_t d = edit_distance(name, candidates[i]); d < best && d < longer) {
      best = d;
      found = i;
    }
  }
  return found;
}

std::optional<std::string_view> closest_function(std::string_view name) {
  std::vector<std::string_view> all;
  for (const Function& f : own_names()) all.push_back(f.name);
  for (const Function& f : kAliases) all.push_back(f.name);
  for (std::string_view reader : kReaders) all.push_back(reader);
  const auto found = closest(name, all);
  if (!found) return std::nullopt;
  return all[*found];
}

}  // namespace dimgate::detail
