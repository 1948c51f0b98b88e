// Which of N entries serves a call: dispatch against a linear scan of the same entries as machine code.
//
// 10^5 inputs in random order, hit rank uniform; each lookup waits for the one before (its answer picks the next
// input). Half of the ranges overlap their neighbours (the lowest rank wins). Columns: with every structure; with the
// memory of the last hit; with exact shapes not hashed; the scan; checks a lookup (the survivors); bytes an entry, of
// the index and of the program; what building, adding and removing cost. Last, what the policy `static` makes of
// recorded traces, which are replayed in their order.
#include "dimgate/dispatch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <random>

#include "program/build.hpp"

using namespace dimgate;
using dimgate::testing::bounds_program;
using dimgate::testing::SlotBounds;
using dimgate::testing::SlotResidue;

namespace {

using Clock = std::chrono::steady_clock;
double nanoseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::nano>(Clock::now() - since).count();
}

constexpr std::size_t kSlots = 8, kInputs = 100'000;

struct Family {
  const char* name;
  Program (*entry)(std::int64_t i, std::int64_t n);
  /// An input that entry i accepts.
  void (*input)(std::int64_t i, std::int64_t n, std::mt19937_64& rng, Snapshot& s);
};

void fill(Snapshot& s, std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
  s.set(0, a), s.set(1, b), s.set(2, c), s.set(3, d);
  for (SlotIndex i = 4; i < kSlots; ++i) s.set(i, 1);
}

/// Entry i of the general mix: tests from a pool that all entries share (wide ranges, residues, exclusions, relations
/// of two slots), chosen by bits of i, so that each input below serves one entry and few others.
Program general(std::int64_t i, std::int64_t) {
  using detail::Code;
  std::vector<SlotBounds> bounds, outside;
  std::vector<SlotResidue> residues;
  std::vector<dimgate::testing::SlotPair> pairs;
  const std::int64_t a = i % 16, b = i / 16 % 16, c = i / 256 % 16, d = i / 4096;
  bounds.push_back({0, 64 * a, 64 * a + 127});
  bounds.push_back({1, 64 * b, 64 * b + 127});
  bounds.push_back({2, 256 * d, 256 * d + 300});
  residues.push_back({3, 8, static_cast<std::uint64_t>(c % 8)});
  pairs.push_back({c >= 8 ? Code::PairsLt : Code::PairsLe, static_cast<SlotIndex>(c >= 8 ? 4 : 5),
                   static_cast<SlotIndex>(c >= 8 ? 5 : 4)});
  pairs.push_back({Code::PairsNe, 6, 7});
  if (i % 3 == 0) outside.push_back({6, 0, 1});
  return bounds_program(bounds, residues, pairs, outside);
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
    {"general mix", general,
     [](std::int64_t i, std::int64_t, std::mt19937_64& rng, Snapshot& s) {
       const std::int64_t c = i / 256 % 16;
       fill(s, 64 * (i % 16) + 64 + static_cast<std::int64_t>(rng() % 64),
            64 * (i / 16 % 16) + 64 + static_cast<std::int64_t>(rng() % 64),
            256 * (i / 4096) + 45 + static_cast<std::int64_t>(rng() % 200),
            c % 8 + 8 * static_cast<std::int64_t>(rng() % 100));
       s.set(4, c >= 8 ? 3 : 7), s.set(5, c >= 8 ? 7 : 3), s.set(6, 2), s.set(7, 5);
     }},
};

/// Inputs as a caller holds them: values behind each other, one presence word for all.
class Inputs {
 public:
  explicit Inputs(const std::vector<Snapshot>& from) {
    for (const Snapshot& s : from)
      for (SlotIndex i = 0; i < kSlots; ++i) values_.push_back(s.has(i) ? s.raw(i) : 0);
    for (SlotIndex i = 0; i < kSlots; ++i) present_ |= std::uint64_t{from[0].has(i)} << i;
  }
  [[nodiscard]] std::size_t size() const { return values_.size() / kSlots; }
  SnapshotView operator[](std::size_t k) const { return {values_.data() + k * kSlots, &present_, kSlots}; }

 private:
  std::vector<std::int64_t> values_;
  std::uint64_t present_ = 0;
};

/// Median over batches: the machine may be busy with other things.
template <class Find>
double lookup_ns(const Inputs& inputs, std::size_t batch, Find find) {
  std::vector<double> ns;
  std::size_t sink = 0, at = 0;
  for (int round = 0; round < 51; ++round) {
    const auto start = Clock::now();
    for (std::size_t k = 0; k < batch; ++k) {
      const std::int32_t rank = find(inputs[at]);
      sink += static_cast<std::size_t>(rank);
      // Waits for the answer.
      at += 1 + static_cast<std::size_t>(rank == -7 ? 1 : 0);
      at = at >= inputs.size() ? 0 : at;
    }
    ns.push_back(nanoseconds(start) / static_cast<double>(batch));
  }
  if (sink == 1) std::puts("");
  std::ranges::nth_element(ns, ns.begin() + 25);
  return ns[25];
}

int measure(const char* name, const std::vector<Program>& programs, const std::vector<Snapshot>& inputs) {
  const std::size_t n = programs.size();
  std::vector<const Program*> pointers;
  double program_bytes = 0;
  for (const Program& p : programs) pointers.push_back(&p), program_bytes += static_cast<double>(p.bytes() + sizeof p);
  const auto start = Clock::now();
  const Dispatch d{pointers};
  const double build = nanoseconds(start) / static_cast<double>(n);
  const Dispatch unhashed{pointers, {.hash = false}};
  Dispatch grown = d;
  const std::size_t more = std::min<std::size_t>(1000, n);
  const auto growing = Clock::now();
  for (std::size_t k = 0; k < more; ++k) grown.append(programs[k]);
  const double append = nanoseconds(growing) / static_cast<double>(more);
  const auto shrinking = Clock::now();
  std::mt19937_64 rng(3);
  for (std::size_t k = 0; k < more; ++k) grown.remove(rng() % grown.size());
  const double removal = nanoseconds(shrinking) / static_cast<double>(more);
  const auto scan = [&](SnapshotView s) {
    for (std::size_t i = 0; i < programs.size(); ++i)
      if (programs[i].check(s) == kPass) return static_cast<std::int32_t>(i);
    return Dispatch::kMiss;
  };
  LastHit last;
  double survivors = 0;
  std::size_t asked = 0;
  for (std::size_t k = 0; k < inputs.size(); k += 997, ++asked) {
    const std::int32_t rank = scan(inputs[k]);
    std::uint32_t checks = 0;
    if (d.find_counting(inputs[k], checks) != rank || unhashed.find(inputs[k]) != rank ||
        d.find(inputs[k], last) != rank)
      return std::fprintf(stderr, "%s: differs from the scan\n", name), 1;
    survivors += checks;
  }
  const Inputs packed(inputs);
  const std::size_t batch = std::min<std::size_t>(inputs.size(), 2000), few = std::min(batch, 200'000 / n + 1);
  const double found = lookup_ns(packed, batch, [&](SnapshotView s) { return d.find(s); });
  const double remembered = lookup_ns(packed, batch, [&](SnapshotView s) { return d.find(s, last); });
  const double plain = lookup_ns(packed, few, [&](SnapshotView s) { return unhashed.find(s); });
  const double scanned = lookup_ns(packed, few, scan);
  std::printf("%-18s %7zu  %9.1f %9.1f %9.1f %11.1f  %9.1f  %7.1f %7.1f  %7.2f %7.2f %7.2f\n", name, n, found,
              remembered, plain, scanned, survivors / static_cast<double>(asked),
              static_cast<double>(d.bytes()) / static_cast<double>(n), program_bytes / static_cast<double>(n),
              build * 1e-3, append * 1e-3, removal * 1e-3);
  std::fflush(stdout);
  return 0;
}

/// An entry for each distinct call, in order of first sight: what `static` compiles. Columns by index.
int trace(const char* name, const char* file, std::vector<std::size_t> columns, const std::shared_ptr<Jit>& jit) {
  std::ifstream in(std::string(DIMGATE_SOURCE_DIR "/tests/data/traces/") + file);
  std::vector<Snapshot> inputs;
  std::vector<Program> programs;
  std::map<std::vector<std::int64_t>, bool> seen;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::vector<std::string> cells(1);
    for (const char c : line)
      if (c == ',')
        cells.emplace_back();
      else
        cells.back() += c;
    std::vector<std::int64_t> values;
    std::vector<SlotBounds> bounds{{0, 1, 1}};
    Snapshot s(kSlots);
    s.set(0, 1);
    for (const std::size_t c : columns) {
      values.push_back(std::strtoll(cells.at(c).c_str(), nullptr, 10));
      bounds.push_back({static_cast<SlotIndex>(values.size()), values.back(), values.back()});
      s.set(static_cast<SlotIndex>(values.size()), values.back());
    }
    inputs.push_back(s);
    if (seen.emplace(values, true).second) {
      const Program p = bounds_program(bounds);
      programs.push_back(jit ? jit->translate(p) : p);
    }
  }
  if (programs.empty()) return std::fprintf(stderr, "%s: not there\n", file), 1;
  return measure(name, programs, inputs);
}

/// 10^7 calls of a language model with lengths as an exponential gives them, in columns: 2 entries as tracing makes
/// them with symbols, 14 buckets, and one entry for each of 4,096 lengths.
int batches(const std::shared_ptr<Jit>& jit) {
  constexpr std::size_t kRows = 10'000'000;
  std::mt19937_64 rng(9);
  std::vector<std::int64_t> batch(kRows, 1), length(kRows);
  for (std::int64_t& l : length) {
    const double u = (static_cast<double>(rng() >> 11) + 1) * 0x1p-53;
    l = std::min<std::int64_t>(4095, static_cast<std::int64_t>(-700 * std::log(u)));
  }
  const std::vector<const std::int64_t*> columns{batch.data(), length.data()};
  std::printf("\n10^7 calls in columns, calls a second\n");
  const auto run = [&](const char* name, std::vector<Program> programs) {
    if (jit)
      for (Program& p : programs) p = jit->translate(p);
    std::vector<const Program*> pointers;
    for (const Program& p : programs) pointers.push_back(&p);
    const Dispatch d{pointers};
    std::vector<std::int32_t> ranks(kRows);
    // In pieces of 100,000; the median of what they take, times their number.
    constexpr std::size_t kPiece = 100'000;
    std::vector<double> pieces;
    for (std::size_t begin = 0; begin < kRows; begin += kPiece) {
      const std::vector<const std::int64_t*> piece{columns[0] + begin, columns[1] + begin};
      const auto start = Clock::now();
      d.find_batch(piece, kPiece, ranks.data() + begin);
      pieces.push_back(nanoseconds(start));
    }
    std::ranges::nth_element(pieces, pieces.begin() + 50);
    const double ns = pieces[50] * static_cast<double>(pieces.size());
    for (std::size_t r = 0; r < kRows; r += 9973) {
      Snapshot s(2);
      s.set(0, 1), s.set(1, length[r]);
      if (d.find(s) != ranks[r]) return std::fprintf(stderr, "%s: row %zu differs\n", name, r), 1;
    }
    std::printf("%-28s %7zu entries  %6.1f M/s\n", name, programs.size(), kRows / ns * 1e3);
    return 0;
  };
  std::vector<Program> symbolic{bounds_program({{0, 1, 1}, {1, 2, 1 << 20}}), bounds_program({{0, 1, 1}, {1, 1, 1}})};
  std::vector<Program> buckets, exact;
  for (int k = 0; k < 14; ++k)
    buckets.push_back(bounds_program({{0, 1, 1}, {1, k == 0 ? 0 : (1 << (k - 1)) + 1, 1 << k}}));
  for (std::int64_t l = 0; l < 4096; ++l) exact.push_back(bounds_program({{0, 1, 1}, {1, l, l}}));
  return run("symbolic", std::move(symbolic)) + run("powers of two", std::move(buckets)) +
         run("static", std::move(exact));
}

}  // namespace

int main() {
  const std::shared_ptr<Jit> jit = Jit::create();
  std::printf("%-18s %7s  %9s %9s %9s %11s  %9s  %7s %7s  %7s %7s %7s\n", "entries", "N", "ns", "last-hit", "no hash",
              "scan ns", "survivors", "index B", "prog B", "build", "add", "remove us");
  for (const Family& family : kFamilies)
    for (const std::int64_t n : {10, 100, 1000, 10'000, 100'000}) {
      std::mt19937_64 rng(1);
      std::vector<Program> programs;
      programs.reserve(static_cast<std::size_t>(n));
      for (std::int64_t i = 0; i < n; ++i) {
        const Program p = family.entry(i, n);
        programs.push_back(jit ? jit->translate(p) : p);
      }
      std::vector<Snapshot> inputs(kInputs, Snapshot(kSlots));
      for (Snapshot& s : inputs)
        family.input(static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(n)), n, rng, s);
      if (measure(family.name, programs, inputs) != 0) return 1;
    }
  std::printf("entries that `static` makes, calls in the order of the trace:\n");
  const int traces = trace("azure conversation", "azure_llm_2023_conv.csv", {1}, jit) +
                     trace("azure code", "azure_llm_2023_code.csv", {1}, jit) +
                     trace("azure both lengths", "azure_llm_2023_conv.csv", {1, 2}, jit) +
                     trace("coco images", "coco_val2017_sizes.csv", {1, 2}, jit);
  return traces + batches(jit);
}
