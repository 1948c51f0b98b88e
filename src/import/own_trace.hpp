// What DIMGATE_TRACE writes (docs/trace-format.md) to the events that PyTorch's logs become: one JSON object a line.
//
// A frame is numbered in the order of its `frame` objects, so that "0/3" is entry 3 of the first frame. Memory: the
// frames of one file, at most 4096. Tested by tests/import/own_trace_test.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dimgate/logs.hpp"
#include "import/json_text.hpp"

namespace dimgate::logs {

class OwnTrace {
 public:
  OwnTrace(const LogReader::Sink& emit, const ReadOptions& options) : emit_(emit), options_(options) {}
  /// False: no such line. Else `kind` is what it was read as (a static text), or empty, and `why` says why not.
  bool line(std::string_view text, std::uint64_t number, std::string_view& kind, std::string& why);
  void finish() { frames_.clear(); }

 private:
  struct Frame {
    std::uint64_t number = 0;
    std::vector<std::string> ints;  // names of Int slots
    std::uint64_t calls = 0;        // misses that built nothing, for their ids
  };
  void inserted(const std::string& name, Frame& frame, std::uint64_t line);
  void missed(const std::string& name, Frame& frame, std::uint64_t line);
  void hits(const Frame& frame, std::uint64_t line);
  [[nodiscard]] std::string text_at(std::string_view key) const;
  void send(const Frame& frame, const std::string& id, std::uint64_t line, LogEventBody body);

  const LogReader::Sink& emit_;
  ReadOptions options_;
  std::map<std::string, Frame> frames_;
  JsonText json_;
  std::optional<JsonObject> record_;  // of the line being read
};

}  // namespace dimgate::logs
