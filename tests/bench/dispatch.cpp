// Which of N entries serves a call: dispatch against a linear scan of the same entries as machine code.
//
// 10^5 distinct inputs in random order, hit rank uniform; each lookup waits for the one before (its answer picks the
// next input). Half of the ranges overlap their neighbours. Prints nanoseconds a lookup, bytes of index an entry, and
// what one more entry costs.
#include "dimgate/dispatch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>

#include "program/build.hpp"

using namespace dimgate;
using dimgate::testing::bounds_program;

namespace {

using Clock = std::chrono::steady_clock;
double nanoseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::nano>(Clock::now() - since).count();
}

constexpr std::size_t kSlots = 4, kInputs = 100'000;

struct Family {
  const char* name;
  Program (*entry)(std::int64_t i, std::int64_t n);
  /// An input that entry i accepts.
  void (*input)(std::int64_t i, std::int64_t n, std::mt19937_64& rng, Snapshot& s);
};

void fill(Snapshot& s, std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
  s.set(0, a), s.set(1, b), s.set(2, c), s.set(3, d);
}

const Family kFamilies[] = {
    {"static shapes",
     [](std::int64_t i, std::int64_t) {
       return bounds_program({{0, i % 97, i % 97}, {1, i / 97, i / 97}, {2, 3, 3}, {3, i, i}});
     },
     [](std::int64_t i, std::int64_t, std::mt19937_64&, Snapshot& s) { fill(s, i % 97, i / 97, 3, i); }},
    {"one-slot ranges",
     [](std::int64_t i, std::int64_t) { return bounds_program({{1, 100 * i, 100 * i + (i % 2 == 0 ? 99 : 150)}}); },
     [](std::int64_t i, std::int64_t, std::mt19937_64& rng, Snapshot& s) {
       fill(s, 1, 100 * i + 51 + static_cast<std::int64_t>(rng() % 49), 1, 1);
     }},
    {"residues",
     [](std::int64_t i, std::int64_t n) {
       return bounds_program({}, {{1, static_cast<std::uint64_t>(2 * n + 1), static_cast<std::uint64_t>(i)}});
     },
     [](std::int64_t i, std::int64_t n, std::mt19937_64& rng, Snapshot& s) {
       fill(s, 1, i + (2 * n + 1) * static_cast<std::int64_t>(rng() % 1000), 1, 1);
     }},
    {"mixed, two slots",
     [](std::int64_t i, std::int64_t) {
       const std::int64_t lo = 50 * (i / 4);
       return bounds_program({{0, 2, 2}, {1, lo, lo + 120}, {2, 8 * (i % 4), 8 * (i % 4) + 7}},
                             {{3, 4, static_cast<std::uint64_t>(i % 2)}});
     },
     [](std::int64_t i, std::int64_t, std::mt19937_64& rng, Snapshot& s) {
       fill(s, 2, 50 * (i / 4) + static_cast<std::int64_t>(rng() % 120), 8 * (i % 4) + 3, i % 2 + 4);
     }},
};

template <class Find>
double lookup_ns(const std::vector<Snapshot>& inputs, std::size_t count, Find find) {
  double best = 1e300;
  std::size_t sink = 0;
  for (int round = 0; round < 3; ++round) {
    std::size_t at = 0;
    const auto start = Clock::now();
    for (std::size_t k = 0; k < count; ++k) {
      const std::int32_t rank = find(inputs[at]);
      sink += static_cast<std::size_t>(rank);
      at = (k + 1 + (rank == -7 ? 1 : 0)) % inputs.size();  // waits for the answer
    }
    best = std::min(best, nanoseconds(start) / static_cast<double>(count));
  }
  if (sink == 1) std::puts("");
  return best;
}

}  // namespace

int main() {
  const std::shared_ptr<Jit> jit = Jit::create();
  std::printf("%-18s %8s  %11s %11s  %9s %9s  %9s\n", "entries", "N", "dispatch ns", "scan ns", "B/entry", "build us/e",
              "append us");
  for (const Family& family : kFamilies)
    for (const std::int64_t n : {10, 100, 1000, 10'000, 100'000}) {
      std::mt19937_64 rng(1);
      std::vector<Program> programs;
      programs.reserve(static_cast<std::size_t>(n));
      for (std::int64_t i = 0; i < n; ++i) {
        const Program p = family.entry(i, n);
        programs.push_back(jit ? jit->translate(p) : p);
      }
      std::vector<const Program*> pointers;
      for (const Program& p : programs) pointers.push_back(&p);
      std::vector<Snapshot> inputs(kInputs, Snapshot(kSlots));
      for (Snapshot& s : inputs)
        family.input(static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(n)), n, rng, s);
      const auto start = Clock::now();
      const Dispatch d{pointers};
      const double build = nanoseconds(start) / static_cast<double>(n);
      Dispatch grown = d;
      const auto growing = Clock::now();
      for (int k = 0; k < 64; ++k) grown.append(programs[static_cast<std::size_t>(k) % programs.size()]);
      const double append = nanoseconds(growing) / 64;
      const auto scan = [&](const Snapshot& s) {
        for (std::size_t i = 0; i < programs.size(); ++i)
          if (programs[i].check(s) == kPass) return static_cast<std::int32_t>(i);
        return Dispatch::kMiss;
      };
      for (std::size_t k = 0; k < inputs.size(); k += 997)
        if (d.find(inputs[k]) != scan(inputs[k]))
          return std::fprintf(stderr, "%s: differs from the scan\n", family.name), 1;
      const double found = lookup_ns(inputs, kInputs, [&](const Snapshot& s) { return d.find(s); });
      const double scanned =
          lookup_ns(inputs, std::min<std::size_t>(kInputs, 20'000'000 / static_cast<std::size_t>(n) + 1), scan);
      std::printf("%-18s %8lld  %11.1f %11.1f  %9.1f %9.2f  %9.2f\n", family.name, static_cast<long long>(n), found,
                  scanned, static_cast<double>(d.bytes()) / static_cast<double>(n), build * 1e-3, append * 1e-3);
    }
  return 0;
}
