// Recompiles by cause and kind, and the hit rate over time: an observer of a cache.
//
// The cause of a recompile is the first failing guard of the entry nearest to the call (fewest failing guards), the one
// that tells what changed; `also` counts every failing guard of that entry. Memory: bounded (causes beyond the cap are
// counted together; the timeline halves its resolution when full). Thread-safe. Tested by tests/cache.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "dimgate/observe.hpp"

namespace dimgate {

struct CauseCount {
  std::string kind;   // "shape", "device", ...; "unknown" where the entry does not say
  std::string guard;  // its text; "guard N" where the entry does not say
  std::uint64_t recompiles = 0;
  std::uint64_t fallbacks = 0;              // misses with that cause that compiled nothing
  std::uint64_t also = 0;                   // recompiles in which it failed beside the cause
  std::uint64_t first_at = 0, last_at = 0;  // clock
  double seconds = 0;                       // in the handler
};

/// A stretch of calls.
struct TimePoint {
  std::uint64_t clock = 0;  // its last call
  std::uint64_t hits = 0, compiles = 0, recompiles = 0, shared = 0, fallbacks = 0, rejected = 0, errors = 0;
  [[nodiscard]] double hit_rate() const noexcept {
    const auto calls = static_cast<double>(hits + compiles + shared + fallbacks + errors);
    return calls == 0 ? 0 : static_cast<double>(hits) / calls;
  }
};

struct CauseOptions {
  std::size_t causes = 1024;
  std::size_t points = 256;
};

class CauseStatistics final : public CacheObserver {
 public:
  explicit CauseStatistics(CauseOptions options = {}) : options_(options) {}
  void missed(const MissRecord& miss) override;

  /// Most recompiles first, ties by text.
  [[nodiscard]] std::vector<CauseCount> causes() const;
  /// Recompiles by kind.
  [[nodiscard]] std::map<std::string, std::uint64_t> recompiles_by_kind() const;
  /// In order; each holds what happened since the one before. Hits after the last miss are not in it.
  [[nodiscard]] std::vector<TimePoint> timeline() const;
  /// Seconds in the handler: first compiles, recompiles, the longest of either.
  struct Times {
    double first = 0, recompiles = 0, longest = 0;
  };
  [[nodiscard]] Times times() const;

 private:
  CauseCount& cause(const std::string& kind, const std::string& guard);
  CauseOptions options_;
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, CauseCount> causes_;
  std::vector<TimePoint> points_;
  std::uint64_t per_point_ = 1, in_point_ = 0;  // misses
  std::uint64_t hits_ = 0;
  Times times_;
};

/// What a guard is called: its kind and its text, as far as the entry says.
std::string kind_of_guard(const Entry& entry, std::uint32_t guard);
std::string text_of_guard(const Entry& entry, std::uint32_t guard);

}  // namespace dimgate
