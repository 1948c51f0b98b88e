// Every recorded log: the causes equal what was known while recording, row by row; no line is lost.
#include <doctest/doctest.h>

#include "dimgate/logs.hpp"
#include "import/torch_logs.hpp"

using namespace dimgate;

namespace {

std::string joined_kinds(const Recompile& event) {
  std::vector<std::string> kinds;
  for (const FailedGuard& reason : event.reasons)
    if (const std::string label = reason.cause.label(); std::find(kinds.begin(), kinds.end(), label) == kinds.end())
      kinds.push_back(label);
  std::string out;
  for (const std::string& kind : kinds) out += (out.empty() ? "" : "|") + kind;
  return out;
}

}  // namespace

TEST_CASE("recorded logs: every recompile with its causes") {
  std::size_t rows = 0;
  for (const testing::RecordedLog& log : testing::recorded_logs()) {
    CAPTURE(log.name);
    LogCounts counts;
    const auto events = read_log_text(testing::slurp(log.log), &counts);
    CHECK(counts.lines > 0);
    CHECK(counts.parsed + counts.unknown == counts.lines);
    CHECK(counts.damage.empty());
    std::vector<std::pair<const LogEvent*, const Recompile*>> found;
    for (const LogEvent& event : events)
      if (const auto* recompile = std::get_if<Recompile>(&event.body)) found.emplace_back(&event, recompile);
    const auto all = testing::expected_rows(log.expected);
    std::vector<testing::ExpectedRow> expected;
    std::vector<std::string> raised;  // compiles that `error_on_recompile` turned into an error
    for (const auto& row : all) {
      if (row.cells[2] == "recompile" || row.cells[2] == "limit_hit") expected.push_back(row);
      if (row.cells[2] == "compile_failed:RecompileError") raised.push_back(row.cells[0]);
    }
    std::erase_if(found, [&](const auto& one) {
      return std::find(raised.begin(), raised.end(), one.first->compile_id) != raised.end();
    });
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto& cells = expected[i].cells;
      const Recompile& recompile = *found[i].second;
      CAPTURE(cells[0]);
      ++rows;
      CHECK(found[i].first->compile_id == cells[0]);
      CHECK(recompile.function == cells[1]);
      CHECK((recompile.limit_hit ? "limit_hit" : "recompile") == cells[2]);
      REQUIRE(!recompile.reasons.empty());
      CHECK(recompile.reasons.front().cause.label() == cells[3]);
      CHECK(recompile.reasons.front().text == cells[4]);
      CHECK(std::to_string(recompile.reasons.size()) == cells[5]);
      CHECK(joined_kinds(recompile) == cells[6]);
    }
  }
  CHECK(rows > 500);
}
