// Entries that follow each other in rank, with every index over them. Immutable: versions of a dispatch share it.
#pragma once

#include <memory>
#include <vector>

#include "dimgate/dispatch.hpp"
#include "program/bit_index.hpp"
#include "program/interval_index.hpp"

namespace dimgate::detail {

class Segment {
 public:
  Segment(std::vector<const Program*> programs, const DispatchOptions& options);
  [[nodiscard]] std::span<const Program* const> programs() const noexcept { return programs_; }
  /// Lowest local rank that accepts, or kNoRank.
  [[nodiscard]] std::uint32_t find(Candidates& c) const noexcept;
  /// Whether no entry in front can accept what this one accepts.
  [[nodiscard]] bool is_first(std::uint32_t rank) const noexcept {
    return rank / 64 < firsts_.size() && ((firsts_[rank / 64] >> (rank % 64)) & 1) != 0;
  }
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  void index_ranges(const std::vector<std::uint32_t>& ranks, const DispatchOptions& options,
                    std::vector<std::uint32_t>& rest);
  void note_firsts();

  std::vector<const Program*> programs_;
  HashGroups groups_;
  std::vector<IntervalIndex> ranges_;  // one a slot
  std::unique_ptr<const BitIndex> bits_;
  std::vector<std::uint32_t> scanned_;  // ascending
  std::vector<std::uint64_t> firsts_;   // a bit an entry
  bool hashed_ = false;
};

}  // namespace dimgate::detail
