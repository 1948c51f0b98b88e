// Reads log files one after the other into one reader. Checked by tests/cli/explain_test.cpp.
#include "cli/read_logs.hpp"

#include "cli/progress.hpp"

namespace dimgate::cli {

void read_logs(Frame& frame, const std::vector<std::string>& logs, LogReader& reader) {
  Progress progress(frame.talk);
  for (const std::string& log : logs)
    need(read_log_path(log, reader, [&](std::uint64_t done, std::uint64_t all) {
      if (all < 1000000) return;  // read before anybody could see it
      progress([&] { return std::to_string(done / 1000000) + " of " + std::to_string(all / 1000000) + " MB read"; });
    }));
}

}  // namespace dimgate::cli
