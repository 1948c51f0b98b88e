// Many views of one storage: guards as many as views or fewer, for the very worlds that a guard for every two accepts.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "dimgate/compile.hpp"
#include "dimgate/guard_builder.hpp"
#include "guard/worlds.hpp"

using namespace dimgate;
using namespace dimgate::testing;

namespace {

std::string path(std::size_t i) { return "L['v" + std::to_string(i) + "']"; }

World views_of_one(std::size_t n) {
  World w;
  for (std::size_t i = 0; i < n; ++i) {
    TensorDescription t = tensor({4});
    t.storage = "base";
    t.storage_offset = static_cast<std::int64_t>(4 * i);
    w.arguments.push_back({"v" + std::to_string(i), WorldValue::of(t)});
  }
  return w;
}

struct Built {
  std::size_t overlap_guards = 0;
  Expr formula;
};
Built build(Context& ctx, const WorldLayout& layout, const Snapshot& at, std::size_t used) {
  GuardBuilder b(ctx, layout, at, {});
  for (std::size_t i = 0; i < used; ++i) REQUIRE(b.used(path(i)).ok());
  const Result<GuardSet> set = b.build();
  REQUIRE(set.ok());
  Built out;
  for (const Guard& g : set->all()) out.overlap_guards += g.kind == GuardKind::overlap ? 1 : 0;
  out.formula = set->formula(ctx);
  return out;
}

/// A world near the first one: other offsets, strides, sizes, storages, types and orders.
void shake(World& w, std::mt19937_64& rng) {
  for (std::size_t k = rng() % 4; k > 0; --k) {
    TensorDescription& t = *w.arguments[rng() % w.arguments.size()].value.tensor;
    switch (rng() % 7) {
      case 0:
        t.storage_offset += static_cast<std::int64_t>(rng() % 9) - 4;
        break;
      case 1:
        t.strides = {static_cast<std::int64_t>(rng() % 5) - 2};
        break;
      case 2:
        t.sizes = {static_cast<std::int64_t>(rng() % 6)};
        break;
      case 3:
        t.storage = rng() % 2 == 0 ? "other" : "";
        break;
      case 4:
        t.dtype = rng() % 2 == 0 ? "opaque" : "torch.int8";
        break;
      case 5:
        t.storage_offset = std::int64_t{1} << (40 + rng() % 23);
        break;
      default:
        std::swap(t.storage_offset, w.arguments[rng() % w.arguments.size()].value.tensor->storage_offset);
    }
  }
}

}  // namespace

TEST_CASE("one slot over many views says what the slots of every two say") {
  std::mt19937_64 rng(3);
  const World first = views_of_one(12);
  WorldLayout layout;
  layout.extend(first);
  std::string all;
  for (std::size_t i = 0; i < 12; ++i) all += (i == 0 ? "" : ", ") + path(i);
  const SlotIndex any = layout.layout().find("___overlap(" + all + ")");
  REQUIRE(any != kNoSlot);
  std::size_t apart = 0, meet = 0, unknown = 0;
  for (int round = 0; round < 2000; ++round) {
    World w = first;
    shake(w, rng);
    const Snapshot s = observe(layout, w);
    bool none = true, known = true;
    for (std::size_t i = 0; i < 12; ++i)
      for (std::size_t j = i + 1; j < 12; ++j) {
        const SlotIndex two = layout.layout().find("___overlap(" + path(i) + ", " + path(j) + ")");
        known = known && s.has(two);
        none = none && (!s.has(two) || s.raw(two) == 0);
      }
    CHECK(s.has(any) == known);
    if (known) CHECK((s.raw(any) == 0) == none);
    ++(!known ? unknown : none ? apart : meet);
  }
  CHECK(apart > 100);
  CHECK(meet > 100);
  CHECK(unknown > 100);
}

TEST_CASE("300 views apart are one guard, a part of them one a view; the same worlds pass as with one for every two") {
  const std::size_t n = 300;
  const World first = views_of_one(n);
  WorldLayout layout;
  layout.extend(first);
  const Snapshot at = observe(layout, first);
  Context ctx;
  const Built all = build(ctx, layout, at, n), some = build(ctx, layout, at, n - 1);
  CHECK(all.overlap_guards == 1);
  CHECK(some.overlap_guards == n - 2);
  std::vector<Expr> pairs;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      pairs.push_back(ctx.make(Op::Not, {ctx.symbol("___overlap(" + path(i) + ", " + path(j) + ")", Sort::Bool)}));
  std::mt19937_64 rng(7);
  for (int round = 0; round < 12; ++round) {
    World w = first;
    shake(w, rng);
    const Snapshot s = observe(layout, w);
    // What else the guards ask (storages, sizes) is the same for both.
    const auto holds = [&](Expr e) { return value_at(ctx, e, layout.layout(), s).is_true(); };
    const bool every_two = std::ranges::all_of(pairs, holds);
    if (!every_two) CHECK_FALSE(holds(all.formula));
    if (holds(all.formula)) CHECK(holds(some.formula));
  }
  CHECK(value_at(ctx, all.formula, layout.layout(), at).is_true());
  CHECK(value_at(ctx, some.formula, layout.layout(), at).is_true());
}
