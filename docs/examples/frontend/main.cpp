// Serves 2,000 calls of random sizes and compares every result with eager execution.
#include <cmath>
#include <cstdio>
#include <random>
#include <stdexcept>

#include "engine.hpp"

using frontend::Array;

namespace {

Array random_array(std::mt19937& rng, std::vector<std::int64_t> shape) {
  Array a(std::move(shape));
  std::uniform_real_distribution<float> value(-1, 1);
  for (float& v : a.data) v = value(rng);
  return a;
}

bool equal(const Array& a, const Array& b) {
  if (a.shape != b.shape) return false;
  for (std::size_t i = 0; i < a.data.size(); ++i)
    if (!(std::fabs(a.data[i] - b.data[i]) <= 1e-4F * (1 + std::fabs(b.data[i])))) return false;
  return true;
}

}  // namespace

int main() {
  std::mt19937 rng(7);
  frontend::Weights<Array> weights{random_array(rng, {8, 5}), random_array(rng, {8}),    random_array(rng, {8, 8}),
                                   random_array(rng, {8}),    random_array(rng, {3, 8}), random_array(rng, {3})};
  frontend::Engine engine(weights);
  constexpr int calls = 2000;
  int wrong = 0;
  for (int i = 0; i < calls; ++i) {
    const Array x = random_array(rng, {static_cast<std::int64_t>(rng() % 200), 5});
    if (!equal(engine.call(x), network(x, weights))) {
      std::printf("wrong result for %ld rows\n", static_cast<long>(x.size(0)));
      ++wrong;
    }
  }
  bool rejected = false;
  try {
    (void)engine.call(random_array(rng, {4, 6}));
  } catch (const std::runtime_error& e) {
    rejected = true;
    std::printf("rejected: %s\n", e.what());
  }
  const dimgate::CacheStatistics s = engine.statistics();
  for (const std::string& g : engine.guards()) std::printf("entry: %s\n", g.c_str());
  std::printf("%llu calls: %llu compiled, %llu shared, %llu hits, %llu rejected; %d wrong results\n",
              static_cast<unsigned long long>(s.calls()), static_cast<unsigned long long>(s.compiles),
              static_cast<unsigned long long>(s.shared), static_cast<unsigned long long>(s.hits),
              static_cast<unsigned long long>(s.rejected), wrong);
  const bool few = s.compiles <= 6 && s.compiles + s.shared <= 8 && s.hits >= calls - 8;
  return wrong == 0 && rejected && few ? 0 : 1;
}
