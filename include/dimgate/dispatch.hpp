// Which of N entries serves this call: the first, in their order, whose program passes.
//
// Few entries are scanned. Entries that pin slots or residues are found by hashing those; entries with a narrow range
// by the pieces their ends cut a slot into; for the rest, shared tests are evaluated once and strike out all entries
// that want them otherwise, 64 a word. Only who is left is checked. The answer never depends on the structure used:
// tests compare with a plain scan. Adding and removing an entry leave most of the index as it is; copies share it.
// Cost: one probe for each distinct set of pinned slots, O(log N) for each slot with ranges, one check a survivor.
// Memory: O(N log N), in `bytes()`. Reading is safe from any number of threads while nobody writes.
// Tested by tests/program/dispatch_test.cpp; measured by tests/bench/dispatch.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "dimgate/program.hpp"

namespace dimgate {

/// Which structures are used; all by default. For measuring what each is worth.
struct DispatchOptions {
  bool hash = true;
  bool ranges = true;
  bool bits = true;
};

/// One reader's memory of where it hit last. May be kept across versions of a dispatch: it is only a guess.
struct LastHit {
  static constexpr std::uint32_t kNone = 0xffffffffU;
  std::uint32_t index = kNone;
};

class Dispatch {
 public:
  static constexpr std::int32_t kMiss = -1;

  Dispatch();
  /// Programs in the order of the entries; they must outlive the dispatch and its copies.
  explicit Dispatch(std::span<const Program* const> programs, const DispatchOptions& options = {});
  ~Dispatch();
  Dispatch(const Dispatch&);
  Dispatch& operator=(const Dispatch&);
  Dispatch(Dispatch&&) noexcept;
  Dispatch& operator=(Dispatch&&) noexcept;
  /// One more entry behind all others. Amortised: an entry is indexed O(log N) times in its life.
  void append(const Program& program);
  /// Takes out the entry of that rank; ranks behind it fall by one. Copies keep it.
  void remove(std::size_t rank);

  /// Rank of the first entry that accepts, or kMiss. Allocates nothing, locks nothing.
  [[nodiscard]] std::int32_t find(SnapshotView at) const noexcept;
  /// The same answer; asks the entry that hit last before all others, if it is proven that none in front of it can
  /// accept what it accepts.
  [[nodiscard]] std::int32_t find(SnapshotView at, LastHit& last) const noexcept;
  /// The same, and how many programs were checked.
  [[nodiscard]] std::int32_t find_counting(SnapshotView at, std::uint32_t& checks) const noexcept;
  /// Row by row over columns (columns[slot] points at `rows` values, null for an absent slot): ranks[i] is what `find`
  /// gives for row i. Few entries are checked column by column, many looked up row by row. Allocates a row.
  void find_batch(std::span<const std::int64_t* const> columns, std::size_t rows, std::int32_t* ranks) const;
  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  struct Impl;
  /// The programs of the first entries, as many as fit.
  std::size_t first(std::span<const Program*> out) const noexcept;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dimgate
