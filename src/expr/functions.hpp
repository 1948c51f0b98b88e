// The call syntax: which names are operators, and what a misspelt one could have meant.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dimgate/op.hpp"

namespace dimgate::detail {

enum class CallKind : std::uint8_t {
  op,                // the operator itself
  piecewise,         // Piecewise((x, c), …)
  identity,          // Identity(x)
  modular_indexing,  // ModularIndexing(x, d, m) = x // d % m
  symbol,            // Symbol('any text')
  float_of,          // float('nan'), float(x)
  float_bits,        // float_bits(0x7ff8000000000001)
  // What exact fractions become (parse_rounding.cpp).
  floor,
  ceil,
  trunc,
  round,
  trunc_float,  // TruncToFloat(x): as trunc, but a float to whatever takes it
  // Fractions (parse_fractions.cpp).
  to_float,
  true_div,
  sqrt,
  // On integers (parse_bits.cpp).
  trunc_div,
  trunc_mod,
  divmod,
  gcd,
  bit_and,
  bit_or,
  bit_xor,
  bit_not,
  shift_left,
  shift_right,
  // On formulas.
  exclusive_or,
  any,
  all,
  // Float arithmetic that has no exact meaning: refused by name.
  outside,
};

struct Function {
  std::string_view name;
  CallKind kind;
  Op op;
  std::uint8_t min_args;
  std::uint8_t max_args;  // kVariadic: no limit
};

/// The function of that name: an operator's own name (`FloorDiv`), or an alias (`max`, `PythonMod`). Null if none.
const Function* find_function(std::string_view name);

/// What to write instead of an `outside` function.
std::string_view instead_of(std::string_view name);

/// Calls that read the outside world (`len(…)`, `hasattr(…)`, `___check_obj_id(…)`): the whole call is a symbol.
bool is_reading_function(std::string_view name);

/// The function name closest to a misspelt one, if it is close.
std::optional<std::string_view> closest_function(std::string_view name);

/// The candidate at the smallest edit distance, if that is at most a third of the name's length (at least 1).
/// Ties: the first.
std::optional<std::size_t> closest(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace dimgate::detail
