#include "conformance/rows.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

namespace dimgate::conformance {

namespace {

constexpr std::array<std::string_view, 6> kKinds{"prove", "equiv", "bounds", "congr", "sat", "redundant"};

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> out;
  std::size_t start = 0;
  for (std::size_t end; (end = text.find(separator, start)) != std::string::npos; start = end + 1)
    out.push_back(text.substr(start, end - start));
  out.push_back(text.substr(start));
  return out;
}

}  // namespace

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string& part : split(text, ';'))
    if (std::string item = trimmed(part); !item.empty()) out.push_back(std::move(item));
  return out;
}

Result<std::vector<Row>> read_rows(const std::string& path) {
  std::ifstream in(path);
  if (!in) return Error{"cannot open; give the path of a facts file (.tsv)", path};
  std::vector<Row> rows;
  std::string text;
  for (unsigned line = 1; std::getline(in, text); ++line) {
    if (!text.empty() && text.back() == '\r') text.pop_back();
    if (text.empty()) continue;
    const std::vector<std::string> cells = split(text, '\t');
    if (line == 1) {
      if (cells[0] != "id")
        return Error{"the first row must name the columns: id, source, assumptions, kind, ...", path, line};
      continue;
    }
    if (cells.size() < 6)
      return Error{
          "only " + std::to_string(cells.size()) + " cells; at least id, source, assumptions, kind, query, expected",
          path, line};
    Row row;
    row.line = line;
    row.id = cells[0];
    row.source = cells[1];
    row.assumptions = split_list(cells[2]);
    row.kind = cells[3];
    row.query = trimmed(cells[4]);
    row.expected = trimmed(cells[5]);
    if (cells.size() > 6) row.peer_verdict = cells[6];
    if (std::find(kKinds.begin(), kKinds.end(), row.kind) == kKinds.end())
      return Error{"unknown kind `" + row.kind + "`; one of prove, equiv, bounds, congr, sat, redundant", path, line};
    rows.push_back(std::move(row));
  }
  if (in.bad()) return Error{"cannot read", path};
  if (rows.empty()) return Error{"no facts in the file", path};
  return rows;
}

}  // namespace dimgate::conformance
