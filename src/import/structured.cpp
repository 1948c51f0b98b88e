#include "import/structured.hpp"

#include <algorithm>
#include <array>

#include "import/json_text.hpp"
#include "import/md5.hpp"
#include "import/record_events.hpp"

namespace dimgate::logs {

namespace {

constexpr std::size_t kLongestPayload = 16U << 20U;

/// Records that are known and say nothing about guards.
constexpr std::array<std::string_view, 33> kOthers{"describe_storage",
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
                                                   "inductor_tlparse_runtime",
                                                   "memoizer_artifacts"};

/// What the record is: its first member that is no part of the envelope.
std::string_view kind_of(const JsonObject& record) {
  static constexpr std::array<std::string_view, 9> envelope{
      "rank",        "frame_id", "frame_compile_id", "attempt", "compiled_autograd_id",
      "has_payload", "stack",    "process",          "thread"};
  for (const auto& [key, value] : record)
    if (std::find(envelope.begin(), envelope.end(), key) == envelope.end()) return key;
  return {};
}

std::string text_of(const JsonObject& record, std::string_view key) { return json_text(member(record, key), 256); }

}  // namespace

struct StructuredLog::Impl {
  Damage damage;
  RecordEvents events;
  JsonText json;

  /// The record whose payload is being read.
  struct Waiting {
    bool open = false, keep = false, first = true, cut = false;
    std::string expected, kept, name;
    std::string process;
    LogEvent event;  // head only
    Md5 md5;
  } now;
};

StructuredLog::StructuredLog(const LogReader::Sink& emit, const ReadOptions& options, Damage damage)
    : impl_(new Impl{std::move(damage), RecordEvents(emit, options), {}, {}}) {}
StructuredLog::~StructuredLog() = default;

std::string_view StructuredLog::record(const Head& head, std::uint64_t number, std::string& why) {
  Impl& in = *impl_;
  const std::optional<JsonObject> read_as = in.json.object(head.text);
  if (!read_as) {
    why = head.text.size() > kLongestJson ? "record over 8 MiB" : "record that is no JSON";
    return {};
  }
  const JsonObject& record = *read_as;
  const std::string_view kind = kind_of(record);
  if (kind.empty()) {
    why = "record without a kind";
    return {};
  }
  const bool payload = member(record, "has_payload").has_value();
  if (std::find(kOthers.begin(), kOthers.end(), kind) != kOthers.end()) {
    if (payload) {
      in.now = {};
      in.now.open = true;
      in.now.name = kind;
      in.now.expected = text_of(record, "has_payload");
    }
    return "record of another kind";
  }
  LogEvent event;
  event.line = number;
  event.time = seconds_of(head.stamp);
  event.rank = text_of(record, "rank");
  if (event.rank.empty()) event.rank = head.rank;
  event.process = head.process;
  if (const std::string frame = text_of(record, "frame_id"); !frame.empty()) {
    if (const std::string autograd = text_of(record, "compiled_autograd_id"); !autograd.empty())
      event.compile_id = "!" + autograd + "/";
    event.compile_id += frame + "/" + text_of(record, "frame_compile_id");
    if (const std::string attempt = text_of(record, "attempt"); !attempt.empty() && attempt != "0")
      event.compile_id += "_" + attempt;
  }
  std::string process = event.rank + "/" + event.process;
  const std::string_view read = in.events.record(process, kind, event, record);
  if (read.empty()) why = "record " + std::string(kind.substr(0, 60));
  if (payload) {
    in.now = {};
    in.now.open = true;
    in.now.name = kind;
    if (kind == "artifact") {
      if (const auto body = object_in(member(record, kind))) in.now.name = text_of(*body, "name");
    }
    in.now.keep = keeps_payload(in.now.name);
    in.now.expected = text_of(record, "has_payload");
    in.now.process = std::move(process);
    in.now.event = std::move(event);
  }
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
  if (now.md5.hex() != now.expected)
    impl_->damage("payload whose md5 differs (not used)", now.name);
  else if (now.cut)
    impl_->damage("payload over 16 MiB (not used)", now.name);
  else if (now.keep && !impl_->events.payload(now.process, now.name, now.event, now.kept))
    impl_->damage("payload that does not read", now.name);
}

void StructuredLog::finish() {
  end_payload();
  impl_->events.finish();
}

}  // namespace dimgate::logs
