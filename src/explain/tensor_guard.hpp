// `check_tensor(L['y'], Tensor, DispatchKeySet(…), torch.float32, …, size=[None, 4], stride=[4, 1])` taken apart.
// Tested by tests/explain.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dimgate::explain {

struct TensorGuard {
  std::string source;                             // "x", without L[...]
  std::vector<std::optional<std::int64_t>> size;  // nullopt: not checked, the dim is dynamic
};
/// nullopt: not such a guard.
std::optional<TensorGuard> read_tensor_guard(std::string_view text);

}  // namespace dimgate::explain
