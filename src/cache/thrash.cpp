#include "dimgate/thrash.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "cache/advise.hpp"

namespace dimgate {

std::string_view to_string(ThrashPattern pattern) noexcept {
  switch (pattern) {
    case ThrashPattern::growth:
      return "monotone growth";
    case ThrashPattern::fresh_identity:
      return "identity that never repeats";
    case ThrashPattern::to_and_fro:
      return "to and fro";
    case ThrashPattern::many_values:
      return "many values";
  }
  return "?";
}

void ThrashDetector::missed(const MissRecord& m) {
  const bool limited = m.outcome == Outcome::fallback && !m.nearest.empty();
  const std::lock_guard lock(mutex_);
  clock_ = std::max(clock_, m.clock);
  if (m.outcome != Outcome::compiled && !limited) return;
  Record r{.clock = m.clock, .recompile = !m.first};
  for (SlotIndex i = 0; i < m.inputs.size; ++i)
    r.values.push_back(m.inputs.has(i) ? std::optional(m.inputs.raw(i)) : std::nullopt);
  guarded_.resize(std::max(guarded_.size(), m.inputs.size));
  const auto reads = [&](const Entry& e) {
    for (const SlotIndex s : e.program.slots())
      if (s < guarded_.size()) guarded_[s] = true;
  };
  if (m.made != nullptr) reads(*m.made);
  if (!m.nearest.empty()) {
    const Entry& near = *m.nearest.front().entry;
    reads(near);
    // Which slot a guard reads is known where it pins one; its kind tells more than the slot's source.
    for (const Pinned& p : near.program.pinned()) {
      if (p.slot >= r.values.size() || r.values[p.slot] == p.value) continue;
      std::string kind;
      if (m.nearest.front().failing.size() == 1 && near.guard_kinds.size() > m.nearest.front().failing[0])
        kind = near.guard_kinds[m.nearest.front().failing[0]];
      r.failed.emplace_back(p.slot, std::move(kind));
    }
  }
  records_.push_back(std::move(r));
  if (records_.size() > options_.records) records_.pop_front();
}

ThrashReport ThrashDetector::report(const Layout& layout) const {
  const std::lock_guard lock(mutex_);
  ThrashReport out;
  const std::uint64_t since = clock_ > options_.window ? clock_ - options_.window : 0;
  out.calls = clock_ - since;
  for (const Record& r : records_) out.recompiles += r.recompile && r.clock > since ? 1 : 0;
  out.rate = out.calls == 0 ? 0 : static_cast<double>(out.recompiles) / static_cast<double>(out.calls);
  out.thrashing = records_.size() >= options_.least && out.rate >= options_.share;
  if (!out.thrashing) return out;

  detail::Worlds worlds;
  for (SlotIndex s = 0; s < guarded_.size() && s < layout.size(); ++s)
    if (guarded_[s]) worlds.slots.push_back(s);
  std::map<SlotIndex, std::map<std::string, std::size_t>> kinds;
  for (const Record& r : records_) {
    std::vector<std::optional<std::int64_t>> values;
    for (const SlotIndex s : worlds.slots) values.push_back(s < r.values.size() ? r.values[s] : std::nullopt);
    worlds.calls.push_back(std::move(values));
    for (const auto& [slot, kind] : r.failed)
      if (!kind.empty()) ++kinds[slot][kind];
  }
  for (std::size_t column = 0; column < worlds.slots.size(); ++column) {
    std::string kind;
    std::size_t most = 0;
    for (const auto& [k, n] : kinds[worlds.slots[column]])
      if (n > most) kind = k, most = n;
    if (auto finding = detail::find_pattern(worlds, column, layout, kind)) out.findings.push_back(std::move(*finding));
  }
  std::ranges::stable_sort(out.findings, {},
                           [](const Finding& f) { return f.advice.empty() ? SIZE_MAX : f.advice.front().remaining; });
  return out;
}

std::string to_text(const ThrashReport& report) {
  std::string out = std::to_string(report.recompiles) + " recompiles in the last " + std::to_string(report.calls) +
                    " calls" + (report.thrashing ? ": thrash\n" : "\n");
  for (const Finding& f : report.findings) {
    out += f.text + '\n';
    for (const Advice& a : f.advice)
      out +=
          "  " + a.text + ": " + std::to_string(a.remaining) + " of " + std::to_string(a.compiles) + " compiles left\n";
    if (f.advice.empty()) out += "  nothing is known to help\n";
  }
  return out;
}

}  // namespace dimgate
