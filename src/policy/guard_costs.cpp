#include "dimgate/guard_costs.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "dimgate/compile.hpp"
#include "dimgate/statistics.hpp"

namespace dimgate {

namespace {

using Clock = std::chrono::steady_clock;
double nanoseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::nano>(Clock::now() - since).count();
}

/// Keeps the compiler from leaving out what is measured.
void keep(std::uint64_t value) { asm volatile("" : : "r"(value) : "memory"); }

struct OfKind {
  KindCost cost;
  std::vector<Program> programs;  // one an entry
};

}  // namespace

Result<std::vector<KindCost>> guard_costs(const EntrySet& set, const Layout& layout, std::span<const Snapshot> calls,
                                          std::size_t rounds) {
  std::map<std::string, OfKind> kinds;
  for (const EntryRef& e : set.entries) {
    Context ctx;
    std::map<std::string, std::vector<Expr>> formulas;
    for (std::uint32_t g = 0; g < e->program.guard_count(); ++g) {
      const std::string kind = kind_of_guard(*e, g);
      ++kinds[kind].cost.guards;
      if (g >= e->guard_texts.size()) continue;
      const auto formula = parse(ctx, e->guard_texts[g]);
      if (!formula) return formula.error();
      formulas[kind].push_back(*formula);
    }
    for (const auto& [kind, list] : formulas) {
      auto program = compile(ctx, list, layout);
      if (!program) return program.error();
      kinds[kind].programs.push_back(std::move(*program));
    }
  }
  for (const Snapshot& call : calls)
    for (const EntryRef& e : set.entries) {
      const std::int32_t failed = e->program.check(call);
      for (const std::uint32_t g : e->program.order()) {
        KindCost& cost = kinds[kind_of_guard(*e, g)].cost;
        ++cost.evaluations;
        if (static_cast<std::int32_t>(g) != failed) continue;
        ++cost.failures;
        break;
      }
      if (failed == kPass) break;
    }
  std::vector<KindCost> out;
  for (auto& [kind, k] : kinds) {
    k.cost.kind = kind;
    std::uint64_t guards = 0, sum = 0;
    const auto start = Clock::now();
    for (std::size_t r = 0; r < rounds; ++r)
      for (const Program& p : k.programs)
        for (const Snapshot& call : calls) {
          // Up to the first that is not true: so many were evaluated.
          const std::int32_t failed = p.check(call);
          sum += static_cast<std::uint64_t>(failed);
          guards += failed == kPass ? p.guard_count() : 1;
        }
    keep(sum);
    if (guards != 0) k.cost.nanoseconds = nanoseconds(start) / static_cast<double>(guards);
    out.push_back(k.cost);
  }
  std::ranges::stable_sort(out, [](const KindCost& a, const KindCost& b) { return a.total() > b.total(); });
  return out;
}

CheckCost measure_checks(Cache& cache, std::span<const Snapshot> calls, std::size_t rounds) {
  CheckCost out{.calls = calls.size()};
  if (calls.empty() || rounds == 0) return out;
  CacheReader reader(cache);
  const auto set = cache.entries();  // keeps the entries alive
  std::vector<const Entry*> found;
  for (const Snapshot& call : calls) {
    const auto answer = reader.peek(call);
    found.push_back(answer.entry() != nullptr ? set->find(answer.entry()->id) : nullptr);
    out.hits += found.back() != nullptr ? 1 : 0;
  }
  const double n = static_cast<double>(calls.size()) * static_cast<double>(rounds);
  std::uint64_t sum = 0;
  auto start = Clock::now();
  for (std::size_t r = 0; r < rounds; ++r)
    for (const Snapshot& call : calls) {
      const auto answer = reader.peek(call);
      sum += answer.entry() != nullptr ? answer.entry()->id : 0;
    }
  out.with_checks = nanoseconds(start) / n;
  start = Clock::now();
  for (std::size_t r = 0; r < rounds; ++r)
    for (const Entry* e : found) {
      keep(sum);
      sum += e != nullptr ? e->id : 0;
    }
  out.without_checks = nanoseconds(start) / n;
  keep(sum);
  return out;
}

}  // namespace dimgate
