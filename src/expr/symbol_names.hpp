// What a symbol's name alone says: whether it is a size, and how names sort.
#pragma once

#include <string_view>

namespace dimgate {

/// True for sources that are >= 0 by nature: `x.size()[0]`, `x.size(0)`, `x.shape[1]`, `len(d)`, `x.dim()`, `x.ndim`,
/// `x.numel()`, `x.storage_offset()`. A stride or a bare name is not.
bool is_size_name(std::string_view name);

/// Lexicographic with runs of digits compared as numbers (s2 before s10). Total: 0 only for equal names.
int natural_compare(std::string_view a, std::string_view b);

}  // namespace dimgate
