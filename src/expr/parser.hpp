// Reads tokens into Syntax: operator precedence on an explicit stack, so 10^5 nested brackets need no call stack.
//
// The precedences are Python's: `or` < `and` < `not` < comparisons < `|` < `^` < `&` < `<< >>` < `+ -` < `* / // %`
// < unary `- ~` < `**`.
// A run of one associative operator is one n-ary node (`a + b + c`), brackets start a new node (`(a + b) + c`), a chain
// of comparisons is the conjunction of its links, and `-3` is a constant (`-(3)` a negation).
// Tests: tests/expr/parser_test.cpp, parse_errors_test.cpp.
#pragma once

#include "expr/lexer.hpp"
#include "expr/syntax.hpp"

namespace dimgate::detail {

/// Reads every formula of `tokens` (separated by Tok::separator) and appends it to `out.roots`.
/// Without list mode there must be exactly one. `opaque`: see expr/foreign.hpp.
bool parse_tokens(const TokenList& tokens, std::uint32_t text_index, bool list_mode, bool opaque, Syntax& out,
                  TextFault& fault);

}  // namespace dimgate::detail
