// Strict mode: silent where engines agree, tells with a reproducer where one is wrong, accepts nothing that one
// refuses.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "compile/random_formula.hpp"
#include "dimgate/dispatch.hpp"
#include "dimgate/strict_compile.hpp"
#include "program/draft.hpp"

using namespace dimgate;
using dimgate::testing::Inputs;
using dimgate::testing::RandomFormula;
using dimgate::testing::World;

TEST_CASE("strict programs answer as plain ones, and engines agree on random formulas") {
  const std::shared_ptr<Jit> jit = Jit::create();
  std::size_t passed = 0, failed = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    World world;
    RandomFormula random(world, seed);
    const std::vector<Expr> set{random.boolean(3), random.boolean(2)};
    const auto plain = compile(world.ctx, set, world.layout);
    const auto all = compile_strict(world.ctx, set, world.layout, {.jit = jit}, [](const std::string& r) { FAIL(r); });
    REQUIRE(plain.ok() == all.ok());
    if (!plain) continue;
    CHECK(all->is_strict());
    Inputs in;
    for (int k = 0; k < 30; ++k) {
      random.fill(in, k % 3 == 0 ? 20 : 0);
      const std::int32_t got = all->check(in.snapshot);
      CHECK(got == plain->check(in.snapshot));
      std::vector<const std::int64_t*> columns(in.snapshot.size(), nullptr);
      for (SlotIndex i = 0; i < columns.size(); ++i)
        if (in.snapshot.has(i)) columns[i] = in.snapshot.view().values + i;
      std::uint8_t pass = 2;
      all->check_batch(columns, 1, &pass);
      CHECK(pass == (got == kPass ? 1 : 0));
      ++(got == kPass ? passed : failed);
    }
  }
  CHECK(passed > 500);
  CHECK(failed > 500);
}

TEST_CASE("a wrong engine is told, and the check fails closed") {
  Context ctx;
  Layout layout;
  layout.add("x");
  const std::vector<Expr> guards{*parse(ctx, "x <= 5")};
  const Program right = *compile(ctx, guards, layout);
  detail::Draft broken = detail::thaw(right.code());
  REQUIRE(broken.ranges.size() == 1);
  broken.ranges[0].width += 1;  // x <= 6
  std::string told;
  const Reference reference{[&](SnapshotView at) {
                              return right.check(at) == kPass ? std::vector<std::uint32_t>{}
                                                              : std::vector<std::uint32_t>{0};
                            },
                            [&](SnapshotView at) { return to_string(layout, at); }};
  const Program p = strict(detail::finish(broken), nullptr, reference, [&](const std::string& r) { told = r; });
  Snapshot s(1);
  s.set(0, 5);
  CHECK(p.check(s) == kPass);
  CHECK(told.empty());
  s.set(0, 6);
  CHECK(p.check(s) == 0);
  CHECK(told.find("reference fails 0; interpreter pass") != std::string::npos);
  CHECK(told.find("x=6") != std::string::npos);
  CHECK(told.find("Ranges") != std::string::npos);

  told.clear();
  const std::int64_t xs[] = {4, 5, 6, 7};
  const std::int64_t* const columns[] = {xs};
  std::uint8_t pass[] = {9, 9, 9, 9};
  p.check_batch(columns, 4, pass);
  CHECK(std::vector<int>(pass, pass + 4) == std::vector<int>{1, 1, 0, 0});
  CHECK(told.find("x=6") != std::string::npos);
  const std::int64_t* const absent[] = {nullptr};
  p.check_batch(absent, 1, pass);
  CHECK(pass[0] == 0);
}

TEST_CASE("an index that knows all a program demands still asks it where it is strict") {
  Context ctx;
  Layout layout;
  layout.add("x");
  std::size_t told = 0;
  const Reference refuses{[](SnapshotView) { return std::vector<std::uint32_t>{0}; },
                          [&](SnapshotView at) { return to_string(layout, at); }};
  const auto guards_of = [&](const std::string& shape, int k) {
    if (shape == "ranges")
      return std::vector{*parse(ctx, std::to_string(10 * k) + " <= x"),
                         *parse(ctx, "x <= " + std::to_string(10 * k + 9))};
    return std::vector{*parse(ctx, shape + std::to_string(k))};
  };
  for (const char* shape : {"x == ", "x % 1000 == ", "10 * x // 10 <= 300 and x == ", "x // 1 == ", "ranges"}) {
    std::vector<Program> programs;
    for (int k = 0; k < 200; ++k)
      programs.push_back(
          strict(*compile(ctx, guards_of(shape, k), layout), nullptr, refuses, [&](const std::string&) { ++told; }));
    std::vector<const Program*> pointers;
    for (const Program& p : programs) pointers.push_back(&p);
    const Dispatch dispatch{pointers};
    Snapshot s(1);
    s.set(0, 77);
    told = 0;
    CHECK(dispatch.find(s) == -1);
    CHECK(told > 0);
  }
}

TEST_CASE("a strict program outlives its context and is checked by many threads") {
  auto ctx = std::make_unique<Context>();
  Layout layout;
  layout.add("x"), layout.add("y");
  const std::vector<Expr> guards{*parse(*ctx, "x * y < 10**18 and x % (y + 1) == 0")};
  std::atomic<int> told{0};
  const Program p = *compile_strict(*ctx, guards, layout, {.jit = Jit::create()}, [&](const std::string&) { ++told; });
  ctx.reset();
  std::atomic<int> passed{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      Snapshot s(2);
      for (int k = 0; k < 200; ++k) {
        s.set(0, k % 7 == 0 ? INT64_MAX : 3 * k), s.set(1, k % 5 == 0 ? INT64_MAX - t : 2);
        passed += p.check(s) == kPass ? 1 : 0;
      }
    });
  for (auto& t : threads) t.join();
  CHECK(told == 0);
  CHECK(passed > 100);
}
