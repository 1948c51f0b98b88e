// The part of a page that holds the logs of a changed program against those from before the change: numbers side by
// side, and which causes went away, stayed, or are new. A cause is the same where function, label and source are
// (compare_explanations). What a log does not hold is not said: without compile times no times stand here.
// Tested by tests/report/against_test.cpp.
#pragma once

#include "dimgate/explain.hpp"
#include "report/blocks.hpp"

namespace dimgate::report {

/// Section "against".
Json against_section(const Explanation& before, const Explanation& after, const std::string& before_name,
                     const std::string& after_name);

}  // namespace dimgate::report
