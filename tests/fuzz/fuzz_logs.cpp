// libFuzzer target: any bytes through the log reader and `explain`.
// The first byte says into pieces of which size the rest is cut: what comes out must not depend on it. Every line is
// counted once, memory held per event is bounded, and what is said of the log is short, printable and the same twice.
// Run: ./dev fuzz logs 120
// Normal test runs drive it with seeded mutations of recorded logs (fuzz_logs_test.cpp).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "dimgate/explain.hpp"

using namespace dimgate;

namespace {

void require(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

struct Said {
  std::string rows, text, json;
  LogCounts counts;
};

Said said_of(std::string_view bytes, std::size_t piece) {
  static NativeProver prover;
  Said out;
  Explainer explainer(prover, {.entries = true, .entry_limit = 2});
  ChangeFinder finder;
  LogReader reader([&](const LogEvent& event) {
    if (const auto row = row_of(event, finder.add(event))) out.rows += to_tsv(*row);
    explainer.add(event);
  });
  for (std::size_t at = 0; at < bytes.size(); at += piece) reader.feed(bytes.substr(at, piece));
  reader.finish();
  out.counts = reader.counts();
  const Explanation explanation = explainer.finish(out.counts);
  out.text = to_text(explanation);
  out.json = to_json(explanation);
  return out;
}

std::uint64_t sum(const std::map<std::string, std::uint64_t>& kinds) {
  std::uint64_t all = 0;
  for (const auto& [kind, count] : kinds) all += count;
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Said whole = said_of(bytes, bytes.size() + 1);
  const LogCounts& counts = whole.counts;
  require(counts.bytes == bytes.size(), "bytes lost");
  const auto breaks = static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
  require(counts.lines == breaks + (bytes.empty() || bytes.back() == '\n' ? 0 : 1), "lines lost");
  require(counts.parsed + counts.unknown == counts.lines, "a line counted not once");
  require(sum(counts.parsed_kinds) == counts.parsed, "kinds of parsed lines do not add up");
  std::uint64_t unknown = 0;
  for (const auto& [kind, what] : counts.unknown_kinds) unknown += what.count;
  require(unknown == counts.unknown, "kinds of unknown lines do not add up");
  for (const char c : whole.text)
    require(static_cast<unsigned char>(c) >= 32 || c == '\n', "control character printed");
  require(whole.text.size() < (1U << 20U), "text too long");
  if (const Said pieces = said_of(bytes, 1 + data[0] % 61U); true) {
    require(pieces.rows == whole.rows, "rows depend on the pieces");
    require(pieces.json == whole.json, "JSON depends on the pieces");
  }
  return 0;
}
