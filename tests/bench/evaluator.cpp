// What a check costs: interpreter, machine code and batch against the same guards written by hand in C++ and built by
// the system's compiler with -O3 -march=native (the better of short-circuit and branch-free), all in one run.
//
// On inputs that all pass, on inputs of which half fail at a random slot, and cold (64 MB read between checks: code and
// data come from memory). Prints nanoseconds a check, ratios, what building costs, and, where valgrind is there,
// instructions a check as callgrind counts them (built for x86-64-v3 then: it knows no AVX-512).
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "bench/handwritten.hpp"
#include "dimgate/compile.hpp"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif

using namespace dimgate;
using dimgate::bench::MixedSet;

namespace {

using Clock = std::chrono::steady_clock;
using Native = int (*)(const std::int64_t*, const std::uint64_t*);

double nanoseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::nano>(Clock::now() - since).count();
}

struct Built {
  Native early = nullptr, branchless = nullptr;
  double seconds = 0;
};

Built native(const std::string& source, const std::string& flags) {
  static int serial = 0;
  const std::string base = (std::filesystem::temp_directory_path() / "dimgate-bench-").string() +
                           std::to_string(::getpid()) + "-" + std::to_string(serial++);
  std::ofstream(base + ".cpp") << source;
  Built built;
  const auto start = Clock::now();
  const int rc =
      std::system(("g++ -std=c++20 " + flags + " -shared -fPIC -o " + base + ".so " + base + ".cpp").c_str());
  built.seconds = nanoseconds(start) * 1e-9;
  void* library = rc == 0 ? dlopen((base + ".so").c_str(), RTLD_NOW) : nullptr;
  if (library != nullptr) {
    built.early = reinterpret_cast<Native>(dlsym(library, "early"));
    built.branchless = reinterpret_cast<Native>(dlsym(library, "branchless"));
  }
  std::filesystem::remove(base + ".cpp");
  std::filesystem::remove(base + ".so");
  return built;
}

/// 256 inputs in rotation: hot, and not so few that a branch predictor learns them by heart.
std::vector<Snapshot> make_inputs(const MixedSet& set, bool half, const Program& program) {
  std::mt19937_64 rng(7);
  std::vector<Snapshot> inputs(256, Snapshot(set.at.size()));
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const auto reset = [&] {
      for (std::size_t i = 0; i < set.at.size(); ++i) inputs[k].set(static_cast<SlotIndex>(i), set.at[i]);
    };
    reset();
    while (half && k % 2 == 1 && program.check(inputs[k]) == kPass) {
      reset();
      const std::size_t i = rng() % set.at.size();
      inputs[k].set(static_cast<SlotIndex>(i),
                    i < 20 ? set.at[(i + 1) % 20] : set.at[i] + 1 + static_cast<std::int64_t>(rng() % 1000));
    }
  }
  std::shuffle(inputs.begin(), inputs.end(), rng);
  return inputs;
}

/// Nanoseconds a call of each function: rounds alternate, so that what else the machine does hits all alike.
template <class... F>
std::array<double, sizeof...(F)> times(const std::vector<Snapshot>& inputs, F... f) {
  std::array<double, sizeof...(F)> best{};
  best.fill(1e300);
  volatile std::int64_t sink = 0;
  const auto one = [&](double& slot, auto& call) {
    constexpr std::size_t kRounds = 40;
    std::int64_t sum = 0;
    const auto start = Clock::now();
    for (std::size_t r = 0; r < kRounds; ++r)
      for (const Snapshot& s : inputs) sum += call(s.view());
    slot = std::min(slot, nanoseconds(start) / static_cast<double>(kRounds * inputs.size()));
    sink = sink + sum;
  };
  for (int k = 0; k < 40; ++k) {
    std::size_t i = 0;
    (one(best[i++], f), ...);
  }
  return best;
}

/// Median of one call each, after 64 MB of other data went through the caches.
template <class F>
double cold(const std::vector<Snapshot>& inputs, F f) {
  static std::vector<std::uint64_t> other(std::size_t{8} << 20, 1);
  std::vector<double> ns;
  volatile std::int64_t sink = 0;
  for (int k = 0; k < 31; ++k) {
    sink = sink + static_cast<std::int64_t>(std::accumulate(other.begin(), other.end(), std::uint64_t{0}));
    const SnapshotView s = inputs[static_cast<std::size_t>(k)].view();
    const auto start = Clock::now();
    sink = sink + f(s);
    ns.push_back(nanoseconds(start));
  }
  std::ranges::nth_element(ns, ns.begin() + 15);
  return ns[15];
}

struct Set {
  Set(std::size_t n, bool storages, const std::shared_ptr<Jit>& jit) : mixed(n, n, storages) {
    for (const std::string& t : mixed.guards) {
      const auto guard = parse(ctx, t);
      if (!guard) std::fprintf(stderr, "%s: %s\n", t.c_str(), guard.error().to_string().c_str()), std::exit(1);
      guards.push_back(*guard);
    }
    if (const auto p = compile(ctx, guards, mixed.layout); !p)
      std::fprintf(stderr, "%s\n", p.error().to_string().c_str()), std::exit(1);
    program = *compile(ctx, guards, mixed.layout);
    machine = *compile(ctx, guards, mixed.layout, {.jit = jit});
  }
  MixedSet mixed;
  Context ctx;
  std::vector<Expr> guards;
  Program program, machine;
};

double build_us(Set& set, const std::shared_ptr<Jit>& jit) {
  double best = 1e300;
  for (int k = 0; k < 60; ++k) {
    const auto start = Clock::now();
    const auto p = compile(set.ctx, set.guards, set.mixed.layout, {.jit = jit});
    best = std::min(best, nanoseconds(start) * 1e-3);
  }
  return best;
}

int hot_and_cold(const std::shared_ptr<Jit>& jit) {
  std::printf("nanoseconds a check; ratios to the better of early and branchless\n");
  std::printf("%7s %8s %6s  %8s %8s %8s  %8s %8s  %7s %7s   %s\n", "guards", "storages", "inputs", "interp", "machine",
              "batch", "early", "brless", "interp", "machine", "cold: interp machine g++");
  for (const std::size_t n : {8, 64, 512})
    for (const bool storages : {true, false}) {
      Set set(n, storages, jit);
      const Built built = native(set.mixed.source(), "-O3 -march=native");
      if (built.early == nullptr) return std::fprintf(stderr, "g++ failed\n"), 1;
      for (const bool half : {false, true}) {
        const std::vector<Snapshot> inputs = make_inputs(set.mixed, half, set.program);
        for (const Snapshot& s : inputs) {
          const std::int32_t g = set.program.check(s);
          const SnapshotView v = s.view();
          const int want = g == kPass ? 1 : 0;
          if (g != set.machine.check(s) || want != built.early(v.values, v.present) ||
              want != built.branchless(v.values, v.present))
            return std::fprintf(stderr, "they differ\n"), 1;
        }
        const auto interpreted = [&](SnapshotView s) { return set.program.check(s); };
        const auto machine = [&](SnapshotView s) { return set.machine.check(s); };
        const auto early = [&](SnapshotView s) { return built.early(s.values, s.present); };
        const auto branchless = [&](SnapshotView s) { return built.branchless(s.values, s.present); };
        const auto t = times(inputs, interpreted, machine, early, branchless);
        std::vector<std::vector<std::int64_t>> columns(set.mixed.layout.size());
        std::vector<const std::int64_t*> pointers;
        for (std::size_t i = 0; i < columns.size(); ++i) {
          for (const Snapshot& s : inputs) columns[i].push_back(s.raw(static_cast<SlotIndex>(i)));
          pointers.push_back(columns[i].data());
        }
        std::vector<std::uint8_t> pass(inputs.size());
        double batch = 1e300;
        for (int k = 0; k < 200; ++k) {
          const auto start = Clock::now();
          set.machine.check_batch(pointers, pass.size(), pass.data());
          batch = std::min(batch, nanoseconds(start) / static_cast<double>(pass.size()));
        }
        const double best = std::min(t[2], t[3]);
        std::printf("%7zu %8s %6s  %8.1f %8.1f %8.1f  %8.1f %8.1f  %7.2f %7.2f   ", n, storages ? "with" : "without",
                    half ? "half" : "pass", t[0], t[1], batch, t[2], t[3], t[0] / best, t[1] / best);
        if (half)
          std::printf("\n");
        else
          std::printf("%12.0f %7.0f %3.0f\n", cold(inputs, interpreted), cold(inputs, machine),
                      t[2] <= t[3] ? cold(inputs, early) : cold(inputs, branchless));
      }
    }
  return 0;
}

void building(const std::shared_ptr<Jit>& jit) {
  std::printf("\nbuilding a checker\n%7s  %12s %12s  %12s\n", "guards", "bytecode us", "machine us", "g++ -O2 s");
  for (const std::size_t n : {64, 4355}) {
    Set set(n, true, jit);
    std::printf("%7zu  %12.1f %12.1f  %12.2f\n", n, build_us(set, nullptr), build_us(set, jit),
                native(set.mixed.source(), "-O2").seconds);
  }
}

#ifdef CALLGRIND_DUMP_STATS_AT

/// Runs under callgrind: one dump an engine, `engine guards inputs`.
int count_child(const std::shared_ptr<Jit>& jit) {
  for (const std::size_t n : {8, 64, 512}) {
    Set set(n, true, jit);
    const Built built = native(set.mixed.source(), "-O3 -march=x86-64-v3");
    if (built.early == nullptr) return 1;
    for (const bool half : {false, true}) {
      const std::vector<Snapshot> inputs = make_inputs(set.mixed, half, set.program);
      volatile std::int64_t sink = 0;
      const auto count = [&](const char* engine, auto call) {
        std::int64_t sum = 0;
        for (const Snapshot& s : inputs) sum += call(s.view());
        CALLGRIND_ZERO_STATS;
        for (const Snapshot& s : inputs) sum += call(s.view());
        const std::string name = std::string(engine) + " " + std::to_string(n) + (half ? " half" : " pass");
        CALLGRIND_DUMP_STATS_AT(name.c_str());
        sink = sink + sum;
      };
      count("interp", [&](SnapshotView s) { return set.program.check(s); });
      count("machine", [&](SnapshotView s) { return set.machine.check(s); });
      count("early", [&](SnapshotView s) { return built.early(s.values, s.present); });
      count("branchless", [&](SnapshotView s) { return built.branchless(s.values, s.present); });
    }
  }
  return 0;
}

void instructions(const char* self) {
  std::printf("\ninstructions a check (callgrind)\n");
  const std::filesystem::path dir =
      std::filesystem::temp_directory_path() / ("dimgate-callgrind-" + std::to_string(::getpid()));
  std::filesystem::create_directories(dir);
  const std::string run = "valgrind --tool=callgrind -q --callgrind-out-file=" + (dir / "out").string() + " " + self +
                          " --count 2>/dev/null";
  if (std::system("valgrind --version >/dev/null 2>&1") != 0 || std::system(run.c_str()) != 0) {
    std::printf("  none: valgrind is not there, or could not run it\n");
  } else {
    for (const std::size_t n : {8, 64, 512})
      for (const char* inputs : {"pass", "half"}) {
        std::printf("%7zu %6s ", n, inputs);
        for (const char* engine : {"interp", "machine", "early", "branchless"}) {
          const std::string wanted = std::string(engine) + " " + std::to_string(n) + " " + inputs;
          for (const auto& file : std::filesystem::directory_iterator(dir)) {
            std::ifstream in(file.path());
            bool ours = false;
            for (std::string line; std::getline(in, line);) {
              if (line.starts_with("desc: Trigger:")) ours = line.ends_with(": " + wanted);
              if (ours && (line.starts_with("summary: ") || line.starts_with("totals: "))) {
                std::printf(" %s %.0f", engine, std::strtod(line.c_str() + line.find(' '), nullptr) / 256);
                break;
              }
            }
          }
        }
        std::printf("\n");
      }
  }
  std::filesystem::remove_all(dir);
}

#else
int count_child(const std::shared_ptr<Jit>&) { return 1; }
void instructions(const char*) { std::printf("\nno instruction counts: built without valgrind/callgrind.h\n"); }
#endif

}  // namespace

int main(int argc, char** argv) {
  const std::shared_ptr<Jit> jit = Jit::create();
  if (argc > 1 && std::string_view(argv[1]) == "--count") return count_child(jit);
  if (hot_and_cold(jit) != 0) return 1;
  building(jit);
  instructions(argv[0]);
  return 0;
}
