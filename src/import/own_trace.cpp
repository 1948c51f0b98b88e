#include "import/own_trace.hpp"

#include <algorithm>

#include "import/log_blocks.hpp"
#include "import/log_text.hpp"

namespace dimgate::logs {

namespace {

constexpr std::size_t kFrames = 4096;
constexpr std::size_t kSlots = 256;
constexpr std::size_t kKinds = 64;

std::string text_in(const JsonObject& object, std::string_view key) { return json_text(member(object, key), kKeep); }

/// Does `f` for each object in a list; what is none is passed over.
template <class F>
void for_objects(const JsonValue& list, F&& f) {
  if (const auto items = array_in(list))
    for (const simdjson::dom::element item : *items)
      if (const auto object = object_in(item)) f(*object);
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
FailedGuard reason_of(const JsonObject& guard) {
  const std::string message = text_in(guard, "message");
  FailedGuard out = parse_failed_guard(message);
  if (message.empty() || out.cause.kind == CauseKind::unrecognised) out = parse_failed_guard(text_in(guard, "text"));
  if (out.text.empty()) out.text = text_in(guard, "text");
  size_of_constant(out);
  if (out.cause.expected.empty()) out.cause.expected = text_in(guard, "expected");
  if (out.cause.actual.empty()) out.cause.actual = text_in(guard, "actual");
  return out;
}

/// The kinds that failed in the nearest entry, each once.
std::vector<std::string> failing_kinds(const JsonValue& nearest) {
  std::vector<std::string> out;
  JsonValue first;
  for_objects(nearest, [&](const JsonObject& entry) {
    if (!first) first = member(entry, "failing");
  });
  for_objects(first, [&](const JsonObject& guard) {
    std::string kind = text_in(guard, "kind");
    if (out.size() < kKinds && std::find(out.begin(), out.end(), kind) == out.end()) out.push_back(std::move(kind));
  });
  return out;
}

/// The failing guards of the nearest entries.
std::vector<FailedGuard> failing(const JsonValue& nearest, std::uint64_t frame) {
  std::vector<FailedGuard> out;
  for_objects(nearest, [&](const JsonObject& entry) {
    const std::string id = std::to_string(frame) + "/" + text_in(entry, "entry");
    for_objects(member(entry, "failing"), [&](const JsonObject& guard) {
      if (out.size() >= kKeepLines) return;
      out.push_back(reason_of(guard));
      out.back().entry = id;
    });
  });
  return out;
}

}  // namespace

std::string OwnTrace::text_at(std::string_view key) const { return json_text(member(record_, key), kKeep); }

bool OwnTrace::line(std::string_view text, std::uint64_t number, std::string_view& kind, std::string& why) {
  if (!text.starts_with("{\"v\"")) return false;
  kind = {};
  record_ = json_.object(text);
  if (!record_) {
    why = "line of a dimgate trace that is no JSON";
    return true;
  }
  if (json_int(member(record_, "v")) != 1) {
    why = "dimgate trace of version " + json_text(member(record_, "v"), 20);
    return true;
  }
  const std::string event = text_at("event");
  const std::string name = text_at("frame");
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
    for_objects(member(record_, "slots"), [&](const JsonObject& slot) {
      if (text_in(slot, "sort") == "Int" && frame.ints.size() < kSlots) frame.ints.push_back(text_in(slot, "name"));
    });
  } else if (event == "insert") {
    kind = "dimgate: insert";
    inserted(name, frame, number);
  } else if (event == "miss") {
    kind = "dimgate: miss";
    missed(name, frame, number);
  } else if (event == "retire" || event == "evict" || event == "invalidate") {
    kind = "dimgate: an entry went";
    if (const auto served = json_count(member(record_, "hits")))
      send(frame, text_at("entry"), number, EntryHits{*served, true});
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
  const std::string id = text_at("entry");
  send(frame, id, line, CompileStart{name, {}});
  EntryGuards out;
  for_objects(member(record_, "guards"), [&](const JsonObject& guard) {
    ++out.count;
    if (options_.guards && out.guards.size() < kKeepLines)
      out.guards.push_back({text_in(guard, "kind"), text_in(guard, "text"), "", ""});
  });
  send(frame, id, line, std::move(out));
}

void OwnTrace::hits(const Frame& frame, std::uint64_t line) {
  const bool last = is_true(member(record_, "last"));
  for_objects(member(record_, "entries"), [&](const JsonObject& entry) {
    if (const auto served = json_count(member(entry, "hits")))
      send(frame, text_in(entry, "entry"), line, EntryHits{*served, last});
  });
}

void OwnTrace::missed(const std::string& name, Frame& frame, std::uint64_t line) {
  const std::string outcome = text_at("outcome");
  const std::string said = text_at("reason");
  const bool built = outcome == "compiled" || outcome == "shared";
  std::string id = text_at("made");
  if (id.empty()) id = "m" + std::to_string(++frame.calls);  // nothing was made
  const bool limit = outcome == "fallback" && has(said, "limit");
  const bool first = is_true(member(record_, "first"));
  const JsonValue nearest = member(record_, "nearest");
  send(frame, id, line,
       CallMissed{name, outcome, first, json_count(member(record_, "hits")).value_or(0), failing_kinds(nearest)});
  if (!first && (built || limit)) {
    Recompile out;
    out.function = name;
    out.nearest_first = true;
    out.system = "dimgate";
    out.limit_hit = limit;
    out.reasons = failing(nearest, frame.number);
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
  const auto inputs = object_in(member(record_, "inputs"));
  for (const std::string& slot : frame.ints)
    if (const JsonValue value = member(inputs, slot); built && value)
      send(frame, id, line, SymbolCreated{slot, json_text(value, 32), slot, {}, {}, true});
  CompileMetrics metrics;
  metrics.function = name;
  metrics.seconds = json_number(member(record_, "seconds")).value_or(-1);
  if (built) send(frame, id, line, std::move(metrics));
}

}  // namespace dimgate::logs
