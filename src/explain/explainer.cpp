#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "dimgate/explain.hpp"
#include "explain/entries.hpp"
#include "explain/values.hpp"

namespace dimgate {

namespace {

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

std::string change_of(const Cause& cause) {
  std::string out;
  if (cause.index >= 0 && (cause.kind == CauseKind::tensor_size || cause.kind == CauseKind::tensor_stride))
    out = (cause.kind == CauseKind::tensor_size ? "size " : "stride ") + std::to_string(cause.index) + ": ";
  if (!cause.expected.empty() && !cause.actual.empty()) return out + cause.expected + " -> " + cause.actual;
  if (!cause.expected.empty()) return out + "expected " + cause.expected;
  return cause.actual.empty() ? out : out + "got " + cause.actual;
}

}  // namespace

struct Explainer::Impl {
  Prover& prover;
  ExplainOptions options;

  struct Function {
    FunctionReport report;
    std::map<std::string, double> stages;
    explain::SeenValues values;
    std::set<std::string> ids;  // compiles seen (capped)
  };
  struct Group {
    CauseGroup shown;
    std::string function_key;
    std::set<std::string> slots;
    std::uint64_t limit_hits = 0;
    bool shape = false;
  };
  std::map<std::string, Function> functions;                // rank, process and frame, or the place
  std::map<std::string, Group> groups;                      // function, cause, source
  std::deque<std::pair<std::string, std::string>> untimed;  // compile -> group, the newest 4096
  std::map<std::string, std::uint64_t> breaks, failures;
  std::set<std::string> ranks;
  std::vector<std::string> others;
  std::uint64_t cut = 0;
  std::size_t taken_apart = 0;

  static std::string stream_of(const LogEvent& event) { return event.rank + "/" + event.process; }
  static std::string plain_id(const LogEvent& event) { return event.compile_id.substr(0, event.compile_id.find('_')); }

  Function& function(const LogEvent& event, const std::string& name, const std::string& place, std::string& key) {
    key = event.frame().empty() ? name + " " + place : stream_of(event) + " " + std::string(event.frame());
    if (functions.size() >= kFunctions && functions.find(key) == functions.end()) key = "other";
    Function& out = functions[key];
    if (out.report.function.empty()) out.report.function = name;
    if (out.report.place.empty()) out.report.place = place;
    return out;
  }
  void seen(Function& f, const LogEvent& event) {
    const std::string id = plain_id(event);
    if (id.empty() || f.ids.size() >= 4096) return;
    if (f.ids.insert(id).second) ++f.report.compiles;
  }

  void recompile(const LogEvent& event, const Recompile& recompile) {
    std::string key;
    Function& f = function(event, recompile.function, recompile.place, key);
    const std::string id = plain_id(event);
    ++f.report.recompiles;
    if (recompile.limit_hit)
      ++f.report.limit_hits;
    else if (id.empty())
      ++f.report.compiles;
    else
      seen(f, event);
    for (const FailedGuard& reason : recompile.reasons) {  // older entries are compiles as well
      if (reason.entry.find('/') == std::string::npos) continue;
      if (f.ids.size() < 4096 && f.ids.insert(reason.entry).second) ++f.report.compiles;
    }
    if (id.empty() && f.report.compiles <= f.report.recompiles) f.report.compiles = f.report.recompiles + 1;
    f.values.add(id, recompile);
    const FailedGuard* best = changed(recompile);
    if (best == nullptr) return;
    const std::string cause = best->cause.label();
    const std::string source = plain_source(best->cause.source);
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
      group.shown.source = source;
      group.shown.user_line = best->user_line;
      group.shown.user_place = best->place;
      FailedGuard plain = *best;
      plain.cause.source = source;
      group.shown.remedy = remedy_for(plain);
    }
    if (recompile.limit_hit) ++group.limit_hits;
    if (recompile.reasons.front().cause.label() == cause) ++group.shown.blamed;
    for (const FailedGuard& reason : recompile.reasons)
      if (const std::string slot = explain::slot_of(reason.cause); !slot.empty() && group.slots.size() < 64)
        group.slots.insert(slot);
    group.shape = group.shape || !explain::slot_of(best->cause).empty();
    if (std::string change = change_of(best->cause);
        group.shown.changes.size() < kChanges && !change.empty() &&
        std::find(group.shown.changes.begin(), group.shown.changes.end(), change) == group.shown.changes.end())
      group.shown.changes.push_back(std::move(change));
    if (!id.empty() && !recompile.limit_hit) {
      untimed.emplace_back(stream_of(event) + " " + id, group_key);
      if (untimed.size() > 4096) untimed.pop_front();
    }
  }

  void metrics(const LogEvent& event, const CompileMetrics& metrics) {
    std::string key;
    Function& f = function(event, metrics.function, metrics.place, key);
    if (metrics.fail_type.empty())
      seen(f, event);
    else if (f.ids.erase(plain_id(event)) != 0)
      --f.report.compiles;  // begun, and nothing came of it
    if (metrics.seconds < 0) return;
    f.report.seconds = f.report.seconds.value_or(0) + metrics.seconds;
    for (const auto& [stage, seconds] : metrics.stages)
      if (f.stages.size() < 64 || f.stages.count(stage) != 0) f.stages[stage] += seconds;
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
      seen(function(event, start->function, start->place, key), event);
    } else if (const auto* symbol = std::get_if<SymbolCreated>(&event.body)) {
      if (!id.empty()) function(event, {}, {}, key).values.add(id, *symbol);
    } else if (const auto* guard = std::get_if<GuardAdded>(&event.body)) {
      if (!id.empty()) function(event, {}, {}, key).values.add(id, *guard);
    } else if (const auto* failed = std::get_if<CompileFailed>(&event.body)) {
      count(failures, failed->type + ": " + failed->message, 256);
      if (!id.empty()) ++function(event, failed->function, {}, key).report.failed;
    } else if (const auto* hit = std::get_if<LimitHit>(&event.body)) {
      Function& f = function(event, hit->function, hit->place, key);
      if (f.report.limit_hits == 0) ++f.report.limit_hits;  // the recompile before it was not logged
    } else if (const auto* broke = std::get_if<GraphBreak>(&event.body)) {
      count(breaks, broke->reason + (broke->place.empty() ? "" : " (" + broke->place + ")"), 256);
    } else if (const auto* entry = std::get_if<EntryGuards>(&event.body)) {
      Function& f = function(event, {}, {}, key);
      if (!id.empty()) seen(f, event);
      if (options.entries && taken_apart < options.entry_limit && !entry->guards.empty()) {
        ++taken_apart;
        f.report.entries.push_back(explain::take_apart(event.compile_id, *entry, prover));
      }
    } else if (const auto* other = std::get_if<OtherRetrace>(&event.body)) {
      if (others.size() < 64) others.push_back(other->system + ": " + other->text);
    }
  }

  /// Compiles that the remedy of a group would leave.
  void remain(Group& group) const {
    const Function& f = functions.at(group.function_key);
    CauseGroup& shown = group.shown;
    shown.compiles = f.report.compiles;
    const std::uint64_t gone = shown.count - group.limit_hits;
    if (!shown.remedy.avoidable) return;
    const std::uint64_t rest = shown.compiles > gone ? shown.compiles - gone : 1;  // the first compile among them
    if (!group.shape) {
      shown.remain = rest;
      shown.remain_note = "computed: every other compile of the function stays";
    } else if (const auto left = f.values.replay(group.slots, prover)) {
      const std::uint64_t more = left->compiles > 0 ? left->compiles - 1 : 0;
      shown.remain = std::min(rest + more, shown.compiles);
      shown.remain_note = "replayed: " + std::to_string(left->calls) + " calls seen, " +
                          std::to_string(left->decisions) + " decisions seen, policy symbolic";
    } else {
      shown.remain_note = "unknown from this log: it shows no values to replay";
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
    in.remain(group);
    CauseGroup& shown = group.shown;
    const std::string same = shown.function + "\n" + shown.place + "\n" + shown.cause + "\n" + shown.source;
    const auto [found, fresh] = merged.try_emplace(same, out.groups.size());
    if (fresh) {
      out.groups.push_back(std::move(shown));
      continue;
    }
    CauseGroup& into = out.groups[found->second];
    into.count += shown.count;
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
    f.report.stages.assign(f.stages.begin(), f.stages.end());
    std::stable_sort(f.report.stages.begin(), f.report.stages.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    if (f.report.compiles + f.report.recompiles + f.report.failed + f.report.limit_hits > 0 || f.report.seconds)
      out.functions.push_back(std::move(f.report));
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
