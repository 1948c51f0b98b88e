// Hits, misses and cost by guard kind of dimgate's own caches, from the events of their traces (DIMGATE_TRACE).
//
// An entry's last count holds. A miss is put down to the kinds that failed in the entry with the fewest failing guards.
// Hits that the trace knows in sum only (older ones, and those after the last count of a process that was killed) are
// kept apart. An entry number that is inserted again belongs to another process. Memory: at most kEntries entries.
// Tested by tests/report/own_use_test.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "dimgate/logs.hpp"
#include "report/kind_use.hpp"

namespace dimgate::report {

class OwnUse {
 public:
  void add(const LogEvent& event);
  /// Nothing was seen: the log is not dimgate's.
  [[nodiscard]] bool empty() const { return misses_ + before_any_ == 0 && entries_.empty(); }
  /// `apart`: hits whose entries the trace does not tell.
  [[nodiscard]] HitsByKind by_kind(std::uint64_t& apart) const;

 private:
  static constexpr std::size_t kEntries = 65536;
  struct Entry {
    std::map<std::string, double> cost;  // kind -> of a check
    std::uint64_t hits = 0;
  };
  void inserted(const LogEvent& event, const EntryGuards& guards);
  void missed(const LogEvent& event, const CallMissed& miss);
  static void serve(const Entry& entry, HitsByKind& out);

  std::map<std::string, Entry> entries_;             // compile id -> the entry of the newest process
  HitsByKind before_;                                // of entries whose number came again
  std::map<std::string, std::uint64_t> hits_until_;  // frame -> hits before its last miss
  std::uint64_t hits_of_others_ = 0;                 // the same of earlier processes
  std::map<std::string, std::uint64_t> missed_kinds_;
  std::uint64_t misses_ = 0, before_any_ = 0;
};

}  // namespace dimgate::report
