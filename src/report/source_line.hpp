// The line of the program a guard comes from, where its source is at hand. Reads each file once.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "dimgate/guard.hpp"

namespace dimgate::report {

class SourceLines {
 public:
  /// Relative names are looked up in `root` ("" : the working directory).
  explicit SourceLines(std::string root = {}) : root_(std::move(root)) {}
  /// Without the blanks around it; empty where the file or line is not there. Files above 4 MB are not read.
  std::string line(const Location& where);

 private:
  std::string root_;
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace dimgate::report
