// Traces of calls with their whole worlds: JSON Lines, version 1. docs/world-traces.md is the format,
// docs/world-trace.schema.json its schema.
//
// The first line says what the front end uses of a call; each further line is a call. What a line leaves out stays as
// in the line before, so that state costs a line only where it changes. Streams: one line in memory at a time. Errors
// name file, line and key, and what would be right; unknown keys are errors. Tested by tests/import.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dimgate/described_world.hpp"
#include "dimgate/result.hpp"

namespace dimgate {

struct WorldTraceHeader {
  std::string frame;
  std::vector<std::string> uses;      // slots, or paths of values: what the front end looks at
  std::vector<std::string> bakes;     // of these, numbers it computes with as they are: guarded under every policy
  std::vector<std::string> branches;  // conditions it decides on
};

class WorldTraceReader {
 public:
  /// Reads the header.
  static Result<WorldTraceReader> open(const std::string& path);
  /// Text in memory; `file` is for messages.
  static Result<WorldTraceReader> from_text(std::string text, std::string file);
  ~WorldTraceReader();
  WorldTraceReader(WorldTraceReader&&) noexcept;
  WorldTraceReader& operator=(WorldTraceReader&&) noexcept;

  [[nodiscard]] const WorldTraceHeader& header() const noexcept;
  /// The next call into `world` (give the same one each time: it keeps what lines leave out); false at the end.
  Result<bool> next(World& world);
  [[nodiscard]] unsigned line() const noexcept;
  [[nodiscard]] const std::string& file() const noexcept;

 private:
  struct Impl;
  explicit WorldTraceReader(std::unique_ptr<Impl> impl) noexcept;
  static Result<WorldTraceReader> begin(std::unique_ptr<std::istream> in, std::string file);
  std::unique_ptr<Impl> impl_;
};

}  // namespace dimgate
