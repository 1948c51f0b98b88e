// Two explanations side by side: a cause is the same where function, label and source are (places move with edits).
// Nothing is confirmed that the second log does not show to have run: an empty log, a run that broke off, a function
// that no longer compiles have no recompiles either.
#include <algorithm>
#include <map>
#include <set>

#include "dimgate/explain.hpp"

namespace dimgate {

namespace {

std::string key_of(const CauseGroup& group) { return group.function + "\n" + group.cause + "\n" + group.source; }
std::string name_of(const CauseGroup& group) {
  std::string name;
  for (const char c : group.function + ": " + group.cause + (group.source.empty() ? "" : " of " + group.source))
    name += static_cast<unsigned char>(c) < 32 ? '?' : c;
  return name;
}

std::uint64_t sum(const Explanation& e, std::uint64_t FunctionReport::* of) {
  std::uint64_t out = 0;
  for (const FunctionReport& f : e.functions) out += f.*of;
  return out;
}

/// Functions that the log names and shows to have compiled.
std::set<std::string> compiled_names(const Explanation& e, bool guarded) {
  std::set<std::string> out;
  for (const FunctionReport& f : e.functions)
    if (!f.function.empty() && (guarded ? f.guarded : f.compiles) > 0) out.insert(f.function);
  return out;
}

std::vector<std::string> doubts_about(const Explanation& before, const Explanation& after) {
  std::vector<std::string> out;
  if (after.counts.lines == 0) {
    out.emplace_back("AFTER is empty: it does not show that the program ran (log dynamic as well)");
    return out;
  }
  for (const auto& [text, count] : after.failures) {
    const auto was = std::find_if(before.failures.begin(), before.failures.end(),
                                  [&, &said = text](const auto& one) { return one.first == said; });
    if (was == before.failures.end() || was->second < count)
      out.push_back("AFTER has a compile that failed: " + text.substr(0, 400));
  }
  if (!after.counts.ended_by.empty() && before.counts.ended_by != after.counts.ended_by)
    out.push_back("AFTER ends in an error: " + after.counts.ended_by);
  const std::uint64_t guarded_before = sum(before, &FunctionReport::guarded);
  const std::uint64_t guarded_after = sum(after, &FunctionReport::guarded);
  const std::uint64_t began = sum(after, &FunctionReport::compiles) + sum(after, &FunctionReport::failed);
  if (guarded_after == 0 && guarded_before > 0 && began > 0)
    out.emplace_back("no compile of AFTER came to its guards: what was compiled runs in eager, or the run broke off");
  else if (guarded_after == 0 && began == 0 && sum(before, &FunctionReport::compiles) > 0)
    out.emplace_back("AFTER shows no compile at all (log dynamic as well, so that first compiles are seen)");
  const std::set<std::string> now = compiled_names(after, guarded_after > 0);
  if (!now.empty() && now.size() == after.functions.size())  // the log names all its functions
    for (const std::string& name : compiled_names(before, guarded_before > 0))
      if (now.count(name) == 0) out.push_back(name + " was compiled in BEFORE and is not in AFTER");
  return out;
}

}  // namespace

Against compare_explanations(const Explanation& before, const Explanation& after) {
  Against out;
  out.doubts = doubts_about(before, after);
  std::map<std::string, std::uint64_t> now;
  std::map<std::string, bool> was;
  for (const CauseGroup& group : after.groups) now[key_of(group)] += group.count;
  std::map<std::string, CauseGroup> old;
  std::vector<std::string> order;
  for (const CauseGroup& group : before.groups) {
    const std::string key = key_of(group);
    const auto [found, fresh] = old.try_emplace(key, group);
    if (fresh)
      order.push_back(key);
    else
      found->second.count += group.count;
  }
  for (const std::string& key : order) {
    const auto found = now.find(key);
    if (found == now.end())
      out.gone.emplace_back(old.at(key), 0);
    else
      out.changed.emplace_back(old.at(key), found->second);
  }
  for (const CauseGroup& group : after.groups)
    if (old.find(key_of(group)) == old.end() && !was[key_of(group)]) {
      was[key_of(group)] = true;
      out.fresh.push_back(group);
    }
  return out;
}

std::string to_text(const Against& against) {
  std::string out;
  for (const std::string& doubt : against.doubts) {
    out += "not confirmed: ";
    for (const char c : doubt) out += static_cast<unsigned char>(c) < 32 ? '?' : c;
    out += '\n';
  }
  for (const auto& [group, now] : against.gone)
    out += "gone   " + name_of(group) + " (was " + std::to_string(group.count) + ")\n";
  for (const auto& [group, now] : against.changed)
    out += "stays  " + name_of(group) + " (" + std::to_string(group.count) + " -> " + std::to_string(now) + ")\n";
  for (const CauseGroup& group : against.fresh)
    out += "new    " + name_of(group) + " (" + std::to_string(group.count) + ")\n";
  return out.empty() ? "no recompiles in either log\n" : out;
}

}  // namespace dimgate
