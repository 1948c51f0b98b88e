// Payloads of TORCH_TRACE records: recompile reasons, guards, graph breaks.
#include "import/guard_lines.hpp"
#include "import/log_blocks.hpp"
#include "import/log_text.hpp"
#include "import/record_events.hpp"

namespace dimgate::logs {

namespace {

constexpr std::size_t kWaiting = 256;
constexpr std::size_t kLongestReason = 64U << 10U;

template <class F>
void for_lines(std::string_view rest, F&& f) {
  while (!rest.empty()) {
    f(before(rest, "\n"));
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
}

GraphBreak graph_break(std::string_view text) {
  GraphBreak out;
  for_lines(text, [&](std::string_view line) {
    const std::string_view said = trimmed(line);
    if (said.starts_with("Hint: ") && out.hints.size() < 8) out.hints.push_back(kept(said.substr(6)));
    if (said.starts_with("Explanation: ")) out.explanation = kept(said.substr(13));
    if (said.starts_with("For more details about this graph break")) out.link = kept(trimmed(after(said, "visit: ")));
    if (line.starts_with("Graph break in user code at ")) out.place = kept(line.substr(28));
    if (line.starts_with("Graph Break Reason: ")) out.reason = kept(line.substr(20));
  });
  if (out.reason.empty()) out.reason = kept(before(text, "\n"));
  return out;
}

}  // namespace

bool keeps_payload(std::string_view name) {
  return name == "recompile_reasons" || name == "dynamo_graph_break_reason" || name == "dynamo_guards" ||
         name == "dynamo_cpp_guards_str";
}

bool RecordEvents::payload(const std::string& process_key, std::string_view name, const LogEvent& event,
                           std::string_view text) {
  if (name == "recompile_reasons") return reasons(processes_[process_key], event, text);
  if (name == "dynamo_guards") return old_guards(event, text);
  if (name == "dynamo_cpp_guards_str") {
    GuardLines lines(options_.guards);
    for_lines(text, [&](std::string_view line) { lines.take(line); });
    send(event, lines.finish());
    return true;
  }
  send(event, graph_break(text));
  return true;
}

bool RecordEvents::reasons(Process& process, const LogEvent& event, std::string_view text) {
  std::vector<std::string> all;
  if (text.starts_with("[")) {
    const auto list = payload_.array(text);
    if (!list) return false;
    for (const simdjson::dom::element one : *list)
      if (one.is_string() && all.size() < kKeepLines) all.push_back(json_text(one, kLongestReason));
  } else {
    for_lines(text, [&](std::string_view line) {  // a reason a line, each with further lines under it
      std::string_view rest = line;
      if (all.empty() || (all.size() < kKeepLines && !take_entry(rest).empty()))
        all.emplace_back(line);
      else
        all.back().append("\n").append(line);
    });
  }
  Recompile out;
  for (const std::string& one : all) {
    std::string_view guard = before(one, "\n");
    const std::string_view entry = take_entry(guard);
    FailedGuard reason = parse_failed_guard(guard.substr(0, 4 * kKeep));
    reason.entry = entry;
    reason.stack = kept(after(one, "\n"));
    out.reasons.push_back(std::move(reason));
  }
  const std::string id = event.compile_id.substr(0, event.compile_id.find('_'));
  send_waiting(process, id, false);
  if (process.waiting.size() >= kWaiting) send_waiting(process, process.waiting.begin()->first, false);
  LogEvent waits = event;
  waits.body = std::move(out);
  process.waiting[id] = std::move(waits);
  return true;
}

bool RecordEvents::old_guards(const LogEvent& event, std::string_view text) {
  const auto list = payload_.array(text);
  if (!list) return false;
  EntryGuards out;
  for (const simdjson::dom::element one : *list) {
    ++out.count;
    if (!options_.guards || out.guards.size() >= kKeepLines) continue;
    if (const auto guard = object_in(one))
      out.guards.push_back({"", json_text(member(*guard, "code"), 4 * kKeep), "", ""});
  }
  send(event, std::move(out));
  return true;
}

}  // namespace dimgate::logs
