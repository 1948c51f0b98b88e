// Two explanations side by side: a cause is the same where function, label and source are (places move with edits).
#include <map>

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

}  // namespace

Against compare_explanations(const Explanation& before, const Explanation& after) {
  Against out;
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
  for (const auto& [group, now] : against.gone)
    out += "gone   " + name_of(group) + " (was " + std::to_string(group.count) + ")\n";
  for (const auto& [group, now] : against.changed)
    out += "stays  " + name_of(group) + " (" + std::to_string(group.count) + " -> " + std::to_string(now) + ")\n";
  for (const CauseGroup& group : against.fresh)
    out += "new    " + name_of(group) + " (" + std::to_string(group.count) + ")\n";
  return out.empty() ? "no recompiles in either log\n" : out;
}

}  // namespace dimgate
