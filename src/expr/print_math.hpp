// What LaTeX and MathML have in common: the order of signs and operands, and where parentheses go. A notation is a
// table of the text between operands. Both are for reading: sums show negative terms with a minus sign.
// Tests: tests/expr/math_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "dimgate/expr.hpp"

namespace dimgate::detail {

struct MathNotation {
  std::string_view open, close;                       // parentheses
  std::string_view begin, end;                        // around every operand, so that it is one unit
  std::string_view plus, minus, sign, times, mod;     // sign: of a negation
  std::string_view fraction, over, fraction_end;      // a quotient
  std::string_view floor, floor_end, ceil, ceil_end;  // around it
  std::string_view power, exponent, power_end;        // before base, between, after exponent
  std::string_view bar, bar_end;                      // absolute value
  std::string_view eq, ne, lt, le, gt, ge, divides;
  std::string_view conj, disj, negation, implies, iff;
  std::string_view in, not_in, set, set_end, comma;
  std::string_view cases, cases_if, cases_else, cases_end;  // x CASES_IF c CASES_ELSE y
  std::string_view call, call_open, call_end;               // CALL name CALL_OPEN args CALL_END
  std::string (*number)(const std::string& digits);         // non-negative
  std::string (*symbol)(std::string_view name);
  std::string (*constant)(std::string_view text);  // True, floats
  std::string (*name)(std::string_view text);      // enum constants, as text spells them
};

/// How many letters a name of letters and then digits starts with (`s0`: 1, `abc`: 3); 0 for other names.
std::size_t letters_before_index(std::string_view name);

std::string print_math(const Context& ctx, Expr e, const MathNotation& notation);

}  // namespace dimgate::detail
