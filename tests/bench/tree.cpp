// Lookups by guard trees: 1, 8 and 64 entries of 60 guards over a snapshot of 20 tensors, read in place.
//
// Each tensor is guarded on dtype, device and shape (rank and two sizes). Entries differ in the last tensor's size, so
// that a hit is on the last entry and every entry before it fails late; `miss` fails late in all, `miss, early` at the
// first tensor's dtype. `dlpack` reads tensors in place when a guard asks, `snapshot` copies slots that are there;
// `program` is Dispatch over filled snapshots, filling them not counted, for comparison.
#include <array>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "dimgate/compile_tree.hpp"
#include "dimgate/dispatch.hpp"
#include "dimgate/guard_builder.hpp"
#include "dimgate/guard_kinds.hpp"
#include "dimgate/guard_text.hpp"

using namespace dimgate;

namespace {

constexpr int kTensors = 20;

struct Tensors {
  std::array<std::array<std::int64_t, 2>, kTensors> shapes{};
  std::array<DlpackTensor, kTensors> tensors{};
  Tensors() {
    for (std::size_t i = 0; i < kTensors; ++i) {
      shapes[i] = {32, 128};
      tensors[i] = {nullptr, {2, 0}, 2, {2, 32, 1}, shapes[i].data(), nullptr, 0};
    }
  }
};

/// CPU time of this thread: what else runs on the machine does not count.
double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class F>
double nanoseconds(F&& f) {
  double best = 1e18;
  for (int round = 0; round < 40; ++round) {
    constexpr int kTimes = 500;
    const double start = cpu_seconds();
    for (int i = 0; i < kTimes; ++i) f();
    best = std::min(best, 1e9 * (cpu_seconds() - start) / kTimes);
  }
  return best;
}

std::vector<Expr> guards_of(Context& ctx, std::int64_t last) {
  std::vector<Expr> out;
  for (int i = 0; i < kTensors; ++i) {
    const std::string x = "L['x" + std::to_string(i) + "']";
    const std::vector<std::optional<std::int64_t>> sizes{i + 1 == kTensors ? last : 32, 128};
    out.push_back(guards::dtype(ctx, x, "torch.float32").formula);
    out.push_back(guards::device(ctx, x, "cuda:0").formula);
    const std::array<Expr, 2> shape{guards::rank(ctx, x, 2).formula, guards::shape(ctx, x, sizes).formula};
    out.push_back(ctx.make(Op::And, shape));
  }
  return out;
}

void row(int entries) {
  Context ctx;
  Layout layout;
  std::vector<std::string> names;
  for (int i = 0; i < kTensors; ++i) {
    names.push_back("L['x" + std::to_string(i) + "']");
    layout.add_tensor(names.back(), 2);
  }
  const std::vector<std::string_view> bases(names.begin(), names.end());
  TreeDispatch trees;
  std::vector<Program> programs;
  for (int n = 0; n < entries; ++n) {
    const std::vector<Expr> guards = guards_of(ctx, 1000 + n);
    trees.append(*compile_tree(ctx, guards, layout));
    programs.push_back(*compile(ctx, guards, layout));
  }
  std::vector<const Program*> pointers;
  for (const Program& p : programs) pointers.push_back(&p);
  const Dispatch dispatch(pointers);

  std::array<Tensors, 3> calls;  // hit, miss, early miss
  calls[0].shapes[kTensors - 1][0] = 1000 + entries - 1;
  calls[1].shapes[kTensors - 1][0] = 7;
  calls[2].tensors[0].dtype = {2, 16, 1};
  std::array<double, 9> ns{};
  std::array<std::uint64_t, 3> reads{};
  LazySnapshot lazy(layout);
  bool right = true;
  for (std::size_t c = 0; c < 3; ++c) {
    DlpackSource source(layout, bases);
    Snapshot filled(layout.size());
    for (std::size_t i = 0; i < kTensors; ++i) {
      source.bind(i, &calls[c].tensors[i]);
      DlpackReader(layout, names[i]).read(calls[c].tensors[i], filled);
    }
    const std::int32_t expected = c == 0 ? entries - 1 : -1;
    SnapshotSource copied(filled);
    ns[c] = nanoseconds([&] { right = right && trees.find(lazy, source) == expected; });
    reads[c] = lazy.reads();
    ns[3 + c] = nanoseconds([&] { right = right && trees.find(lazy, copied) == expected; });
    ns[6 + c] = nanoseconds([&] { right = right && dispatch.find(filled) == expected; });
  }
  std::printf("%7d  dlpack    %7.0f  %7.0f  %11.0f   %llu, %llu, %llu of %zu slots read\n", entries, ns[0], ns[1],
              ns[2], static_cast<unsigned long long>(reads[0]), static_cast<unsigned long long>(reads[1]),
              static_cast<unsigned long long>(reads[2]), layout.size());
  std::printf("%7s  snapshot  %7.0f  %7.0f  %11.0f\n", "", ns[3], ns[4], ns[5]);
  std::printf("%7s  program   %7.0f  %7.0f  %11.0f%s\n", "", ns[6], ns[7], ns[8], right ? "" : "   WRONG ANSWER");
}

/// Slots read by a call that fails one guard, every guard in turn: tree and recorded order, before and after adapting.
void avoided() {
  Context ctx;
  Layout layout;
  for (int i = 0; i < kTensors; ++i) layout.add_tensor("L['x" + std::to_string(i) + "']", 2);
  const std::vector<Expr> guards = guards_of(ctx, 32);
  TreeOptions recorded;
  recorded.order = TreeOrder::recorded;
  const GuardTree plain = *compile_tree(ctx, guards, layout, recorded);
  const GuardTree tree = *compile_tree(ctx, guards, layout);
  const double built = nanoseconds([&] { (void)compile_tree(ctx, guards, layout)->units(); }) / 1000;
  // What fails is skewed, as it is in life: tensor i is the culprit of one call in 2^(20-i), its size as a rule.
  AdaptiveTree adaptive(tree, 16);
  LazySnapshot lazy(layout);
  std::array<std::uint64_t, 3> reads{};
  std::uint64_t calls = 0;
  std::uint64_t random = 1;
  for (int call = 0; call < 20'000; ++call) {
    random = random * 6364136223846793005ULL + 1442695040888963407ULL;
    const auto culprit = kTensors - 1 - std::min(kTensors - 1, __builtin_ctzll((random >> 33) | (1ULL << 40)));
    const std::string x = "L['x" + std::to_string(culprit) + "']";
    Snapshot s(layout.size());
    Tensors t;
    t.shapes[static_cast<std::size_t>(culprit)][1] = 127;
    for (std::size_t i = 0; i < kTensors; ++i)
      DlpackReader(layout, "L['x" + std::to_string(i) + "']").read(t.tensors[i], s);
    SnapshotSource source(s);
    lazy.begin(source);
    (void)plain.check(lazy);
    reads[0] += lazy.reads();
    lazy.begin(source);
    (void)tree.check(lazy);
    reads[1] += lazy.reads();
    lazy.begin(source);
    (void)adaptive.check(lazy);
    reads[2] += lazy.reads();
    ++calls;
  }
  const auto per = [&](std::uint64_t n) { return static_cast<double>(n) / static_cast<double>(calls); };
  std::printf(
      "\nslots read by a failing call (60 guards, of late tensors most often): recorded order %.1f, tree %.1f, "
      "adapted tree %.1f\nbuilding a tree of 60 guards: %.0f us\n",
      per(reads[0]), per(reads[1]), per(reads[2]), built);
}

}  // namespace

int main() {
  std::printf("entries  slots     ns/hit  ns/miss  ns/miss,early   (60 guards an entry, 20 tensors)\n");
  for (const int n : {1, 8, 64}) row(n);
  avoided();
}
