// Many lookups at once.
#include <algorithm>
#include <array>
#include <vector>

#include "dimgate/dispatch.hpp"

namespace dimgate {
namespace {

constexpr std::size_t kFoundRows = 256;
constexpr std::size_t kFew = 16;  // entries that are cheaper checked by column, all of them

}  // namespace

void Dispatch::find_batch(std::span<const std::int64_t* const> columns, std::size_t rows, std::int32_t* ranks) const {
  std::vector<const std::int64_t*> block_columns(columns.size());
  std::array<std::uint8_t, kFoundRows> pass;
  std::array<const Program*, kFew> programs;
  if (size() <= kFew) {
    const std::size_t entries = first(programs);
    for (std::size_t begin = 0; begin < rows; begin += kFoundRows) {
      const std::size_t n = std::min(kFoundRows, rows - begin);
      std::int32_t* const out = ranks + begin;
      for (std::size_t s = 0; s < columns.size(); ++s)
        block_columns[s] = columns[s] != nullptr ? columns[s] + begin : nullptr;
      std::fill_n(out, n, kMiss);
      std::size_t left = n;
      for (std::size_t e = 0; e < entries && left != 0; ++e) {
        programs[e]->check_batch(block_columns, n, pass.data());
        for (std::size_t i = 0; i < n; ++i)
          if (pass[i] != 0 && out[i] == kMiss) out[i] = static_cast<std::int32_t>(e), --left;
      }
    }
    return;
  }
  std::vector<std::int64_t> values(columns.size());
  std::vector<std::uint64_t> present((columns.size() + 63) / 64);  // the same for all rows
  std::vector<SlotIndex> there;
  for (SlotIndex s = 0; s < columns.size(); ++s)
    if (columns[s] != nullptr) there.push_back(s), present[s / 64] |= std::uint64_t{1} << (s % 64);
  const SnapshotView at{values.data(), present.data(), values.size()};
  for (std::size_t row = 0; row < rows; ++row) {
    for (const SlotIndex s : there) values[s] = columns[s][row];
    ranks[row] = find(at);
  }
}

}  // namespace dimgate
