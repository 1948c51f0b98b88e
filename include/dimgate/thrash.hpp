// Thrash: a frame that keeps recompiling, what in its calls makes it, and what would help.
//
// The observer keeps the inputs of the latest recompiles (and of misses that a limit sent to the fallback): the slots
// that the frame's guards read. A frame thrashes when recompiles are more than a share of the calls in a window. A slot
// that explains it has one of these patterns: it grew at every recompile (a list that gets longer, a cache that fills);
// it named an object never seen before each time; it went to and fro between few values; or it had many values.
// Advice fits the slot: pad, mark dynamic, declare a range, move a string out, keep a key set, a device or a flag
// still, read an environment variable or an attribute once outside. Each piece of advice is checked by replay: the
// recorded inputs as they would be with it, and how many different ones, hence compiles, are left; advice that leaves
// as many is not given. Memory: the records (a few hundred). Thread-safe. Tested by tests/cache/thrash_test.cpp.
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "dimgate/observe.hpp"

namespace dimgate {

struct ThrashOptions {
  std::uint64_t window = 1000;  // calls
  double share = 0.05;          // recompiles (and limit fallbacks) of the calls in the window
  std::size_t least = 4;        // records before anything is said
  std::size_t records = 512;    // kept
};

enum class ThrashPattern : std::uint8_t { growth, fresh_identity, to_and_fro, many_values };
std::string_view to_string(ThrashPattern pattern) noexcept;
enum class AdviceKind : std::uint8_t {
  pad,
  mark_dynamic,
  declare_range,
  move_string_out,
  keep_object,
  stabilise_keys,
  stabilise_device,
  stabilise_flag,
  read_environment_once,
  read_attribute_once,
  keep_still,  // anything else
};
std::string_view to_string(AdviceKind kind) noexcept;

struct Advice {
  AdviceKind kind = AdviceKind::keep_still;
  std::string text;           // "pad L['x'].size()[0] to a power of two"
  std::size_t compiles = 0;   // recorded inputs that differ: what was compiled, or would have been without a limit
  std::size_t remaining = 0;  // of them, with the advice
};

/// What is wrong with one slot.
struct Finding {
  ThrashPattern pattern = ThrashPattern::many_values;
  SlotIndex slot = 0;
  std::string source;
  std::string kind;            // of the guards that failed on it most often, where entries say
  std::size_t values = 0;      // different ones
  std::string text;            // "length of L['xs'] grew at each of the last 9 recompiles (2 to 10)"
  std::vector<Advice> advice;  // fewest remaining first
};

struct ThrashReport {
  bool thrashing = false;
  std::uint64_t calls = 0, recompiles = 0;  // in the window
  double rate = 0;
  std::vector<Finding> findings;  // those whose best advice leaves fewest first; without advice last
};

class ThrashDetector final : public CacheObserver {
 public:
  explicit ThrashDetector(ThrashOptions options = {}) : options_(options) {}
  void missed(const MissRecord& miss) override;
  /// The layout is the frame's: it names the slots and says how they are read.
  [[nodiscard]] ThrashReport report(const Layout& layout) const;

 private:
  struct Record {
    std::uint64_t clock = 0;
    bool recompile = false;  // else the first compile, which counts for no rate
    std::vector<std::optional<std::int64_t>> values;
    std::vector<std::pair<SlotIndex, std::string>> failed;  // slots of failing guards of the nearest entry, and kinds
  };
  ThrashOptions options_;
  mutable std::mutex mutex_;
  std::deque<Record> records_;
  std::vector<bool> guarded_;  // slots that some entry's guards read
  std::uint64_t clock_ = 0;
};

/// For people: a line for the rate, two or more for each finding.
std::string to_text(const ThrashReport& report);

}  // namespace dimgate
