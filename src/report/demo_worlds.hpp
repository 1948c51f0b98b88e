// The worlds that the demo's scenes call with: a tensor `x` and a dict `batch`, in a training loop.
#pragma once

#include <string>
#include <vector>

#include "dimgate/cache.hpp"
#include "dimgate/described_world.hpp"
#include "dimgate/guard.hpp"

namespace dimgate::report {

TensorDescription tensor(std::vector<std::int64_t> sizes, std::string device);
World world_of(TensorDescription x);
/// "(2, 3)"; "(2, 3) cuda".
std::string sizes_text(const TensorDescription& x);
std::string shape_text(const TensorDescription& x);
/// Of the calls that hits were: "66.67".
std::string percent(const CacheStatistics& s);
/// What a guard is given: its slots with the values seen.
std::string reads_text(Context& ctx, const Guard& g, const Layout& layout, SnapshotView at);

}  // namespace dimgate::report
