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
  float_of,          // float('nan')
  float_bits,        // float_bits(0x7ff8000000000001)
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

/// Calls that read the outside world (`len(…)`, `hasattr(…)`, `___check_obj_id(…)`): the whole call is a symbol.
bool is_reading_function(std::string_view name);

/// The function name closest to a misspelt one, if it is close.
std::optional<std::string_view> closest_function(std::string_view name);

/// The candidate at the smallest edit distance, if that is at most a third of the name's length (at least 1).
/// Ties: the first.
std::optional<std::size_t> closest(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace dimgate::detail
