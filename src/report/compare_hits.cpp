// Replays the calls over the entries and counts, kind by kind, what was checked and what failed. Calls times entries;
// runs once for a page. Checked by tests/report/compare_hits_test.cpp.
#include "report/compare_hits.hpp"

#include <set>

#include "dimgate/expr.hpp"
#include "expr/evaluate.hpp"

namespace dimgate::report {

namespace {

constexpr std::uint64_t kSteps = 500000;  // guards evaluated
constexpr std::size_t kMade = 64;         // entries

struct Entry {
  KeptGuards kept;
  std::vector<Expr> guards;
};

struct Counter {
  Context ctx;
  Assignment at;
  std::vector<Entry> entries;
  std::uint64_t steps = 0;
  HitsByKind out;

  void hit(const KeptGuards& kept) {
    ++out.hits;
    if (kept.empty()) ++out.without_guard;
    std::set<std::string> kinds;
    for (const KeptGuard& g : kept) {
      KindUse& use = out.kinds[g.kind];
      use.cost += g.cost;
      if (kinds.insert(g.kind).second) ++use.hits;
    }
  }

  /// Indices of the guards that do not hold.
  std::vector<std::size_t> failing(const Entry& entry) {
    std::vector<std::size_t> out_of;
    for (std::size_t g = 0; g < entry.guards.size(); ++g, ++steps)
      if (!value_at(ctx, entry.guards[g], at).is_true()) out_of.push_back(g);
    return out_of;
  }

  /// True: an entry served the call.
  bool serve() {
    ++out.calls;
    const Entry* nearest = nullptr;
    std::vector<std::size_t> fewest;
    for (const Entry& one : entries) {
      std::vector<std::size_t> failed = failing(one);
      if (failed.empty()) {
        hit(one.kept);
        return true;
      }
      if (nearest != nullptr && failed.size() >= fewest.size()) continue;
      nearest = &one;
      fewest = std::move(failed);
    }
    if (nearest == nullptr) {
      ++out.before_any;
      return false;
    }
    ++out.misses;
    std::set<std::string> kinds;
    for (const std::size_t g : fewest) kinds.insert(nearest->kept[g].kind);
    for (const std::string& kind : kinds) ++out.kinds[kind].misses;
    return false;
  }

  /// False: a guard does not read.
  bool insert(KeptGuards kept) {
    Entry entry{std::move(kept), {}};
    for (const KeptGuard& g : entry.kept) {
      const auto formula = parse(ctx, g.text);
      if (!formula) return false;
      entry.guards.push_back(*formula);
    }
    entries.push_back(std::move(entry));
    return true;
  }
};

}  // namespace

HitsByKind hits_by_kind(const Calls& calls, const std::function<std::optional<KeptGuards>(std::size_t call)>& make) {
  Counter counter;
  std::vector<Expr> dims;
  for (const std::string& dim : calls.dims()) {
    const auto symbol = parse(counter.ctx, dim);
    if (!symbol) return {};  // not countable: nothing is said
    dims.push_back(*symbol);
  }
  for (std::size_t i = 0; i < calls.size() && counter.steps < kSteps && counter.entries.size() < kMade; ++i) {
    const auto values = calls[i];
    for (std::size_t d = 0; d < dims.size(); ++d) counter.at.set(dims[d], Value::of(values[d]));
    if (counter.serve()) continue;
    if (auto kept = make(i); kept && !counter.insert(std::move(*kept))) return {};
  }
  return std::move(counter.out);
}

}  // namespace dimgate::report
