// The parts of a log's page; log_report.cpp puts them together. Tested by tests/report/report_test.cpp.
#pragma once

#include "dimgate/explain.hpp"
#include "report/log_entries.hpp"
#include "report/log_kept.hpp"

namespace dimgate::report {

/// Compiles, recompiles, failures and limits by function, over time where the log has it. log_timeline.cpp.
Json timeline(const LogKept& kept);
/// A row a function: how often, how long, in which stages.
Json functions_table(const Explanation& e);
/// A card a cause, with its remedy; `own`: a dimgate cache's. log_causes.cpp.
Json causes(const Explanation& e, bool own);
Json cause_cost(const Explanation& e);
/// Values of sizes and ints as the log shows them; regions where entries' guards were logged too. log_values.cpp.
Json value_blocks(const LogKept& kept, const EntriesShown& shown_entries);
/// What kinds of guards cost; for dimgate's own caches also what they let through and stopped. log_kinds.cpp.
Json kinds_section(const OwnUse& use, const EntriesShown& entries);

}  // namespace dimgate::report
