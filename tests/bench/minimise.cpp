// Time of minimising guard sets without Z3: three shapes of sets from 1,000 to 10,000 guards, PyTorch's own lists, and
// 4,355 guards in one giant component (the number that made one PyTorch compile take 307 s) up to 50,000.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <unordered_set>

#include "dimgate/simplify.hpp"
#include "support/guard_generators.hpp"

using namespace dimgate;

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

template <class Make>
void curve(const char* name, Make make) {
  double previous = 0;
  std::size_t previous_count = 0;
  for (const std::size_t n : {1000UL, 2000UL, 5000UL, 10'000UL}) {
    Context ctx;
    Facts facts(ctx);
    const std::vector<Expr> guards = make(ctx, facts, n);
    NativeProver prover;
    const Clock::time_point start = Clock::now();
    const Minimised m = minimise(prover, facts, guards);
    const double ms = ms_since(start);
    std::printf("%-12s %6zu guards -> %6zu kept, %6zu written  %9.1f ms  %6.2f us a guard", name, guards.size(),
                m.kept.size(), m.readable.size(), ms, ms * 1000 / static_cast<double>(guards.size()));
    if (previous_count != 0)
      std::printf("  grows as n^%.2f",
                  std::log(ms / previous) / std::log(static_cast<double>(n) / static_cast<double>(previous_count)));
    std::printf("\n");
    previous = ms, previous_count = n;
  }
}

void torch_list(const char* name) {
  Context ctx;
  Facts facts(ctx);
  std::ifstream in(std::string(DIMGATE_SOURCE_DIR "/tests/data/guard_lists/") + name);
  std::vector<Expr> guards;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') guards.push_back(*parse(ctx, line));
  for (std::uint32_t i = 0; i < ctx.symbol_count(); ++i)
    if (ctx.symbol_name(ctx.symbol_at(i)).find(".stride()") != std::string::npos)
      facts.assume(ctx.make(Op::Ge, {ctx.symbol_at(i), ctx.integer(0)}), Standing::checked,
                   "strides of PyTorch tensors");
  NativeProver prover;
  const Clock::time_point start = Clock::now();
  const Minimised m = minimise(prover, facts, guards);
  std::printf("%-28s %4zu guards -> %4zu kept  %7.2f ms\n", name, guards.size(), m.kept.size(), ms_since(start));
}

void giant(std::size_t n) {
  Context ctx;
  Facts facts(ctx);
  const test::MixedGuards set = test::mixed_guards(ctx, n);
  NativeProver prover;
  const Clock::time_point start = Clock::now();
  const Minimised m = minimise(prover, facts, set.guards);
  const double ms = ms_since(start);
  std::unordered_set<std::size_t> dropped;
  for (const DroppedGuard& d : m.dropped) dropped.insert(d.guard);
  std::size_t implied = 0, found = 0;
  for (std::size_t i = 0; i < set.guards.size(); ++i)
    if (set.implied[i]) ++implied, found += dropped.contains(i) ? 1 : 0;
  std::printf(
      "giant        %6zu guards, %5zu implied by construction, %5zu of them dropped (%.1f %%), %5zu dropped in all  "
      "%9.1f ms\n",
      n, implied, found, 100.0 * static_cast<double>(found) / static_cast<double>(implied), m.dropped.size(), ms);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) {  // one giant component of that many guards alone, for profiles
    giant(std::stoul(argv[1]));
    return 0;
  }
  curve("independent", [](Context& c, Facts&, std::size_t n) { return test::independent_guards(c, n); });
  curve("chained", [](Context& c, Facts&, std::size_t n) { return test::chained_guards(c, n); });
  curve("dense", [](Context& c, Facts& f, std::size_t n) {
    std::vector<std::pair<Expr, Value>> point;
    const std::vector<Expr> g = test::dense_guards(c, n, 1, &point);
    for (const auto& [s, v] : point) f.set_witness(s, v);
    return g;
  });
  for (const char* list :
       {"shapeenv_4x2_20.guards", "shapeenv_8x2_100.guards", "shapeenv_16x2_300.guards", "shapeenv_16x2_1000.guards"})
    torch_list(list);
  for (const std::size_t n : {4355UL, 10'000UL, 20'000UL, 50'000UL}) giant(n);
}
