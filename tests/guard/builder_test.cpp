// Guards from what was used of an observed world, and from all of it.
#include <doctest/doctest.h>

#include <algorithm>

#include "dimgate/compile.hpp"
#include "dimgate/guard_builder.hpp"
#include "dimgate/guard_text.hpp"
#include "guard/worlds.hpp"

using namespace dimgate;
using namespace dimgate::testing;

namespace {

using Texts = std::vector<std::string>;
/// For messages of tests.
std::string lines(const Texts& texts) {
  std::string out;
  for (const std::string& t : texts) out += t + "\n";
  return out;
}

struct Observed {
  explicit Observed(World w) : world(std::move(w)) {
    layout.extend(world);
    at = observe(layout, world);
  }
  GuardBuilder builder(BuilderOptions options = {}) { return GuardBuilder(ctx, layout, at, std::move(options)); }
  Texts texts(const GuardBuilder& b) {
    const Result<GuardSet> set = b.build();
    REQUIRE_MESSAGE(set.ok(), (set.ok() ? "" : set.error().message));
    Texts out;
    for (const Guard& g : set->all()) out.push_back(to_text(ctx, g.formula));
    return out;
  }
  bool holds(const GuardBuilder& b, const World& w) {
    const Result<GuardSet> set = b.build();
    REQUIRE(set.ok());
    return value_at(ctx, set->formula(ctx), layout.layout(), observe(layout, w)).is_true();
  }
  Context ctx;
  World world;
  WorldLayout layout;
  Snapshot at;
};

}  // namespace

TEST_CASE("only what was used is guarded, with what makes it readable before it") {
  Observed o(world());
  GuardBuilder b = o.builder();
  REQUIRE(b.used("L['d']['a']").ok());
  REQUIRE(b.used("L['xs'][1]").ok());
  REQUIRE(b.used("grad_mode").ok());
  REQUIRE(b.used("environ['DEBUG']").ok());
  CHECK(
      lines(o.texts(b)) ==
      lines(Texts{"type(L['d']) == 'dict'", "___dict_contains('a', L['d'])", "type(L['d']['a']) == 'int'",
                  "L['d']['a'] == 1", "type(L['xs']) == 'list'", "len(L['xs']) >= 2", "type(L['xs'][1]) == 'str'",
                  "L['xs'][1] == 'a'", "grad_mode", "___dict_contains('DEBUG', environ)", "environ['DEBUG'] == '1'"}));
  // What was not used may change: another key, a third item, another flag, the order of the keys.
  World w = o.world;
  argument(w, "xs").items.push_back(WorldValue::none());
  argument(w, "d").items[0].identity = "other";
  w.state.deterministic = true;
  w.caller = "elsewhere";
  CHECK(o.holds(b, w));
  std::swap(argument(w, "d").names[0], argument(w, "d").names[1]);
  std::swap(argument(w, "d").items[0], argument(w, "d").items[1]);
  CHECK(o.holds(b, w));
  argument(w, "xs").items.resize(1);
  CHECK(!o.holds(b, w));
}

TEST_CASE("a tensor that was used: metadata in one go, sizes as one guard, none on strides") {
  Observed o(world());
  GuardBuilder b = o.builder();
  REQUIRE(b.used("L['x']").ok());
  CHECK(lines(o.texts(b)) ==
        lines(Texts{"type(L['x']) == 'Tensor'", "L['x'].dim() == 2", "L['x'].size()[0] == 2 and L['x'].size()[1] == 3",
                    "L['x'].dtype == torch.float32", "L['x'].device == 'cuda:0'", "not L['x'].requires_grad",
                    "L['x'].layout == torch.strided"}));
}

TEST_CASE("symbolic sizes are left to the tracer's guards; their rank is not") {
  Observed o(world());
  BuilderOptions options;
  const SlotIndex first = o.layout.layout().find("L['x'].size()[0]");
  options.symbolic = [first](SlotIndex s) { return s == first; };
  GuardBuilder b = o.builder(options);
  REQUIRE(b.used("L['x'].size()[0]").ok());
  CHECK(lines(o.texts(b)) == lines(Texts{"type(L['x']) == 'Tensor'", "L['x'].dim() == 2"}));
  REQUIRE(b.used("L['x'].size()[1]").ok());
  Guard decision;
  decision.formula = *parse(o.ctx, "L['x'].size()[0] >= 2");
  b.add(decision);
  CHECK(lines(o.texts(b)) == lines(Texts{"type(L['x']) == 'Tensor'", "L['x'].dim() == 2", "L['x'].size()[1] == 3",
                                         "L['x'].size()[0] >= 2"}));
}

TEST_CASE("a length that was taken is guarded as it is, an item only that it is there") {
  Observed o(world());
  GuardBuilder b = o.builder();
  REQUIRE(b.used("L['xs'][0]").ok());
  REQUIRE(b.used("len(L['xs'])").ok());
  const Texts texts = o.texts(b);
  CHECK(std::ranges::count(texts, "len(L['xs']) == 2") == 1);
  CHECK(std::ranges::count(texts, "len(L['xs']) >= 1") == 0);
}

TEST_CASE("tensors that were used stay apart in storage, or together as they were; an aliasing flip fails") {
  Observed apart(world());
  GuardBuilder b = apart.builder();
  REQUIRE(b.used("L['x']").ok());
  REQUIRE(b.used("L['y']").ok());
  CHECK(apart.texts(b).back() == "distinct(storage(L['x']), storage(L['y']))");
  World w = apart.world;
  tensor_of(w, "y").storage = "s1";
  CHECK(!apart.holds(b, w));

  World together = world();
  tensor_of(together, "y").storage = "s1";
  tensor_of(together, "y").storage_offset = 6;
  together.arguments.push_back({"z", WorldValue::of(tensor({1}))});
  Observed o(together);
  GuardBuilder c = o.builder();
  for (const char* t : {"L['x']", "L['y']", "L['z']"}) REQUIRE(c.used(t).ok());
  const Texts texts = o.texts(c);
  REQUIRE(texts.size() > 3);
  CHECK(Texts(texts.end() - 3, texts.end()) == Texts{"storage(L['x']) == storage(L['y'])",
                                                     "not ___overlap(L['x'], L['y'])",
                                                     "distinct(storage(L['x']), storage(L['z']))"});
  CHECK(o.holds(c, together));
  World meet = together;
  tensor_of(meet, "y").storage_offset = 5;
  CHECK(!o.holds(c, meet));
  CHECK(!o.holds(c, world()));
}

TEST_CASE("the strict preset guards everything there is") {
  Observed o(world());
  BuilderOptions options;
  options.preset = GuardPreset::strict;
  const GuardBuilder b = o.builder(options);
  CHECK(o.holds(b, o.world));
  // Whatever changes in the world, the guards fail.
  const std::vector<std::function<void(World&)>> changes{
      [](World& w) { w.caller = "decorator"; },
      [](World& w) { w.state.bf16_reduction = false; },
      [](World& w) { w.environment[1].second = "x"; },
      [](World& w) { argument(w, "lr").floating = 0.0; },
      [](World& w) { argument(w, "d").version = 9; },
      [](World& w) { tensor_of(w, "x").strides = {1, 2}; },
      [](World& w) { tensor_of(w, "y").layout = "torch.sparse_csr"; },
      [](World& w) { w.closure[0].value.floating = 3; },
      [](World& w) { std::swap(argument(w, "d").names[0], argument(w, "d").names[1]); },
      [](World& w) { w.arguments.pop_back(); }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    CAPTURE(i);
    World w = o.world;
    changes[i](w);
    CHECK(!o.holds(b, w));
  }
}

TEST_CASE("what the observed world does not have cannot be guarded: errors that name what there is") {
  Observed o(world());
  GuardBuilder b = o.builder();
  const Status unknown = b.used("L['x'].size()[7]");
  REQUIRE(!unknown.ok());
  CHECK(unknown.error().message.find("has no 'L['x'].size()[7]'; of it there are type(L['x'])") != std::string::npos);
  CHECK(!b.used("nothing").ok());
  b.used(o.layout.layout().find("environ['TRACE']"));
  const Result<GuardSet> set = b.build();
  REQUIRE(!set.ok());
  CHECK(set.error().message == "'environ['TRACE']' was used, but the observed world has no such value");
}

TEST_CASE("an attribute that was read and that no guard looks at is found (PyTorch issues 120958, 98928)") {
  Observed o(world());
  GuardBuilder b = o.builder();
  REQUIRE(b.used("L['x']").ok());
  const GuardSet set = *b.build();
  const Layout& l = o.layout.layout();
  ReadRecord reads;
  for (const char* slot : {"L['x'].dtype", "L['self'].step", "L['n']"}) reads.note(l.find(slot));
  const SlotIndex n = l.find("L['n']");
  CHECK(unguarded(o.ctx, l, set, reads) == std::vector<SlotIndex>{l.find("L['self'].step"), n});
  CHECK(unguarded(o.ctx, l, set, reads, [n](SlotIndex s) { return s == n; }) ==
        std::vector<SlotIndex>{l.find("L['self'].step")});
}
