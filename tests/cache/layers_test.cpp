#include "dimgate/layers.hpp"

#include <algorithm>
#include <thread>

#include "cache/fixture.hpp"
#include "dimgate/eviction.hpp"

using namespace dimgate;
using dimgate::testing::Frame;

namespace {

struct FrameScript : FrameHandler {
  std::function<FrameAnswer(const FrameMiss&)> on_miss;
  std::atomic<int> asked{0};
  FrameAnswer miss(const FrameMiss& m) override { return ++asked, on_miss(m); }
};

/// The function looks at `n` only; artifacts are named by it.
const Frame& function() {
  static const Frame f{"n"};
  return f;
}

NewEntry made(const Frame& f, const std::vector<std::string>& guards, std::string fingerprint, std::size_t bytes = 0) {
  NewEntry e = f.entry(guards);
  auto artifact = std::make_shared<Artifact>();
  artifact->fingerprint = std::move(fingerprint);
  artifact->bytes = bytes;
  e.artifact = artifact;
  return e;
}

/// Compiles for the global layer: one entry for each n.
FrameAnswer global_static(const FrameMiss& m) {
  const std::string n = std::to_string(m.function.raw(0));
  return {MissAnswer::compile(made(function(), {"n == " + n}, "step n=" + n)), Layer::global};
}

std::unique_ptr<LayeredFrame> frame(CacheDomain& domain, FrameHandler& handler, FrameOptions options) {
  auto f = LayeredFrame::create(domain, handler, std::move(options));
  REQUIRE_MESSAGE(f.ok(), (f.ok() ? "" : f.error().to_string()));
  return std::move(f.value());
}

char call(FrameReader& r, const Snapshot& at) { return to_string(r.lookup(at).outcome()).front(); }

}  // namespace

TEST_CASE("one function from a loop, a script and a decorator: one artifact; each frame's own guards still count") {
  // The frames have slots of their own: n stands elsewhere, and each has a caller.
  const Frame loop{"n", "caller"}, script{"caller", "n"}, decorator{"mode", "caller", "n"};
  CacheDomain domain;
  FrameScript h;
  h.on_miss = global_static;
  const auto a =
      frame(domain, h, {.name = "loop", .function = "step", .slots = {0}, .guards = loop.program({"caller == 1"})});
  const auto b =
      frame(domain, h, {.name = "script", .function = "step", .slots = {1}, .guards = script.program({"caller == 2"})});
  const auto c = frame(
      domain, h, {.name = "decorator", .function = "step", .slots = {2}, .guards = decorator.program({"caller == 3"})});
  FrameReader ra(*a), rb(*b), rc(*c);
  CHECK(call(ra, loop.at({7, 1})) == 'c');
  CHECK(call(rb, script.at({2, 7})) == 'h');
  CHECK(call(rc, decorator.at({0, 3, 7})) == 'h');
  CHECK(call(rc, decorator.at({0, 2, 7})) == 'f');  // its own guard fails
  CHECK(call(rc, decorator.at({7, 3, 8})) == 'c');  // n is 8, whatever stands elsewhere
  CHECK(call(ra, loop.at({8, 1})) == 'h');
  CHECK(h.asked == 2);
  CHECK(domain.function_entries("step")->entries.size() == 2);
  CHECK(domain.usage().entries == 2);
  CHECK(c->statistics().guard_failures == 1);
  CHECK(c->statistics().global_hits == 1);
  CHECK(c->statistics().recompiles == 1);  // it was served before
  CHECK(a->statistics().recompiles == 0);
  CHECK(c->statistics().calls() == 3);
}

TEST_CASE("the strict preset guards the caller: three artifacts") {
  const Frame f{"n", "caller"};
  CacheDomain domain;
  FrameScript h;
  h.on_miss = [&](const FrameMiss& m) {
    CHECK(m.global == nullptr);
    const std::string caller = std::to_string(m.miss.inputs.raw(1));
    return FrameAnswer{MissAnswer::compile(made(f, {"n == 7", "caller == " + caller}, "step n=7"))};
  };
  int compiled = 0;
  std::vector<std::unique_ptr<LayeredFrame>> frames;
  for (const std::int64_t caller : {1, 2, 3}) {
    frames.push_back(frame(domain, h, {.function = "step", .share = false}));
    FrameReader r(*frames.back());
    compiled += call(r, f.at({7, caller})) == 'c' ? 1 : 0;
    CHECK(call(r, f.at({7, caller})) == 'h');
  }
  CHECK(compiled == 3);
  CHECK(domain.find_artifact("step n=7") == nullptr);
}

TEST_CASE("artifacts are shared by whole fingerprint across functions; dead ones are forgotten") {
  CacheDomain domain;
  FrameScript h;
  h.on_miss = [](const FrameMiss& m) {
    const std::string n = std::to_string(m.miss.inputs.raw(0) % 2);
    return FrameAnswer{MissAnswer::compile(made(function(), {"n % 2 == " + n}, "parity " + n))};
  };
  auto a = frame(domain, h, {.function = "f"}), b = frame(domain, h, {.function = "g"});
  {
    FrameReader ra(*a), rb(*b);
    CHECK(call(ra, function().at({2})) == 'c');
    CHECK(call(rb, function().at({4})) == 's');
    CHECK(call(rb, function().at({5})) == 'c');
  }
  CHECK(a->entries()->entries[0]->artifact == b->entries()->entries[0]->artifact);
  CHECK(domain.find_artifact("parity 0") != nullptr);
  a.reset(), b.reset();
  CHECK(domain.find_artifact("parity 0") == nullptr);
  CHECK(domain.usage().entries == 0);
  CHECK(domain.usage().bytes == 0);
}

TEST_CASE("an entry that depends on the frame goes to the frame's own layer, behind the global one") {
  const Frame f{"n", "training"};
  CacheDomain domain;
  FrameScript h;
  h.on_miss = [&](const FrameMiss& m) {
    if (m.miss.inputs.raw(1) == 0) return global_static(m);
    return FrameAnswer{MissAnswer::compile(made(f, {"training == 1", "n >= 0"}, "dropout"))};
  };
  const auto a = frame(domain, h, {.function = "step", .slots = {0}}),
             b = frame(domain, h, {.function = "step", .slots = {0}});
  FrameReader ra(*a), rb(*b);
  CHECK(call(ra, f.at({1, 1})) == 'c');
  CHECK(call(ra, f.at({2, 1})) == 'h');
  CHECK(a->statistics().frame_hits == 1);
  CHECK(call(rb, f.at({2, 1})) == 's');  // the artifact is known, the entry is b's own
  CHECK(call(rb, f.at({2, 0})) == 'c');
  CHECK(call(ra, f.at({2, 0})) == 'h');
  CHECK(call(ra, f.at({2, 1})) == 'h');
  CHECK(a->statistics().global_hits == 2);  // global first: it accepts n == 2 whatever `training` is
  CHECK(domain.usage().entries == 3);
}

TEST_CASE("rejections, errors and fallbacks keep their reasons through both layers") {
  CacheDomain domain;
  FrameScript h;
  const auto a = frame(domain, h, {.function = "step"});
  FrameReader r(*a);
  h.on_miss = [](const FrameMiss&) { return FrameAnswer{MissAnswer::reject("cat: sizes must agree")}; };
  for (int i = 0; i < 3; ++i) CHECK(r.lookup(function().at({1})).reason() == "cat: sizes must agree");
  CHECK(h.asked == 1);
  h.on_miss = [](const FrameMiss&) { return FrameAnswer{MissAnswer::fail("out of memory"), Layer::global}; };
  CHECK(r.lookup(function().at({2})).reason() == "out of memory");
  h.on_miss = [](const FrameMiss&) {
    return FrameAnswer{MissAnswer::compile(made(function(), {"n == 0"}, "")), Layer::global};
  };
  CHECK(r.lookup(function().at({3})).reason() ==
        "the new entry does not accept the inputs it was made for: guard 0 `n == 0` is not true");
  CHECK(a->statistics().rejected == 3);
  CHECK(a->statistics().errors == 2);
}

TEST_CASE("modes hold over both layers") {
  const auto run = [](CacheMode mode) {
    CacheDomain domain;
    FrameScript h;
    h.on_miss = global_static;
    const auto a = frame(domain, h, {.function = "step", .cache = {.mode = mode}});
    FrameReader r(*a);
    std::string out;
    for (const std::int64_t n : {1, 1, 2}) out += call(r, function().at({n}));
    return out;
  };
  CHECK(run(CacheMode::normal) == "chc");
  CHECK(run(CacheMode::force_eager) == "fff");
  CHECK(run(CacheMode::eager_on_recompile) == "chf");
  CHECK(run(CacheMode::fail_on_recompile) == "che");
  CHECK(run(CacheMode::run_only) == "fff");
}

TEST_CASE("an owner's limit and the overall one fall back or evict across frames") {
  for (const bool global : {false, true}) {
    CAPTURE(global);
    const auto script = [&](FrameScript& h) {
      h.on_miss = [=](const FrameMiss& m) {
        FrameAnswer a = global_static(m);
        a.layer = global ? Layer::global : Layer::frame;
        a.answer.entry.artifact = nullptr;
        return a;
      };
    };
    {
      CacheDomain domain;
      domain.limit_owner("alice", {.max_entries = 3});
      FrameScript h;
      script(h);
      const auto a = frame(domain, h, {.function = "f", .owner = "alice"}),
                 b = frame(domain, h, {.function = "g", .owner = "alice"}),
                 c = frame(domain, h, {.function = "k", .owner = "bob"});
      FrameReader ra(*a), rb(*b), rc(*c);
      for (const std::int64_t n : {1, 2}) CHECK(call(ra, function().at({n})) == 'c');
      CHECK(call(rb, function().at({1})) == 'c');
      CHECK(rb.lookup(function().at({2})).reason() == "limit of 3 entries for owner 'alice' reached");
      CHECK(call(ra, function().at({2})) == 'h');
      for (const std::int64_t n : {1, 2, 3, 4}) CHECK(call(rc, function().at({n})) == 'c');
      CHECK(domain.usage("alice").entries == 3);
      CHECK(b->statistics().limit_fallbacks == 1);
    }
    {
      CacheDomain domain({.overall = {.max_entries = 4}, .on_limit = OnLimit::evict});
      FrameScript h;
      script(h);
      const auto a = frame(domain, h, {.function = "f", .owner = "alice"}),
                 b = frame(domain, h, {.function = "g", .owner = "bob"});
      FrameReader ra(*a), rb(*b);
      for (const std::int64_t n : {1, 2, 3}) (void)call(ra, function().at({n}));
      for (int i = 0; i < 50; ++i) (void)call(ra, function().at({1}));
      for (std::int64_t n = 0; n < 20; ++n) CHECK(call(rb, function().at({n})) == 'c');
      CHECK(domain.usage().entries == 4);
      CHECK(call(ra, function().at({1})) == 'h');  // what is called often outlives strangers
    }
  }
}

TEST_CASE("bytes count each artifact once") {
  CacheDomain domain({.overall = {.max_bytes = 300'000}});
  FrameScript h;
  std::string fingerprint = "same";
  h.on_miss = [&](const FrameMiss& m) {
    return FrameAnswer{
        MissAnswer::compile(made(function(), {"n == " + std::to_string(m.function.raw(0))}, fingerprint, 100'000))};
  };
  const auto a = frame(domain, h, {.function = "f"});
  FrameReader r(*a);
  CHECK(call(r, function().at({1})) == 'c');
  CHECK(call(r, function().at({2})) == 's');
  CHECK(domain.usage().bytes < 150'000);
  fingerprint = "other";
  CHECK(call(r, function().at({3})) == 'c');
  fingerprint = "third";
  CHECK(call(r, function().at({4})) == 'f');
  CHECK(r.lookup(function().at({4})).reason() == "limit of 300000 bytes over all reached");
}

TEST_CASE("a dead object takes its entries with it, in all layers") {
  const Frame f{"obj", "n"};
  CacheDomain domain;
  FrameScript h;
  bool global = true;
  h.on_miss = [&](const FrameMiss& m) {
    const Frame inner{"n", "obj"};
    const std::string obj = std::to_string(m.miss.inputs.raw(0));
    if (global) return FrameAnswer{MissAnswer::compile(made(inner, {"obj == " + obj}, "")), Layer::global};
    return FrameAnswer{MissAnswer::compile(made(f, {"obj == " + obj, "n == 5"}, ""))};
  };
  const auto a = frame(domain, h, {.function = "f", .slots = {1, 0}, .identity_slots = {0}});
  FrameReader r(*a);
  CHECK(call(r, f.at({40, 5})) == 'c');
  global = false;
  CHECK(call(r, f.at({41, 5})) == 'c');
  CHECK(domain.invalidate_identity(5, "n is no identity") == 0);
  CHECK(domain.invalidate_identity(40, "object died") == 1);
  CHECK(domain.invalidate_identity(41, "object died") == 1);
  CHECK(domain.usage().entries == 0);
}

TEST_CASE("permutations must fit") {
  CacheDomain domain;
  FrameScript h;
  const auto a = frame(domain, h, {.name = "a", .function = "f", .slots = {0, 1}});
  CHECK(!LayeredFrame::create(domain, h, {.name = "b", .function = "f", .slots = {0}}).ok());
  CHECK(LayeredFrame::create(domain, h, {.name = "b", .slots = {3, 3}}).error().message ==
        "frame 'b': its permutation names a slot twice");
}

TEST_CASE("entries without guards cost one step, whatever stands behind them") {
  dimgate::testing::Scripted h;
  Cache cache(h);
  REQUIRE(cache.insert(function().entry({})).ok());
  for (int i = 0; i < 500; ++i) REQUIRE(cache.insert(function().entry({"n >= " + std::to_string(i)})).ok());
  CacheReader r(cache);
  CHECK(r.lookup(function().at({3})).entry()->id == 1);
  CHECK(r.lookup(function().at({})).entry()->id == 1);  // no slot is read
  CHECK(cache.entries()->entries.front()->program.slots().empty());
}
