// The rows whose source engine is weaker or wrong, as a page: the question as a command, what the peer says, what
// dimgate says. Written by `build/conformance --peers`, committed as docs/peers.md.
#pragma once

#include <string>
#include <vector>

#include "conformance/judge.hpp"

namespace dimgate::conformance {

/// The command line that asks a row.
std::string command_of(const Row& row);
/// The page in Markdown; an error names the row.
Result<std::string> peers_page(Prover& prover, const std::vector<Row>& rows, const std::string& path);

}  // namespace dimgate::conformance
