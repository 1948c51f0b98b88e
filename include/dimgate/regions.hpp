// A function cut where something cannot be compiled: its neighbours stay compiled and guarded, the rest runs eagerly.
//
// A chain covers operations 0 to n of one function. It starts as one region; where compiling a region meets an
// operation that cannot be compiled the region is cut there (a graph break): what stands before it, the operation
// alone, what stands behind it. Cuts stay. Each region that is not an eager one has a cache of its own, guarded by what
// *it* reads, so a miss in one recompiles nothing else. A run goes through the regions in order; each region's inputs
// are asked for after the one before has run. Cuts are published like entries: runs take no lock. Tested by
// tests/cache/regions_test.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dimgate/cache.hpp"

namespace dimgate {

/// Operations [begin, end).
struct Region {
  std::size_t begin = 0, end = 0;
  bool eager = false;  // one operation that cannot be compiled
  std::string reason;  // why not
  friend bool operator==(const Region&, const Region&) = default;
};

/// What compiling a region gives: an answer, or the operation of it that cannot be compiled.
struct RegionAnswer {
  MissAnswer answer;
  std::optional<std::size_t> breaks_at;  // then `answer.reason` says why
  static RegionAnswer breaks(std::size_t operation, std::string why) {
    return {MissAnswer::fall_back(std::move(why)), operation};
  }
};

/// The front end's side of compiling. Called by one thread at a time for each region.
class RegionCompiler {
 public:
  virtual ~RegionCompiler() = default;
  virtual RegionAnswer compile(const Region& region, const Miss& miss) = 0;
};

/// The front end's side of one run.
class RegionRun {
 public:
  virtual ~RegionRun() = default;
  /// The world as the region will see it: after all operations before it have run. Valid until the next call.
  virtual SnapshotView inputs(const Region& region) = 0;
  virtual void compiled(const Region& region, const Entry& entry) = 0;
  /// Runs the operations as they are. `why`: graph break, limit, mode, rejection, ...
  virtual void eager(const Region& region, const std::string& why) = 0;
};

class RegionChain {
 public:
  /// The compiler outlives the chain. `options` are those of each region's cache.
  RegionChain(std::size_t operations, RegionCompiler& compiler, CacheOptions options = {});
  ~RegionChain();
  RegionChain(const RegionChain&) = delete;
  RegionChain& operator=(const RegionChain&) = delete;

  /// As they are now.
  [[nodiscard]] std::vector<Region> regions() const;
  [[nodiscard]] std::size_t graph_breaks() const;
  /// Statistics of the region that begins there; nullopt: none, or an eager one.
  [[nodiscard]] std::optional<CacheStatistics> statistics(std::size_t begin) const;

  struct Impl;

 private:
  friend class RegionReader;
  std::unique_ptr<Impl> impl_;
};

/// One thread's runs. Not thread-safe; must not outlive the chain.
class RegionReader {
 public:
  explicit RegionReader(RegionChain& chain);
  ~RegionReader();
  RegionReader(const RegionReader&) = delete;
  RegionReader& operator=(const RegionReader&) = delete;
  /// All operations, each once, in order. An error of a region (its answer's reason) ends the run there; operations
  /// before it have run.
  Status run(RegionRun& run);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dimgate
