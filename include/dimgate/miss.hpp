// Why no entry served a call: for the nearest entries all failing guards, each with expected and actual value, and how
// far off it was.
//
// Works from the texts of the entries' guards and the slot values already read; cold (each text is parsed again).
// Tested by tests/policy/miss_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dimgate/guard_text.hpp"
#include "dimgate/observe.hpp"

namespace dimgate {

struct MissedGuard {
  std::uint32_t guard = 0;  // index
  std::string guard_text;
  std::string kind;
  GuardFailure failure;  // text, expected, actual, undefined
  /// How far the values are from making it true: the difference of both sides of a comparison, the distance to the next
  /// multiple or member. Nothing where no distance is meant (names, flags) or it is undefined.
  std::optional<std::string> margin;
};

struct MissedEntry {
  EntryId entry = 0;
  std::string label;
  std::size_t guards = 0;            // it has
  std::vector<MissedGuard> failing;  // all, by index
};

struct MissExplanation {
  std::size_t entries = 0;           // looked at
  std::vector<MissedEntry> nearest;  // fewest failing guards first
};

/// `nearest`: how many entries are told. The layout is the frame's.
MissExplanation explain_miss(const EntrySet& entries, SnapshotView at, const Layout& layout, std::size_t nearest = 3);
/// The same for one entry's known failures.
MissedEntry explain_failed(const FailedEntry& failed, SnapshotView at, const Layout& layout);

/// For people, an entry a paragraph.
std::string to_text(const MissExplanation& explanation);

}  // namespace dimgate
