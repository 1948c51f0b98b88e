// One row put to a prover, and its answer held against what is expected.
//
// An answer may be weaker than the expected one; it must never contradict it: the opposite verdict, an interval or a
// congruence class that leaves out a true value, more redundant facts than there are.
// `redundant` is searched from several orders, because which facts a greedy pass drops depends on where it starts.
// Tested by tests/conformance/conformance_test.cpp with provers that lie.
#pragma once

#include <string>

#include "conformance/rows.hpp"
#include "dimgate/prove.hpp"

namespace dimgate::conformance {

enum class Grade : std::uint8_t { exact, weaker, contradicts };

struct Judgement {
  Grade grade = Grade::weaker;
  std::string answer;  // what the prover said, in the words of the file
};

/// The error names `path` and the row's line. Works in a Context of its own.
Result<Judgement> judge(Prover& prover, const Row& row, const std::string& path);

}  // namespace dimgate::conformance
