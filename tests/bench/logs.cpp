// How fast logs are read: the recorded logs, again and again, as one long log in memory, to the end of `explain`.
// Processor time of this thread, so that a busy machine says the same; and the most memory ever held.
// MEGABYTES as the only argument (default 256): `build/bench/bench_logs 2048`.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "dimgate/explain.hpp"

using namespace dimgate;

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

long peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

/// All recorded logs with this ending, joined.
std::string recorded(const std::string& ending) {
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(DIMGATE_SOURCE_DIR "/tests/data/torch_logs"))
    if (file.path().string().ends_with(ending)) files.push_back(file.path().string());
  std::sort(files.begin(), files.end());
  std::ostringstream all;
  for (const std::string& file : files) all << std::ifstream(file, std::ios::binary).rdbuf();
  return all.str();
}

void measure(const char* name, const std::string& once, std::size_t bytes, bool explained) {
  NativeProver prover;
  Explainer explainer(prover);
  std::size_t events = 0;
  LogReader reader(
      [&](const LogEvent& event) {
        ++events;
        if (explained) explainer.add(event);
      },
      {.guards = false});
  const double start = cpu_seconds();
  std::size_t fed = 0;
  for (; fed < bytes; fed += once.size())
    for (std::size_t at = 0; at < once.size(); at += 1U << 18U)
      reader.feed(std::string_view(once).substr(at, 1U << 18U));
  reader.finish();
  const double read = cpu_seconds() - start;
  const Explanation e = explainer.finish(reader.counts());
  const double all = cpu_seconds() - start;
  const double mb = static_cast<double>(fed) / 1e6;
  std::printf("%-28s %7.0f MB %9llu lines %8zu events  %6.2f s reading = %5.0f MB/s", name, mb,
              static_cast<unsigned long long>(reader.counts().lines), events, read, mb / read);
  if (explained) std::printf("  + %5.2f s replaying %zu causes", all - read, e.groups.size());
  std::printf("  peak %ld MB\n", peak_mb());
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t bytes = (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 256) * 1000000;
  const std::string text = recorded(".torch_logs.txt");
  const std::string trace = recorded(".torch_trace.log");
  if (text.empty() || trace.empty()) return 1;
  measure("TORCH_LOGS, read only", text, bytes, false);
  measure("TORCH_LOGS, explained", text, bytes, true);
  measure("TORCH_TRACE, read only", trace, bytes, false);
  measure("TORCH_TRACE, explained", trace, bytes, true);
  return 0;
}
