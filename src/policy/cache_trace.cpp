// DIMGATE_TRACE: what a cache does as JSON Lines (docs/trace-format.md).
#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <mutex>

#include "dimgate/cache_log.hpp"
#include "dimgate/miss.hpp"

namespace dimgate {

namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\', out += c;
    } else if (u < 0x20) {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "\\u%04x", u);
      out += buffer;
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string number(double v) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.9g", v);
  return buffer;
}

std::string value(const Layout& layout, const Slot& slot, std::int64_t raw) {
  switch (slot.sort) {
    case SlotSort::integer:
      return std::to_string(raw);
    case SlotSort::boolean:
      return raw != 0 ? "true" : "false";
    case SlotSort::name:
      return quoted(layout.names().name(raw));
    case SlotSort::floating: {
      const auto v = std::bit_cast<double>(raw);
      char buffer[40];
      std::snprintf(buffer, sizeof buffer, "%.17g", v);
      return std::isfinite(v) ? buffer : quoted(buffer);
    }
  }
  return "null";
}

/// `{"v":1,"event":E,"frame":F` and then members.
class Object {
 public:
  Object(std::string_view event, const std::string& frame) {
    text_ = R"({"v":1,"event":)" + quoted(event) + R"(,"frame":)" + quoted(frame);
  }
  Object& member(std::string_view name, const std::string& json) {
    text_ += ',' + quoted(name) + ':' + json;
    return *this;
  }
  Object& member(std::string_view name, std::uint64_t n) { return member(name, std::to_string(n)); }
  [[nodiscard]] std::string end() const { return text_ + '}'; }

 private:
  std::string text_;
};

template <class Range, class Write>
std::string list(const Range& range, Write write) {
  std::string out = "[";
  for (const auto& x : range) out += (out.size() > 1 ? "," : "") + write(x);
  return out + "]";
}

class CacheTrace final : public CacheObserver {
 public:
  CacheTrace(LineWriter write, const Layout& layout, std::string frame)
      : write_(std::move(write)), layout_(layout), frame_(std::move(frame)) {
    put(Object("frame", frame_).member("slots", list(layout_.slots(), [](const Slot& s) {
                                         return R"({"name":)" + quoted(s.name) + R"(,"sort":)" +
                                                quoted(to_string(s.sort)) + "}";
                                       })));
  }

  void changed(const CacheEvent& event, const Entry& e) override {
    static constexpr std::string_view kinds[] = {"insert", "retire", "evict", "invalidate"};
    Object o(kinds[static_cast<std::size_t>(event.kind)], frame_);
    o.member("version", event.version).member("entry", event.entry).member("reason", quoted(event.reason));
    if (event.kind == CacheEvent::Kind::insert) {
      std::vector<std::uint32_t> guards(e.guard_texts.size());
      for (std::uint32_t i = 0; i < guards.size(); ++i) guards[i] = i;
      o.member("guards", list(guards, [&](std::uint32_t i) {
                 return R"({"text":)" + quoted(e.guard_texts[i]) +
                        (i < e.guard_kinds.size() ? R"(,"kind":)" + quoted(e.guard_kinds[i]) : std::string()) + "}";
               }));
      o.member("bytes", e.bytes());
    } else {
      o.member("hits", e.hits.load(std::memory_order_relaxed));
    }
    put(o);
  }

  void missed(const MissRecord& m) override {
    Object o("miss", frame_);
    o.member("call", m.clock).member("outcome", quoted(to_string(m.outcome)));
    o.member("first", m.first ? "true" : "false").member("hits", m.hits).member("seconds", number(m.seconds));
    if (m.made != nullptr) o.member("made", m.made->id);
    if (!m.reason.empty()) o.member("reason", quoted(m.reason));
    std::string inputs = "{";
    for (SlotIndex i = 0; i < layout_.size(); ++i)
      if (m.inputs.has(i))
        inputs += (inputs.size() > 1 ? "," : "") + quoted(layout_[i].name) + ':' +
                  value(layout_, layout_[i], m.inputs.raw(i));
    o.member("inputs", inputs + '}');
    o.member("nearest", list(m.nearest, [&](const FailedEntry& f) {
               const MissedEntry e = explain_failed(f, m.inputs, layout_);
               return R"({"entry":)" + std::to_string(e.entry) + R"(,"failing":)" +
                      list(e.failing,
                           [](const MissedGuard& g) {
                             return R"({"guard":)" + std::to_string(g.guard) + R"(,"text":)" + quoted(g.guard_text) +
                                    R"(,"kind":)" + quoted(g.kind) + R"(,"message":)" + quoted(g.failure.text) +
                                    R"(,"expected":)" + quoted(g.failure.expected) + R"(,"actual":)" +
                                    quoted(g.failure.actual) +
                                    (g.margin ? R"(,"margin":)" + *g.margin : std::string()) + "}";
                           }) +
                      "}";
             }));
    put(o);
    if (m.entries != nullptr && std::has_single_bit(++misses_)) hits(*m.entries, false);
  }

  void closed(const EntrySet& entries) override { hits(entries, true); }

 private:
  static constexpr std::size_t kCounted = 1024;  // entries of one object

  /// What the entries have served. At misses 1, 2, 4, 8, ... and at the end: a process that is killed has told most,
  /// and a cache that thrashes writes little.
  void hits(const EntrySet& set, bool last) {
    std::vector<std::pair<std::uint64_t, EntryId>> served;
    std::uint64_t all = 0;
    for (const EntryRef& e : set.entries) {
      const std::uint64_t n = e->hits.load(std::memory_order_relaxed);
      all += n;
      if (n > 0) served.emplace_back(n, e->id);
    }
    const std::size_t kept = std::min(kCounted, served.size());
    std::ranges::partial_sort(served, served.begin() + static_cast<std::ptrdiff_t>(kept), {},
                              [](const auto& one) { return std::pair(~one.first, one.second); });
    served.resize(kept);
    put(Object("hits", frame_)
            .member("last", last ? "true" : "false")
            .member("hits", all)
            .member("entries", list(served, [](const auto& one) {
                      return R"({"entry":)" + std::to_string(one.second) + R"(,"hits":)" + std::to_string(one.first) +
                             "}";
                    })));
  }

  void put(const Object& o) { write_(o.end()); }
  LineWriter write_;
  Layout layout_;
  std::string frame_;
  std::uint64_t misses_ = 0;
};

}  // namespace

std::shared_ptr<CacheObserver> make_cache_trace(LineWriter write, const Layout& layout, std::string frame) {
  return std::make_shared<CacheTrace>(std::move(write), layout, std::move(frame));
}

Result<LineWriter> open_trace(const std::string& directory) {
  struct File {
    std::mutex mutex;
    std::FILE* file = nullptr;
    ~File() {
      if (file != nullptr) std::fclose(file);
    }
  };
  auto out = std::make_shared<File>();
  std::string path;
  for (int n = 1; n < 100'000 && out->file == nullptr; ++n) {
    path = directory + "/dimgate-" + std::to_string(n) + ".jsonl";
    if (std::FILE* there = std::fopen(path.c_str(), "rb")) {
      std::fclose(there);
      continue;
    }
    out->file = std::fopen(path.c_str(), "wbx");  // x: another process may be as quick
    if (out->file == nullptr && errno != EEXIST) break;
  }
  if (out->file == nullptr)
    return Error{"cannot write a trace there; DIMGATE_TRACE names a directory that exists", path};
  return LineWriter([out](std::string_view line) {
    const std::lock_guard lock(out->mutex);
    std::fwrite(line.data(), 1, line.size(), out->file);
    std::fputc('\n', out->file);
    std::fflush(out->file);
  });
}

}  // namespace dimgate
