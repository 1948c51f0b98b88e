// The head of a log line: what stands before the message. O(length of the head), no allocation; views into the line.
//
// Forms: glog (`[rank0]:V0703 10:34:13.273000 123 torch/x.py:5] [0/1] [__recompiles] text`) after any host prefix of at
// most 240 bytes, the older `[2023-11-06 14:54:08,549] [0/1] torch.x.__y: [DEBUG] text`, logging's own
// `INFO:torch.x:text` and `torch.x: [INFO] 0.0: text`, `torch.x - INFO - text`, `torch.x:y.py:3 text`, and bare text.
// Tested by tests/import/log_forms_test.cpp.
#pragma once

#include <string_view>

namespace dimgate::logs {

struct Head {
  enum class Form { glog, dated, named, bare } form = Form::bare;
  char level = 0;               // V I W E C D; 0: not said
  std::string_view rank;        // "0"
  std::string_view process;     // pid or thread
  std::string_view logger;      // "torch/_dynamo/guards.py" or "torch._dynamo.guards"
  std::string_view compile_id;  // "0/1"
  std::string_view artifact;    // "recompiles", without underscores
  std::string_view stamp;       // "0703 10:34:13.273000" or "2023-11-06 14:54:08,549"; empty: none
  std::string_view text;        // the message, its own indentation kept
};

Head parse_head(std::string_view line);
/// LogEvent::time of a stamp; -1: none.
double seconds_of(std::string_view stamp);

}  // namespace dimgate::logs
