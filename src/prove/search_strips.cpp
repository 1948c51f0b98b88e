// lo <= e <= hi with few values between and a product in e: e is one of them. What is a product in an equality can be
// solved for: x - y*(x//y) == 1 says more than 0 <= x - y*(x//y) <= 1. Cost: pairs of rows.
// Tested by tests/prove/polynomials_test.cpp; lemma: tests/prove/lemmas_test.cpp.
#include <algorithm>

#include "prove/search.hpp"

namespace dimgate {

std::vector<Search::Branch> Search::split_strip(const System& system) {
  constexpr std::int64_t kWidth = 3;
  constexpr std::size_t kRows = 48;
  const auto opposite = [](const Row& a, const Row& b) {
    return std::equal(a.terms.begin(), a.terms.end(), b.terms.begin(), b.terms.end(),
                      [](const LinearTerm& x, const LinearTerm& y) {
                        return x.var == y.var && (x.coefficient + y.coefficient).is_zero();
                      });
  };
  const std::size_t n = std::min(system.rows.size(), kRows);
  for (std::size_t i = 0; i < n; ++i) {
    const Row& low = system.rows[i];
    const bool product = std::any_of(low.terms.begin(), low.terms.end(), [&](const LinearTerm& t) {
      return system.columns[t.var].kind == Column::Kind::product;
    });
    if (low.equality || !product) continue;
    for (std::size_t j = i + 1; j < n; ++j) {
      const Row& high = system.rows[j];
      if (high.equality || !opposite(low, high)) continue;
      const Integer last = -high.bound;
      if (last < low.bound || last - low.bound > Integer(kWidth)) continue;
      Deps deps = low.deps;
      deps.merge(high.deps);
      PolyRing ring(ctx_.impl());
      Terms terms;
      bool total = true;
      for (const LinearTerm& t : low.terms) {
        terms.push_back({t.coefficient, system.columns[t.var].atom.node()});
        total = total && system.columns[t.var].atom.is_total();
      }
      const Expr e(ring.node(ring.sum(std::move(terms), total)));
      std::vector<Branch> out;
      for (Integer v = low.bound; v <= last; v += 1)
        out.emplace_back().assume = {{ctx_.compare(Op::Eq, e, ctx_.integer(v)), deps}};
      return out;
    }
  }
  return {};
}

}  // namespace dimgate
