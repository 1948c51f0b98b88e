#include "explain/cause_groups.hpp"

#include <algorithm>
#include <charconv>
#include <functional>

namespace dimgate::explain {

namespace {

constexpr std::size_t kGroups = 16384;
constexpr std::size_t kUntimed = 4096;
constexpr std::size_t kChanges = 6;

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

/// What the run of values of a group says beyond its cause.
void add_advice(const FunctionReport& f, CauseGroup& group) {
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

}  // namespace

void CauseGroups::add(const LogEvent& event, const Recompile& recompile, const FailedGuard& best, const FunctionLog& f,
                      const std::string& key) {
  const std::string id = plain_id(event);
  const std::string cause = best.cause.label();
  const std::string source = shown_part(plain_source(best.cause.source));
  const std::string group_key = key + "\n" + cause + "\n" + source;
  if (groups_.size() >= kGroups && groups_.find(group_key) == groups_.end()) {
    ++cut_;
    return;
  }
  Group& group = groups_[group_key];
  if (group.shown.count++ == 0) {
    group.function_key = key;
    group.shown.function = f.report.function;
    group.shown.place = f.report.place;
    group.shown.cause = cause;
    group.shown.kind = kind_of_change(best);
    group.shown.source = source;
    group.shown.user_line = shown_part(best.user_line);
    group.shown.user_place = shown_part(best.place);
    group.system = recompile.system;
    group.sample.text = best.text.substr(0, 4096);
    group.sample.user_line = group.shown.user_line;
    group.sample.cause = best.cause;
    group.sample.cause.source = source;
    group.sample.cause.expected = shown_part(best.cause.expected);
    group.sample.cause.actual = shown_part(best.cause.actual);
  }
  if (recompile.limit_hit) ++group.shown.limit_hits;
  if (recompile.last_only) ++group.last_only;
  if (recompile.reasons.front().cause.label() == cause) ++group.shown.blamed;
  for (const FailedGuard& reason : recompile.reasons)
    if (const std::string slot = slot_of(reason.cause); !slot.empty() && group.slots.size() < 64)
      group.slots.insert(slot);
  group.shape = group.shape || !slot_of(best.cause).empty();
  if (!id.empty() && !recompile.limit_hit) {
    untimed_.emplace_back(stream_of(event) + " " + id, group_key);
    if (untimed_.size() > kUntimed) untimed_.pop_front();
  }
}

void CauseGroups::add(const LogEvent& event, const CompileMetrics& metrics) {
  const std::string compile = stream_of(event) + " " + plain_id(event);
  for (auto at = untimed_.begin(); at != untimed_.end(); ++at) {
    if (at->first != compile) continue;
    CauseGroup& group = groups_[at->second].shown;
    group.seconds = group.seconds.value_or(0) + metrics.seconds;
    untimed_.erase(at);
    break;
  }
}

/// What changed in a group, and the compiles that its remedy would leave.
void CauseGroups::settle(Group& group, FunctionLog& f, Prover& prover) {
  CauseGroup& shown = group.shown;
  shown.compiles = f.report.compiles;
  std::set<int> dims;
  for (CompileReport& compile : f.report.history) {
    if (compile.cause != shown.cause || compile.source != shown.source) continue;
    Cause cause = group.sample.cause;
    cause.index = compile.index;
    cause.expected = compile.expected;
    if (const std::string slot = slot_of(cause); compile.actual.empty() && !slot.empty())
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
  remaining(group, f, prover);
}

/// The compiles that the remedy would leave.
void CauseGroups::remaining(Group& group, FunctionLog& f, Prover& prover) {
  CauseGroup& shown = group.shown;
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

std::vector<CauseGroup> CauseGroups::finish(FunctionTable& functions, Prover& prover) {
  std::vector<CauseGroup> out;
  // The same function on several ranks or processes with the same cause: one group.
  std::map<std::string, std::size_t> merged;
  for (auto& [key, group] : groups_) {
    settle(group, functions.at(group.function_key), prover);
    CauseGroup& shown = group.shown;
    const std::string same = shown.function + "\n" + shown.place + "\n" + shown.cause + "\n" + shown.source;
    const auto [found, fresh] = merged.try_emplace(same, out.size());
    if (fresh) {
      out.push_back(std::move(shown));
      continue;
    }
    CauseGroup& into = out[found->second];
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
  std::stable_sort(out.begin(), out.end(), [](const CauseGroup& a, const CauseGroup& b) {
    const double sa = a.seconds.value_or(0);
    const double sb = b.seconds.value_or(0);
    return sa != sb ? sa > sb : a.count > b.count;
  });
  return out;
}

}  // namespace dimgate::explain
