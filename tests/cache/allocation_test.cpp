// Hits allocate nothing: counted by replacing operator new in this program.

#include "cache/fixture.hpp"
#include "dimgate/layers.hpp"
#include "support/count_allocations.hpp"

using namespace dimgate;
using dimgate::testing::Frame;
using dimgate::testing::Scripted;

TEST_CASE("hits and checks allocate nothing, on the fast, the partial and the exact path") {
  const Frame f{"n", "m", "k"};
  Scripted h;
  Cache cache(h);
  for (int i = 0; i < 64; ++i) REQUIRE(cache.insert(f.entry({"n == " + std::to_string(i), "m >= 2"})).ok());
  REQUIRE(cache.insert(f.entry({"n * m * k >= 9223372036854775807 or n % m == 3"})).ok());
  REQUIRE(cache.insert(f.entry({"n < 0", "k == 1 or m == 1"})).ok());
  CacheReader reader(cache);
  const Snapshot hit = f.at({63, 5, 1});
  const Snapshot wide = f.at({INT64_MAX, INT64_MAX, INT64_MAX});  // overflows int64
  const Snapshot partial = f.at({-1, 1});                         // k is absent, m decides
  const Snapshot miss = f.at({100, 50, 1});
  REQUIRE(allocations > 0);  // the counter counts
  (void)reader.lookup(hit);
  const std::size_t before = allocations;
  std::size_t good = 0;
  for (int i = 0; i < 100; ++i) {
    good += reader.lookup(hit).outcome() == Outcome::hit ? 1 : 0;
    good += reader.lookup(wide).outcome() == Outcome::hit ? 1 : 0;
    good += reader.lookup(partial).outcome() == Outcome::hit ? 1 : 0;
    good += reader.peek(miss).entry() == nullptr ? 1 : 0;
  }
  const std::size_t after = allocations;
  CHECK(after == before);
  CHECK(good == 400);
}

TEST_CASE("64 entries of 60 guards over 20 tensors, in one layer and in two: a hit and a miss allocate nothing") {
  dimgate::Layout layout;
  for (int t = 0; t < 20; ++t) layout.add_tensor("L['x" + std::to_string(t) + "']", 2);
  const auto size = [&](int t, int d) { return "L['x" + std::to_string(t) + "'].size()[" + std::to_string(d) + "]"; };
  Snapshot at(layout.size());
  for (SlotIndex i = 0; i < layout.size(); ++i) at.set(i, 4);
  const auto entry = [&](int k) {
    Context ctx;
    std::vector<Expr> guards;
    for (int t = 0; t < 20; ++t) {
      guards.push_back(parse(ctx, size(t, 0) + (t == 0 ? " == " + std::to_string(k) : " >= 2")).value());
      guards.push_back(parse(ctx, size(t, 1) + " % 4 == 0").value());
      guards.push_back(parse(ctx, "L['x" + std::to_string(t) + "'].dim() == 4").value());
    }
    NewEntry e;
    e.program = compile(ctx, guards, layout).value();
    return e;
  };
  Scripted h;
  Cache cache(h);
  struct Fallback : FrameHandler {
    FrameAnswer miss(const FrameMiss&) override { return {MissAnswer::fall_back(), Layer::frame}; }
  } frame_handler;
  CacheDomain domain;
  std::vector<SlotIndex> permutation;
  for (SlotIndex i = 0; i < layout.size(); ++i) permutation.push_back(i);
  const auto frame =
      std::move(LayeredFrame::create(domain, frame_handler, {.function = "f", .slots = permutation}).value());
  for (int k = 0; k < 64; ++k) {
    REQUIRE(cache.insert(entry(k)).ok());
    REQUIRE(frame->cache().insert(entry(k)).ok());
  }
  CacheReader reader(cache);
  FrameReader layered(*frame);
  (void)reader.lookup(at);
  (void)layered.lookup(at);
  Snapshot other = at;
  other.set(layout.find(size(0, 0)), 99);
  const std::size_t before = allocations;
  std::size_t good = 0;
  for (int i = 0; i < 100; ++i) {
    good += reader.lookup(at).outcome() == Outcome::hit ? 1 : 0;
    good += reader.peek(other).entry() == nullptr ? 1 : 0;
    good += reader.try_hit(other).entry() == nullptr ? 1 : 0;
    good += layered.lookup(at).outcome() == Outcome::hit ? 1 : 0;
  }
  const std::size_t after = allocations;
  CHECK(after == before);
  CHECK(good == 400);
}
