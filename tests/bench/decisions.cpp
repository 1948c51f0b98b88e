// Time of a decision while tracing: new ones, repeated ones, and whether either grows with the guards recorded.
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
  std::vector<double> fresh, repeated;
  const Clock::time_point start = Clock::now();
  for (std::int64_t i = 0; i < decisions; ++i) {
    const std::uint64_t before = t.statistics().repeated;
    const Clock::time_point a = Clock::now();
    test::ask(s, i);
    const double d = ns(Clock::now() - a);
    (t.statistics().repeated == before ? fresh : repeated).push_back(d);
  }
  const double traced = ns(Clock::now() - start) / 1e6;
  for (std::int64_t i = 0; i < std::min<std::int64_t>(decisions, 2000); ++i) {
    const Clock::time_point a = Clock::now();
    test::ask(s, i);
    repeated.push_back(ns(Clock::now() - a));
  }
  const auto half = fresh.begin() + static_cast<std::ptrdiff_t>(fresh.size() / 2);
  std::printf(
      "%-12s %6lld decisions  recorded %4zu  known %5llu  traced %8.2f ms | new: median %6.0f ns  p99 %8.0f ns  "
      "(first half %6.0f, second half %6.0f) | repeated: median %4.0f ns\n",
      name, static_cast<long long>(decisions), t.guards().size(),
      static_cast<unsigned long long>(static_cast<std::uint64_t>(decisions) - t.guards().size()), traced,
      quantile(fresh, 0.5), quantile(fresh, 0.99), quantile({fresh.begin(), half}, 0.5),
      quantile({half, fresh.end()}, 0.5), quantile(repeated, 0.5));
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
