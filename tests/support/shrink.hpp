// Makes a failing question small: facts dropped, terms replaced by their parts or by small constants, while it still
// fails.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate::test {

/// Facts and what is asked under them (a claim or a term).
struct Question {
  std::vector<Expr> facts;
  Expr asked;
};

/// A question that fails too and has no failing one a single step smaller (or `tries` are used up). `fails(question)`
/// must hold on entry.
Question shrink(Context& ctx, Question question, const std::function<bool(const Question&)>& fails, int tries = 2000);

/// `dimgate COMMAND -a 'FACT' ... 'ASKED'`: the line that reproduces it.
std::string command_line(const Context& ctx, const Question& question, const std::string& command);

}  // namespace dimgate::test
