#include "import/text_log.hpp"

#include <algorithm>

#include "import/log_text.hpp"

namespace dimgate::logs {

namespace {

constexpr std::size_t kOpen = 16;       // blocks of one stream
constexpr std::size_t kStreams = 1024;  // processes
constexpr std::uint64_t kStale = 4096;  // lines after which a block is over

}  // namespace

std::string_view TextLog::line(const Head& head, std::uint64_t number) {
  Stream& stream = stream_of(head);
  Stream* const previous = last_;
  last_ = &stream;
  if (head.form == Head::Form::bare && previous != nullptr && previous != &stream) {
    // Under heads that only a message's first line has, the further lines are bare.
    last_ = previous;
    if (!previous->blocks.empty() && !previous->blocks.back().closed)
      if (const std::string_view kind = previous->blocks.back().block->take(head); !kind.empty()) return kind;
  }
  bool limit_follows = false;
  if (Open* open = find(stream, head.compile_id)) {
    if (const std::string_view kind = open->block->take(head); !kind.empty()) return kind;
    if (!head.text.empty()) {
      close(stream, *open);
      auto* recompile = std::get_if<Recompile>(&open->event.body);
      if (open->has_event && recompile != nullptr && has(head.text, "torch._dynamo hit config.")) {
        recompile->limit_hit = limit_follows = !head.compile_id.empty();
        open->waits = head.compile_id.empty();  // of which function the next line says
      }
    }
  }
  while (!stream.blocks.empty() &&
         (stream.blocks.size() > kOpen || number - stream.blocks.front().event.line > kStale)) {
    close(stream, stream.blocks.front());
    stream.blocks.front().waits = false;
    flush(stream);
  }
  flush(stream);
  const std::string_view kind = open(stream, head, number);
  if (limit_follows && !stream.blocks.empty()) stream.blocks.back().of_recompile = true;
  return kind;
}

TextLog::Stream& TextLog::stream_of(const Head& head) {
  if (last_ != nullptr && last_->process == head.process && last_->rank == head.rank) return *last_;
  key_.assign(head.rank);
  key_ += '/';
  key_ += head.process;
  auto found = streams_.find(key_);
  if (found == streams_.end()) {
    if (streams_.size() >= kStreams) finish();
    found = streams_.try_emplace(key_).first;
    found->second.rank = head.rank;
    found->second.process = head.process;
  }
  return found->second;
}

std::string_view TextLog::open(Stream& stream, const Head& head, std::uint64_t number) {
  const auto event = [&] {
    LogEvent out;
    out.line = number;
    out.time = seconds_of(head.stamp);
    out.rank = head.rank;
    out.process = head.process;
    out.compile_id = head.compile_id;
    return out;
  };
  for (const auto opener : {open_recompile, open_limit, open_guards, open_error, open_graph_break, open_other}) {
    Opened opened = opener(head, options_);
    if (opened.block == nullptr) continue;
    stream.blocks.push_back({event(), std::move(opened.block)});
    return opened.kind;
  }
  LogEventBody body;
  bool has_event = false;
  const std::string_view kind = read_line(head, body, has_event);
  if (!kind.empty() && has_event) {
    LogEvent out = event();
    out.body = std::move(body);
    emit_(out);
  }
  return kind;
}

TextLog::Open* TextLog::find(Stream& stream, std::string_view compile_id) {
  for (auto at = stream.blocks.rbegin(); at != stream.blocks.rend(); ++at)
    if (!at->closed && at->event.compile_id == compile_id) return &*at;
  return nullptr;
}

void TextLog::close(Stream& stream, Open& open) {
  if (open.closed) return;
  open.closed = true;
  open.has_event = open.block->finish(open.event.body);
  open.block->more(open.more);
  open.block.reset();
  if (open.has_event && std::holds_alternative<LimitHit>(open.event.body)) settle_limit(stream, open);
}

/// A limit without the recompile that met it (TORCH_LOGS unset: only the warning is logged) becomes both.
void TextLog::settle_limit(Stream& stream, Open& limit) {
  const auto& hit = std::get<LimitHit>(limit.event.body);
  for (Open& before : stream.blocks) {
    if (!before.waits) continue;
    before.waits = false;
    auto& recompile = std::get<Recompile>(before.event.body);
    recompile.limit_hit = hit.function.empty() || recompile.function.empty() || hit.function == recompile.function;
    limit.of_recompile = limit.of_recompile || recompile.limit_hit;
  }
  if (limit.of_recompile || hit.last_reason.text.empty()) return;
  Recompile recompile;
  recompile.function = hit.function;
  recompile.place = hit.place;
  recompile.reasons.push_back(hit.last_reason);
  recompile.limit_hit = recompile.last_only = true;
  limit.more.insert(limit.more.begin(), hit);
  limit.event.body = std::move(recompile);
}

void TextLog::emit(Open& open) const {
  emit_(open.event);
  for (LogEventBody& body : open.more) {
    open.event.body = std::move(body);
    emit_(open.event);
  }
}

void TextLog::flush(Stream& stream) {
  while (!stream.blocks.empty() && stream.blocks.front().closed && !stream.blocks.front().waits) {
    if (stream.blocks.front().has_event) emit(stream.blocks.front());
    stream.blocks.pop_front();
  }
}

void TextLog::finish() {
  std::vector<Open> rest;  // of all streams, in the order of their lines
  for (auto& [key, stream] : streams_) {
    for (Open& open : stream.blocks) close(stream, open);  // all, before any is taken: the last may settle the first
    for (Open& open : stream.blocks)
      if (open.has_event) rest.push_back(std::move(open));
  }
  std::stable_sort(rest.begin(), rest.end(), [](const Open& a, const Open& b) { return a.event.line < b.event.line; });
  for (Open& open : rest) emit(open);
  streams_.clear();
  last_ = nullptr;
}

}  // namespace dimgate::logs
