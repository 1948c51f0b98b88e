// The lines of a guard list or tree, one at a time; shared by text logs and structured payloads.
#pragma once

#include <string_view>

#include "dimgate/logs.hpp"

namespace dimgate::logs {

class GuardLines {
 public:
  explicit GuardLines(bool texts) : texts_(texts) {}
  /// What the line was read as; empty: not a line of a guard tree.
  std::string_view take(std::string_view text);
  [[nodiscard]] bool empty() const noexcept { return !out_.tree && out_.count == 0; }
  [[nodiscard]] bool tree() const noexcept { return out_.tree; }
  EntryGuards finish() { return std::move(out_); }

 private:
  void node(std::string_view text);
  void add(std::string_view kind, std::string_view text);
  EntryGuards out_;
  bool texts_;
  bool python_ = false;  // inside "Python shape guard function:"
};

}  // namespace dimgate::logs
