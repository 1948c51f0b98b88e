// What is kept of a log while it is read; every list has a cap and counts what it left out. Checked by
// tests/report/hostile_test.cpp.
#include "report/log_kept.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "explain/values.hpp"

namespace dimgate::report {

namespace {

constexpr std::size_t kValues = 2000;  // of one slot
constexpr std::size_t kSlots = 256;    // of a function
constexpr std::size_t kFunctions = 1024;
constexpr std::size_t kNameBytes = 512;  // bytes of a name kept
constexpr std::size_t kEntryBytes = 32U << 20U;

std::string cut(std::string text) {
  if (text.size() > kNameBytes) text.resize(kNameBytes);
  return text;
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string LogKept::key(const LogEvent& e, const std::string& function, const std::string& place) {
  std::string out = cut(e.frame().empty() ? function + " " + place : stream(e) + " " + std::string(e.frame()));
  if (names.size() >= kFunctions && names.count(out) == 0) out = "other";
  std::string& name = names[out];
  if (name.empty() && !function.empty()) {
    name = cut(function + (place.empty() ? "" : " (" + place + ")"));
    if (!e.rank.empty()) name += " rank " + cut(e.rank);
  }
  return out;
}

Mark* LogKept::mark(const LogEvent& e, const std::string& function, const std::string& place, std::string what) {
  const std::string at = cut(stream(e) + " " + plain_id(e));
  const std::string of = key(e, function, place);
  if (const auto found = mark_of.find(at); found != mark_of.end() && !plain_id(e).empty()) {
    Mark& old = marks[found->second];
    if (what != "compile") old.what = std::move(what);
    return &old;
  }
  if (marks.size() >= options.events) {
    ++marks_cut;
    return nullptr;
  }
  if (!plain_id(e).empty()) mark_of[at] = marks.size();
  marks.push_back({++number, e.line, of, cut(plain_id(e)), std::move(what), {}, -1, e.time});
  return &marks.back();
}

void LogKept::value(const std::string& function, const std::string& slot, std::int64_t v) {
  if ((values.size() >= kFunctions && values.count(function) == 0) || slot.size() > kNameBytes) return;
  auto& slots = values[function];
  if (slots.size() >= kSlots && slots.count(slot) == 0) return;
  auto& seen = slots[slot];
  if (seen.size() < kValues && (seen.empty() || seen.back() != std::pair(number, v))) seen.emplace_back(number, v);
}

void LogKept::recompile(const LogEvent& e, const Recompile& r) {
  own = own && r.system == "dimgate";
  Mark* m = mark(e, r.function, r.place, r.limit_hit ? "limit hit" : "recompile");
  if (const FailedGuard* best = finder.add(e); best != nullptr && m != nullptr) {
    m->cause = best->cause.label();
    if (!best->cause.source.empty()) m->cause += " of " + explain::plain_source(best->cause.source);
    m->cause = cut(std::move(m->cause));
  }
  const std::string of = key(e, r.function, r.place);
  for (const FailedGuard& reason : r.reasons) {
    const std::string slot = explain::slot_of(reason.cause);
    if (slot.empty()) continue;
    if (const auto v = number_in(reason.cause.actual)) value(of, slot, *v);
  }
}

void LogKept::add(const LogEvent& e) {
  use.add(e);
  if (!std::holds_alternative<Recompile>(e.body)) finder.add(e);
  if (const auto* r = std::get_if<Recompile>(&e.body)) {
    recompile(e, *r);
  } else if (const auto* start = std::get_if<CompileStart>(&e.body)) {
    mark(e, start->function, start->place, "compile");
  } else if (const auto* m = std::get_if<CompileMetrics>(&e.body)) {
    Mark* at = mark(e, m->function, m->place, m->fail_type.empty() ? "compile" : "failed");
    if (at != nullptr && m->seconds >= 0) at->seconds = std::max(at->seconds, 0.0) + m->seconds;
  } else if (const auto* failed = std::get_if<CompileFailed>(&e.body)) {
    if (Mark* at = mark(e, failed->function, {}, "failed")) at->cause = cut(failed->type);
  } else if (const auto* hit = std::get_if<LimitHit>(&e.body)) {
    mark(e, hit->function, hit->place, "limit hit");
  } else if (const auto* symbol = std::get_if<SymbolCreated>(&e.body)) {
    if (const auto v = number_in(symbol->value)) {
      mark(e, {}, {}, "compile");
      value(key(e, {}, {}), explain::plain_source(symbol->source), *v);
    }
  } else if (const auto* seen = std::get_if<TensorSeen>(&e.body)) {
    for (std::size_t i = 0; i < seen->size.size(); ++i)
      if (const auto v = number_in(seen->size[i]))
        value(key(e, {}, {}), explain::plain_source(seen->source) + ".size()[" + std::to_string(i) + "]", *v);
  } else if (const auto* entry = std::get_if<EntryGuards>(&e.body)) {
    const std::string of = key(e, {}, {});
    mark(e, {}, {}, "compile");
    if (entry->guards.empty() && e.process != "dimgate") return;  // the log leaves them out: every entry has some
    std::size_t bytes = 0;
    for (const LoggedGuard& g : entry->guards)
      bytes += g.kind.size() + g.text.size() + g.user_line.size() + g.place.size() + sizeof g;
    if (entries.size() >= options.entries || guards + entry->guards.size() > options.guards ||
        entry_bytes + bytes > kEntryBytes) {
      ++entries_cut;
      return;
    }
    entry_bytes += bytes;
    guards += entry->guards.size();
    entries.push_back({of, e.compile_id, *entry});
  }
}

std::string LogKept::name(const std::string& of) const {
  const auto found = names.find(of);
  return found == names.end() || found->second.empty() ? "frame " + of : found->second;
}

}  // namespace dimgate::report
