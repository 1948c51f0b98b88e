// Which of N entries serves this call: the first, in their order, whose program passes.
//
// Few entries are scanned. Entries that pin slots to constants are found by hashing those slots, whatever their number;
// only candidates are checked. The answer never depends on the structure used: tests compare with a plain scan.
// Cost: one probe for each distinct set of pinned slots, one check for each candidate, one for each other entry in
// front of the best candidate. Immutable once built; safe to read from any number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "dimgate/program.hpp"

namespace dimgate {

class Dispatch {
 public:
  static constexpr std::int32_t kMiss = -1;

  Dispatch();
  /// Programs in the order of the entries; they must outlive the dispatch and its copies.
  explicit Dispatch(std::span<const Program* const> programs);
  ~Dispatch();
  Dispatch(const Dispatch&);
  Dispatch& operator=(const Dispatch&);
  Dispatch(Dispatch&&) noexcept;
  Dispatch& operator=(Dispatch&&) noexcept;
  /// One more entry behind all others: cheaper than building again.
  void append(const Program& program);

  /// Rank of the first entry that accepts, or kMiss. Allocates nothing, locks nothing.
  [[nodiscard]] std::int32_t find(SnapshotView at) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dimgate
