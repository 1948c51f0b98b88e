#include "explain/function_log.hpp"

#include <algorithm>
#include <charconv>

namespace dimgate::explain {

namespace {

constexpr std::size_t kHistory = 256;
constexpr std::size_t kIds = 4096;
constexpr std::size_t kStages = 64;

/// True if the text of the guard is the value that the entry was compiled for.
bool names_value(CauseKind kind) {
  switch (kind) {
    case CauseKind::int_value:
    case CauseKind::float_value:
    case CauseKind::bool_value:
    case CauseKind::str_value:
    case CauseKind::none_ness:
    case CauseKind::constant_value:
    case CauseKind::container_length:
    case CauseKind::dict_keys:
    case CauseKind::python_type:
    case CauseKind::default_device:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string shown_part(std::string_view text) { return std::string(text.substr(0, 512)); }

CompileReport* FunctionLog::at(const std::string& id) {
  const auto found = id.empty() ? position_.end() : position_.find(id);
  return found == position_.end() ? nullptr : &report.history[found->second];
}

CompileReport* FunctionLog::begin(const std::string& id, const LogEvent& event) {
  if (CompileReport* there = at(id)) return there;
  if (report.history.size() >= kHistory || left_->compiles == 0) {
    ++report.history_cut;
    return nullptr;
  }
  --left_->compiles;
  if (!id.empty()) position_[id] = report.history.size();
  CompileReport& out = report.history.emplace_back();
  out.compile_id = id;
  out.line = event.line;
  out.time = event.time;
  out.outcome = "entry";
  return &out;
}

void FunctionLog::seen(const std::string& id, const LogEvent& event) {
  if (id.empty() || ids_.size() >= kIds || !ids_.insert(id).second) return;
  ++report.compiles;
  begin(id, event);
}

void FunctionLog::start(const std::string& id, const LogEvent& event) {
  if (!id.empty() && event.compile_id == id && started_.size() < kIds && !started_.insert(id).second) {
    new_run();
    started_.insert(id);
  }
  seen(id, event);
}

void FunctionLog::new_run() {
  ids_.clear();
  started_.clear();
  recompiled_.clear();
  guarded_.clear();
  position_.clear();
  values.new_run();
  dynamic.new_run();
}

/// What a later failure says of an entry: that it is there, and the value it was compiled for.
void FunctionLog::older_entry(const FailedGuard& reason) {
  if (reason.entry.find('/') == std::string::npos) return;
  seen(reason.entry, {});
  CompileReport* entry = names_value(reason.cause.kind) ? at(reason.entry) : nullptr;
  if (entry != nullptr && entry->actual.empty() && !entry->cause.empty() && entry->cause == reason.cause.label() &&
      entry->source == shown_part(plain_source(reason.cause.source)) && entry->expected != reason.cause.expected)
    entry->actual = shown_part(reason.cause.expected);
}

/// The id of a recompile whose line has none: the next after the newest entry that it names.
std::string FunctionLog::next_id(const Recompile& recompile) {
  std::string frame;
  std::uint64_t newest = 0;
  for (const FailedGuard& reason : recompile.reasons) {
    const std::size_t slash = reason.entry.rfind('/');
    if (slash == std::string::npos) return {};
    frame = reason.entry.substr(0, slash + 1);
    std::uint64_t number = 0;
    std::from_chars(reason.entry.data() + slash + 1, reason.entry.data() + reason.entry.size(), number);
    newest = std::max(newest, number);
  }
  return frame.empty() ? std::string() : frame + std::to_string(newest + 1);
}

void FunctionLog::add(const std::string& said_id, const LogEvent& event, const Recompile& recompile,
                      const FailedGuard* best) {
  const std::string id = said_id.empty() ? next_id(recompile) : said_id;
  if (!id.empty() && event.compile_id == id && recompiled_.size() < kIds && !recompiled_.insert(id).second) {
    new_run();
    recompiled_.insert(id);
  }
  for (const FailedGuard& reason : recompile.reasons) older_entry(reason);
  ++report.recompiles;
  if (recompile.limit_hit)
    ++report.limit_hits;
  else if (id.empty())
    ++report.compiles;
  else
    seen(id, event);
  if (id.empty() && report.compiles <= report.recompiles) report.compiles = report.recompiles + 1;
  values.add(id, recompile);
  CompileReport* out = begin(id, event);
  if (out == nullptr) return;
  if (recompile.limit_hit) out->outcome = "limit_hit";
  out->entries_failed = recompile.reasons.size();
  if (best == nullptr) return;
  out->cause = best->cause.label();
  out->kind = kind_of_change(*best);
  out->source = shown_part(plain_source(best->cause.source));
  out->expected = shown_part(best->cause.expected);
  out->actual = shown_part(best->cause.actual);
  out->index = best->cause.index;
  out->user_line = shown_part(best->user_line);
  out->user_place = shown_part(best->place);
  out->named_by_pytorch = recompile.reasons.front().cause.label();
}

void FunctionLog::add(const std::string& id, const LogEvent& event, const CompileMetrics& metrics) {
  if (metrics.fail_type.empty())
    guarded(id, event);
  else if (ids_.erase(id) != 0)
    --report.compiles;  // begun, and nothing came of it
  if (CompileReport* out = at(id)) {
    if (!metrics.fail_type.empty() && out->outcome != "limit_hit")
      out->outcome = "failed: " + metrics.fail_type.substr(metrics.fail_type.rfind('.') + 1);
    if (metrics.seconds >= 0) out->seconds = out->seconds.value_or(0) + metrics.seconds;
    if (metrics.guards >= 0) out->guards = metrics.guards;
    if (metrics.shape_guards >= 0) out->shape_guards = metrics.shape_guards;
  }
  if (metrics.seconds < 0) return;
  report.seconds = report.seconds.value_or(0) + metrics.seconds;
  for (const auto& [stage, seconds] : metrics.stages)
    if (stages_.size() < kStages || stages_.count(stage) != 0) stages_[stage] += seconds;
}

void FunctionLog::add(const std::string& id, const LogEvent& event, const CompileFailed& failed) {
  ++report.failed;
  if (ids_.erase(id) != 0) --report.compiles;  // begun, and nothing came of it
  if (CompileReport* out = begin(id, event); out != nullptr && out->outcome != "limit_hit")
    out->outcome = "failed: " + failed.type;
}

void FunctionLog::add(const LogEvent& event, const LimitHit& hit) {
  if (report.limit_hits == 0) {  // the recompile before it was not logged
    ++report.limit_hits;
    if (CompileReport* out = begin({}, event)) {
      out->compile_id = event.compile_id;
      out->outcome = "limit_hit";
    }
  }
  // The entries that fill the limit are there, logged or not.
  if (hit.number > 0 && hit.number < 4096 && !hit.limit.starts_with("accumulated"))
    report.compiles = std::max(report.compiles, static_cast<std::uint64_t>(hit.number));
  report.limit = hit.limit;
  report.limit_number = hit.number;
}

void FunctionLog::guarded(const std::string& id, const LogEvent& event) {
  seen(id, event);
  if (guarded_.size() < kIds && guarded_.insert(id).second) ++report.guarded;
}

void FunctionLog::guards(const std::string& id, const LogEvent& event, std::size_t count) {
  guarded(id, event);
  if (CompileReport* out = at(id); out != nullptr && out->guards < 0) out->guards = static_cast<std::int64_t>(count);
}

FunctionReport FunctionLog::finish() {
  report.stages.assign(stages_.begin(), stages_.end());
  std::stable_sort(report.stages.begin(), report.stages.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  report.seen = values.calls(kHistory);
  return std::move(report);
}

}  // namespace dimgate::explain
