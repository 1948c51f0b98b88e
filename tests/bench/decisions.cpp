// Time of a decision while tracing, and whether it grows with the guards recorded. Four kinds:
//   new       its formula was not decided before: a question to the prover, perhaps a guard;
//   respelled its formula was decided before, but its terms are new (2*a + i < 100000 + i for another i): they are
//   built
//             and brought into canonical form, which shows that the answer is known;
//   repeated  the same question word for word, every decision of the program once more in its order (so each meets
//             what 50,000 others left in the caches), and the first 500 a third time.
// Each is timed alone; the last column is what reading the clock costs and is contained in every figure.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "dimgate/simplify.hpp"
#include "support/decision_program.hpp"

using namespace dimgate;

namespace {

using Clock = std::chrono::steady_clock;

double ns(Clock::duration d) { return std::chrono::duration<double, std::nano>(d).count(); }

double quantile(std::vector<double> v, double q) {
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  return v[static_cast<std::size_t>(q * static_cast<double>(v.size() - 1))];
}

void run(const char* name, bool eight, std::int64_t decisions) {
  Context ctx;
  NativeProver prover;
  Tracer t(ctx, prover);
  const std::vector<SymInt> s = eight ? test::eight_symbols(t) : test::thirty_two_symbols(t);
  std::vector<double> fresh, respelled, repeated, thrice, clock;
  const auto timed = [&](std::int64_t i) {
    const Clock::time_point a = Clock::now();
    test::ask(s, i);
    return ns(Clock::now() - a);
  };
  const Clock::time_point start = Clock::now();
  for (std::int64_t i = 0; i < decisions; ++i) {
    const std::uint64_t before = t.statistics().repeated;
    const double d = timed(i);
    (t.statistics().repeated == before ? fresh : respelled).push_back(d);
  }
  const double traced = ns(Clock::now() - start) / 1e6;
  for (std::int64_t i = 0; i < decisions; ++i) repeated.push_back(timed(i));
  for (std::int64_t i = 0; i < 500; ++i) timed(i);
  for (std::int64_t i = 0; i < 500; ++i) thrice.push_back(timed(i));
  for (int i = 0; i < 500; ++i) {
    const Clock::time_point a = Clock::now();
    clock.push_back(ns(Clock::now() - a));
  }
  const auto half = fresh.begin() + static_cast<std::ptrdiff_t>(fresh.size() / 2);
  std::printf(
      "%-12s %6lld decisions  recorded %4zu  known %5llu  traced %8.2f ms | new: median %6.0f ns  p99 %8.0f ns  "
      "(first half %6.0f, second half %6.0f) | respelled: median %4.0f ns | repeated: median %4.0f ns, the first 500 "
      "again %4.0f ns (clock %2.0f ns)\n",
      name, static_cast<long long>(decisions), t.guards().size(),
      static_cast<unsigned long long>(static_cast<std::uint64_t>(decisions) - t.guards().size()), traced,
      quantile(fresh, 0.5), quantile(fresh, 0.99), quantile({fresh.begin(), half}, 0.5),
      quantile({half, fresh.end()}, 0.5), quantile(respelled, 0.5), quantile(repeated, 0.5), quantile(thrice, 0.5),
      quantile(clock, 0.5));
  std::vector<Expr> guards;
  for (const Guard& g : t.guards().all()) guards.push_back(g.formula);
  const Clock::time_point m = Clock::now();
  const Minimised minimal = minimise(prover, t.facts(), guards);
  std::printf("%-12s minimised %zu -> %zu (readable %zu) in %.2f ms\n", name, guards.size(), minimal.kept.size(),
              minimal.readable.size(), ns(Clock::now() - m) / 1e6);
}

}  // namespace

int main() {
  run("8 symbols", true, 500);
  run("8 symbols", true, 50'000);
  run("32 dims", false, 1'000);
}
