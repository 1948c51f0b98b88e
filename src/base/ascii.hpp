// Characters of the ASCII range, whatever the locale.
#pragma once

namespace dimgate {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace dimgate
