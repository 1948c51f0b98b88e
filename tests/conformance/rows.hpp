// The facts file: one tab-separated row a fact, with the answer an exact engine gives.
//
// Columns: id, source, assumptions (`;` between), kind, query, expected, peer_verdict, note. `expected` by kind:
//   prove      valid | never (true for no values) | sometimes (neither) | not valid
//   equiv      query `left === right`; valid | not valid
//   bounds     tightest interval `[lo,hi]`, open ends `-inf`, `inf`
//   congr      strongest `(m,r)`; `(0,c)` a constant, `(1,0)` nothing
//   sat        sat | unsat, of assumptions and query together
//   redundant  query `fact; fact; ...`; 0-based indices of one largest set implied by the others
// Tested by tests/conformance/conformance_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "dimgate/result.hpp"

namespace dimgate::conformance {

struct Row {
  unsigned line = 0;
  std::string id;
  std::string source;
  std::vector<std::string> assumptions;
  std::string kind;
  std::string query;
  std::string expected;
  std::string peer_verdict;
};

/// `a; b; c`, trimmed, empty parts left out.
std::vector<std::string> split_list(const std::string& text);

/// The rows of a file; the error names file and line.
Result<std::vector<Row>> read_rows(const std::string& path);

}  // namespace dimgate::conformance
