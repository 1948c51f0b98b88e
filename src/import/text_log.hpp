// Text messages to events: which block a line continues, which it ends, which it opens.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "dimgate/logs.hpp"
#include "import/log_blocks.hpp"

namespace dimgate::logs {

class TextLog {
 public:
  TextLog(const LogReader::Sink& emit, const ReadOptions& options) : emit_(emit), options_(options) {}
  /// What the line was read as (a static text); empty: not known.
  std::string_view line(const Head& head, std::uint64_t number);
  void finish();

 private:
  struct Open {
    LogEvent event;
    std::unique_ptr<Block> block;
    std::vector<LogEventBody> more;
    bool closed = false, has_event = false;
    bool waits = false;         // a recompile: whether it met the limit that was reached is not known yet
    bool of_recompile = false;  // a limit: the recompile that met it was logged
  };
  /// One process of one rank: its blocks in the order of their headers.
  struct Stream {
    std::string rank, process;
    std::deque<Open> blocks;
  };
  Stream& stream_of(const Head& head);
  void close(Stream& stream, Open& open);
  static void settle_limit(Stream& stream, Open& limit);
  void emit(Open& open) const;
  void flush(Stream& stream);
  Open* find(Stream& stream, std::string_view compile_id);
  std::string_view open(Stream& stream, const Head& head, std::uint64_t number);

  const LogReader::Sink& emit_;
  ReadOptions options_;
  std::map<std::string, Stream> streams_;
  Stream* last_ = nullptr;  // of the line before
  std::string key_;
};

}  // namespace dimgate::logs
