// `-a FACT` and formulas on the command line, read into one Context.
// Tested by tests/cli.
#pragma once

#include <string>
#include <vector>

#include "cli/frame.hpp"
#include "dimgate/facts.hpp"

namespace dimgate::cli {

/// Adds `-a,--assume FACT` (repeatable) to a command.
void add_facts_option(CLI::App& command, std::vector<std::string>& texts);

/// A formula of sort Bool; `label` is the place that errors name.
Expr read_formula(Context& ctx, const std::string& text, const std::string& label);
/// A term of any sort.
Expr read_term(Context& ctx, const std::string& text, const std::string& label);
/// Adds the facts, checked, without asking whether they agree.
void read_facts(Facts& facts, const std::vector<std::string>& texts);
/// Throws Failure naming a minimal core if the facts contradict each other.
void need_consistent(Frame& frame, const Facts& facts);

}  // namespace dimgate::cli
