// Events as rows.
#include <algorithm>

#include "dimgate/explain.hpp"

namespace dimgate {

std::optional<EventRow> row_of(const LogEvent& event, const FailedGuard* best) {
  EventRow row;
  row.compile_id = event.compile_id.substr(0, event.compile_id.find('_'));
  if (const auto* recompile = std::get_if<Recompile>(&event.body)) {
    row.function = recompile->function;
    row.event = recompile->limit_hit ? "limit_hit" : "recompile";
    std::vector<std::string> kinds;
    std::vector<std::string> entries;
    for (const FailedGuard& reason : recompile->reasons) {
      if (std::string label = reason.cause.label(); std::find(kinds.begin(), kinds.end(), label) == kinds.end())
        kinds.push_back(std::move(label));
      if (reason.entry.empty() || std::find(entries.begin(), entries.end(), reason.entry) == entries.end()) {
        entries.push_back(reason.entry);
        ++row.count;
      }
    }
    for (const std::string& kind : kinds) row.all_cause_kinds += (row.all_cause_kinds.empty() ? "" : "|") + kind;
    if (best != nullptr) {
      row.cause_kind = recompile->reasons.front().cause.label();
      row.failing_guard = recompile->reasons.front().text;
      row.our_cause = best->cause.label();
    }
    return row;
  }
  if (const auto* failed = std::get_if<CompileFailed>(&event.body)) {
    row.function = failed->function;
    row.event = "compile_failed:" + failed->type;
    row.failing_guard = failed->message;
    row.count = 1;
    return row;
  }
  return std::nullopt;
}

std::string tsv_header() {
  return "compile_id\tfunction\tevent\tcause_kind\tfailing_guard\tcount\tall_cause_kinds\tour_cause\n";
}

std::string to_tsv(const EventRow& row) {
  std::string out;
  const auto cell = [&](std::string_view text, char end) {
    for (const char c : text) out += c == '\t' || c == '\n' || c == '\r' ? ' ' : c;
    out += end;
  };
  cell(row.compile_id.empty() ? "-" : row.compile_id, '\t');
  cell(row.function, '\t');
  cell(row.event, '\t');
  cell(row.cause_kind, '\t');
  cell(row.failing_guard, '\t');
  cell(std::to_string(row.count), '\t');
  cell(row.all_cause_kinds, '\t');
  cell(row.our_cause, '\n');
  return out;
}

}  // namespace dimgate
