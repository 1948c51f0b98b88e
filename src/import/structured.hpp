// TORCH_TRACE: one JSON record a line, and its payload in the lines after it that begin with a tab.
//
// Payloads are checked against the record's md5; one that does not match is noted and not used. Memory: payloads that
// matter are kept up to 16 MiB, one at a time; strings, tensors, functions and recompiles waiting for their function
// have caps. Tested by tests/import/log_forms_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "dimgate/logs.hpp"
#include "import/log_head.hpp"

namespace dimgate::logs {

class StructuredLog {
 public:
  using Damage = std::function<void(const std::string& kind, std::string_view sample)>;
  StructuredLog(const LogReader::Sink& emit, const ReadOptions& options, Damage damage);
  ~StructuredLog();
  /// The kind of the record (a static text); empty: not read, and `why` says why.
  std::string_view record(const Head& head, std::uint64_t number, std::string& why);
  /// False: no record waits for a payload.
  bool payload(std::string_view line);
  /// A line that is no payload came.
  void end_payload();
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dimgate::logs
