#include "import/own_trace.hpp"

#include <algorithm>
#include <charconv>

#include "import/log_blocks.hpp"
#include "import/log_text.hpp"

namespace dimgate::logs {

namespace {

constexpr std::size_t kFrames = 4096;
constexpr std::size_t kSlots = 256;
constexpr std::size_t kKinds = 64;

std::string text_in(const JsonMembers& members, std::string_view key) { return json_text(members.at(key), kKeep); }

std::optional<std::uint64_t> whole_number(std::string_view raw) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(raw.data(), raw.data() + raw.size(), value);
  if (raw.empty() || error != std::errc() || end != raw.data() + raw.size()) return std::nullopt;
  return value;
}

/// `x.size()[0] == 4` is a size that was a constant.
void size_of_constant(FailedGuard& reason) {
  Cause& cause = reason.cause;
  const std::string left = cause.source + ".size()[" + std::to_string(cause.index) + "] == ";
  if (cause.kind != CauseKind::shape_guard || !reason.text.starts_with(left)) return;
  const std::string right = reason.text.substr(left.size());
  if (right.empty() || right.find_first_not_of("0123456789") != std::string::npos) return;
  cause.kind = CauseKind::tensor_size;
  cause.expected = right;
}

/// The cause of a failed guard: from its message, which is in PyTorch's words, else from the formula.
FailedGuard reason_of(const JsonMembers& guard) {
  const std::string message = text_in(guard, "message");
  FailedGuard out = parse_failed_guard(message);
  if (message.empty() || out.cause.kind == CauseKind::unrecognised) out = parse_failed_guard(text_in(guard, "text"));
  if (out.text.empty()) out.text = text_in(guard, "text");
  size_of_constant(out);
  if (out.cause.expected.empty()) out.cause.expected = text_in(guard, "expected");
  if (out.cause.actual.empty()) out.cause.actual = text_in(guard, "actual");
  return out;
}

}  // namespace

bool OwnTrace::line(std::string_view text, std::uint64_t number, std::string_view& kind, std::string& why) {
  if (!text.starts_with("{\"v\"")) return false;
  kind = {};
  if (!record_.read_object(text)) {
    why = "line of a dimgate trace that is no JSON";
    return true;
  }
  if (record_.at("v") != "1") {
    why = "dimgate trace of version " + std::string(record_.at("v").substr(0, 20));
    return true;
  }
  const std::string event = text_in(record_, "event");
  const std::string name = text_in(record_, "frame");
  auto found = frames_.find(name);
  if (found == frames_.end()) {
    if (frames_.size() >= kFrames) {
      why = "dimgate trace: more than 4096 frames";
      return true;
    }
    found = frames_.try_emplace(name).first;
    found->second.number = frames_.size() - 1;
  }
  Frame& frame = found->second;
  if (event == "frame") {
    kind = "dimgate: frame";
    if (list_.read_array(record_.at("slots")))
      for (const auto& [none, raw] : list_.members())
        if (item_.read_object(raw) && item_.at("sort") == "\"Int\"" && frame.ints.size() < kSlots)
          frame.ints.push_back(text_in(item_, "name"));
  } else if (event == "insert") {
    kind = "dimgate: insert";
    inserted(name, frame, number);
  } else if (event == "miss") {
    kind = "dimgate: miss";
    missed(name, frame, number);
  } else if (event == "retire" || event == "evict" || event == "invalidate") {
    kind = "dimgate: an entry went";
    if (const auto served = whole_number(record_.at("hits")))
      send(frame, text_in(record_, "entry"), number, EntryHits{*served, true});
  } else if (event == "hits") {
    kind = "dimgate: hits";
    hits(frame, number);
  } else {
    why = "dimgate trace: event " + event.substr(0, 60);
  }
  return true;
}

void OwnTrace::send(const Frame& frame, const std::string& id, std::uint64_t line, LogEventBody body) {
  LogEvent event;
  event.line = line;
  event.process = "dimgate";
  event.compile_id = std::to_string(frame.number) + "/" + id;
  event.body = std::move(body);
  emit_(event);
}

void OwnTrace::inserted(const std::string& name, Frame& frame, std::uint64_t line) {
  const std::string id = text_in(record_, "entry");
  send(frame, id, line, CompileStart{name, {}});
  EntryGuards out;
  if (list_.read_array(record_.at("guards")))
    for (const auto& [none, raw] : list_.members()) {
      ++out.count;
      if (!options_.guards || out.guards.size() >= kKeepLines || !item_.read_object(raw)) continue;
      out.guards.push_back({text_in(item_, "kind"), text_in(item_, "text"), "", ""});
    }
  send(frame, id, line, std::move(out));
}

void OwnTrace::hits(const Frame& frame, std::uint64_t line) {
  const bool last = record_.at("last") == "true";
  if (!list_.read_array(record_.at("entries"))) return;
  for (const auto& [none, raw] : list_.members()) {
    if (!item_.read_object(raw)) continue;
    if (const auto served = whole_number(item_.at("hits")))
      send(frame, text_in(item_, "entry"), line, EntryHits{*served, last});
  }
}

/// The kinds that failed in the nearest entry, each once.
std::vector<std::string> OwnTrace::failing_kinds() {
  std::vector<std::string> out;
  if (!list_.read_array(record_.at("nearest")) || list_.members().empty() ||
      !item_.read_object(list_.members().front().second) || !inner_.read_array(item_.at("failing")))
    return out;
  for (const auto& [none, raw] : inner_.members()) {
    if (out.size() >= kKinds || !deeper_.read_object(raw)) continue;
    std::string kind = text_in(deeper_, "kind");
    if (std::find(out.begin(), out.end(), kind) == out.end()) out.push_back(std::move(kind));
  }
  return out;
}

/// The first failing guard of each of the nearest entries.
std::vector<FailedGuard> OwnTrace::failing(const Frame& frame) {
  std::vector<FailedGuard> out;
  if (!list_.read_array(record_.at("nearest"))) return out;
  for (const auto& [none, raw] : list_.members()) {
    if (!item_.read_object(raw) || !inner_.read_array(item_.at("failing"))) continue;
    const std::string entry = std::to_string(frame.number) + "/" + text_in(item_, "entry");
    for (const auto& [nothing, guard] : inner_.members()) {
      if (!deeper_.read_object(guard) || out.size() >= kKeepLines) continue;
      out.push_back(reason_of(deeper_));
      out.back().entry = entry;
    }
  }
  return out;
}

void OwnTrace::missed(const std::string& name, Frame& frame, std::uint64_t line) {
  const std::string outcome = text_in(record_, "outcome");
  const std::string said = text_in(record_, "reason");
  const bool built = outcome == "compiled" || outcome == "shared";
  std::string id = text_in(record_, "made");
  if (id.empty()) id = "m" + std::to_string(++frame.calls);  // nothing was made
  const bool limit = outcome == "fallback" && has(said, "limit");
  const bool first = record_.at("first") == "true";
  send(frame, id, line,
       CallMissed{name, outcome, first, whole_number(record_.at("hits")).value_or(0), failing_kinds()});
  if (!first && (built || limit)) {
    Recompile out;
    out.function = name;
    out.nearest_first = true;
    out.system = "dimgate";
    out.limit_hit = limit;
    out.reasons = failing(frame);
    send(frame, id, line, std::move(out));
  }
  if (limit) {
    LimitHit hit;
    hit.limit = said;
    hit.function = name;
    send(frame, id, line, std::move(hit));
  } else if (!built) {
    send(frame, id, line, CompileFailed{outcome, said, name, {}});
  }
  inner_.read_object(record_.at("inputs"));
  for (const std::string& slot : frame.ints)
    if (const std::string_view value = inner_.at(slot); built && !value.empty())
      send(frame, id, line, SymbolCreated{slot, json_text(value, 32), slot, {}, {}, true});
  CompileMetrics metrics;
  metrics.function = name;
  metrics.seconds = json_number(record_.at("seconds")).value_or(-1);
  if (built) send(frame, id, line, std::move(metrics));
}

}  // namespace dimgate::logs
