// The page of `dimgate demo --html FILE`. Tested by tests/report.
#pragma once

#include <string>

#include "cli/frame.hpp"

namespace dimgate::cli {

/// Writes the five scenes; `-` is stdout.
void write_demo_page(Frame& frame, const std::string& file);

}  // namespace dimgate::cli
