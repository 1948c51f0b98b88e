// The table that `compare` prints.
#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "dimgate/replay.hpp"

namespace dimgate {

namespace {

#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
std::string
format(const char* pattern, ...) {
  char buffer[64];
  va_list args;
  va_start(args, pattern);
  const int n = std::vsnprintf(buffer, sizeof buffer, pattern, args);
  va_end(args);
  return {buffer, std::min(static_cast<std::size_t>(std::max(n, 0)), sizeof buffer - 1)};
}

std::string count(std::uint64_t n) { return std::to_string(n); }

std::string bytes(std::uint64_t n) {
  if (n < 10'000) return count(n);
  if (n < 10'000'000) return format("%.1fk", static_cast<double>(n) / 1e3);
  return format("%.1fM", static_cast<double>(n) / 1e6);
}

std::string seconds(std::optional<double> s) {
  if (!s) return "-";
  if (*s >= 100) return format("%.0f s", *s);
  if (*s >= 1) return format("%.2f s", *s);
  if (*s >= 1e-3) return format("%.2f ms", *s * 1e3);
  return format("%.2f us", *s * 1e6);
}

using Line = std::vector<std::string>;

std::string aligned(const std::vector<Line>& lines) {
  std::vector<std::size_t> widths;
  for (const Line& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string out;
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string pad(widths[i] - line[i].size(), ' ');
      out += i == 0 ? line[i] + pad : "  " + pad + line[i];
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

constexpr std::size_t kMostEntriesShown = 12;

std::string entries_text(const PolicyRow& row) {
  std::string out = "\n" + row.policy + ": " + count(row.entries) + (row.entries == 1 ? " entry\n" : " entries\n");
  for (std::size_t i = 0; i < row.shown.size(); ++i) {
    if (i == kMostEntriesShown) return out + "  ... and " + count(row.shown.size() - i) + " more\n";
    const Policy::Shown& entry = row.shown[i];
    std::string guard;
    for (const std::string& g : entry.guards) {
      const bool loose = g.find(" or ") != std::string::npos && entry.guards.size() > 1;
      guard += (guard.empty() ? "" : " and ") + (loose ? "(" + g + ")" : g);
    }
    out += "  " + (guard.empty() ? "true" : guard);
    if (entry.joined > 1) out += "   [" + count(entry.joined) + " traces]";
    out += '\n';
  }
  return out;
}

}  // namespace

std::string to_text(const Comparison& c) {
  const bool costs =
      std::any_of(c.rows.begin(), c.rows.end(), [](const PolicyRow& r) { return r.estimated_total_s.has_value(); });
  const bool evicts = c.limit && c.limit->full != EntryLimit::Full::fallback;
  std::string out = c.model + " on " + c.trace + ": " + count(c.calls) + (c.calls == 1 ? " call" : " calls") +
                    (c.limit ? ", at most " + count(c.limit->entries) +
                                   (c.limit->entries == 1 ? " entry (" : " entries (") + c.limit->text() + ")"
                             : std::string()) +
                    "\n\n";
  std::vector<Line> lines;
  lines.push_back({"policy", "compiles", "hits", "hit rate", "traces", "shared", "fallbacks", "rejected", "entries",
                   "guards/entry", "bytes", "lookup", "solver", "waste"});
  if (evicts) lines.back().emplace_back("evictions");
  if (costs) lines.back().insert(lines.back().end(), {"total", "break-even", "longest stall", "p99"});
  for (const PolicyRow& r : c.rows) {
    lines.push_back({r.policy, count(r.compiles), count(r.hits), format("%.2f%%", r.hit_rate * 100), count(r.traces),
                     count(r.shared), count(r.fallbacks), count(r.rejected), count(r.entries),
                     format("%.1f", r.guards_per_entry), bytes(r.bytes), format("%.0f ns", r.lookup_ns),
                     format("%.1f ms", r.solver_ms), format("%.1f%%", r.padding_waste * 100)});
    if (evicts) lines.back().push_back(count(r.evictions));
    if (costs)
      lines.back().insert(lines.back().end(), {seconds(r.estimated_total_s),
                                               !r.estimated_total_s ? "-"
                                               : r.break_even       ? "call " + count(*r.break_even)
                                                                    : "never",
                                               seconds(r.longest_stall_s), seconds(r.p99_s)});
  }
  out += aligned(lines);
  for (const PolicyRow& r : c.rows)
    if (r.policy.starts_with("symbolic") || r.policy.starts_with("whitelist") || r.policy.starts_with("auto_dynamic"))
      out += entries_text(r);
  for (const PolicyRow& r : c.rows)
    if (!r.error.empty()) out += "\n" + r.policy + " stopped after " + count(r.calls) + " calls: " + r.error + "\n";
  const auto rejecting = std::find_if(c.rows.begin(), c.rows.end(), [](const PolicyRow& r) { return r.rejected > 0; });
  if (rejecting != c.rows.end()) out += "\nfirst rejected call: " + rejecting->first_rejection + "\n";
  return out;
}

}  // namespace dimgate
