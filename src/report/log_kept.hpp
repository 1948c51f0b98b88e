// What a report keeps of a log's events, each thing capped so that a hostile log stays small: marks on the timeline,
// the values of slots, entries with their guards, names of functions. Memory: a few MB, entries up to 32 MB. Tested by
// tests/report.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dimgate/explain.hpp"
#include "dimgate/report.hpp"
#include "report/log_entries.hpp"
#include "report/own_use.hpp"

namespace dimgate::report {

/// A mark on the timeline.
struct Mark {
  std::uint64_t number = 0;  // of the event, from 1
  std::uint64_t line = 0;
  std::string function, compile_id, what, cause;
  double seconds = -1;
  double time = -1;  // LogEvent::time
};

struct LogKept {
  LogReportOptions options;
  std::vector<Mark> marks;
  std::uint64_t number = 0, marks_cut = 0, entries_cut = 0;
  bool own = true;  // no recompile but dimgate's
  ChangeFinder finder;
  OwnUse use;  // what its entries served
  std::size_t guards = 0, entry_bytes = 0;
  std::vector<LoggedEntry> entries;
  std::map<std::string, std::string> names;    // function key -> what people call it
  std::map<std::string, std::size_t> mark_of;  // stream and compile id -> its mark
  std::map<std::string, std::map<std::string, std::vector<std::pair<std::uint64_t, std::int64_t>>>> values;

  void add(const LogEvent& e);
  /// What people call a function, by its key.
  [[nodiscard]] std::string name(const std::string& of) const;

 private:
  static std::string stream(const LogEvent& e) { return e.rank + "/" + e.process; }
  static std::string plain_id(const LogEvent& e) { return e.compile_id.substr(0, e.compile_id.find('_')); }
  std::string key(const LogEvent& e, const std::string& function, const std::string& place);
  Mark* mark(const LogEvent& e, const std::string& function, const std::string& place, std::string what);
  void value(const std::string& function, const std::string& slot, std::int64_t v);
  void recompile(const LogEvent& e, const Recompile& r);
};

}  // namespace dimgate::report
