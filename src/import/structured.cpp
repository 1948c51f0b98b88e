#include "import/structured.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "import/guard_lines.hpp"
#include "import/log_blocks.hpp"
#include "import/log_text.hpp"
#include "import/md5.hpp"

namespace dimgate::logs {

namespace {

using nlohmann::json;

constexpr std::size_t kLongestPayload = 16U << 20U;
constexpr std::size_t kTable = 1U << 16U;  // entries of a table

/// Records that are known and say nothing about guards.
constexpr std::array<std::string_view, 32> kOthers{"describe_storage",
                                                   "dynamo_output_graph",
                                                   "expression_created",
                                                   "propagate_real_tensors",
                                                   "propagate_real_tensors_provenance",
                                                   "chromium_event",
                                                   "exported_program",
                                                   "missing_fake_kernel",
                                                   "mismatched_fake_kernel",
                                                   "link",
                                                   "graph_dump",
                                                   "aot_forward_graph",
                                                   "aot_backward_graph",
                                                   "aot_inference_graph",
                                                   "aot_joint_graph",
                                                   "inductor_pre_grad_graph",
                                                   "inductor_post_grad_graph",
                                                   "inductor_output_code",
                                                   "optimize_ddp_split_graph",
                                                   "optimize_ddp_split_child",
                                                   "compiled_autograd_graph",
                                                   "symbolic_shape_specialization",
                                                   "dump_file",
                                                   "bwd_compilation_metrics",
                                                   "aot_joint_graph_runnable",
                                                   "aot_autograd_backward_compilation_metrics",
                                                   "triton_kernel_info",
                                                   "training_metrics",
                                                   "cudagraph_static_inputs",
                                                   "inductor_runtime_and_tensor_meta",
                                                   "inductor_collective_schedule",
                                                   "inductor_tlparse_runtime"};

std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>().substr(0, kKeep)
         : value.is_null() ? std::string()
                           : value.dump(-1, ' ', false, json::error_handler_t::replace).substr(0, kKeep);
}
std::string text_at(const json& object, const char* key) {
  if (!object.is_object()) return {};
  const auto found = object.find(key);
  return found == object.end() ? std::string() : text_of(*found);
}
double number_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : -1;
}
std::vector<std::string> texts_at(const json& object, const char* key) {
  std::vector<std::string> out;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return out;
  for (const json& value : *found) {
    if (out.size() >= 64) break;
    out.push_back(text_of(value));
  }
  return out;
}

/// The first key of `{"key": …`, without parsing.
std::string_view first_key(std::string_view text) {
  const std::size_t end = text.find('"', 2);
  return end == std::string_view::npos ? std::string_view{} : text.substr(2, end - 2);
}

}  // namespace

struct StructuredLog::Impl {
  const LogReader::Sink& emit;
  Damage damage;

  /// What a process has said so far.
  struct Process {
    std::map<std::int64_t, std::string> strings;
    std::map<std::string, std::pair<std::string, std::string>> functions;  // frame -> name, place
    std::map<std::string, TensorSeen> tensors;                             // "describer/id"
    std::map<std::string, LogEvent> waiting;                               // compile id -> recompile without function
  };
  std::map<std::string, Process> processes;

  /// The record whose payload is being read.
  struct Waiting {
    bool open = false, keep = false, first = true, cut = false;
    std::string expected, kept, name;
    std::string key;  // of the process
    LogEvent event;   // head only
    Md5 md5;
  } now;

  void send(LogEvent event, LogEventBody body) const {
    event.body = std::move(body);
    emit(event);
  }

  std::string file_name(const Process& process, const json& value) const {
    if (!value.is_number_integer()) return text_of(value);
    const auto found = process.strings.find(value.get<std::int64_t>());
    return found == process.strings.end() ? "?" : found->second;
  }
  std::string place_of(const Process& process, const json& stack, std::string* user_line = nullptr) const {
    if (!stack.is_array() || stack.empty() || !stack.back().is_object()) return {};
    const json& last = stack.back();
    if (user_line != nullptr) *user_line = text_at(last, "loc");
    return file_name(process, last.value("filename", json())) + ":" + text_at(last, "line") + " in " +
           text_at(last, "name");
  }

  void send_waiting(Process& process, const std::string& id, bool limit_hit) {
    const auto found = process.waiting.find(id);
    if (found == process.waiting.end()) return;
    auto& recompile = std::get<Recompile>(found->second.body);
    recompile.limit_hit = limit_hit;
    name(process, found->second, recompile.function, recompile.place);
    emit(found->second);
    process.waiting.erase(found);
  }
  static void name(const Process& process, const LogEvent& event, std::string& function, std::string& place) {
    const auto found = process.functions.find(std::string(event.frame()));
    if (found == process.functions.end() || !function.empty()) return;
    function = found->second.first;
    place = found->second.second;
  }

  void start(Process& process, const LogEvent& event, const std::string& id, const json& body) {
    const json stack = body.value("stack", json());
    CompileStart out;
    if (stack.is_array() && !stack.empty() && stack.back().is_object()) {
      out.function = text_at(stack.back(), "name");
      out.place = file_name(process, stack.back().value("filename", json())) + ":" + text_at(stack.back(), "line");
      if (process.functions.size() >= kTable) process.functions.clear();
      process.functions[std::string(event.frame())] = {out.function, out.place};
    }
    send_waiting(process, id, false);
    send(event, std::move(out));
  }

  void metrics(Process& process, const LogEvent& event, const std::string& id, const json& body) {
    CompileMetrics out;
    out.function = text_at(body, "co_name");
    out.place = text_at(body, "co_filename");
    if (const std::string line = text_at(body, "co_firstlineno"); !line.empty()) out.place += ":" + line;
    if (!out.function.empty()) process.functions[std::string(event.frame())] = {out.function, out.place};
    out.seconds = number_at(body, "entire_frame_compile_time_s");
    out.guards = static_cast<std::int64_t>(number_at(body, "guard_count"));
    out.shape_guards = static_cast<std::int64_t>(number_at(body, "shape_env_guard_count"));
    for (const auto& [key, value] : body.items())
      if (key.ends_with("_time_s") && key != "entire_frame_compile_time_s" && value.is_number() &&
          value.get<double>() > 0 && !key.starts_with("start") && out.stages.size() < 64)
        out.stages.emplace_back(key.substr(0, key.size() - 7), value.get<double>());
    out.fail_type = text_at(body, "fail_type");
    out.fail_reason = text_at(body, "fail_reason");
    const bool limit = has(out.fail_reason, "ecompile limit exceeded") || has(out.fail_reason, "recompile_limit") ||
                       has(out.fail_reason, "cache_size_limit") || has(out.fail_reason, "cache size limit") ||
                       has(out.fail_type, "RecompileLimit");
    if (out.fail_type == "RecompileError") process.waiting.erase(id);  // raised instead of compiling
    FailedGuard blamed;
    if (const auto found = process.waiting.find(id); found != process.waiting.end())
      if (auto& reasons = std::get<Recompile>(found->second.body).reasons; !reasons.empty()) blamed = reasons.front();
    send_waiting(process, id, limit);
    name(process, event, out.function, out.place);
    if (limit) {
      LimitHit hit;
      hit.limit = has(out.fail_reason, "cache_size_limit") ? "cache_size_limit" : "recompile_limit";
      if (const std::string_view set = after(out.fail_reason, "currently set to "); !set.empty())
        hit.number = std::atoll(std::string(set.substr(0, 12)).c_str());
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

  std::string_view read(Process& process, std::string_view kind, const LogEvent& event, const std::string& id,
                        const json& record) {
    static const json nothing = json::object();
    const json& said = record.at(std::string(kind));
    const json& body = said.is_object() ? said : nothing;
    if (kind == "str") {
      const json& pair = record.at("str");
      if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_number_integer()) return {};
      if (process.strings.size() < kTable) process.strings[pair[1].get<std::int64_t>()] = text_of(pair[0]);
      return "record str";
    }
    if (kind == "dynamo_start") {
      start(process, event, id, body);
      return "record dynamo_start";
    }
    if (kind == "compilation_metrics") {
      metrics(process, event, id, body);
      return "record compilation_metrics";
    }
    if (kind == "describe_tensor") {
      TensorSeen seen;
      seen.dtype = text_at(body, "dtype");
      seen.device = text_at(body, "device");
      seen.size = texts_at(body, "size");
      seen.stride = texts_at(body, "stride");
      if (process.tensors.size() >= kTable) process.tensors.clear();
      process.tensors[text_at(body, "describer_id") + "/" + text_at(body, "id")] = std::move(seen);
      return "record describe_tensor";
    }
    if (kind == "describe_source") {
      const auto found = process.tensors.find(text_at(body, "describer_id") + "/" + text_at(body, "id"));
      if (found != process.tensors.end()) {
        TensorSeen seen = found->second;
        seen.source = text_at(body, "source");
        send(event, std::move(seen));
      }
      return "record describe_source";
    }
    if (kind == "create_symbol" || kind == "create_unbacked_symbol") {
      SymbolCreated out;
      out.backed = kind == "create_symbol";
      out.symbol = text_at(body, "symbol");
      out.value = text_at(body, "val");
      out.range = text_at(body, "vr");
      out.source = text_at(body, "source");
      out.place = place_of(process, body.value("user_stack", json()));
      send(event, std::move(out));
      return "record create_symbol";
    }
    if (kind == "guard_added" || kind == "guard_added_fast") {
      GuardAdded out;
      out.expr = text_at(body, "expr");
      out.runtime_assert = text_at(body, "prefix") == "runtime_assert";
      out.place = place_of(process, body.value("user_stack", json()), &out.user_line);
      send(event, std::move(out));
      return "record guard_added";
    }
    if (kind == "artifact") {
      now.name = text_at(body, "name");
      now.keep = now.name == "recompile_reasons" || now.name == "dynamo_graph_break_reason";
      return "record artifact";
    }
    if (kind == "dynamo_cpp_guards_str" || kind == "dynamo_guards") {
      now.keep = true;
      return kind == "dynamo_guards" ? "record dynamo_guards" : "record dynamo_cpp_guards_str";
    }
    return {};
  }

  // ---- payloads --------------------------------------------------------------------------------

  void use() {
    Process& process = processes[now.key];
    if (now.name == "recompile_reasons") return reasons(process);
    if (now.name == "dynamo_guards") return old_guards();
    if (now.name == "dynamo_cpp_guards_str") {
      GuardLines lines;
      for_lines([&](std::string_view line) { lines.take(line); });
      send(now.event, lines.finish());
      return;
    }
    GraphBreak out;
    for_lines([&](std::string_view line) {
      if (line.starts_with("Graph break in user code at ")) out.place = kept(line.substr(28));
      if (line.starts_with("Graph Break Reason: ")) out.reason = kept(line.substr(20));
    });
    if (out.reason.empty()) out.reason = kept(before(now.kept, "\n"));
    send(now.event, std::move(out));
  }
  template <class F>
  void for_lines(F&& f) const {
    std::string_view rest = now.kept;
    while (!rest.empty()) {
      f(before(rest, "\n"));
      const std::size_t end = rest.find('\n');
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
    }
  }
  void reasons(Process& process) {
    std::vector<std::string> all;
    if (now.kept.starts_with("[")) {
      const json list = json::parse(now.kept, nullptr, false);
      if (!list.is_array()) return damage("recompile reasons that do not read", now.kept);
      for (const json& one : list)
        if (one.is_string() && all.size() < kKeepLines) all.push_back(one.get<std::string>());
    } else {
      all.push_back(now.kept);
    }
    Recompile out;
    for (const std::string& one : all) {
      std::string_view text = before(one, "\n");
      const std::string_view entry = take_entry(text);
      FailedGuard reason = parse_failed_guard(text.substr(0, 4 * kKeep));
      reason.entry = entry;
      reason.stack = kept(after(one, "\n"));
      out.reasons.push_back(std::move(reason));
    }
    const std::string id = before_attempt(now.event.compile_id);
    send_waiting(process, id, false);
    if (process.waiting.size() >= 256) send_waiting(process, process.waiting.begin()->first, false);
    LogEvent event = now.event;
    event.body = std::move(out);
    process.waiting[id] = std::move(event);
  }
  void old_guards() {
    const json list = json::parse(now.kept, nullptr, false);
    if (!list.is_array()) return damage("guards that do not read", now.kept);
    EntryGuards out;
    for (const json& one : list) {
      if (!one.is_object() || out.guards.size() >= kKeepLines) continue;
      out.guards.push_back({"", text_at(one, "code"), "", ""});
    }
    send(now.event, std::move(out));
  }
  static std::string before_attempt(const std::string& id) { return id.substr(0, id.find('_')); }
};

StructuredLog::StructuredLog(const LogReader::Sink& emit, Damage damage)
    : impl_(std::make_unique<Impl>(Impl{emit, std::move(damage), {}, {}})) {}
StructuredLog::~StructuredLog() = default;

std::string_view StructuredLog::record(const Head& head, std::uint64_t number, std::string& why) {
  Impl& in = *impl_;
  const std::string_view kind = first_key(head.text);
  const bool other = std::find(kOthers.begin(), kOthers.end(), kind) != kOthers.end();
  const json record = json::parse(head.text.begin(), head.text.end(), nullptr, false);
  if (!record.is_object() || record.empty()) {
    why = "record that is no JSON";
    return {};
  }
  if (!record.contains(std::string(kind))) {
    why = "record without a kind";
    return {};
  }
  const std::string rank = text_at(record, "rank").empty() ? std::string(head.rank) : text_at(record, "rank");
  std::string key = rank + "/" + std::string(head.process);
  LogEvent event;
  event.line = number;
  event.time = seconds_of(head.stamp);
  event.rank = rank;
  event.process = head.process;
  std::string id;
  if (const std::string frame = text_at(record, "frame_id"); !frame.empty()) {
    if (const std::string autograd = text_at(record, "compiled_autograd_id"); !autograd.empty())
      id = "!" + autograd + "/";
    id += frame + "/" + text_at(record, "frame_compile_id");
    event.compile_id = id;
    if (const std::string attempt = text_at(record, "attempt"); !attempt.empty() && attempt != "0")
      event.compile_id += "_" + attempt;
  }
  in.now = {};
  in.now.name = kind;
  if (in.processes.size() >= 1024 && in.processes.find(key) == in.processes.end()) finish();
  std::string_view read = other ? std::string_view("record of another kind") : std::string_view{};
  if (!other) read = in.read(in.processes[key], kind, event, id, record);
  if (record.contains("has_payload")) {
    in.now.open = true;
    in.now.expected = text_at(record, "has_payload");
    in.now.key = std::move(key);
    in.now.event = std::move(event);
  }
  if (read.empty()) why = "record " + std::string(kind.substr(0, 60));
  return read;
}

bool StructuredLog::payload(std::string_view line) {
  Impl::Waiting& now = impl_->now;
  if (!now.open) return false;
  if (!now.first) now.md5.update("\n");
  now.md5.update(line);
  if (now.keep) {
    if (now.kept.size() + line.size() + 1 > kLongestPayload) {
      now.cut = true;
    } else {
      if (!now.first) now.kept += '\n';
      now.kept += line;
    }
  }
  now.first = false;
  return true;
}

void StructuredLog::end_payload() {
  Impl::Waiting& now = impl_->now;
  if (!now.open) return;
  now.open = false;
  const std::string found = now.md5.hex();
  if (found != now.expected)
    impl_->damage("payload whose md5 differs (not used)", now.name);
  else if (now.cut)
    impl_->damage("payload over 16 MiB (not used)", now.name);
  else if (now.keep)
    impl_->use();
  now = {};
}

void StructuredLog::finish() {
  end_payload();
  for (auto& [key, process] : impl_->processes)
    while (!process.waiting.empty()) impl_->send_waiting(process, process.waiting.begin()->first, false);
  impl_->processes.clear();
}

}  // namespace dimgate::logs
