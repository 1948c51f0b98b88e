// DIMGATE_LOG lines of a cache.
#include "dimgate/cache_log.hpp"

#include <algorithm>

#include "dimgate/miss.hpp"

namespace dimgate {

namespace {

std::string_view to_string(CacheEvent::Kind kind) {
  switch (kind) {
    case CacheEvent::Kind::insert:
      return "insert";
    case CacheEvent::Kind::retire:
      return "retire";
    case CacheEvent::Kind::evict:
      return "evict";
    case CacheEvent::Kind::invalidate:
      return "invalidate";
  }
  return "?";
}

class CacheLog final : public CacheObserver {
 public:
  CacheLog(Log log, const Layout& layout, std::string frame)
      : log_(std::move(log)), layout_(layout), frame_(std::move(frame)) {}

  [[nodiscard]] bool wants_nearest() const override {
    return log_.on(LogTopic::recompiles) || log_.on(LogTopic::recompiles_verbose) || log_.on(LogTopic::dynamic);
  }

  void changed(const CacheEvent& event, const Entry& entry) override {
    if (log_.on(LogTopic::cache)) {
      std::string line = frame_ + ": " + std::string(to_string(event.kind)) + " entry " + std::to_string(event.entry) +
                         " (version " + std::to_string(event.version) + ")";
      if (!event.reason.empty()) line += ": " + event.reason;
      if (log_.more(LogTopic::cache))
        line += "; " + std::to_string(entry.hits.load(std::memory_order_relaxed)) + " hits, " +
                std::to_string(entry.bytes()) + " bytes";
      log_.line(LogTopic::cache, line);
    }
    if (event.kind == CacheEvent::Kind::insert && log_.on(LogTopic::guards)) guards(entry);
  }

  void missed(const MissRecord& m) override {
    if (m.made != nullptr && !m.nearest.empty() && log_.on(LogTopic::dynamic)) dynamic(m);
    if (m.first || m.nearest.empty() || !(log_.on(LogTopic::recompiles) || log_.on(LogTopic::recompiles_verbose)))
      return;
    const bool verbose = log_.on(LogTopic::recompiles_verbose);
    const LogTopic topic = verbose ? LogTopic::recompiles_verbose : LogTopic::recompiles;
    const std::string what = m.outcome == Outcome::compiled ? "recompiling" : "no entry serves a call of";
    log_.line(topic, what + " " + frame_ + ", call " + std::to_string(m.clock) + ": " +
                         std::string(dimgate::to_string(m.outcome)) + (m.reason.empty() ? "" : " (" + m.reason + ")"));
    for (const FailedEntry& f : m.nearest) {
      const MissedEntry e = explain_failed(f, m.inputs, layout_);
      for (const MissedGuard& g : e.failing) {
        std::string line = "  entry " + std::to_string(e.entry) + ": " + g.failure.text;
        if (verbose && g.margin) line += " [off by " + *g.margin + "]";
        if (log_.more(topic)) line += " [" + g.kind + ", guard " + std::to_string(g.guard) + "]";
        log_.line(topic, line);
        if (!verbose) return;
      }
    }
  }

 private:
  void guards(const Entry& entry) {
    log_.line(LogTopic::guards, frame_ + ": entry " + std::to_string(entry.id) + " is guarded by " +
                                    std::to_string(entry.program.guard_count()) + " guards");
    for (std::size_t i = 0; i < entry.guard_texts.size(); ++i) {
      std::string line = "  " + entry.guard_texts[i];
      if (log_.more(LogTopic::guards) && i < entry.guard_kinds.size()) line += " [" + entry.guard_kinds[i] + "]";
      log_.line(LogTopic::guards, line);
    }
  }

  /// Slots that the nearest entry pinned and the new one does not.
  void dynamic(const MissRecord& m) {
    for (const Pinned& p : m.nearest.front().entry->program.pinned()) {
      const auto now = m.made->program.pinned();
      if (std::ranges::any_of(now, [&](const Pinned& q) { return q.slot == p.slot; }) || p.slot >= layout_.size())
        continue;
      log_.line(LogTopic::dynamic, frame_ + ": " + layout_[p.slot].name + " is free in entry " +
                                       std::to_string(m.made->id) + "; entry " +
                                       std::to_string(m.nearest.front().entry->id) + " had pinned it");
    }
  }

  Log log_;
  Layout layout_;
  std::string frame_;
};

}  // namespace

std::shared_ptr<CacheObserver> make_cache_log(Log log, const Layout& layout, std::string frame) {
  return std::make_shared<CacheLog>(std::move(log), layout, std::move(frame));
}

}  // namespace dimgate
