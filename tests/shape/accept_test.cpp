// No wrong accept: wherever the guards of a symbolic trace hold, running the same operators on the numbers raises
// nothing and gives shapes equal to the recorded terms; and at the hints they hold.
#include <random>

#include "shape/support.hpp"

using namespace dimgate;
using namespace dimgate::testing;

namespace {

/// A random program over tensors of the given sizes; the results' shapes in order.
std::vector<Shape> program(unsigned seed, Tracer& t, const std::vector<SymInt>& s) {
  std::mt19937 rng(seed);
  std::vector<SymTensor> pool;
  const auto pick_size = [&]() -> SymInt {
    const auto k = rng() % 8;
    if (k < 5) return s[rng() % s.size()];
    return k == 5 ? SymInt(1) : k == 6 ? SymInt(2) : s[0] + 1;
  };
  for (int i = 0; i < 3; ++i) {
    Shape shape;
    for (int d = 0; d < 3; ++d) shape.push_back(pick_size());
    pool.push_back(t.input("x" + std::to_string(i), shape));
  }
  const auto weight = [&](Shape shape) { return t.parameter("w" + to_string(shape), shape); };
  for (int i = 0; i < 5; ++i) {
    const SymTensor x = pool[rng() % pool.size()], y = pool[rng() % pool.size()];
    const auto a = rng() % 3, c = rng() % 3;
    const int dim = x.rank() == 0 ? 0 : static_cast<int>(a % static_cast<unsigned>(x.rank()));
    const SymInt size = pick_size();
    switch (rng() % 17) {
      case 0:
        pool.push_back(shape::add(x, y));
        break;
      case 1:
        pool.push_back(shape::matmul(x, y));
        break;
      case 2:
        pool.push_back(shape::cat({x, y}, dim));
        break;
      case 3:
        pool.push_back(shape::reshape(x, {size, -1}));
        break;
      case 4:
        pool.push_back(shape::reshape(x, {size, 2}));
        break;
      case 5:
        pool.push_back(shape::slice(x, dim, std::nullopt, size, 1 + static_cast<int>(c)));
        break;
      case 6:
        pool.push_back(shape::slice(x, dim, -static_cast<int>(a) - 1, std::nullopt));
        break;
      case 7:
        pool.push_back(shape::slice(x, dim, size, -static_cast<int>(c)));
        break;
      case 8:
        pool.push_back(shape::pad(x, {static_cast<int>(a) - 1, static_cast<int>(c) - 1}));
        break;
      case 9:
        pool.push_back(shape::split(x, 2, dim).back());
        break;
      case 10:
        pool.push_back(shape::chunk(x, 2, dim).back());
        break;
      case 11:
        pool.push_back(shape::conv1d(x, weight({3, 2, 1 + static_cast<int>(a)}),
                                     {.stride = {1 + static_cast<int>(c)}, .padding = {static_cast<int>(a)}}));
        break;
      case 12:
        pool.push_back(shape::pool(1, "max_pool", x, {2}, {.stride = {3}, .padding = {1}, .ceil_mode = c == 0}));
        break;
      case 13:
        pool.push_back(shape::squeeze(x, dim));
        break;
      case 14:
        pool.push_back(shape::expand(x, Shape{size, -1, 3}));
        break;
      case 15:
        pool.push_back(shape::reduce(c == 0 ? "amax" : "sum", x, {dim}, a == 0));
        break;
      default:
        pool.push_back(shape::select(x, dim, static_cast<int>(a) - 1));
        break;
    }
  }
  std::vector<Shape> out;
  for (const SymTensor& x : pool) out.push_back(x.shape());
  return out;
}

}  // namespace

TEST_CASE("guards accept only what runs, with the recorded shapes") {
  constexpr std::int64_t side = 6;
  std::size_t traced = 0, accepted = 0, refused = 0;
  for (unsigned seed = 0; seed < rounds(1500); ++seed) {
    IgnorantProver ignorant;
    BoxProver box(side);
    NativeProver native;
    Context ctx;
    Prover* const provers[] = {&box, &native, &native, &ignorant};
    Tracer t(ctx, *provers[seed % 4]);
    std::mt19937 values(seed);
    const std::int64_t ha = static_cast<std::int64_t>(values() % side), hb = static_cast<std::int64_t>(values() % side);
    const std::vector<SymInt> symbols{t.size("a", ha), t.size("b", hb)};
    std::vector<Shape> shapes;
    if (!t.run([&] { shapes = program(seed, t, symbols); }).ok()) continue;
    ++traced;
    const Expr guard = t.guards().formula(ctx);
    for (std::int64_t x = 0; x < side; ++x)
      for (std::int64_t y = 0; y < side; ++y) {
        Assignment at;
        at.set(symbols[0].term(), Value::of(x));
        at.set(symbols[1].term(), Value::of(y));
        const bool holds = evaluate(ctx, guard, at).is_true();
        INFO("seed ", seed, " traced at ", ha, ",", hb, " point ", x, ",", y, ": ", to_text(ctx, guard));
        if (x == ha && y == hb) CHECK(holds);
        if (!holds) {
          ++refused;
          continue;
        }
        ++accepted;
        Context plain_ctx;
        Tracer plain(plain_ctx, ignorant);
        std::vector<Shape> numbers;
        const TraceOutcome outcome = plain.run([&] { numbers = program(seed, plain, {SymInt(x), SymInt(y)}); });
        INFO(outcome.error.message);
        REQUIRE(outcome.ok());
        REQUIRE(numbers.size() == shapes.size());
        for (std::size_t i = 0; i < shapes.size(); ++i) {
          REQUIRE(numbers[i].size() == shapes[i].size());
          for (std::size_t d = 0; d < shapes[i].size(); ++d)
            CHECK(evaluate(ctx, shapes[i][d].expr(ctx), at) == Value::of(numbers[i][d].constant()));
        }
      }
  }
  CHECK(traced > 100);
  CHECK(accepted > 300);
  CHECK(refused > 1000);
}
