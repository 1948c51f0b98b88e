// How symbols, enum constants and floats are spelled in formula text, both ways.
//
// A symbol is a plain name or a source (`L['x'].size()[0]`) in its normal spelling: strings in single quotes,
// ", " after commas, no other spaces. A symbol of any other name is spelled `Symbol('any text')`.
// An enum constant is a string, a dotted `torch.…` name, None, or a tuple or list of constants. Its name is the text
// inside the string; where that would read as one of the other forms (the string 'None' is not None) the name
// keeps its quotes. So every name has exactly one spelling: tested in tests/expr/text_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "expr/lexer.hpp"

namespace dimgate::detail {

/// What a string token says: quotes and escapes taken off.
std::string string_content(std::string_view literal);
/// A Python string literal for `content`, as repr writes it.
std::string quoted(std::string_view content);

struct Function;
/// The operator called by the name at token `i` (`max(`, `torch.sym_max(`) and its opening parenthesis; null if it is
/// none.
const Function* function_called_at(const TokenList& tokens, std::size_t i, std::size_t& open);

enum class SourceKind : std::uint8_t {
  symbol,
  constant,          // `torch.float32`
  unknown_function,  // `Mxa(…)`, `math.foo(…)`: neither an operator nor something a front end reads
  unknown_constant,  // `math.pi`
  float_word,        // `math.inf`, `np.nan`: its last token says which
  broken,            // a '.' with no name after it
};
struct SourceText {
  SourceKind kind;
  std::string name;
  std::size_t next;  // index of the first token after it
};
/// Reads the source that starts at name token `first`.
SourceText read_source(const TokenList& tokens, std::size_t first);

/// The normal spelling of the tokens [first, last).
std::string normal_text(const TokenList& tokens, std::size_t first, std::size_t last);

/// Enum constant names from what was written, and back.
std::string enum_name_of_string(std::string_view content);
std::string enum_spelling(std::string_view name);
/// True if the name is a constant's own spelling (None, torch.float32, (1, 1)): its spelling has no quotes added.
bool is_bare_constant(std::string_view name);

/// The symbol as formula text writes it.
std::string symbol_spelling(std::string_view name);
/// True if that is the name itself.
bool is_plain_symbol(std::string_view name);

/// Names that text keeps for constants.
bool is_reserved_word(std::string_view name);

/// A float constant: shortest text that reads back to the same bits.
std::string float_spelling(std::uint64_t bits);
/// The double a float token denotes (Python's rules: too large is inf, too small 0).
std::uint64_t float_token_bits(std::string_view digits);

}  // namespace dimgate::detail
