// Records of TORCH_TRACE to events: what each process has said so far (its string table, functions, tensors) and which
// recompiles still wait for the name of their function. Tables have caps. Tested by tests/import/log_forms_test.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "dimgate/logs.hpp"
#include "import/json_text.hpp"

namespace dimgate::logs {

class RecordEvents {
 public:
  RecordEvents(const LogReader::Sink& emit, const ReadOptions& options) : emit_(emit), options_(options) {}

  /// `kind` is the record's first key, `event` its head. What it was read as (a static text); empty: not known.
  std::string_view record(const std::string& process, std::string_view kind, const LogEvent& event,
                          const JsonObject& record);
  /// The payload of a record whose keeps_payload() is true; false: it does not read.
  bool payload(const std::string& process, std::string_view name, const LogEvent& event, std::string_view text);
  void finish();

 private:
  struct Process {
    std::map<std::int64_t, std::string> strings;
    std::map<std::string, std::pair<std::string, std::string>> functions;  // frame -> name, place
    std::map<std::string, TensorSeen> tensors;                             // "describer/id"
    std::map<std::string, LogEvent> waiting;                               // compile id -> recompile without function
  };
  void send(const LogEvent& head, LogEventBody body);
  void send_waiting(Process& process, const std::string& id, bool limit_hit);
  static std::string file_name(const Process& process, const JsonValue& file);
  static std::string place_of(const Process& process, const JsonValue& stack, std::string* user_line = nullptr);
  static std::string_view read_string(Process& process, const JsonValue& pair);
  void start(Process& process, const LogEvent& event);
  void metrics(Process& process, const LogEvent& event);
  void tensor(Process& process);
  void source(Process& process, const LogEvent& event);
  void symbol(Process& process, const LogEvent& event, bool backed);
  void guard(Process& process, const LogEvent& event);
  bool reasons(Process& process, const LogEvent& event, std::string_view text);
  bool old_guards(const LogEvent& event, std::string_view text);
  /// A member of the record's body, as text.
  std::string text_at(std::string_view key) const;

  const LogReader::Sink& emit_;
  ReadOptions options_;
  std::map<std::string, Process> processes_;
  std::optional<JsonObject> body_;  // of the record being read
  JsonText payload_;
};

/// True if the payload of such a record is read: "recompile_reasons", "dynamo_cpp_guards_str", …
bool keeps_payload(std::string_view name);

}  // namespace dimgate::logs
