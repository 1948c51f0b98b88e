// Values at a point where they are needed often: candidates of the prover, witnesses, hints of a trace. The same values
// as the reference (reference.hpp), which shares no code with it: small trees over Bools and Ints go in machine words,
// all else in exact integers (apply.hpp). Cost: a few nanoseconds a node in words; else a walk of the DAG with a table,
// some 100 ns a node. Tests: tests/expr/evaluate_test.cpp, against the reference.
#pragma once

#include <cstdint>
#include <optional>

#include "dimgate/expr.hpp"

namespace dimgate {

/// e's value at the point.
Value value_at(const Context& ctx, Expr e, const Assignment& at);

constexpr std::uint32_t kSmallTree = 48;  // nodes, counted as often as they are written
/// For a formula of at most kSmallTree nodes where all values are Bools and Ints in int64, results between included;
/// nullopt elsewhere.
std::optional<Value> value_in_words(Expr e, const Assignment& at);
/// The same for any formula, in exact integers.
Value value_in_integers(const Context& ctx, Expr e, const Assignment& at);

}  // namespace dimgate
