// Which entry goes when a cache is full, and which calls are worth an entry.
//
// benefit(e) = rate(e) * (cost of what would serve its calls without it - run(e)) - rate(all that try e) * check(e).
// The alternative is the cheapest entry that e is proven inside of, else the cheaper of running eagerly and compiling
// again. Compile, run and check costs are given with the entry, measured and reported (`measured_run`), or the defaults
// below. The rate is an exponentially decayed count of the calls e served (LRFU, Lee et al. 2001); a half-life of one
// call is LRU exactly, an endless one plain frequency, and which one fits is learned: for each of a few half-lives a
// shadow directory (ids only, after ARC and LeCaR) plays the same calls, and the one that would have saved most lately
// decides. Rates of evicted and refused inputs are remembered (ghosts), so what comes back is not new.
// Costs: nothing on a hit; a miss costs O(entries * half-lives), microseconds. Memory: about 100 bytes an entry and
// ghost. Everything counts calls, never clocks: the same calls give the same evictions.
// Tested by tests/cache/eviction_test.cpp; measured by tests/bench/capacity.cpp, shown in docs/cache.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "dimgate/cache.hpp"

namespace dimgate {

/// Says which entry goes. One object serves one cache, which calls it under its lock.
class Eviction {
 public:
  virtual ~Eviction() = default;
  /// No entry served inputs whose hash is `inputs`. `clock` counts the calls so far; `full`: another entry needs the
  /// place of one of these. Called before anything is decided.
  virtual void missed(std::uint64_t inputs, const EntrySet& entries, bool full, std::uint64_t clock);
  /// The cache is full: are these inputs worth an entry in the place of another? False: the call runs the fallback.
  virtual bool admit(std::uint64_t inputs, const EntrySet& entries, std::uint64_t clock);
  /// nullopt: none may go; the call falls back. `entries` are those that may.
  virtual std::optional<EntryId> victim(const EntrySet& entries, const NewEntry& incoming, std::uint64_t clock) = 0;
  virtual void inserted(const Entry& entry);
  virtual void removed(const Entry& entry);
  /// What the entry saves, in seconds a call (a rate of calls times seconds saved), for choosing among several caches.
  /// Larger is better. Default: by recency.
  virtual double benefit(const Entry& entry, const EntrySet& entries, std::uint64_t clock);
};

/// Least recently hit goes, ties by age.
std::shared_ptr<Eviction> make_lru();
/// The oldest goes.
std::shared_ptr<Eviction> make_fifo();
/// The one that served fewest calls goes, ties by age. `remember`: counts outlive the entry.
std::shared_ptr<Eviction> make_frequency(bool remember = true);

struct BenefitOptions {
  /// Seconds, where an entry does not say: a compile, a compiled run, an eager run, and a check for each guard.
  double compile = 1.0, run = 0.001, eager = 0.02, check_per_guard = 2e-9;
  /// May refuse an entry to inputs that come more rarely than those it would push out (bypass).
  bool bypass = false;
  /// Half-lives in calls that compete.
  std::vector<double> half_lives = {1, 16, 128, 1024, 16384};
  /// Calls after which what a shadow directory saved counts half.
  double memory = 1400;
  /// Ghosts kept beyond four for each entry.
  std::size_t ghosts = 1024;
};

/// The cost model above.
class BenefitEviction : public Eviction {
 public:
  /// The front end measured one call through the entry: from now on the mean of its reports (recent ones weigh more).
  virtual void measured_run(EntryId entry, double seconds) = 0;
  /// Calls per call that the entry serves, by the half-life in force.
  virtual double rate(const Entry& entry, std::uint64_t clock) = 0;
  /// The half-life in force.
  [[nodiscard]] virtual double half_life() const = 0;
};
std::shared_ptr<BenefitEviction> make_benefit(BenefitOptions options = {});

}  // namespace dimgate
