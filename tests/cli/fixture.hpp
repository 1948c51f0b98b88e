// Runs the command line in this process.
#pragma once

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/frame.hpp"

namespace dimgate::cli {

struct Ran {
  int exit = 0;
  std::string out;
  std::string talk;
};

inline Ran dimgate_run(const std::vector<std::string>& args) {
  std::ostringstream out;
  std::ostringstream talk;
  const int code = run(args, out, talk);
  return {code, out.str(), talk.str()};
}

inline bool is_one_line(const std::string& text) { return !text.empty() && text.find('\n') == text.size() - 1; }
inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace dimgate::cli
