// Messages of several lines: a block begins with its header and goes on while lines of the same rank, process and
// compile continue it. Each kind of block says which lines continue it and becomes one event.
//
// Memory: text kept in a block is capped (kKeep below); a block is closed when its compile says something else, after
// 256 further lines of its process, or at the end. Tested by tests/import/log_forms_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dimgate/logs.hpp"
#include "import/log_head.hpp"

namespace dimgate::logs {

inline constexpr std::size_t kKeep = 4096;        // bytes of one text
inline constexpr std::size_t kKeepLines = 20000;  // reasons, guards, details of one block

class Block {
 public:
  virtual ~Block() = default;
  /// What the line was read as (a static text); empty: it does not continue this block.
  virtual std::string_view take(const Head& head) = 0;
  /// The event; false: nothing came of it.
  virtual bool finish(LogEventBody& body) = 0;
  /// Further events of the same block, after finish().
  virtual void more(std::vector<LogEventBody>& /*bodies*/) {}
};

/// A block that this line opens, and what the line was read as; null: none.
struct Opened {
  std::unique_ptr<Block> block;
  std::string_view kind;
};
Opened open_recompile(const Head& head, const ReadOptions& options);    // recompile_block.cpp
Opened open_limit(const Head& head, const ReadOptions& options);        // limit_block.cpp
Opened open_guards(const Head& head, const ReadOptions& options);       // guards_block.cpp
Opened open_error(const Head& head, const ReadOptions& options);        // error_block.cpp
Opened open_graph_break(const Head& head, const ReadOptions& options);  // graph_break_block.cpp
Opened open_other(const Head& head, const ReadOptions& options);        // other_blocks.cpp

/// Events of one line (log_lines.cpp). Returns what it was read as; empty: not known.
std::string_view read_line(const Head& head, LogEventBody& body, bool& has_event);

/// Text of at most kKeep bytes.
std::string kept(std::string_view text);

}  // namespace dimgate::logs
