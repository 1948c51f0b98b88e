#include "conformance/peers.hpp"

namespace dimgate::conformance {

namespace {

std::string quoted(const std::string& text) { return " '" + text + "'"; }

// A cell of a Markdown table: bars would end it.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string command_of(const Row& row) {
  std::string facts;
  for (const std::string& a : row.assumptions) facts += " -a" + quoted(a);
  if (row.kind == "prove") return "dimgate prove" + facts + quoted(row.query);
  if (row.kind == "bounds" || row.kind == "congr") return "dimgate bound" + facts + quoted(row.query);
  if (row.kind == "sat") return "dimgate sat" + facts + (row.query.empty() ? "" : " -a" + quoted(row.query));
  if (row.kind == "redundant") {
    std::string out = "dimgate simplify --why" + facts;
    for (const std::string& g : split_list(row.query)) out += quoted(g);
    return out;
  }
  const std::size_t at = row.query.find("===");
  const auto trimmed = [](std::string s) {
    s.erase(0, s.find_first_not_of(' '));
    s.erase(s.find_last_not_of(' ') + 1);
    return s;
  };
  return "dimgate equal" + facts + quoted(trimmed(row.query.substr(0, at))) + quoted(trimmed(row.query.substr(at + 3)));
}

Result<std::string> peers_page(Prover& prover, const std::vector<Row>& rows, const std::string& path) {
  std::string out =
      "# Peer says, dimgate says\n\n"
      "Facts restated from the test suites of other engines, each re-proved by enumeration and Z3, on which the engine "
      "they\n"
      "come from is weaker than the truth, or wrong. The last column is what dimgate's native prover answers (no Z3); "
      "the\n"
      "command asks it. This page is written by `build/conformance --no-z3 --peers "
      "tests/data/conformance/peer_facts.tsv`.\n\n"
      "| | from | asked with | the peer | dimgate |\n|---|---|---|---|---|\n";
  std::size_t count = 0;
  for (const Row& row : rows) {
    if (row.peer_verdict.empty()) continue;
    const Result<Judgement> j = judge(prover, row, path);
    if (!j.ok()) return j.error();
    out += "| " + row.id + " | " + cell(row.source) + " | `" + cell(command_of(row)) + "` | " + cell(row.peer_verdict) +
           " | " + cell(j->answer) + (j->grade == Grade::exact ? "" : " (expected " + cell(row.expected) + ")") +
           " |\n";
    ++count;
  }
  return out + "\n" + std::to_string(count) + " of " + std::to_string(rows.size()) + " facts.\n";
}

}  // namespace dimgate::conformance
