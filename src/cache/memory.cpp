#include "cache/memory.hpp"

#include <cstring>

namespace dimgate::detail {

std::string key_of(SnapshotView at) {
  std::string key((at.size + 63) / 64 * 8 + at.size * 8, '\0');
  char* out = key.data();
  for (std::size_t i = 0; i < at.size; ++i) {
    const std::int64_t v =
        at.has(static_cast<SlotIndex>(i)) ? at.values[i] : 0;  // what an absent slot held is no value
    std::memcpy(out, &v, 8);
    out += 8;
  }
  for (std::size_t w = 0; w < (at.size + 63) / 64; ++w) {
    std::uint64_t bits = at.present[w];
    if (w == at.size / 64) bits &= (std::uint64_t{1} << (at.size % 64)) - 1;
    std::memcpy(out, &bits, 8);
    out += 8;
  }
  return key;
}

}  // namespace dimgate::detail
