// The entries a lookup may have to check, and how many it did.
#pragma once

#include <cstdint>
#include <span>

#include "program/code.hpp"

namespace dimgate::detail {

inline constexpr std::uint32_t kNoRank = 0xffffffffU;

struct Candidates {
  std::span<const Program* const> programs;
  const std::uint64_t* removed = nullptr;  // a bit an entry; null: none
  SnapshotView at;
  std::uint32_t checks = 0;

  [[nodiscard]] bool is_removed(std::uint32_t rank) const noexcept {
    return removed != nullptr && ((removed[rank / 64] >> (rank % 64)) & 1) != 0;
  }
  [[nodiscard]] bool accepts(std::uint32_t rank) noexcept {
    // A removed program may be gone: not touched.
    if (is_removed(rank)) return false;
    ++checks;
    return programs[rank]->check(at) == kPass;
  }
};

}  // namespace dimgate::detail
