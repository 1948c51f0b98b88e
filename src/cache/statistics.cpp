#include "dimgate/statistics.hpp"

#include <algorithm>
#include <tuple>

namespace dimgate {

std::string kind_of_guard(const Entry& e, std::uint32_t guard) {
  return guard < e.guard_kinds.size() ? e.guard_kinds[guard] : std::string("unknown");
}

std::string text_of_guard(const Entry& e, std::uint32_t guard) {
  return guard < e.guard_texts.size() ? e.guard_texts[guard] : "guard " + std::to_string(guard);
}

CauseCount& CauseStatistics::cause(const std::string& kind, const std::string& guard) {
  const auto it = causes_.find({kind, guard});
  if (it != causes_.end()) return it->second;
  const bool room = causes_.size() < options_.causes;
  CauseCount& c = room ? causes_[{kind, guard}] : causes_[{"others", "others"}];
  c.kind = room ? kind : "others", c.guard = room ? guard : "others";
  return c;
}

void CauseStatistics::missed(const MissRecord& m) {
  const std::lock_guard lock(mutex_);
  const bool compiled = m.outcome == Outcome::compiled;
  if (compiled) {
    (m.first ? times_.first : times_.recompiles) += m.seconds;
    times_.longest = std::max(times_.longest, m.seconds);
  }
  if (!m.nearest.empty()) {
    const FailedEntry& near = m.nearest.front();
    for (std::size_t i = 0; i < near.failing.size(); ++i) {
      CauseCount& c = cause(kind_of_guard(*near.entry, near.failing[i]), text_of_guard(*near.entry, near.failing[i]));
      if (i > 0) {
        c.also += compiled ? 1 : 0;
        continue;
      }
      if (c.recompiles + c.fallbacks == 0) c.first_at = m.clock;
      c.last_at = m.clock;
      c.recompiles += compiled ? 1 : 0;
      c.fallbacks += m.outcome == Outcome::fallback ? 1 : 0;
      c.seconds += m.seconds;
    }
  }
  if (points_.empty() || in_point_ == per_point_) {
    if (points_.size() >= std::max<std::size_t>(options_.points, 2)) {  // two become one
      std::vector<TimePoint> half;
      for (std::size_t i = 0; i < points_.size(); i += 2) {
        TimePoint p = points_[i];
        if (i + 1 < points_.size()) {
          const TimePoint& q = points_[i + 1];
          p.clock = q.clock, p.hits += q.hits, p.compiles += q.compiles, p.recompiles += q.recompiles;
          p.shared += q.shared, p.fallbacks += q.fallbacks, p.rejected += q.rejected, p.errors += q.errors;
        }
        half.push_back(p);
      }
      points_ = std::move(half);
      per_point_ *= 2;
    }
    points_.emplace_back();
    in_point_ = 0;
  }
  ++in_point_;
  TimePoint& p = points_.back();
  p.clock = m.clock;
  p.hits += m.hits - std::min(hits_, m.hits);
  hits_ = m.hits;
  p.compiles += compiled ? 1 : 0;
  p.recompiles += compiled && !m.first ? 1 : 0;
  p.shared += m.outcome == Outcome::shared ? 1 : 0;
  p.fallbacks += m.outcome == Outcome::fallback ? 1 : 0;
  p.rejected += m.outcome == Outcome::rejected ? 1 : 0;
  p.errors += m.outcome == Outcome::error ? 1 : 0;
}

std::vector<CauseCount> CauseStatistics::causes() const {
  const std::lock_guard lock(mutex_);
  std::vector<CauseCount> out;
  for (const auto& [key, c] : causes_) out.push_back(c);
  std::ranges::stable_sort(out, [](const CauseCount& a, const CauseCount& b) {
    return std::tuple(b.recompiles, b.fallbacks) < std::tuple(a.recompiles, a.fallbacks);
  });
  return out;
}

std::map<std::string, std::uint64_t> CauseStatistics::recompiles_by_kind() const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, std::uint64_t> out;
  for (const auto& [key, c] : causes_)
    if (c.recompiles != 0) out[c.kind] += c.recompiles;
  return out;
}

std::vector<TimePoint> CauseStatistics::timeline() const {
  const std::lock_guard lock(mutex_);
  return points_;
}

CauseStatistics::Times CauseStatistics::times() const {
  const std::lock_guard lock(mutex_);
  return times_;
}

}  // namespace dimgate
