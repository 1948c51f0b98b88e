// Logs named on the command line, read to the end with a progress line on a terminal.
#pragma once

#include <string>
#include <vector>

#include "cli/frame.hpp"
#include "dimgate/logs.hpp"

namespace dimgate::cli {

/// Throws Failure where one cannot be read.
void read_logs(Frame& frame, const std::vector<std::string>& logs, LogReader& reader);

}  // namespace dimgate::cli
