// The guard tree: its verdict is the plain conjunction's in any order, it never reads past an edge, it reads little.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>

#include "dimgate/cache.hpp"
#include "dimgate/compile_tree.hpp"
#include "dimgate/guard_builder.hpp"
#include "dimgate/guard_kinds.hpp"
#include "dimgate/guard_text.hpp"
#include "dimgate/guard_tree.hpp"
#include "guard/worlds.hpp"
#include "support/count_allocations.hpp"

using namespace dimgate;
using namespace dimgate::testing;

namespace {

/// A snapshot as a source that notes what is read and refuses to be asked twice, or before the edge.
struct Watched final : SlotSource {
  Watched(const Layout& l, SnapshotView v) : layout(&l), at(v) {}
  const Layout* layout;
  SnapshotView at;
  std::vector<SlotIndex> asked;
  bool faulty = false;
  bool read(SlotIndex slot, std::int64_t& raw) noexcept override {
    const SlotIndex edge = (*layout)[slot].edge;
    faulty = faulty || std::ranges::find(asked, slot) != asked.end();
    faulty = faulty || (edge != kNoSlot && (std::ranges::find(asked, edge) == asked.end() || !at.has(edge)));
    asked.push_back(slot);
    if (!at.has(slot)) return false;
    raw = at.raw(slot);
    return true;
  }
};

std::vector<Expr> read_all(Context& ctx, std::initializer_list<const char*> texts) {
  std::string joined;
  for (const char* t : texts) joined += std::string(t) + "\n";
  Result<std::vector<Expr>> out = parse_list(ctx, joined);
  REQUIRE_MESSAGE(out.ok(), (out.ok() ? "" : out.error().to_string()));
  return *out;
}

std::vector<Expr> formulas(const GuardSet& set) {
  std::vector<Expr> out;
  for (const Guard& g : set.all()) out.push_back(g.formula);
  return out;
}

}  // namespace

TEST_CASE("any order gives the verdict of the plain conjunction; no slot is read twice or past its edge") {
  std::mt19937_64 rng(7);
  const auto pick = [&](int lo, int hi) { return std::uniform_int_distribution<>(lo, hi)(rng); };
  int passes = 0, fails = 0;
  for (int round = 0; round < 300; ++round) {
    Context ctx;
    Layout layout;
    for (const char* t : {"x", "y", "z"}) {
      layout.add("type(" + std::string(t) + ")");
      layout.add_tensor(t, 3);
    }
    layout.add("n");
    layout.add("flag", SlotSort::boolean);
    const SlotIndex dear = layout.add("x.max()");
    layout[dear].read_cost = kDataReadCost;
    layout[dear].edge = layout.find("type(x)");
    declare_slots(ctx, layout);
    const char* const pool[] = {"type(x) == 'Tensor'",
                                "type(y) != 'NoneType'",
                                "x.dim() == 2",
                                "y.dim() >= 1",
                                "x.size()[0] == 2 and x.size()[1] <= 3",
                                "x.size()[0] == y.size()[0]",
                                "y.size()[0] % x.size()[1] == 0",
                                "x.dtype == torch.float32",
                                "y.device in {'cpu', 'cuda:0'}",
                                "flag",
                                "not flag or n > 2",
                                "type(z) == 'NoneType' or z.size()[0] == 1",
                                "x.max() <= 3",
                                "n // x.size()[2] == 1",
                                "distinct(x.size()[0], y.size()[0], z.size()[0])",
                                "x.stride()[0] >= x.stride()[1]",
                                "3 >= n and 0 < n",
                                "n < -9223372036854775808",
                                "n * n * n * n * n >= 0"};
    std::vector<Expr> guards;
    for (int i = pick(1, 8); i > 0; --i) guards.push_back(*parse(ctx, pool[pick(0, 18) % (i == 1 ? 19 : 17)]));
    const auto program = compile(ctx, guards, layout);
    const auto tree = compile_tree(ctx, guards, layout);
    TreeOptions recorded;
    recorded.order = TreeOrder::recorded;
    const auto plain = compile_tree(ctx, guards, layout, recorded);
    REQUIRE(program.ok());
    REQUIRE(tree.ok());
    REQUIRE(plain.ok());
    TreeCounts counts;
    counts.reset(tree->units());
    for (std::size_t u = 0; u < tree->units(); ++u) {
      counts.runs[u] = static_cast<std::uint64_t>(pick(0, 100));
      counts.failures[u] = static_cast<std::uint64_t>(pick(0, static_cast<int>(counts.runs[u])));
    }
    const GuardTree adapted = tree->adapted(counts);
    LazySnapshot lazy(layout);
    for (int call = 0; call < 30; ++call) {
      Snapshot s(layout.size());
      for (SlotIndex i = 0; i < layout.size(); ++i) {
        if (pick(0, 15) == 0) continue;  // missing
        const bool name = layout[i].sort == SlotSort::name;
        if (name) {
          const char* const names[] = {"Tensor", "NoneType", "torch.float32", "cpu", "cuda:0"};
          s.set_name(i, layout.names().intern(names[pick(0, 4)]));
        } else {
          s.set(i, pick(0, layout[i].sort == SlotSort::boolean ? 1 : 3));
        }
      }
      // Only what is readable: a world never shows sizes past its rank or behind a missing type.
      for (SlotIndex i = 0; i < layout.size(); ++i) {
        const Slot& slot = layout[i];
        const bool sized = slot.source.property == Property::size || slot.source.property == Property::stride;
        for (SlotIndex e = slot.edge; e != kNoSlot; e = layout[e].edge)
          if (!s.has(e)) s.unset(i);
        if (sized && s.has(i) && s.raw(slot.edge) <= slot.source.index) s.unset(i);
      }
      bool expected = true;
      for (const Expr g : guards) expected = expected && value_at(ctx, g, layout, s).is_true();
      REQUIRE((program->check(s) == kPass) == expected);
      for (const GuardTree* t : {&*tree, &*plain, &adapted}) {
        Watched source(layout, s);
        lazy.begin(source);
        const std::int32_t verdict = t->check(lazy);
        REQUIRE((verdict == kPass) == expected);
        REQUIRE(!source.faulty);
        if (verdict != kPass) REQUIRE(!value_at(ctx, guards[static_cast<std::size_t>(verdict)], layout, s).is_true());
      }
      (expected ? passes : fails)++;
    }
  }
  CHECK(passes > 100);
  CHECK(fails > 1000);
}

TEST_CASE("many entries: the first that accepts, as a scan of plain programs finds it; each distinct test runs once") {
  std::mt19937_64 rng(11);
  const auto pick = [&](int lo, int hi) { return std::uniform_int_distribution<>(lo, hi)(rng); };
  int hits = 0, misses = 0;
  for (int round = 0; round < 120; ++round) {
    Context ctx;
    Layout layout;
    layout.add("type(x)");
    layout.add_tensor("x", 2);
    layout.add("n");
    layout.add("m");
    declare_slots(ctx, layout);
    TreeDispatch dispatch;
    std::vector<Program> programs;
    for (int e = pick(1, 90); e > 0; --e) {
      std::vector<Expr> guards;
      const char* const types[] = {"type(x) == 'Tensor'", "type(x) == 'Parameter'"};
      guards.push_back(*parse(ctx, types[pick(0, 1)]));
      guards.push_back(*parse(ctx, "x.dim() == " + std::to_string(pick(1, 2))));
      for (int k = pick(0, 3); k > 0; --k) {
        const std::string c = std::to_string(pick(0, 4));
        const std::string pool[] = {"n == " + c,           "m <= " + c,           "x.size()[0] == " + c,
                                    "x.size()[1] >= " + c, "(n + m) % 3 == " + c, "x.size()[0] == m"};
        guards.push_back(*parse(ctx, pool[pick(0, 5)]));
      }
      dispatch.append(*compile_tree(ctx, guards, layout));
      programs.push_back(*compile(ctx, guards, layout));
    }
    LazySnapshot lazy(layout);
    for (int call = 0; call < 40; ++call) {
      Snapshot s(layout.size());
      const char* const types[] = {"Tensor", "Parameter", "NoneType"};
      if (pick(0, 9) != 0) s.set_name(0, layout.names().intern(types[pick(0, 2)]));
      for (SlotIndex i = 1; i < layout.size(); ++i) {
        const Slot& slot = layout[i];
        if (pick(0, 12) == 0 || (slot.edge != kNoSlot && !s.has(slot.edge))) continue;
        if ((slot.source.property == Property::size || slot.source.property == Property::stride) &&
            s.raw(slot.edge) <= slot.source.index)
          continue;
        s.set(i, pick(0, 4));
      }
      std::int32_t expected = TreeDispatch::kMiss;
      for (std::size_t e = 0; e < programs.size() && expected < 0; ++e)
        if (programs[e].check(s) == kPass) expected = static_cast<std::int32_t>(e);
      Watched source(layout, s);
      REQUIRE(dispatch.find(lazy, source) == expected);
      REQUIRE(!source.faulty);
      (expected < 0 ? misses : hits)++;
    }
  }
  CHECK(hits > 500);
  CHECK(misses > 500);
}

TEST_CASE("objects together, cheap before dear, what makes readable first, relations behind, data last") {
  Context ctx;
  const World w = world();
  WorldLayout layout;
  layout.extend(w);
  declare_slots(ctx, layout.layout());
  const std::vector<Expr> guards = read_all(
      ctx, {"L['x'].max() <= 9", "storage(L['x']) != storage(L['y'])", "L['x'].size()[1] == 3",
            "environ['DEBUG'] == '1'", "L['y'].size()[0] == 3", "L['x'].dim() == 2", "type(L['y']) == 'Tensor'",
            "type(L['x']) == 'Tensor'", "grad_mode", "L['y'].dim() == 2", "___dict_contains('DEBUG', environ)"});
  const auto tree = compile_tree(ctx, guards, layout.layout());
  REQUIRE(tree.ok());
  // Types and the flag cost the same and stand as recorded, by object; the environment is dear.
  std::string order;
  for (const std::uint32_t g : tree->order()) order += std::to_string(g) + " ";
  CHECK(order == "7 5 2 6 9 4 8 10 3 1 0 ");
}

TEST_CASE("the order follows what fails, and does not change what is accepted") {
  Context ctx;
  World w = world();
  WorldLayout layout;
  layout.extend(w);
  declare_slots(ctx, layout.layout());
  GuardBuilder builder(ctx, layout, observe(layout, w));
  for (const char* s : {"L['x']", "L['y']", "L['n']", "grad_mode", "L['d']['a']", "environ['DEBUG']"})
    REQUIRE(builder.used(s).ok());
  const GuardSet set = *builder.build();
  const auto tree = compile_tree(ctx, formulas(set), layout.layout());
  REQUIRE(tree.ok());
  AdaptiveTree adaptive(*tree, 8);
  WorldReader reader(layout);
  LazySnapshot lazy(layout.layout());
  std::uint64_t first = 0, later = 0;
  for (int i = 0; i < 200; ++i) {
    World v = w;
    const bool good = i % 4 == 0;
    if (!good) v.environment[0].second = "2";  // the dearest single guard is what fails
    reader.bind(v);
    lazy.begin(reader);
    CHECK((adaptive.check(lazy) == kPass) == good);
    if (i == 1) first = lazy.reads();
    if (i == 199) later = lazy.reads();
  }
  CHECK(first > 15);
  CHECK(later <= 2);  // presence and value of the variable
  const std::int32_t seen = adaptive.tree().check((reader.bind(w), lazy.begin(reader), lazy));
  CHECK(seen == kPass);
}

TEST_CASE("reads avoided against the recorded order") {
  Context ctx;
  World w = world();
  WorldLayout layout;
  layout.extend(w);
  declare_slots(ctx, layout.layout());
  BuilderOptions strict;
  strict.preset = GuardPreset::strict;
  const GuardSet set = *GuardBuilder(ctx, layout, observe(layout, w), strict).build();
  TreeOptions recorded;
  recorded.order = TreeOrder::recorded;
  const auto tree = compile_tree(ctx, formulas(set), layout.layout());
  const auto plain = compile_tree(ctx, formulas(set), layout.layout(), recorded);
  REQUIRE(tree.ok());
  REQUIRE(plain.ok());
  WorldReader reader(layout);
  LazySnapshot lazy(layout.layout());
  const auto cost = [&](const GuardTree& t, const World& v) {
    reader.bind(v);
    lazy.begin(reader);
    (void)t.check(lazy);
    return lazy.read_cost();
  };
  World wrong = w;
  argument(wrong, "n").integer = 6;
  CHECK(cost(*tree, w) == cost(*plain, w));              // a hit reads everything once
  CHECK(cost(*tree, wrong) < cost(*plain, wrong) / 10);  // derived data, lists and environment are not reached
}

TEST_CASE("PyTorch's fail-open faults fail closed here") {
  Context ctx;
  World w = world();
  WorldLayout layout;
  layout.extend(w);
  declare_slots(ctx, layout.layout());
  const auto passes = [&](std::initializer_list<const char*> texts, const World& at) {
    const auto tree = compile_tree(ctx, read_all(ctx, texts), layout.layout());
    REQUIRE(tree.ok());
    WorldReader reader(layout);
    reader.bind(at);
    LazySnapshot lazy(layout.layout());
    lazy.begin(reader);
    return tree->check(lazy) == kPass;
  };
  SUBCASE("a relational guard whose argument's subtree was skipped is not taken for true") {
    // PyTorch's NO_TENSOR_ALIASING counts what passed by; what did not pass by did not alias.
    CHECK(passes({"distinct(storage(L['x']), storage(L['y']))"}, w));
    World v = w;
    argument(v, "y") = WorldValue::none();
    CHECK(!passes({"distinct(storage(L['x']), storage(L['y']))"}, v));
    CHECK(!passes({"type(L['y']) == 'NoneType' or True", "distinct(storage(L['x']), storage(L['y']))"}, v));
    // Checks do not remember: after a failing call the same relation is judged anew.
    World alias = w;
    tensor_of(alias, "y").storage = "s1";
    const auto tree = compile_tree(ctx, read_all(ctx, {"L['n'] == 5", "distinct(storage(L['x']), storage(L['y']))"}),
                                   layout.layout());
    WorldReader reader(layout);
    LazySnapshot lazy(layout.layout());
    World other = alias;
    argument(other, "n").integer = 6;
    for (const auto& [at, good] : {std::pair(&other, false), std::pair(&alias, false), std::pair(&w, true),
                                   std::pair(&other, false), std::pair(&alias, false)}) {
      reader.bind(*at);
      lazy.begin(reader);
      CHECK((tree->check(lazy) == kPass) == good);
    }
  }
  SUBCASE("~isnan is a logical not, not Python's bitwise one, which is truthy for both") {
    CHECK(passes({"~isnan(L['lr'])"}, w));
    CHECK(!passes({"~isnan(L['bad'])"}, w));
    World v = w;
    argument(v, "lr") = WorldValue::of_text("nan");
    CHECK(!passes({"~isnan(L['lr'])"}, v));
  }
  SUBCASE("a negated conjunction fails where all its parts hold (PyTorch issue 113875)") {
    const char* guard = "~(Eq(L['x'].size()[0], 2) & Eq(L['x'].size()[1], 3))";
    CHECK(!passes({guard}, w));
    World v = w;
    tensor_of(v, "x").sizes = {2, 4};
    CHECK(passes({guard}, v));
  }
  SUBCASE("a membership that raises is neither contained nor not contained") {
    World v = w;
    argument(v, "d") = WorldValue::of(std::int64_t{3});  // `'a' in 3` raises
    for (const char* guard : {"___dict_contains('a', L['d'])", "not ___dict_contains('a', L['d'])"})
      CHECK(!passes({guard}, v));
    World gone = w;
    gone.arguments.clear();
    CHECK(!passes({"not ___dict_contains('a', L['d'])"}, gone));
  }
  SUBCASE("an attribute that cannot be asked for is not absent") {
    World v = w;
    argument(v, "self") = WorldValue::none();
    CHECK(!passes({"not hasattr(L['self'], 'step')"}, v));
    CHECK(!passes({"hasattr(L['self'], 'step')"}, v));
  }
}

TEST_CASE("one of several entries, slots read once for all, without allocating") {
  Context ctx;
  World w = world();
  WorldLayout layout;
  layout.extend(w);
  declare_slots(ctx, layout.layout());
  TreeDispatch entries;
  for (int n = 0; n < 64; ++n) {
    World v = w;
    argument(v, "n").integer = n;
    GuardBuilder b(ctx, layout, observe(layout, v));
    for (const char* s : {"L['x']", "L['y']", "L['n']", "grad_mode", "environ['DEBUG']"}) REQUIRE(b.used(s).ok());
    Guard general;
    general.formula = *parse(ctx, "L['x'].size()[0] * L['y'].size()[1] % 8 == 0 and not isnan(L['lr'])");
    b.add(general);
    entries.append(*compile_tree(ctx, formulas(*b.build()), layout.layout()));
  }
  const Snapshot hit = observe(layout, w);
  World none = w;
  argument(none, "n").integer = 99;
  const Snapshot miss = observe(layout, none);
  LazySnapshot lazy(layout.layout());
  SnapshotSource hits(hit), misses(miss);
  TreeCounts counts;
  counts.reset(entries[5].units());
  const std::size_t before = allocations;
  bool right = true;
  for (int i = 0; i < 100; ++i) {
    right = right && entries.find(lazy, hits) == 5;
    lazy.begin(hits);
    right = right && entries[5].check(lazy, &counts) == kPass;
    right = right && entries.find(lazy, misses) == TreeDispatch::kMiss;
  }
  const std::size_t after = allocations;
  CHECK(after == before);
  CHECK(right);
  Watched source(layout.layout(), hit);
  CHECK(entries.find(lazy, source) == 5);
  CHECK(!source.faulty);
}

TEST_CASE("an entry that pins a dead identity is found; a new object at the address is another") {
  Context ctx;
  Layout layout;
  const SlotIndex id = layout.add("id(L['m'])");
  IdentityTable identities(layout.shared_names());
  int first = 0, second = 0;
  const std::int64_t a = identities.of(&first), b = identities.of(&second);
  CHECK(a != b);
  CHECK(identities.of(&first) == a);
  const Guard g = guards::identity(ctx, "L['m']", layout.names().name(a));
  const auto program = compile(ctx, std::span(&g.formula, 1), layout);
  REQUIRE(program.ok());
  CHECK(!pins_dead_identity(*program, layout, identities));
  CHECK(identities.died(&second));
  CHECK(!pins_dead_identity(*program, layout, identities));
  CHECK(identities.died(&first));
  CHECK(!identities.died(&first));
  CHECK(pins_dead_identity(*program, layout, identities));
  Snapshot s(layout.size());
  s.set(id, identities.of(&first));  // another object at the same address
  CHECK(program->check(s) != kPass);
  CHECK(identities.live() == 1);
  CHECK(identities.dead() == 2);
  identities.collected();
  CHECK(identities.dead() == 0);
}

TEST_CASE("when an object dies, the cache gives up the entries that pin it, and others stay") {
  struct Nobody final : MissHandler {
    MissAnswer miss(const Miss&) override { return MissAnswer::fall_back(); }
  } nobody;
  Context ctx;
  Layout layout;
  const SlotIndex id = layout.add("id(L['m'])");
  IdentityTable identities(layout.shared_names());
  std::array<int, 2> objects{};
  Cache cache(nobody);
  for (const int& object : objects) {
    const Guard g = guards::identity(ctx, "L['m']", layout.names().name(identities.of(&object)));
    NewEntry entry;
    entry.program = *compile(ctx, std::span(&g.formula, 1), layout);
    entry.artifact = std::make_shared<Artifact>();
    REQUIRE(cache.insert(std::move(entry)).ok());
  }
  CacheReader reader(cache);
  Snapshot s(layout.size());
  s.set(id, identities.of(objects.data()));
  CHECK(reader.lookup(s).outcome() == Outcome::hit);
  identities.died(objects.data());
  CHECK(cache.invalidate([&](const Entry& e) { return pins_dead_identity(e.program, layout, identities); },
                         "its object is gone") == 1);
  identities.collected();
  s.set(id, identities.of(objects.data()));  // a new object where the old one was
  CHECK(reader.lookup(s).outcome() == Outcome::fallback);
  s.set(id, identities.of(&objects[1]));
  CHECK(reader.lookup(s).outcome() == Outcome::hit);
}

TEST_CASE("a guard that does not compile is refused with its number and text") {
  Context ctx;
  Layout layout;
  layout.add("n");
  const std::vector<Expr> guards = read_all(ctx, {"n > 1", "m % 2 == 1"});
  const auto tree = compile_tree(ctx, guards, layout);
  const auto program = compile(ctx, guards, layout);
  REQUIRE(!tree.ok());
  REQUIRE(!program.ok());
  CHECK(tree.error().message == program.error().message);
  CHECK(GuardTree().check(*std::make_unique<LazySnapshot>(layout)) == kPass);
}
