// A cell's text as a value of the sort that a formula asks for.
#pragma once

#include "dimgate/expr.hpp"
#include "dimgate/import.hpp"

namespace dimgate {

/// Int: an integer of any size; Bool: true, false, True, False, 1, 0; Float: a decimal, nan or inf; Enum: the text as
/// it is. Spaces around numbers are fine. The error has the cell's place.
Result<Value> read_value(const Table& table, std::size_t row, std::size_t column, Sort sort);

/// `text` without blanks and tabs around it.
std::string_view trimmed(std::string_view text);

/// `text`, cut to what fits a message.
std::string shown(std::string_view text);

}  // namespace dimgate
