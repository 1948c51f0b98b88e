// Adds every command whose file exists, in the order of src/cli/CMakeLists.txt (which writes the definition).
#pragma once

#include "cli/frame.hpp"

namespace dimgate::cli {

void add_commands(CLI::App& app, Frame& frame);

}  // namespace dimgate::cli
