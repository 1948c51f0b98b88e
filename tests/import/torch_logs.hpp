// The recorded logs and what was really known of each event while they were recorded.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace dimgate::testing {

inline std::string slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

struct ExpectedRow {
  std::vector<std::string> cells;  // compile_id function event cause_kind failing_guard count all_cause_kinds step desc
};
struct RecordedLog {
  std::string name, log, expected;  // paths
};

/// Every log that has an expected.tsv beside it, by name.
inline std::vector<RecordedLog> recorded_logs() {
  std::vector<RecordedLog> out;
  const std::string tail = ".expected.tsv";
  for (const auto& file : std::filesystem::directory_iterator(DIMGATE_SOURCE_DIR "/tests/data/torch_logs")) {
    const std::string path = file.path().string();
    if (!path.ends_with(tail)) continue;
    const std::string base = path.substr(0, path.size() - tail.size());
    const std::string log = base.ends_with(".torch_trace") ? base + ".log" : base + ".torch_logs.txt";
    out.push_back({file.path().filename().string(), log, path});
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

inline std::vector<ExpectedRow> expected_rows(const std::string& path) {
  std::vector<ExpectedRow> out;
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);  // the header
  while (std::getline(in, line)) {
    if (line.starts_with("#")) continue;
    ExpectedRow row;
    std::size_t from = 0;
    for (;;) {
      const std::size_t tab = line.find('\t', from);
      row.cells.push_back(line.substr(from, tab - from));
      if (tab == std::string::npos) break;
      from = tab + 1;
    }
    row.cells.resize(9);
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace dimgate::testing
