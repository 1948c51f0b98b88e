#include "explain/function_table.hpp"

namespace dimgate::explain {

namespace {

constexpr std::size_t kFunctions = 4096;

/// "Net.forward" and "forward" are one; no name is any.
bool same_name(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() || a.ends_with(b) || b.ends_with(a);
}

}  // namespace

FunctionLog& FunctionTable::of(const LogEvent& event, const std::string& name, const std::string& place,
                               std::string& key) {
  const std::string frame = stream_of(event) + " " + std::string(event.frame());
  key = event.frame().empty() ? shown_part(name) + " " + shown_part(place) : frame;
  if (!event.frame().empty()) {
    if (const auto now = of_frame_.find(frame); now != of_frame_.end()) key = now->second;
    const auto there = functions_.find(key);
    if (there != functions_.end() && !name.empty() && !same_name(there->second.report.function, shown_part(name))) {
      key = frame + " " + shown_part(name);
      if (of_frame_.size() < kFunctions) of_frame_[frame] = key;
    }
  }
  if (functions_.size() >= kFunctions && functions_.find(key) == functions_.end()) key = "other";
  FunctionLog& out = functions_.try_emplace(key, history_).first->second;
  if (out.report.function.empty()) out.report.function = shown_part(name);
  if (out.report.place.empty()) out.report.place = shown_part(place);
  if (out.report.rank.empty()) out.report.rank = event.rank;
  return out;
}

}  // namespace dimgate::explain
