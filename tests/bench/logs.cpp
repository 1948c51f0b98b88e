// How fast logs are read: the recorded logs, again and again, as one long log in memory, to the end of `explain`.
// Processor time of this thread, so that a busy machine says the same; and the most memory ever held.
// MEGABYTES as the only argument (default 256): `build/bench/bench_logs 2048`.
// Then tlparse (PyPI) on one file of 50 MB, where it is on the PATH, and `explain` on the same file.
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

double wall_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Runs a program of the PATH without its output; its processor seconds, or -1: not there, or it failed.
double run_seconds(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", 1, 0);
  posix_spawn_file_actions_adddup2(&quiet, 1, 2);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], &quiet, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&quiet);
  if (failed != 0) return -1;
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || status != 0) return -1;
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// tlparse and explain on the same file, processor time and time on the wall of each. tlparse makes a directory of
/// pages, explain causes and remedies: both are what one runs to see why something recompiled.
void against_tlparse(const std::string& once) {
  std::string pattern = (std::filesystem::temp_directory_path() / "bench_logs_XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return;
  const std::filesystem::path dir = pattern;
  const std::string log = dir / "trace.log";
  std::size_t bytes = 0;
  {
    std::ofstream out(log, std::ios::binary);
    for (; bytes < 50000000; bytes += once.size()) out << once;
  }
  const double mb = static_cast<double>(bytes) / 1e6;
  double wall = wall_seconds();
  double cpu = cpu_seconds();
  NativeProver prover;
  Explainer explainer(prover);
  LogReader reader([&](const LogEvent& event) { explainer.add(event); }, {.guards = false});
  if (!read_log_path(log, reader)) std::exit(1);
  const std::size_t causes = explainer.finish(reader.counts()).groups.size();
  const double ours = cpu_seconds() - cpu;
  std::printf("%-28s %7.0f MB  %6.2f s processor, %6.2f s wall  %zu causes\n", "one TORCH_TRACE, explained", mb, ours,
              wall_seconds() - wall, causes);
  wall = wall_seconds();
  const double theirs = run_seconds({"tlparse", "--no-browser", "-o", dir / "out", log});
  if (theirs < 0)
    std::printf("%-28s not installed (pip install tlparse), or failed\n", "tlparse");
  else
    std::printf("%-28s %7.0f MB  %6.2f s processor, %6.2f s wall  ratio of processor times %.0f\n", "tlparse", mb,
                theirs, wall_seconds() - wall, theirs / ours);
  std::error_code ignored;
  std::filesystem::remove_all(dir, ignored);
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
  against_tlparse(trace);
  return 0;
}
