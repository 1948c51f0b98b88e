// Hit rates of evictions over capacity: tests/cache/capacity.hpp says what is replayed. Prints a Markdown table;
// percent of calls. Benefit eviction is compared with LRU: cells where it is more than half a point below are marked
// `!`.
#include "cache/capacity.hpp"

#include <cstdio>

using namespace dimgate;
using namespace dimgate::testing;

int main() {
  std::printf(
      "| trace | calls | distinct | entries | LRU | age | frequency | benefit | benefit, bypass | Belady | Belady, "
      "bypass |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  int cells = 0, above = 0, above_bypass = 0, below = 0;
  for (const CapacityTrace& trace : capacity_traces()) {
    const std::size_t distinct = *std::max_element(trace.identities.begin(), trace.identities.end()) + 1;
    for (const std::size_t capacity : {1U, 8U, 50U, 500U}) {
      const auto percent = [&](std::uint64_t h) {
        return 100 * static_cast<double>(h) / static_cast<double>(trace.size());
      };
      const double lru = percent(hits(trace, capacity, make_lru()));
      const double age = percent(hits(trace, capacity, make_fifo()));
      const double frequency = percent(hits(trace, capacity, make_frequency()));
      const double benefit = percent(hits(trace, capacity, make_benefit()));
      const double bypass = percent(hits(trace, capacity, make_benefit({.bypass = true})));
      ++cells;
      above += benefit > lru ? 1 : 0;
      above_bypass += bypass > lru ? 1 : 0;
      below += benefit < lru - 0.5 || bypass < lru - 0.5 ? 1 : 0;
      std::printf("| %s | %zu | %zu | %zu | %.2f | %.2f | %.2f | %.2f | %.2f%s | %.2f | %.2f |\n", trace.name.c_str(),
                  trace.size(), distinct, capacity, lru, age, frequency, benefit, bypass,
                  benefit < lru - 0.5 || bypass < lru - 0.5 ? " !" : "", percent(belady(trace, capacity, false)),
                  percent(belady(trace, capacity, true)));
      std::fflush(stdout);
    }
  }
  std::printf("\n%d cells: benefit above LRU in %d, with bypass in %d; more than 0.5 points below in %d\n", cells,
              above, above_bypass, below);
  return 0;
}
