// The two helpers that spare minimise its questions, against slow references: which guards lie nearest, and whether
// values exist under which a guard fails beside its neighbours.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>

#include "simplify/model_search.hpp"
#include "simplify/nearest.hpp"
#include "simplify/random_formula.hpp"
#include "support/brute_force.hpp"

using namespace dimgate;
using namespace dimgate::simplify;

namespace {

bool share(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  return std::any_of(a.begin(), a.end(), [&](Expr s) { return std::find(b.begin(), b.end(), s) != b.end(); });
}

/// The formulas of `pool` that hang together with `start` by shared symbols.
std::vector<Expr> connected(Context& ctx, const std::vector<Expr>& start, const std::vector<Expr>& pool) {
  std::vector<Expr> met = test::symbols_of_all(ctx, start), out;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Expr f : pool) {
      const std::vector<Expr> mine = symbols_of(ctx, f);
      if (std::find(out.begin(), out.end(), f) != out.end() || !share(mine, met)) continue;
      out.push_back(f);
      met.insert(met.end(), mine.begin(), mine.end());
      changed = true;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("nearest guards: each brings as few new symbols as any that could come, each once, none forgotten") {
  std::mt19937 rng(5);
  Context ctx;
  std::vector<Expr> all;
  for (int i = 0; i < 25; ++i) all.push_back(ctx.symbol("s" + std::to_string(i)));
  for (int round = 0; round < 60; ++round) {
    std::vector<std::vector<Expr>> symbols(20);
    for (auto& of : symbols)
      for (unsigned k = 0, n = rng() % 4; k < n; ++k) {
        const Expr s = all[rng() % all.size()];
        if (std::find(of.begin(), of.end(), s) == of.end()) of.push_back(s);
      }
    const std::vector<std::span<const Expr>> spans(symbols.begin(), symbols.end());
    Nearest nearest(spans);
    std::set<std::size_t> forgotten;
    for (int question = 0; question < 10; ++question) {
      const std::size_t from = rng() % symbols.size(), most = rng() % 2 == 0 ? symbols.size() : rng() % 6;
      std::vector<std::size_t> got;
      nearest.of(from, most, got);
      std::set<std::size_t> open;
      for (std::size_t g = 0; g < symbols.size(); ++g)
        if (g != from && !forgotten.contains(g)) open.insert(g);
      std::set<Expr, bool (*)(Expr, Expr)> met([](Expr a, Expr b) { return a.index() < b.index(); });
      met.insert(symbols[from].begin(), symbols[from].end());
      // What the guard would bring; none for one that shares no symbol with what is met.
      const auto brings = [&](std::size_t g) {
        const auto known =
            static_cast<std::size_t>(std::ranges::count_if(symbols[g], [&](Expr s) { return met.contains(s); }));
        return known == 0 ? std::optional<std::size_t>() : symbols[g].size() - known;
      };
      const auto least = [&] {
        std::optional<std::size_t> out;
        for (const std::size_t g : open)
          if (const auto n = brings(g); n && (!out || *n < *out)) out = n;
        return out;
      };
      for (const std::size_t g : got) {
        REQUIRE(open.contains(g));
        CHECK(brings(g) == least());
        open.erase(g);
        met.insert(symbols[g].begin(), symbols[g].end());
      }
      CHECK((got.size() == most || !least()));
      const std::size_t gone = rng() % symbols.size();
      if (forgotten.insert(gone).second) nearest.forget(gone);
    }
  }
}

TEST_CASE("a guard that fails beside its neighbours does so at a point of the box; most such guards are found") {
  int exist = 0, found = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Context ctx;
    const std::vector<Expr> symbols{ctx.symbol("x"), ctx.symbol("y"), ctx.symbol("z")};
    test::RandomFormula random(ctx, symbols, seed);
    std::vector<Expr> formulas;  // five guards, then two facts
    for (int i = 0; i < 7; ++i) formulas.push_back(random.atom(1));
    std::vector<ModelSearch::Slot> slots;
    for (const Expr s : symbols)
      slots.push_back({.symbol = s, .domain = IntSet::range(-4, 6), .allowed = IntSet::range(-4, 6), .start = {0, 1}});
    ModelSearch search(ctx, slots, formulas);
    (void)search.find_base();
    std::vector<bool> first;
    for (int again = 0; again < 2; ++again)
      for (std::size_t k = 0; k < 5; ++k) {
        const std::size_t i = again == 0 ? k : 4 - k;
        const std::vector<std::size_t> near{(i + 1) % 5, (i + 3) % 5};
        const bool fails = search.fails_beside(i, near, 5, 7);
        if (again == 1) {
          CHECK(fails == first[i]);  // whatever was asked before
          continue;
        }
        first.push_back(fails);
        std::vector<Expr> premises{formulas[near[0]], formulas[near[1]]};
        std::vector<Expr> start = premises;
        start.push_back(formulas[i]);
        for (const Expr f : connected(ctx, start, {formulas[5], formulas[6]})) premises.push_back(f);
        const bool exists = !test::prove(ctx, premises, formulas[i], {-4, 6}).holds;
        CAPTURE(seed);
        CAPTURE(i);
        if (fails) CHECK(exists);
        exist += exists ? 1 : 0;
        found += fails ? 1 : 0;
      }
  }
  CHECK(exist > 300);
  CHECK(found * 4 >= exist * 3);
  MESSAGE(found << " of " << exist << " found");
}
