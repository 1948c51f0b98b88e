// `-a FACT` and formulas on the command line, read together into one Context, so that a symbol's sort comes from all
// uses. Tested by tests/cli.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/frame.hpp"
#include "dimgate/facts.hpp"

namespace dimgate::cli {

/// Adds `-a,--assume FACT` (repeatable) to a command.
void add_facts_option(CLI::App& command, std::vector<std::string>& texts);

/// A formula or term a command asks about.
struct Asked {
  std::string text;
  std::string label;         // the place errors name: CLAIM, `guards.txt`
  std::optional<Sort> sort;  // what it must have
  unsigned line = 1;         // of a file
};

/// Reads facts and what is asked; adds the facts (checked). Says nothing about whether they agree.
std::vector<Expr> read_question(Facts& facts, const std::vector<std::string>& fact_texts,
                                const std::vector<Asked>& asked);
/// One formula, where nothing else is read with it.
Expr read_formula(Context& ctx, const std::string& text, const std::string& label);
/// The facts alone, for commands that read what is asked from files.
void read_facts(Facts& facts, const std::vector<std::string>& texts);
/// Throws Failure naming a minimal core if the facts contradict each other.
void need_consistent(Frame& frame, const Facts& facts);

}  // namespace dimgate::cli
