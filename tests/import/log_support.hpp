// Log texts put together for tests, and what comes out of them.
#pragma once

#include <string>
#include <vector>

#include "dimgate/logs.hpp"

namespace dimgate::testing {

template <class T>
std::vector<T> only(const std::string& text, LogCounts* counts = nullptr) {
  std::vector<T> out;
  for (const LogEvent& event : read_log_text(text, counts))
    if (const T* body = std::get_if<T>(&event.body)) out.push_back(*body);
  return out;
}

/// `lines` under a glog head.
inline std::string glog(const std::vector<std::string>& lines, const std::string& id = "[0/1] ",
                        const std::string& artifact = "[__recompiles] ", const std::string& host = "",
                        const std::string& file = "torch/_dynamo/guards.py:2590") {
  std::string out;
  for (const std::string& line : lines)
    out += host + "V0703 10:34:13.273000 140345997743104 " + file + "] " + id + artifact + line + "\n";
  return out;
}

}  // namespace dimgate::testing
