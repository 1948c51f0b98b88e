// The guards that logs print, entry by entry.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "dimgate/report.hpp"
#include "report/entries.hpp"
#include "report/regions.hpp"

namespace dimgate::report {

/// An entry as logged, kept until the page is made.
struct LoggedEntry {
  std::string function;  // key of the function
  std::string compile_id;
  EntryGuards guards;
};

/// What one guard kind weighs over all entries shown.
struct KindWeight {
  std::uint64_t logged = 0, kept = 0, implied = 0, outside = 0;
  double cost = 0;
};

struct EntriesShown {
  Json entries = Json::array();
  std::map<std::string, KindWeight> kinds;
  /// The readable guards of each entry, by function: regions over sizes.
  std::map<std::string, std::vector<std::pair<std::string, std::vector<std::string>>>> readable;
};
/// Takes entries apart and simplifies them. `names`: functions' names by key.
EntriesShown show_entries(const std::vector<LoggedEntry>& entries, const std::map<std::string, std::string>& names,
                          Prover& prover, FormulaTable& formulas);

}  // namespace dimgate::report
