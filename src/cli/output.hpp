// Verdicts and values as text and as JSON. Integers beyond 53 bits are JSON strings, so that no reader rounds them.
// Tested by tests/cli.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/frame.hpp"
#include "dimgate/facts.hpp"

namespace dimgate::cli {

using Json = nlohmann::ordered_json;

Json to_json(const Integer& value);
Json to_json(const Value& value);
/// {"x": 3, "y": 4}
Json to_json(const Context& ctx, const std::vector<std::pair<Expr, Value>>& values);
/// "x = 3, y = 4"
std::string to_text(const Context& ctx, const std::vector<std::pair<Expr, Value>>& values);
/// Texts of the facts.
Json to_json(const Facts& facts, const std::vector<FactId>& ids);
std::string to_text(const Facts& facts, const std::vector<FactId>& ids);

/// One line on `out`; bytes that are not UTF-8 (file names, sources) become U+FFFD.
void print_json(Frame& frame, const Json& value);

/// Prints a proof and sets the exit code: 0 proved, 1 refuted, 4 unknown. `missing`: a fact that would prove it.
void print_proof(Frame& frame, const std::string& command, const Facts& facts, const Proof& proof,
                 const std::optional<Expr>& missing = {});

}  // namespace dimgate::cli
