// LogReader: bytes to lines, lines to the text or the structured reader, and the count of every one of them.
#include <algorithm>
#include <unordered_map>

#include "dimgate/logs.hpp"
#include "import/log_head.hpp"
#include "import/log_text.hpp"
#include "import/own_trace.hpp"
#include "import/structured.hpp"
#include "import/text_log.hpp"

namespace dimgate {

namespace {

constexpr std::size_t kLongestLine = 64U << 20U;
constexpr std::size_t kSample = 200;
constexpr std::size_t kKinds = 256;

}  // namespace

struct LogReader::Impl {
  Impl(Sink sink, const ReadOptions& options)
      : emit(std::move(sink)),
        text(emit, options),
        structured(emit, options,
                   [this](const std::string& kind, std::string_view sample) { note(counts.damage, kind, sample); }),
        own(emit, options) {}

  Sink emit;
  LogCounts counts;
  std::string rest;        // the line so far
  std::string plain;       // a line without its colours
  bool too_long = false;   // the line goes on past kLongestLine
  bool traceback = false;  // inside a bare traceback
  std::uint64_t number = 0;
  logs::TextLog text;
  logs::StructuredLog structured;
  logs::OwnTrace own;

  void note(std::map<std::string, LogCounts::Kind>& kinds, const std::string& kind, std::string_view sample) {
    auto found = kinds.find(kind);
    if (found == kinds.end()) found = kinds.try_emplace(kinds.size() < kKinds ? kind : "other").first;
    if (found->second.count++ == 0) {
      found->second.first_line = number;
      found->second.sample = sample.substr(0, kSample);
    }
  }
  void parsed(std::string_view kind) {
    ++counts.parsed;
    std::uint64_t*& count = parsed_cache[kind.data()];
    if (count == nullptr) count = &counts.parsed_kinds[std::string(kind)];
    ++*count;
  }
  void unknown(const std::string& kind, std::string_view line) {
    ++counts.unknown;
    note(counts.unknown_kinds, kind, line);
  }

  void line(std::string_view line) {
    ++number;
    ++counts.lines;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with('\t') && structured.payload(line.substr(1))) return parsed("payload");
    structured.end_payload();
    std::string_view own_kind;
    std::string own_why;
    if (own.line(line, number, own_kind, own_why)) return own_kind.empty() ? unknown(own_why, line) : parsed(own_kind);
    if (line.find('\x1b') != std::string_view::npos) line = without_colours(line);
    const logs::Head head = logs::parse_head(line);
    if (head.text.starts_with("{\"") && head.form == logs::Head::Form::glog) {
      std::string why;
      const std::string_view kind = structured.record(head, number, why);
      if (!kind.empty()) return parsed(kind);
      return unknown(why, line);
    }
    python_end(head, line);
    const std::string_view kind = text.line(head, number);
    if (!kind.empty()) return parsed(kind);
    if (logs::trimmed(line).empty()) return parsed("blank line");
    unknown(unknown_kind(head), line);
  }

  /// Keeps the exception under a bare traceback while nothing of the log comes after it.
  void python_end(const logs::Head& head, std::string_view line) {
    if (head.form != logs::Head::Form::bare) {
      traceback = false;
      if (!counts.ended_by.empty()) counts.ended_by.clear();
    } else if (line.starts_with("Traceback (most recent call last):")) {
      traceback = true;
    } else if (traceback && !line.empty() && line.front() != ' ') {
      counts.ended_by = line.substr(0, kSample);
      traceback = false;
    }
  }

  /// `ESC[36m` and the like, with which launchers colour what stands before a line.
  std::string_view without_colours(std::string_view line) {
    plain.clear();
    while (!line.empty()) {
      const std::size_t escape = line.find("\x1b[");
      plain += line.substr(0, escape);
      if (escape == std::string_view::npos) break;
      line.remove_prefix(escape + 2);
      const std::size_t end = line.find_first_not_of("0123456789;?");
      line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
    }
    return plain;
  }

  static std::string unknown_kind(const logs::Head& head) {
    if (head.form == logs::Head::Form::bare)
      return head.text.starts_with('\t') ? "payload line without a record" : "text without a log head";
    std::string kind(head.logger);
    kind = kind.substr(kind.rfind("site-packages/") == std::string::npos ? 0 : kind.rfind("site-packages/") + 14);
    if (!head.artifact.empty()) kind += " [__" + std::string(head.artifact) + "]";
    return "message of " + kind;
  }

  std::unordered_map<const char*, std::uint64_t*> parsed_cache;  // kinds are static texts
};

LogReader::LogReader(Sink sink, ReadOptions options) : impl_(std::make_unique<Impl>(std::move(sink), options)) {}
LogReader::~LogReader() = default;
LogReader::LogReader(LogReader&&) noexcept = default;
LogReader& LogReader::operator=(LogReader&&) noexcept = default;

void LogReader::feed(std::string_view bytes) {
  Impl& in = *impl_;
  in.counts.bytes += bytes.size();
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    if (end == std::string_view::npos || !in.rest.empty() || in.too_long) {
      if (in.rest.size() + piece.size() <= kLongestLine)
        in.rest += piece;
      else
        in.too_long = true;
    }
    if (end == std::string_view::npos) return;
    bytes.remove_prefix(end + 1);
    if (in.too_long) {
      ++in.number;
      ++in.counts.lines;
      in.unknown("line longer than 64 MiB", in.rest);
      in.structured.end_payload();
      in.too_long = false;
    } else if (in.rest.empty()) {
      in.line(piece);
      continue;
    } else {
      in.line(in.rest);
    }
    in.rest.clear();
    if (in.rest.capacity() > (1U << 20U)) in.rest.shrink_to_fit();
  }
}

void LogReader::finish() {
  Impl& in = *impl_;
  if (!in.rest.empty() || in.too_long) {
    const std::string last = std::move(in.rest);
    in.rest.clear();
    if (in.too_long) {
      ++in.number;
      ++in.counts.lines;
      in.unknown("line longer than 64 MiB", last);
      in.too_long = false;
    } else {
      in.line(last);
    }
  }
  in.structured.finish();
  in.text.finish();
  in.own.finish();
  in.number = 0;
}

void LogReader::damaged(const std::string& kind, const std::string& sample) {
  impl_->note(impl_->counts.damage, kind, sample);
}

const LogCounts& LogReader::counts() const noexcept { return impl_->counts; }

std::vector<LogEvent> read_log_text(std::string_view text, LogCounts* counts) {
  std::vector<LogEvent> events;
  LogReader reader([&](const LogEvent& event) { events.push_back(event); });
  reader.feed(text);
  reader.finish();
  if (counts != nullptr) *counts = reader.counts();
  return events;
}

std::string_view LogEvent::frame() const noexcept {
  std::string_view id = compile_id;
  if (id.starts_with("!") || std::count(id.begin(), id.end(), '/') > 1) id = id.substr(id.find('/') + 1);
  return id.substr(0, id.find('/'));
}

}  // namespace dimgate
