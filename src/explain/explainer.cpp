#include <algorithm>
#include <charconv>
#include <deque>
#include <functional>
#include <map>
#include <set>

#include "dimgate/explain.hpp"
#include "explain/entries.hpp"
#include "explain/function_log.hpp"
#include "explain/values.hpp"

namespace dimgate {

namespace {

using explain::FunctionLog;
using explain::plain_source;

constexpr std::size_t kFunctions = 4096;
constexpr std::size_t kGroups = 16384;
constexpr std::size_t kChanges = 6;

template <class Map>
void count(Map& map, std::string key, std::size_t cap) {
  auto found = map.find(key);
  if (found == map.end()) {
    if (map.size() >= cap) key = "other";
    found = map.try_emplace(std::move(key), 0).first;
  }
  ++found->second;
}

std::vector<std::pair<std::string, std::uint64_t>> by_count(const std::map<std::string, std::uint64_t>& counts) {
  std::vector<std::pair<std::string, std::uint64_t>> out(counts.begin(), counts.end());
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return out;
}

std::string counted(std::uint64_t count, const char* thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

/// "4 -> 5", "expected 4": what one compile says of its cause.
std::string change_of(const CompileReport& compile) {
  std::string out;
  if (compile.cause == "tensor stride") out = "stride " + std::to_string(compile.index) + ": ";
  if (compile.cause == "tensor size") out = "size " + std::to_string(compile.index) + ": ";
  if (!compile.expected.empty() && !compile.actual.empty()) return out + compile.expected + " -> " + compile.actual;
  if (!compile.expected.empty()) return out + "expected " + compile.expected;
  return compile.actual.empty() ? std::string() : out + "got " + compile.actual;
}

}  // namespace

struct Explainer::Impl {
  Prover& prover;
  ExplainOptions options;

  struct Group {
    CauseGroup shown;
    std::string function_key;
    std::set<std::string> slots;
    std::string system;
    FailedGuard sample;  // the first; sources without L[...]
    bool shape = false;
    std::uint64_t last_only = 0;  // of the count: from the warning that the limit was reached
  };
  explain::HistoryLeft history;
  std::map<std::string, FunctionLog> functions;  // rank, process and frame, or name and place
  std::map<std::string, std::string> of_frame;   // rank, process and frame -> key of functions, where that differs
  std::map<std::string, Group> groups;           // function, cause, source
  std::deque<std::pair<std::string, std::string>> untimed;  // compile -> group, the newest 4096
  std::map<std::string, std::uint64_t> breaks, failures;
  std::set<std::string> ranks;
  std::vector<std::string> others;
  std::uint64_t cut = 0;
  std::size_t taken_apart = 0;

  static std::string stream_of(const LogEvent& event) { return event.rank + "/" + event.process; }
  static std::string plain_id(const LogEvent& event) { return event.compile_id.substr(0, event.compile_id.find('_')); }

  /// A frame whose function has another name belongs to another program (logs joined into one).
  FunctionLog& function(const LogEvent& event, const std::string& name, const std::string& place, std::string& key) {
    const std::string frame = stream_of(event) + " " + std::string(event.frame());
    key = event.frame().empty() ? explain::shown_part(name) + " " + explain::shown_part(place) : frame;
    if (!event.frame().empty()) {
      if (const auto now = of_frame.find(frame); now != of_frame.end()) key = now->second;
      const auto there = functions.find(key);
      if (there != functions.end() && !name.empty() &&
          !same_name(there->second.report.function, explain::shown_part(name))) {
        key = frame + " " + explain::shown_part(name);
        if (of_frame.size() < kFunctions) of_frame[frame] = key;
      }
    }
    if (functions.size() >= kFunctions && functions.find(key) == functions.end()) key = "other";
    FunctionLog& out = functions.try_emplace(key, history).first->second;
    if (out.report.function.empty()) out.report.function = explain::shown_part(name);
    if (out.report.place.empty()) out.report.place = explain::shown_part(place);
    if (out.report.rank.empty()) out.report.rank = event.rank;
    return out;
  }
  /// "Net.forward" and "forward" are one; no name is any.
  static bool same_name(const std::string& a, const std::string& b) {
    return a.empty() || b.empty() || a.ends_with(b) || b.ends_with(a);
  }

  void recompile(const LogEvent& event, const Recompile& recompile) {
    std::string key;
    FunctionLog& f = function(event, recompile.function, recompile.place, key);
    const std::string id = plain_id(event);
    const FailedGuard* best = changed(recompile);
    f.add(id, event, recompile, best);
    if (best == nullptr) return;
    const std::string cause = best->cause.label();
    const std::string source = explain::shown_part(plain_source(best->cause.source));
    const std::string group_key = key + "\n" + cause + "\n" + source;
    if (groups.size() >= kGroups && groups.find(group_key) == groups.end()) {
      ++cut;
      return;
    }
    Group& group = groups[group_key];
    if (group.shown.count++ == 0) {
      group.function_key = key;
      group.shown.function = f.report.function;
      group.shown.place = f.report.place;
      group.shown.cause = cause;
      group.shown.kind = kind_of_change(*best);
      group.shown.source = source;
      group.shown.user_line = explain::shown_part(best->user_line);
      group.shown.user_place = explain::shown_part(best->place);
      group.system = recompile.system;
      group.sample.text = best->text.substr(0, 4096);
      group.sample.user_line = group.shown.user_line;
      group.sample.cause = best->cause;
      group.sample.cause.source = source;
      group.sample.cause.expected = explain::shown_part(best->cause.expected);
      group.sample.cause.actual = explain::shown_part(best->cause.actual);
    }
    if (recompile.limit_hit) ++group.shown.limit_hits;
    if (recompile.last_only) ++group.last_only;
    if (recompile.reasons.front().cause.label() == cause) ++group.shown.blamed;
    for (const FailedGuard& reason : recompile.reasons)
      if (const std::string slot = explain::slot_of(reason.cause); !slot.empty() && group.slots.size() < 64)
        group.slots.insert(slot);
    group.shape = group.shape || !explain::slot_of(best->cause).empty();
    if (!id.empty() && !recompile.limit_hit) {
      untimed.emplace_back(stream_of(event) + " " + id, group_key);
      if (untimed.size() > 4096) untimed.pop_front();
    }
  }

  void metrics(const LogEvent& event, const CompileMetrics& metrics) {
    std::string key;
    FunctionLog& f = function(event, metrics.function, metrics.place, key);
    f.add(plain_id(event), event, metrics);
    if (metrics.seconds < 0) return;
    const std::string compile = stream_of(event) + " " + plain_id(event);
    for (auto at = untimed.begin(); at != untimed.end(); ++at) {
      if (at->first != compile) continue;
      CauseGroup& group = groups[at->second].shown;
      group.seconds = group.seconds.value_or(0) + metrics.seconds;
      untimed.erase(at);
      break;
    }
  }

  void add(const LogEvent& event) {
    if (!event.rank.empty() && ranks.size() < 65536) ranks.insert(event.rank);
    std::string key;
    const std::string id = plain_id(event);
    if (const auto* e = std::get_if<Recompile>(&event.body)) {
      recompile(event, *e);
    } else if (const auto* m = std::get_if<CompileMetrics>(&event.body)) {
      metrics(event, *m);
    } else if (const auto* start = std::get_if<CompileStart>(&event.body)) {
      function(event, start->function, start->place, key).start(id, event);
    } else if (const auto* symbol = std::get_if<SymbolCreated>(&event.body)) {
      if (!id.empty()) function(event, {}, {}, key).values.add(id, *symbol);
    } else if (const auto* guard = std::get_if<GuardAdded>(&event.body)) {
      if (!id.empty()) function(event, {}, {}, key).values.add(id, *guard);
    } else if (const auto* failed = std::get_if<CompileFailed>(&event.body)) {
      count(failures,
            failed->type + ": " + failed->message + (failed->details.empty() ? "" : "; " + failed->details.front()),
            256);
      if (!id.empty()) function(event, failed->function, {}, key).add(id, event, *failed);
    } else if (const auto* hit = std::get_if<LimitHit>(&event.body)) {
      function(event, hit->function, hit->place, key).add(event, *hit);
    } else if (const auto* broke = std::get_if<GraphBreak>(&event.body)) {
      count(breaks, broke->reason + (broke->place.empty() ? "" : " (" + broke->place + ")"), 256);
    } else if (const auto* entry = std::get_if<EntryGuards>(&event.body)) {
      FunctionLog& f = function(event, {}, {}, key);
      f.guards(id, event, entry->count);
      if (options.entries && taken_apart < options.entry_limit && !entry->guards.empty()) {
        ++taken_apart;
        f.report.entries.push_back(explain::take_apart(event.compile_id, *entry, prover));
      }
    } else if (const auto* other = std::get_if<OtherRetrace>(&event.body)) {
      if (others.size() < 64) others.push_back(other->system + ": " + other->text);
    }
  }

  /// What the run of values of a group says beyond its cause.
  static void add_advice(const FunctionReport& f, CauseGroup& group) {
    std::vector<std::int64_t> values;
    bool small = false;  // a size of 0 or 1
    for (const CompileReport& compile : f.history) {
      if (compile.cause != group.cause || compile.source != group.source) continue;
      for (const std::string* text : {&compile.expected, &compile.actual}) {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
        if (error != std::errc() || end != text->data() + text->size()) continue;
        small = small || value == 0 || value == 1;
        if (values.empty() || values.back() != value) values.push_back(value);
      }
    }
    if (group.cause == "tensor size" && small && !group.remedy.without_edit.empty())
      group.remedy.text += "; a size of 0 or 1 gets an entry of its own all the same: pad, or drop_last";
    const bool counts = group.cause == "int value" || group.cause == "container length";
    if (counts && values.size() > 2 && std::is_sorted(values.begin(), values.end(), std::less_equal<>()))
      group.remain_note = "grows with every compile: no limit of entries is enough";
  }

  /// What changed in a group, and the compiles that its remedy would leave.
  void settle(Group& group) {
    FunctionLog& f = functions.at(group.function_key);
    CauseGroup& shown = group.shown;
    shown.compiles = f.report.compiles;
    std::set<int> dims;
    for (CompileReport& compile : f.report.history) {
      if (compile.cause != shown.cause || compile.source != shown.source) continue;
      Cause cause = group.sample.cause;
      cause.index = compile.index;
      cause.expected = compile.expected;
      if (const std::string slot = explain::slot_of(cause); compile.actual.empty() && !slot.empty())
        if (const auto value = f.values.value(compile.compile_id, slot)) compile.actual = std::to_string(*value);
      if (group.sample.cause.actual.empty() && compile.index == group.sample.cause.index)
        group.sample.cause.actual = compile.actual;
      if (compile.index >= 0) dims.insert(compile.index);
      std::string change = change_of(compile);
      if (!change.empty() && shown.changes.size() < kChanges &&
          std::find(shown.changes.begin(), shown.changes.end(), change) == shown.changes.end())
        shown.changes.push_back(std::move(change));
    }
    shown.remedy = remedy_for(group.sample, group.system);
    const std::string one = "(" + shown.source + ", " + std::to_string(group.sample.cause.index) + ")";
    const std::size_t marked = shown.remedy.text.find(one);
    if (dims.size() > 1 && marked != std::string::npos) {
      std::string all;
      for (const int dim : dims) all += (all.empty() ? "" : ", ") + std::to_string(dim);
      shown.remedy.text.replace(marked, one.size(), "(" + shown.source + ", [" + all + "])");
    }
    add_advice(f.report, shown);
    const std::uint64_t gone = shown.count - shown.limit_hits;
    if (!shown.remedy.avoidable) return;
    const std::uint64_t rest = shown.compiles > gone ? shown.compiles - gone : 1;  // the first compile among them
    const auto note = [&](const std::string& text) {
      shown.remain_note = text + (shown.remain_note.empty() ? "" : "; ") + shown.remain_note;
    };
    if (group.last_only == shown.count) {
      note("unknown from this log: it names the last reason only; TORCH_LOGS=recompiles names all");
    } else if (!group.shape) {
      shown.remain = rest;
      note("computed: every other compile of the function stays");
    } else if (const auto left = f.values.replay(group.slots, prover)) {
      const std::uint64_t more = left->compiles > 0 ? left->compiles - 1 : 0;
      shown.remain = std::min(rest + more, shown.compiles);
      note("replayed: " + counted(left->calls, "call") + " seen, " + counted(left->decisions, "decision") +
           " seen, policy symbolic");
    } else {
      note("unknown from this log: it shows no values to replay");
    }
    if (f.report.limit_hits > 0)
      shown.remain_note +=
          (shown.remain_note.empty() ? "" : "; ") + std::string("after the limit: unknown from this log");
  }
};

Explainer::Explainer(Prover& prover, ExplainOptions options) : impl_(new Impl{prover, options}) {}
Explainer::~Explainer() = default;
void Explainer::add(const LogEvent& event) { impl_->add(event); }

Explanation Explainer::finish(const LogCounts& counts) {
  Impl& in = *impl_;
  Explanation out;
  out.counts = counts;
  out.ranks = in.ranks.size();
  out.cut = in.cut;
  // The same function on several ranks or processes with the same cause: one group.
  std::map<std::string, std::size_t> merged;
  for (auto& [key, group] : in.groups) {
    in.settle(group);
    CauseGroup& shown = group.shown;
    const std::string same = shown.function + "\n" + shown.place + "\n" + shown.cause + "\n" + shown.source;
    const auto [found, fresh] = merged.try_emplace(same, out.groups.size());
    if (fresh) {
      out.groups.push_back(std::move(shown));
      continue;
    }
    CauseGroup& into = out.groups[found->second];
    into.count += shown.count;
    into.limit_hits += shown.limit_hits;
    into.blamed += shown.blamed;
    into.compiles += shown.compiles;
    if (shown.seconds) into.seconds = into.seconds.value_or(0) + *shown.seconds;
    if (into.remain && shown.remain)
      *into.remain += *shown.remain;
    else
      into.remain.reset();
  }
  std::stable_sort(out.groups.begin(), out.groups.end(), [](const CauseGroup& a, const CauseGroup& b) {
    const double sa = a.seconds.value_or(0);
    const double sb = b.seconds.value_or(0);
    return sa != sb ? sa > sb : a.count > b.count;
  });
  for (auto& [key, f] : in.functions) {
    FunctionReport report = f.finish();
    if (report.compiles + report.recompiles + report.failed + report.limit_hits > 0 || report.seconds)
      out.functions.push_back(std::move(report));
  }
  std::stable_sort(out.functions.begin(), out.functions.end(),
                   [](const FunctionReport& a, const FunctionReport& b) { return a.recompiles > b.recompiles; });
  out.graph_breaks = by_count(in.breaks);
  out.failures = by_count(in.failures);
  out.other_retraces = in.others;
  return out;
}

bool Explanation::avoidable() const {
  return std::any_of(groups.begin(), groups.end(), [](const CauseGroup& group) {
    return group.remedy.avoidable && (!group.remain || *group.remain < group.compiles);
  });
}

}  // namespace dimgate
