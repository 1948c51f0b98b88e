// What a check costs: the interpreter against the same guards as C built by the system's compiler, hot, in one run.
//
// Sets of mixed guards (equalities, ranges, residues by constants and by symbols, products, relations, distinct
// storages), on inputs that all pass and on inputs of which half fail at a random guard. Prints nanoseconds a check,
// the ratio, and what building costs.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "dimgate/compile.hpp"

using namespace dimgate;

namespace {

using Clock = std::chrono::steady_clock;
using Check = int (*)(const std::int64_t*);

double nanoseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::nano>(Clock::now() - since).count();
}

/// Guards that hold at `at`, in the mix above, over `slots` integer slots.
std::vector<std::string> mixed(std::size_t n, std::size_t slots, const std::vector<std::int64_t>& at,
                               std::mt19937_64& rng) {
  std::vector<std::string> out;
  const auto name = [](std::size_t i) {
    return "L['x" + std::to_string(i / 4) + "'].size()[" + std::to_string(i % 4) + "]";
  };
  while (out.size() < n) {
    const std::size_t a = rng() % slots, b = rng() % slots, c = rng() % slots;
    const auto text = [](std::int64_t v) { return std::to_string(v); };
    switch (out.size() % 10) {
      case 0:
      case 1:
        out.push_back(name(a) + " == " + text(at[a]));
        break;
      case 2:
      case 3:
        out.push_back(text(at[a] / 2) + " <= " + name(a));
        break;
      case 4:
        out.push_back(name(a) + " <= " + text(at[a] + 100));
        break;
      case 5:
        out.push_back(name(a) + " % 8 == " + text(at[a] % 8));
        break;
      case 6:
        out.push_back(name(a) + " * " + name(b) + " <= " + text(at[a] * at[b] + 7));
        break;
      case 7:
        out.push_back(name(a) + (at[a] == at[b] ? " == " : at[a] < at[b] ? " < " : " > ") + name(b));
        break;
      case 8:
        out.push_back(name(a) + " % " + name(b) + " == " + text(at[a] % at[b]));
        break;
      default:
        out.push_back("(" + name(a) + " + " + name(b) + ") // 3 >= " + text((at[a] + at[b]) / 3) + " or " + name(c) +
                      " == 1");
        break;
    }
  }
  return out;
}

template <class F>
double best_of(std::size_t calls, F f) {
  double best = 1e300;
  for (int k = 0; k < 15; ++k) {
    const auto start = Clock::now();
    f();
    best = std::min(best, nanoseconds(start) / static_cast<double>(calls));
  }
  return best;
}

Check native(const std::string& source, const std::string& flags, double* seconds) {
  const std::string dir = std::filesystem::temp_directory_path().string();
  static int serial = 0;
  const std::string base = dir + "/dimgate-bench-" + std::to_string(::getpid()) + "-" + std::to_string(serial++);
  std::ofstream(base + ".c") << source;
  const auto start = Clock::now();
  const int rc = std::system(("cc -std=c11 " + flags + " -shared -fPIC -o " + base + ".so " + base + ".c").c_str());
  *seconds = nanoseconds(start) * 1e-9;
  void* library = rc == 0 ? dlopen((base + ".so").c_str(), RTLD_NOW) : nullptr;
  std::filesystem::remove(base + ".c");
  std::filesystem::remove(base + ".so");
  return library != nullptr ? reinterpret_cast<Check>(dlsym(library, "check")) : nullptr;
}

}  // namespace

int main() {
  const std::shared_ptr<Jit> jit = Jit::create();
  std::printf("%7s %6s  %10s %10s %10s %10s  %7s %7s  %10s %10s %8s\n", "guards", "inputs", "interp ns", "machine ns",
              "batch ns", "cc -O3 ns", "i/cc", "m/cc", "build us", "machine us", "cc -O2 s");
  for (const std::size_t n : {8, 64, 512}) {
    std::mt19937_64 rng(n);
    const std::size_t slots = std::max<std::size_t>(8, n / 2);
    std::vector<std::int64_t> at(slots);
    for (auto& v : at) v = 2 + static_cast<std::int64_t>(rng() % 500);
    const std::vector<std::string> texts = mixed(n, slots, at, rng);
    Layout layout;
    for (std::size_t i = 0; i < slots; ++i)
      layout.add("L['x" + std::to_string(i / 4) + "'].size()[" + std::to_string(i % 4) + "]");
    Context ctx;
    std::vector<Expr> guards;
    for (const std::string& t : texts) guards.push_back(*parse(ctx, t));
    double build = 1e300, machine_build = 1e300;
    for (int k = 0; k < 50; ++k) {
      const auto start = Clock::now();
      const auto p = compile(ctx, guards, layout);
      build = std::min(build, nanoseconds(start));
      const auto again = Clock::now();
      const auto q = compile(ctx, guards, layout, {.jit = jit});
      machine_build = std::min(machine_build, nanoseconds(again));
    }
    const Program program = *compile(ctx, guards, layout);
    const Program machine = *compile(ctx, guards, layout, {.jit = jit});
    double o2 = 0, o3 = 0;
    const std::string source = emit_c(program, "check");
    (void)native(source, "-O2", &o2);
    const Check check = native(source, "-O3 -march=native", &o3);
    if (check == nullptr) return std::fprintf(stderr, "cc failed\n"), 1;
    for (const bool half : {false, true}) {
      // 256 inputs in rotation: hot, and not one that a branch predictor learns by heart.
      std::vector<Snapshot> inputs(256, Snapshot(slots));
      for (std::size_t k = 0; k < inputs.size(); ++k)
        for (std::size_t i = 0; i < slots; ++i)
          inputs[k].set(static_cast<SlotIndex>(i), at[i] + (half && k % 2 == 1 && rng() % slots < 2 ? 1 : 0));
      std::shuffle(inputs.begin(), inputs.end(), rng);
      constexpr std::size_t kRounds = 200;
      volatile std::int64_t sink = 0;
      const double interpreted = best_of(kRounds * inputs.size(), [&] {
        std::int64_t sum = 0;
        for (std::size_t r = 0; r < kRounds; ++r)
          for (const Snapshot& s : inputs) sum += program.check(s);
        sink = sink + sum;
      });
      const double native_code = best_of(kRounds * inputs.size(), [&] {
        std::int64_t sum = 0;
        for (std::size_t r = 0; r < kRounds; ++r)
          for (const Snapshot& s : inputs) sum += machine.check(s);
        sink = sink + sum;
      });
      std::vector<std::vector<std::int64_t>> columns(slots);
      std::vector<const std::int64_t*> pointers;
      for (std::size_t i = 0; i < slots; ++i) {
        for (const Snapshot& s : inputs) columns[i].push_back(s.raw(static_cast<SlotIndex>(i)));
        pointers.push_back(columns[i].data());
      }
      std::vector<std::uint8_t> pass(inputs.size());
      const double batch = best_of(kRounds * inputs.size(), [&] {
        for (std::size_t r = 0; r < kRounds; ++r) machine.check_batch(pointers, pass.size(), pass.data());
        sink = sink + pass[0];
      });
      const double compiled = best_of(kRounds * inputs.size(), [&] {
        std::int64_t sum = 0;
        for (std::size_t r = 0; r < kRounds; ++r)
          for (const Snapshot& s : inputs) sum += check(s.view().values);
        sink = sink + sum;
      });
      std::size_t differ = 0;
      for (const Snapshot& s : inputs) {
        const std::int32_t g = program.check(s);
        differ += g != check(s.view().values) || g != machine.check(s) ? 1 : 0;
      }
      if (differ != 0) return std::fprintf(stderr, "engines differ\n"), 1;
      std::printf("%7zu %6s  %10.1f %10.1f %10.1f %10.1f  %7.2f %7.2f  %10.1f %10.1f %8.2f\n", n,
                  half ? "half" : "pass", interpreted, native_code, batch, compiled, interpreted / compiled,
                  native_code / compiled, build * 1e-3, machine_build * 1e-3, o2);
    }
  }
  return 0;
}
