// How many calls a second `compare` replays: 10^7 synthetic calls (another number: the first argument) through the very
// function the command calls, policy by policy (or only those of the second argument), looked up in batches and
// call by call.
//
// Lengths are those of a language model's requests as a log-normal draw (median 512, at most 4,096), batch 1. Calls a
// second count everything: policy, lookup, misses with their traces and compiles, the sums.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "dimgate/replay.hpp"
#include "policy/toy_model.hpp"

using namespace dimgate;

namespace {

Calls synthetic(std::size_t n) {
  std::mt19937_64 rng(1);
  std::lognormal_distribution<double> length(std::log(512.0), 1.0);
  std::vector<std::int64_t> values;
  std::vector<std::uint32_t> lines;
  values.reserve(2 * n);
  lines.reserve(n);
  for (std::size_t k = 0; k < n; ++k) {
    values.push_back(1);
    values.push_back(1 + static_cast<std::int64_t>(std::min(length(rng), 4095.0)));
    lines.push_back(static_cast<std::uint32_t>(k + 2));
  }
  return {{"B", "L"}, std::move(values), std::move(lines), {true, false}};
}

double seconds(const Model& model, const Calls& calls, const PolicySpec& policy, bool batch, PolicyRow& row) {
  NativeProver prover;
  ReplayOptions options;
  options.batch = batch;
  options.measure_lookup = false;
  const auto start = std::chrono::steady_clock::now();
  auto c = compare(model, calls, std::span(&policy, 1), prover, "synthetic", options);
  const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!c) std::fprintf(stderr, "%s\n", c.error().to_string().c_str()), std::exit(1);
  row = std::move(c->rows[0]);
  return spent;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
  const Calls calls = synthetic(n);
  // One branch, as a program that takes another kernel for long inputs.
  const testing::ToyModel model({"B", "L"}, [](Tracer& t, std::span<const SymInt> d) {
    testing::ToyModel::copy(t, t.input("x", {d[0], d[1]}), d[1] > 1024 ? "long" : "short");
  });
  std::printf("%zu calls\n%-16s %9s %9s %9s  %14s %14s\n", n, "policy", "compiles", "shared", "entries", "batch M/s",
              "one by one M/s");
  const auto policies =
      parse_policies(argc > 2 ? argv[2] : "static,pow2,bucket:64,pad_to:4096,whitelist,symbolic,symbolic+merge");
  if (!policies) return std::fprintf(stderr, "%s\n", policies.error().to_string().c_str()), 1;
  for (const PolicySpec& policy : *policies) {
    PolicyRow row, other;
    const double batch = seconds(model, calls, policy, true, row), one = seconds(model, calls, policy, false, other);
    std::printf("%-16s %9llu %9llu %9llu  %14.1f %14.1f\n", policy.text.c_str(),
                static_cast<unsigned long long>(row.compiles), static_cast<unsigned long long>(row.shared),
                static_cast<unsigned long long>(row.entries), static_cast<double>(n) / batch * 1e-6,
                static_cast<double>(n) / one * 1e-6);
  }
  return 0;
}
