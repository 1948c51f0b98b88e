#include "import/record_events.hpp"

#include <algorithm>
#include <charconv>

#include "import/log_blocks.hpp"
#include "import/log_text.hpp"

namespace dimgate::logs {

namespace {

constexpr std::size_t kTable = 1U << 16U;  // entries of a table
constexpr std::size_t kProcesses = 1024;
constexpr std::size_t kStages = 64;

std::string before_attempt(const std::string& id) { return id.substr(0, id.find('_')); }

/// Names a recompile after its function, if that is known.
void name(const std::map<std::string, std::pair<std::string, std::string>>& functions, const LogEvent& event,
          std::string& function, std::string& place) {
  if (!function.empty()) return;
  const auto found = functions.find(std::string(event.frame()));
  if (found == functions.end()) return;
  function = found->second.first;
  place = found->second.second;
}

/// "dynamo", 1e-6 of `dynamo_cumulative_compile_time_us`; empty: not the time of a stage. Newer versions count in
/// microseconds, older in seconds, some say both.
std::pair<std::string_view, double> stage_of(std::string_view key) {
  if (key.starts_with("start_") || key.starts_with("end_")) return {};
  for (const std::string_view other : {"entire_frame_", "_start_", "_end_", "time_saved", "before_restart", "overhead"})
    if (has(key, other)) return {};
  for (const auto& [ending, unit] :
       {std::pair(std::string_view("_cumulative_compile_time_us"), 1e-6),
        std::pair(std::string_view("_compile_time_us"), 1e-6), std::pair(std::string_view("_time_us"), 1e-6),
        std::pair(std::string_view("_time_s"), 1.0)})
    if (key.ends_with(ending)) return {key.substr(0, key.size() - ending.size()), unit};
  return {};
}

void read_stages(const JsonObject& metrics, std::vector<std::pair<std::string, double>>& out) {
  for (const auto& [key, value] : metrics) {
    const auto [stage, unit] = stage_of(key);
    const auto number = stage.empty() ? std::nullopt : json_number(value);
    const auto same = [name = stage](const auto& one) { return one.first == name; };
    if (number && *number > 0 && out.size() < kStages && std::none_of(out.begin(), out.end(), same))
      out.emplace_back(stage, *number * unit);
  }
}

/// The last frame of a stack.
std::optional<JsonObject> innermost(const JsonValue& stack) {
  JsonValue last;
  if (const auto frames = array_in(stack))
    for (const simdjson::dom::element frame : *frames) last = frame;
  return object_in(last);
}

bool is_limit(const CompileMetrics& metrics) {
  return has(metrics.fail_reason, "ecompile limit exceeded") || has(metrics.fail_reason, "recompile_limit") ||
         has(metrics.fail_reason, "cache_size_limit") || has(metrics.fail_reason, "cache size limit") ||
         has(metrics.fail_type, "RecompileLimit");
}

}  // namespace

std::string RecordEvents::text_at(std::string_view key) const { return json_text(member(body_, key), kKeep); }

void RecordEvents::send(const LogEvent& head, LogEventBody body) {
  LogEvent event = head;
  event.body = std::move(body);
  emit_(event);
}

std::string RecordEvents::file_name(const Process& process, const JsonValue& file) {
  const auto index = json_int(file);
  if (!index) return json_text(file, kKeep);
  const auto found = process.strings.find(*index);
  return found == process.strings.end() ? "?" : found->second;
}

/// The innermost frame of a stack.
std::string RecordEvents::place_of(const Process& process, const JsonValue& stack, std::string* user_line) {
  const auto frame = innermost(stack);
  if (!frame) return {};
  if (user_line != nullptr) *user_line = json_text(member(frame, "loc"), kKeep);
  return file_name(process, member(frame, "filename")) + ":" + json_text(member(frame, "line"), kKeep) + " in " +
         json_text(member(frame, "name"), kKeep);
}

void RecordEvents::send_waiting(Process& process, const std::string& id, bool limit_hit) {
  const auto found = process.waiting.find(id);
  if (found == process.waiting.end()) return;
  auto& recompile = std::get<Recompile>(found->second.body);
  recompile.limit_hit = limit_hit;
  name(process.functions, found->second, recompile.function, recompile.place);
  emit_(found->second);
  process.waiting.erase(found);
}

std::string_view RecordEvents::read_string(Process& process, const JsonValue& pair) {
  const auto both = array_in(pair);
  if (!both || both->size() != 2) return {};
  JsonValue text, number;
  for (const simdjson::dom::element one : *both) (text ? number : text) = one;
  const auto index = json_int(number);
  if (!is_string(text) || !index) return {};
  if (process.strings.size() < kTable) process.strings[*index] = json_text(text, kKeep);
  return "record str";
}

void RecordEvents::start(Process& process, const LogEvent& event) {
  CompileStart out;
  if (const auto frame = innermost(member(body_, "stack"))) {
    out.function = json_text(member(frame, "name"), kKeep);
    out.place = file_name(process, member(frame, "filename")) + ":" + json_text(member(frame, "line"), kKeep);
    if (process.functions.size() >= kTable) process.functions.clear();
    process.functions[std::string(event.frame())] = {out.function, out.place};
  }
  send_waiting(process, before_attempt(event.compile_id), false);
  send(event, std::move(out));
}

void RecordEvents::metrics(Process& process, const LogEvent& event) {
  CompileMetrics out;
  out.function = text_at("co_name");
  out.place = text_at("co_filename");
  if (const std::string line = text_at("co_firstlineno"); !line.empty()) out.place += ":" + line;
  if (!out.function.empty()) {
    if (process.functions.size() >= kTable) process.functions.clear();
    process.functions[std::string(event.frame())] = {out.function, out.place};
  }
  out.seconds = json_number(member(body_, "entire_frame_compile_time_s")).value_or(-1);
  const auto whole = [&](std::string_view key) {
    const double value = json_number(member(body_, key)).value_or(-1);
    return value >= 0 && value < 1e15 ? static_cast<std::int64_t>(value) : -1;
  };
  out.guards = whole("guard_count");
  out.shape_guards = whole("shape_env_guard_count");
  if (body_) read_stages(*body_, out.stages);
  out.fail_type = text_at("fail_type");
  out.fail_reason = text_at("fail_reason");
  const bool limit = is_limit(out);
  const std::string id = before_attempt(event.compile_id);
  if (out.fail_type == "RecompileError") process.waiting.erase(id);  // raised instead of compiling
  FailedGuard blamed;
  if (const auto found = process.waiting.find(id); found != process.waiting.end())
    if (auto& reasons = std::get<Recompile>(found->second.body).reasons; !reasons.empty()) blamed = reasons.front();
  send_waiting(process, id, limit);
  name(process.functions, event, out.function, out.place);
  if (limit) {
    LimitHit hit;
    hit.limit = has(out.fail_reason, "cache_size_limit") ? "cache_size_limit" : "recompile_limit";
    const std::string_view set = after(out.fail_reason, "currently set to ");
    std::from_chars(set.data(), set.data() + set.size(), hit.number);
    hit.function = out.function;
    hit.place = out.place;
    hit.last_reason = std::move(blamed);
    send(event, std::move(hit));
  } else if (!out.fail_type.empty()) {
    CompileFailed failed;
    failed.type = out.fail_type.substr(out.fail_type.rfind('.') + 1);
    failed.message = before(out.fail_reason, "\n");
    failed.function = out.function;
    send(event, std::move(failed));
  }
  send(event, std::move(out));
}

void RecordEvents::tensor(Process& process) {
  const auto texts = [&](std::string_view key) {
    std::vector<std::string> out;
    const auto list = array_in(member(body_, key));
    if (!list) return out;
    for (const simdjson::dom::element one : *list) {
      if (out.size() >= 64) break;
      out.push_back(json_text(one, kKeep));
    }
    return out;
  };
  TensorSeen seen;
  seen.dtype = text_at("dtype");
  seen.device = text_at("device");
  seen.size = texts("size");
  seen.stride = texts("stride");
  if (process.tensors.size() >= kTable) process.tensors.clear();
  process.tensors[text_at("describer_id") + "/" + text_at("id")] = std::move(seen);
}

void RecordEvents::source(Process& process, const LogEvent& event) {
  const auto found = process.tensors.find(text_at("describer_id") + "/" + text_at("id"));
  if (found == process.tensors.end()) return;
  TensorSeen seen = found->second;
  seen.source = text_at("source");
  send(event, std::move(seen));
}

void RecordEvents::symbol(Process& process, const LogEvent& event, bool backed) {
  SymbolCreated out;
  out.backed = backed;
  out.symbol = text_at("symbol");
  out.value = text_at("val");
  out.range = text_at("vr");
  out.source = text_at("source");
  out.place = place_of(process, member(body_, "user_stack"));
  send(event, std::move(out));
}

void RecordEvents::guard(Process& process, const LogEvent& event) {
  GuardAdded out;
  out.expr = text_at("expr");
  out.runtime_assert = text_at("prefix") == "runtime_assert";
  out.place = place_of(process, member(body_, "user_stack"), &out.user_line);
  if (const auto stack = array_in(member(body_, "stack")))
    for (const simdjson::dom::element frame : *stack)
      if (json_text(member(object_in(frame), "name"), 32) == "evaluate_expr") out.branch = true;
  send(event, std::move(out));
}

std::string_view RecordEvents::record(const std::string& process_key, std::string_view kind, const LogEvent& event,
                                      const JsonObject& record) {
  if (processes_.size() >= kProcesses && processes_.find(process_key) == processes_.end()) finish();
  Process& process = processes_[process_key];
  const JsonValue said = member(record, kind);
  if (kind == "str") return read_string(process, said);
  body_ = object_in(said);
  if (kind == "artifact") return "record artifact";
  if (kind == "dynamo_guards") return "record dynamo_guards";
  if (kind == "dynamo_cpp_guards_str") return "record dynamo_cpp_guards_str";
  if (kind == "dynamo_start") {
    start(process, event);
    return "record dynamo_start";
  }
  if (kind == "compilation_metrics") {
    metrics(process, event);
    return "record compilation_metrics";
  }
  if (kind == "describe_tensor") {
    tensor(process);
    return "record describe_tensor";
  }
  if (kind == "describe_source") {
    source(process, event);
    return "record describe_source";
  }
  if (kind == "create_symbol" || kind == "create_unbacked_symbol") {
    symbol(process, event, kind == "create_symbol");
    return "record create_symbol";
  }
  if (kind == "guard_added" || kind == "guard_added_fast") {
    guard(process, event);
    return "record guard_added";
  }
  return {};
}

void RecordEvents::finish() {
  for (auto& [key, process] : processes_)
    while (!process.waiting.empty()) send_waiting(process, process.waiting.begin()->first, false);
  processes_.clear();
}

}  // namespace dimgate::logs
