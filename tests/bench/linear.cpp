// Time of the linear integer core on small systems as shape code asks them: clear, load and check, in nanoseconds.
#include <chrono>
#include <cstdio>

#include "prove/linear_systems.hpp"

using namespace dimgate;
using namespace dimgate::test;

namespace {

struct Case {
  const char* name;
  LinearSystem system;
};

// x_0 <= x_1 <= .. <= x_n, x_0 >= 0; and x_n <= x_0 - 1 if contradictory.
LinearSystem chain(std::size_t n, bool contradictory) {
  LinearSystem s{n, {}};
  s.constraints.push_back({{1}, '>', 0});
  for (std::size_t i = 0; i + 1 < n; ++i) {
    std::vector<std::int64_t> c(n, 0);
    c[i] = -1, c[i + 1] = 1;
    s.constraints.push_back({c, '>', 0});
  }
  if (contradictory) {
    std::vector<std::int64_t> c(n, 0);
    c[0] = 1, c[n - 1] = -1;
    s.constraints.push_back({c, '>', 1});
  }
  return s;
}

LinearSystem boxed(std::uint64_t seed, std::size_t variables, std::size_t constraints) {
  std::mt19937_64 random(seed);
  SystemShape shape;
  shape.variables = variables;
  shape.constraints = constraints;
  shape.zero = 0.6;
  LinearSystem s = random_system(random, shape);
  add_box(s, 0, 20);
  return s;
}

double nanoseconds(const LinearSystem& s, LinearCore& core, LinearCore::Status& status, std::uint64_t& steps) {
  std::vector<std::vector<LinearTerm>> terms;
  for (const LinearConstraint& c : s.constraints) terms.push_back(terms_of(c.coefficients));
  const auto once = [&] {
    core.clear();
    for (std::size_t i = 0; i < s.variables; ++i) core.new_variable();
    for (std::uint32_t i = 0; i < terms.size(); ++i) {
      const LinearConstraint& c = s.constraints[i];
      if (c.relation == '=')
        core.equals(terms[i], c.bound, i);
      else if (c.relation == '<')
        core.at_most(terms[i], c.bound, i);
      else
        core.at_least(terms[i], c.bound, i);
    }
    std::uint64_t left = 1'000'000;
    status = core.check(left);
    steps = 1'000'000 - left;
  };
  once();
  double best = 1e18;
  for (int repeat = 0; repeat < 5; ++repeat) {
    int count = 0;
    const auto start = std::chrono::steady_clock::now();
    auto now = start;
    do {
      for (int i = 0; i < 10; ++i) once();
      count += 10;
      now = std::chrono::steady_clock::now();
    } while (now - start < std::chrono::milliseconds(10));
    best = std::min(best, std::chrono::duration<double, std::nano>(now - start).count() / count);
  }
  return best;
}

}  // namespace

int main() {
  const std::vector<Case> cases = {
      {"5x >= 1, 5x <= 4", {1, {{{5}, '>', 1}, {{5}, '<', 4}}}},
      {"4q + r == 7, 0 <= r <= 3", {2, {{{4, 1}, '=', 7}, {{0, 1}, '>', 0}, {{0, 1}, '<', 3}}}},
      {"3x + 7y == 1 in [0,10]^2",
       {2, {{{3, 7}, '=', 1}, {{1}, '>', 0}, {{1}, '<', 10}, {{0, 1}, '>', 0}, {{0, 1}, '<', 10}}}},
      {"thin parallelogram", {2, {{{1}, '>', 0}, {{1}, '<', 100}, {{3, -3}, '>', -2}, {{-3, 3}, '>', 1}}}},
      {"H == 2a, H == 3b, H % 6 == 1..5",
       {4, {{{1, -2}, '=', 0}, {{1, 0, -3}, '=', 0}, {{1, 0, 0, -6}, '>', 1}, {{1, 0, 0, -6}, '<', 5}}}},
      {"MLIR M015",
       {3,
        {{{6, -4, 9}, '>', -2},
         {{1, 5, 1}, '>', -5},
         {{-4, 1, 2}, '>', 1},
         {{-3, -2, -7}, '>', 1},
         {{-7, -5, -9}, '>', 1}}}},
      {"chain of 6, sat", chain(6, false)},
      {"chain of 6, unsat", chain(6, true)},
      {"chain of 10, unsat", chain(10, true)},
      {"chain of 200, unsat", chain(200, true)},
      {"box 4 x 4", boxed(1, 4, 4)},
      {"box 6 x 8", boxed(2, 6, 8)},
      {"box 8 x 10", boxed(3, 8, 10)},
      {"box 10 x 10", boxed(4, 10, 10)},
  };
  LinearCore core;
  std::printf("%-36s %8s %8s %12s\n", "system", "status", "steps", "ns");
  for (const Case& c : cases) {
    LinearCore::Status status{};
    std::uint64_t steps = 0;
    const double ns = nanoseconds(c.system, core, status, steps);
    const char* names[] = {"sat", "unsat", "unknown"};
    std::printf("%-36s %8s %8llu %12.0f\n", c.name, names[static_cast<int>(status)],
                static_cast<unsigned long long>(steps), ns);
  }
  return 0;
}
