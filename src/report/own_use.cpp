// Events of our own caches summed up by guard kind; an entry's last count holds. Checked by
// tests/report/own_use_test.cpp.
#include "report/own_use.hpp"

#include "dimgate/guard.hpp"

namespace dimgate::report {

namespace {

constexpr std::size_t kFrames = 4096;
constexpr std::size_t kKinds = 256;

std::string kind_name(const std::string& kind) { return kind.empty() ? "unknown" : kind.substr(0, 256); }

}  // namespace

void OwnUse::add(const LogEvent& event) {
  if (event.process != "dimgate") return;
  if (const auto* guards = std::get_if<EntryGuards>(&event.body)) {
    inserted(event, *guards);
  } else if (const auto* miss = std::get_if<CallMissed>(&event.body)) {
    missed(event, *miss);
  } else if (const auto* served = std::get_if<EntryHits>(&event.body)) {
    if (const auto found = entries_.find(event.compile_id); found != entries_.end()) found->second.hits = served->hits;
  }
}

void OwnUse::inserted(const LogEvent& event, const EntryGuards& guards) {
  if (entries_.size() >= kEntries && entries_.count(event.compile_id) == 0) return;
  Entry& entry = entries_[event.compile_id];
  serve(entry, before_);
  entry = {};
  Context ctx;
  for (const LoggedGuard& guard : guards.guards) {
    const auto formula = parse(ctx, guard.text);
    entry.cost[kind_name(guard.kind)] += formula && formula->sort() == Sort::Bool ? estimated_cost(ctx, *formula) : 0;
  }
}

void OwnUse::missed(const LogEvent& event, const CallMissed& miss) {
  if (hits_until_.size() < kFrames) {
    std::uint64_t& hits = hits_until_[std::string(event.frame())];
    if (miss.hits < hits) hits_of_others_ += hits;  // counting began again: another process
    hits = miss.hits;
  }
  if (miss.first || miss.kinds.empty()) {
    ++before_any_;
    return;
  }
  ++misses_;
  for (const std::string& kind : miss.kinds)
    ++missed_kinds_[missed_kinds_.size() < kKinds ? kind_name(kind) : std::string("others")];
}

void OwnUse::serve(const Entry& entry, HitsByKind& out) {
  out.hits += entry.hits;
  if (entry.cost.empty()) out.without_guard += entry.hits;
  for (const auto& [kind, cost] : entry.cost) {
    KindUse& use = out.kinds[kind];
    use.hits += entry.hits;
    use.cost += cost * static_cast<double>(entry.hits);
  }
}

HitsByKind OwnUse::by_kind(std::uint64_t& apart) const {
  HitsByKind out = before_;
  for (const auto& [id, entry] : entries_) serve(entry, out);
  for (const auto& [kind, count] : missed_kinds_) out.kinds[kind].misses += count;
  out.misses = misses_;
  out.before_any = before_any_;
  std::uint64_t told = hits_of_others_;
  for (const auto& [frame, hits] : hits_until_) told += hits;
  apart = told > out.hits ? told - out.hits : 0;
  out.calls = out.hits + apart + out.misses + out.before_any;
  return out;
}

}  // namespace dimgate::report
