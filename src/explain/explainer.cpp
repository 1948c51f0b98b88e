// Events to an explanation: each goes to its function and, if it is a recompile, to the group of its cause.
#include <algorithm>
#include <map>
#include <set>

#include "dimgate/explain.hpp"
#include "explain/cause_groups.hpp"
#include "explain/entries.hpp"
#include "import/log_text.hpp"

namespace dimgate {

namespace {

using explain::FunctionLog;
using explain::plain_id;

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

}  // namespace

struct Explainer::Impl {
  Prover& prover;
  ExplainOptions options;

  ChangeFinder finder;
  explain::FunctionTable functions;
  explain::CauseGroups groups;
  std::map<std::string, std::uint64_t> breaks, failures, notes;
  std::set<std::string> ranks;
  std::vector<std::string> others;
  std::size_t taken_apart = 0;

  FunctionLog& function(const LogEvent& event, const std::string& name, const std::string& place, std::string& key) {
    return functions.of(event, name, place, key);
  }

  void recompile(const LogEvent& event, const Recompile& recompile, const FailedGuard* best) {
    std::string key;
    FunctionLog& f = function(event, recompile.function, recompile.place, key);
    f.add(plain_id(event), event, recompile, best);
    if (best != nullptr) groups.add(event, recompile, *best, f, key);
  }

  void metrics(const LogEvent& event, const CompileMetrics& metrics) {
    std::string key;
    function(event, metrics.function, metrics.place, key).add(plain_id(event), event, metrics);
    if (metrics.seconds >= 0) groups.add(event, metrics);
  }

  /// `RecompileError: Recompiling function f in b.py:3` is the recompile that was forbidden, told only so where
  /// recompiles were not logged.
  void forbidden_recompile(const LogEvent& event, const CompileFailed& failed) {
    std::string key;
    Recompile out;
    out.function = failed.function;
    out.place = failed.message.substr(std::min(failed.message.rfind(" in ") + 4, failed.message.size()));
    if (function(event, out.function, out.place, key).report.recompiles > 0) return;
    for (const std::string& detail : failed.details) {
      std::string_view text = detail;
      const std::string entry(logs::take_entry(text));
      FailedGuard reason = parse_failed_guard(text);
      reason.entry = entry;
      out.reasons.push_back(std::move(reason));
    }
    if (!out.reasons.empty()) recompile(event, out, changed(out));
  }

  void failed_compile(const LogEvent& event, const CompileFailed& failed) {
    std::string key;
    if (failed.type == "RecompileError" && event.compile_id.empty()) forbidden_recompile(event, failed);
    const std::string id = plain_id(event);
    std::string name = failed.function;
    if (!id.empty()) {
      FunctionLog& f = function(event, failed.function, {}, key);
      f.add(id, event, failed);
      name = f.report.function;
    }
    std::string said = (name.empty() ? "" : name + ": ") + failed.type + ": " + failed.message;
    for (const std::string& detail : failed.details) said += "; " + detail;
    count(failures, std::move(said), 256);
  }

  void add(const LogEvent& event) {
    if (!event.rank.empty() && ranks.size() < 65536) ranks.insert(event.rank);
    std::string key;
    const std::string id = plain_id(event);
    const FailedGuard* best = finder.add(event);
    if (const auto* e = std::get_if<Recompile>(&event.body)) {
      recompile(event, *e, best);
    } else if (const auto* m = std::get_if<CompileMetrics>(&event.body)) {
      metrics(event, *m);
    } else if (const auto* start = std::get_if<CompileStart>(&event.body)) {
      FunctionLog& f = function(event, start->function, start->place, key);
      start->again ? f.seen(id, event) : f.start(id, event);
      f.dynamic.add(id, *start);
    } else if (std::holds_alternative<GuardsProduced>(event.body)) {
      if (!id.empty()) function(event, {}, {}, key).guarded(id, event);
    } else if (const auto* symbol = std::get_if<SymbolCreated>(&event.body)) {
      if (id.empty()) return;
      FunctionLog& f = function(event, {}, {}, key);
      f.values.add(id, *symbol);
      f.dynamic.add(id, *symbol);
    } else if (const auto* guard = std::get_if<GuardAdded>(&event.body)) {
      if (id.empty()) return;
      FunctionLog& f = function(event, {}, {}, key);
      f.values.add(id, *guard);
      f.dynamic.add(id, *guard);
    } else if (const auto* replacement = std::get_if<Replacement>(&event.body)) {
      if (!id.empty()) function(event, {}, {}, key).dynamic.add(id, *replacement);
    } else if (const auto* marked = std::get_if<MarkedDynamic>(&event.body)) {
      if (!id.empty()) function(event, {}, {}, key).dynamic.add(id, *marked);
    } else if (const auto* note = std::get_if<LogNote>(&event.body)) {
      count(notes, note->text, 256);
    } else if (const auto* failed = std::get_if<CompileFailed>(&event.body)) {
      failed_compile(event, *failed);
    } else if (const auto* hit = std::get_if<LimitHit>(&event.body)) {
      function(event, hit->function, hit->place, key).add(event, *hit);
    } else if (const auto* broke = std::get_if<GraphBreak>(&event.body)) {
      std::string said = broke->reason + (broke->place.empty() ? "" : " (" + broke->place + ")");
      for (const std::string& hint : broke->hints) said += "; " + hint;
      if (!broke->link.empty()) said += "; " + broke->link;
      count(breaks, std::move(said), 256);
    } else if (const auto* entry = std::get_if<EntryGuards>(&event.body)) {
      FunctionLog& f = function(event, {}, {}, key);
      f.guards(id, event, entry->count);
      f.dynamic.add(id, *entry);
      if (options.entries && taken_apart < options.entry_limit && !entry->guards.empty()) {
        ++taken_apart;
        f.report.entries.push_back(explain::take_apart(event.compile_id, *entry, prover));
      }
    } else if (const auto* other = std::get_if<OtherRetrace>(&event.body)) {
      if (others.size() < 64) others.push_back(other->system + ": " + other->text);
    }
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
  out.groups = in.groups.finish(in.functions, in.prover);
  out.cut = in.groups.cut();
  for (auto& [key, f] : in.functions.all()) {
    FunctionReport report = f.finish();
    if (report.compiles + report.recompiles + report.failed + report.limit_hits > 0 || report.seconds)
      out.functions.push_back(std::move(report));
  }
  std::stable_sort(out.functions.begin(), out.functions.end(),
                   [](const FunctionReport& a, const FunctionReport& b) { return a.recompiles > b.recompiles; });
  out.graph_breaks = by_count(in.breaks);
  out.failures = by_count(in.failures);
  out.notes = by_count(in.notes);
  out.other_retraces = in.others;
  return out;
}

bool Explanation::avoidable() const {
  return std::any_of(groups.begin(), groups.end(), [](const CauseGroup& group) {
    return group.remedy.avoidable && (!group.remain || *group.remain < group.compiles);
  });
}

}  // namespace dimgate
