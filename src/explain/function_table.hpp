// Which compiled function an event belongs to. A frame number is a function's as long as its name agrees: another name
// under the same number belongs to another program (logs joined into one). Memory: 4096 functions, then one for the
// rest. Tested by tests/explain.
#pragma once

#include <map>
#include <string>

#include "explain/function_log.hpp"

namespace dimgate::explain {

/// One process of one rank.
inline std::string stream_of(const LogEvent& event) { return event.rank + "/" + event.process; }
/// The compile id without its attempt: "0/1" of "0/1_1".
inline std::string plain_id(const LogEvent& event) { return event.compile_id.substr(0, event.compile_id.find('_')); }

class FunctionTable {
 public:
  /// `name` and `place` may be empty; `key` gets the function's key in all().
  FunctionLog& of(const LogEvent& event, const std::string& name, const std::string& place, std::string& key);
  [[nodiscard]] FunctionLog& at(const std::string& key) { return functions_.at(key); }
  std::map<std::string, FunctionLog>& all() { return functions_; }

 private:
  HistoryLeft history_;
  std::map<std::string, FunctionLog> functions_;  // rank, process and frame, or name and place
  std::map<std::string, std::string> of_frame_;   // rank, process and frame -> key of functions, where that differs
};

}  // namespace dimgate::explain
