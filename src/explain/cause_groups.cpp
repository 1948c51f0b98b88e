#include "explain/cause_groups.hpp"

#include <algorithm>
#include <charconv>
#include <functional>

#include "import/log_text.hpp"

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
  for (const CompileReport& compile : f.history) {
    if (compile.cause != group.cause || compile.source != group.source) continue;
    for (const std::string* text : {&compile.expected, &compile.actual}) {
      std::int64_t value = 0;
      const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
      if (error != std::errc() || end != text->data() + text->size()) continue;
      if (values.empty() || values.back() != value) values.push_back(value);
    }
  }
  const bool counts = group.cause == "int value" || group.cause == "container length";
  if (counts && values.size() > 2 && std::is_sorted(values.begin(), values.end(), std::less_equal<>()))
    group.remain_note = "grows with every compile: no limit of entries is enough";
}

/// True if the compile is one of the group.
bool of_group(const CompileReport& compile, const FailedGuard& sample, const CauseGroup& group) {
  if (compile.cause != group.cause || compile.source != group.source) return false;
  const bool guard = sample.cause.kind == CauseKind::shape_guard || sample.cause.kind == CauseKind::shape_guard_int;
  return !guard || compile.expected == sample.cause.expected;
}

/// The compile, the entries it met, and the sizes they tell of the source.
void learn(GroupFacts& facts, const std::string& id, const Recompile& recompile, const FailedGuard& best,
           const std::string& source) {
  constexpr std::size_t kCompiles = 256;
  constexpr std::size_t kSizes = 64;
  if (!id.empty() && facts.compiles.size() < kCompiles) facts.compiles.insert(id);
  for (const FailedGuard& reason : recompile.reasons) {
    if (reason.entry.find('/') != std::string::npos && facts.compiles.size() < kCompiles)
      facts.compiles.insert(reason.entry);
    if (reason.cause.kind != CauseKind::tensor_size || best.cause.kind != CauseKind::tensor_size ||
        shown_part(plain_source(reason.cause.source)) != source || reason.cause.index != best.cause.index)
      continue;
    auto& sizes = facts.values[reason.cause.index];
    for (const std::string* text : {&reason.cause.expected, &reason.cause.actual}) {
      std::int64_t value = 0;
      const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
      if (error == std::errc() && end == text->data() + text->size() && sizes.size() < kSizes) sizes.insert(value);
    }
  }
}

}  // namespace

void CauseGroups::add(const LogEvent& event, const Recompile& recompile, const FailedGuard& best, const FunctionLog& f,
                      const std::string& key) {
  const std::string id = plain_id(event);
  const std::string cause = best.cause.label();
  const std::string source = shown_part(plain_source(best.cause.source));
  std::string group_key = key + "\n" + cause + "\n" + source;
  if (best.cause.kind == CauseKind::shape_guard || best.cause.kind == CauseKind::shape_guard_int)
    group_key += "\n" + shown_part(best.cause.expected);  // each guard has a remedy of its own
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
  learn(group.facts, id, recompile, best, source);
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
void CauseGroups::settle(Group& group, FunctionLog& f, Prover& prover) const {
  CauseGroup& shown = group.shown;
  shown.compiles = f.report.compiles;
  std::set<int> dims;
  for (CompileReport& compile : f.report.history) {
    if (!of_group(compile, group.sample, shown)) continue;
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
  group.facts.system = group.system;
  shown.remedy = checked_remedy(group.sample, group.facts, f.dynamic);
  const std::string one = "(" + shown.source + ", " + std::to_string(group.sample.cause.index) + ")";
  const std::size_t marked = shown.remedy.text.find(one);
  if (dims.size() > 1 && marked != std::string::npos) {
    std::string all;
    for (const int dim : dims) all += (all.empty() ? "" : ", ") + std::to_string(dim);
    shown.remedy.text.replace(marked, one.size(), "(" + shown.source + ", [" + all + "])");
  }
  std::string also;  // what automatic dynamic marked, and no guard named
  for (const std::string& source : f.dynamic.marked(group.facts.compiles))
    if (source != shown.source && !named_.contains(group.function_key + "\n" + source) &&
        shown.remedy.text.find(source) == std::string::npos)
      also += (also.empty() ? "" : ", ") + source;
  if (!also.empty() && shown.remedy.avoidable && also.size() < 400)
    shown.remedy.text += "; the same calls changed " + also + " as well";
  add_advice(f.report, shown);
  remaining(group, f, prover);
}

/// The compiles that the remedy would leave.
void CauseGroups::remaining(Group& group, FunctionLog& f, Prover& prover) const {
  CauseGroup& shown = group.shown;
  if (!shown.remedy.avoidable) return;
  const std::uint64_t gone = affected(group);
  const std::uint64_t rest = shown.compiles > gone ? shown.compiles - gone : 1;  // the first compile among them
  const auto note = [&](const std::string& text) {
    shown.remain_note = text + (shown.remain_note.empty() ? "" : "; ") + shown.remain_note;
  };
  if (group.last_only == shown.count) {
    note("unknown from this log: it names the last reason only; TORCH_LOGS=recompiles names all");
  } else if (!group.shape) {
    shown.remain = rest;
    note("computed: what it cannot bear on stays");
  } else if (const auto left = f.values.replay(group.slots, prover)) {
    shown.remain = std::min(std::max(rest, left->compiles), shown.compiles);
    note("replayed: " + counted(left->calls, "call") + " seen, " + counted(left->decisions, "decision") +
         " seen, policy symbolic");
  } else {
    shown.remain = rest;
    note("computed: what it cannot bear on stays; the log shows no values to replay");
  }
  if (f.report.limit_hits > 0)
    shown.remain_note +=
        (shown.remain_note.empty() ? "" : "; ") + std::string("after the limit: unknown from this log");
}

std::uint64_t CauseGroups::affected(const Group& group) const {
  const auto number = [](const CauseGroup& g) {
    return g.cause == "int value" || g.cause == "float value" || g.cause == "tensor size" ||
           g.cause.starts_with("shape guard");
  };
  const bool all_numbers = number(group.shown) && (logs::has(group.shown.remedy.text, "dynamic") ||
                                                   logs::has(group.shown.remedy.text, "pad "));
  std::uint64_t out = 0;
  const std::string function = group.function_key + "\n";
  for (auto at = groups_.lower_bound(function); at != groups_.end() && at->first.starts_with(function); ++at) {
    const CauseGroup& other = at->second.shown;
    if (other.source == group.shown.source || (all_numbers && number(other))) out += other.count - other.limit_hits;
  }
  return out;
}

std::vector<CauseGroup> CauseGroups::finish(FunctionTable& functions, Prover& prover) {
  std::vector<CauseGroup> out;
  for (const auto& [key, group] : groups_) named_.insert(group.function_key + "\n" + group.shown.source);
  // The same function on several ranks or processes with the same cause: one group.
  std::map<std::string, std::size_t> merged;
  for (auto& [key, group] : groups_) settle(group, functions.at(group.function_key), prover);
  for (auto& [key, group] : groups_) {
    CauseGroup& shown = group.shown;
    const bool guard = shown.cause.starts_with("shape guard") && shown.cause != "shape guard (duck)";
    const std::string same = shown.function + "\n" + shown.place + "\n" + shown.cause + "\n" + shown.source +
                             (guard ? "\n" + group.sample.cause.expected : "");
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
