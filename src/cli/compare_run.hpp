// A comparison as the command line asks for it: the options, and the run. `compare` prints it, `report` draws it.
// Tested by tests/cli.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/frame.hpp"
#include "dimgate/import.hpp"
#include "dimgate/replay.hpp"

namespace dimgate::cli {

struct CompareArguments {
  std::string model, trace, batch, entries, policies{default_policies()};
  std::vector<std::string> binds, facts, costs;
  std::optional<std::int64_t> first;
};

/// --bind, --batch, --first, --assume, --policies, --cost, --entries.
void add_compare_options(CLI::App& sub, CompareArguments& args);

struct CompareRun {
  ModelRegistry registry;
  const Model* model = nullptr;
  std::optional<Calls> calls;
  Comparison comparison;
};
CompareRun run_compare(Frame& frame, const CompareArguments& args);

/// The `dimgate compare` command that prints the same table.
std::string typed_compare(const CompareArguments& args);

}  // namespace dimgate::cli
