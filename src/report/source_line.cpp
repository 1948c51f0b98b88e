// Lines of source files, each file read once and only if it is a regular file. Checked by tests/report/report_test.cpp.
#include "report/source_line.hpp"

#include <filesystem>
#include <fstream>

namespace dimgate::report {

std::string SourceLines::line(const Location& where) {
  if (where.file.empty() || where.line == 0) return {};
  const auto [found, fresh] = files_.try_emplace(where.file);
  if (fresh) {
    const std::filesystem::path path = std::filesystem::path(root_) / where.file;
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error) && std::filesystem::file_size(path, error) < 4'000'000) {
      std::ifstream in(path);
      for (std::string text; std::getline(in, text);) found->second.push_back(text);
    }
  }
  if (where.line > found->second.size()) return {};
  const std::string& text = found->second[where.line - 1];
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace dimgate::report
