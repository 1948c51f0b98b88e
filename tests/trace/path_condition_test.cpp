// The guard set is the path condition: on every point of a box it holds exactly where the same code, run on the
// point's numbers, takes the same branches. Whatever the prover knows, the accepted set is the same.
#include <random>

#include "trace/support.hpp"

using namespace dimgate;
using namespace dimgate::testing;

namespace {

/// Code that branches on what it computes; its branches are the result. `rejected` where it divides by zero.
struct Run {
  std::vector<std::int64_t> branches;  // 0 or 1, or the number that was asked for
  bool rejected = false;
};

Run run(unsigned seed, const std::vector<SymInt>& inputs) {
  std::mt19937 rng(seed);
  std::vector<SymInt> pool = inputs;
  Run r;
  try {
    for (int i = 0; i < 8; ++i) {
      const SymInt a = pool[rng() % pool.size()], b = pool[rng() % pool.size()];
      const auto choice = rng() % 6;
      const int k = 2 + static_cast<int>(rng() % 4);
      const SymInt c = choice == 0   ? a + b
                       : choice == 1 ? a - b
                       : choice == 2 ? a * k
                       : choice == 3 ? a / k
                       : choice == 4 ? a % k
                                     : (rng() % 3 == 0 ? a / b : max(a, b));
      pool.push_back(c);
      const auto question = rng() % 6;
      bool yes;
      if (question == 0)
        yes = static_cast<bool>(c == b);
      else if (question == 1)
        yes = static_cast<bool>(c < k);
      else if (question == 2)
        yes = static_cast<bool>(c % k == 0);
      else if (question == 3) {
        yes = static_cast<bool>(c > 3);
        r.branches.push_back(yes ? 1 : 0);
        yes = yes && a != b;
      } else if (question == 4)
        yes = static_cast<bool>(sym_or(c <= b, !(a >= 2)));
      else {
        r.branches.push_back((c / k).to_int());
        yes = r.branches.back() % 2 == 0;
      }
      r.branches.push_back(yes ? 1 : 0);
      if (yes) pool.push_back(c + 1);
    }
  } catch (const ShapeError&) {
    r.rejected = true;
  }
  return r;
}

}  // namespace

TEST_CASE("guards hold exactly where the branches are the same") {
  constexpr std::int64_t side = 7;
  std::size_t same = 0, other = 0;
  for (unsigned seed = 0; seed < rounds(120); ++seed) {
    for (const int knowing : {0, 1, 2}) {
      IgnorantProver ignorant;
      BoxProver box(side);
      NativeProver native;
      Prover* const provers[] = {&ignorant, &box, &native};
      Context ctx;
      Tracer t(ctx, *provers[knowing]);
      std::mt19937 values(seed * 7 + 1);
      const auto h0 = static_cast<std::int64_t>(values() % side), h1 = static_cast<std::int64_t>(values() % side);
      const SymInt a = t.size("a", h0), b = t.size("b", h1);
      const Run traced = run(seed, {a, b});
      if (traced.rejected) continue;
      const Expr guard = t.guards().formula(ctx);
      for (std::int64_t x = 0; x < side; ++x)
        for (std::int64_t y = 0; y < side; ++y) {
          const Run plain = run(seed, {x, y});
          const bool expected = !plain.rejected && plain.branches == traced.branches;
          Assignment at;
          at.set(a.term(), Value::of(x));
          at.set(b.term(), Value::of(y));
          INFO("seed ", seed, ", traced at ", h0, ",", h1, ", point ", x, ",", y, ": ", to_text(ctx, guard));
          CHECK(evaluate(ctx, guard, at).is_true() == expected);
          ++(expected ? same : other);
        }
    }
  }
  CHECK(same > 200);  // the test sees both sides
  CHECK(other > 200);
}
