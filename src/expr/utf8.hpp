// Well-formedness of UTF-8 (RFC 3629). Formula text is UTF-8, as Python's and JSON's is.
// Tests: tests/expr/parse_errors_test.cpp.
#pragma once

#include <cstddef>
#include <string_view>

namespace dimgate::detail {

/// Offset of the first byte that does not belong to well-formed UTF-8, or the size.
std::size_t first_invalid_utf8(std::string_view text);

}  // namespace dimgate::detail
