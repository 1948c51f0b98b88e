#include "dimgate/thrash.hpp"

#include <algorithm>

#include "cache/fixture.hpp"
#include "dimgate/statistics.hpp"

using namespace dimgate;
using dimgate::testing::Scripted;

namespace {

/// A frame that guards every slot's value; names are interned as they come.
struct World {
  Layout layout;
  std::vector<SlotIndex> slots;
  std::vector<std::string> kinds;
  Scripted handler;
  std::shared_ptr<ThrashDetector> detector = std::make_shared<ThrashDetector>();
  std::shared_ptr<CauseStatistics> causes = std::make_shared<CauseStatistics>();
  std::unique_ptr<Cache> cache;
  std::unique_ptr<CacheReader> reader;
  Snapshot at;

  World(std::vector<std::pair<const char*, SlotSort>> sources, std::vector<std::string> k, CacheOptions options = {})
      : kinds(std::move(k)) {
    for (const auto& [name, sort] : sources) slots.push_back(layout.add(name, sort));
    at.resize(layout.size());
    handler.on_miss = [this](const Miss& m) {
      Context ctx;
      std::vector<Expr> guards;
      NewEntry e;
      for (const SlotIndex s : slots) {
        const Slot& slot = layout[s];
        const std::int64_t raw = m.inputs.raw(s);
        const std::string value = slot.sort == SlotSort::name      ? "'" + layout.names().name(raw) + "'"
                                  : slot.sort == SlotSort::boolean ? (raw != 0 ? "True" : "False")
                                                                   : std::to_string(raw);
        const auto guard = parse(ctx, slot.name + " == " + value);
        REQUIRE_MESSAGE(guard.ok(), (guard.ok() ? "" : guard.error().to_string()));
        guards.push_back(*guard);
        e.guard_texts.push_back(to_text(ctx, guards.back()));
      }
      auto program = compile(ctx, guards, layout);
      REQUIRE_MESSAGE(program.ok(), (program.ok() ? "" : program.error().to_string()));
      e.program = std::move(*program);
      e.guard_kinds = kinds;
      return MissAnswer::compile(std::move(e));
    };
    options.observer = observe_all({detector, causes});
    cache = std::make_unique<Cache>(handler, std::move(options));
    reader = std::make_unique<CacheReader>(*cache);
  }
  Outcome call(const std::vector<std::string>& values) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const SlotSort sort = layout[slots[i]].sort;
      at.set(slots[i], sort == SlotSort::name ? layout.names().intern(values[i]) : std::stoll(values[i]));
    }
    return reader->lookup(at).outcome();
  }
  [[nodiscard]] ThrashReport report() const { return detector->report(layout); }
};

const Advice* advice(const ThrashReport& r, AdviceKind kind) {
  for (const Finding& f : r.findings)
    for (const Advice& a : f.advice)
      if (a.kind == kind) return &a;
  return nullptr;
}

}  // namespace

TEST_CASE("a growing list is monotone growth; the advice is a dynamic length or padding, and replays") {
  World w({{"len(L['xs'])", SlotSort::integer}, {"L['n']", SlotSort::integer}}, {"length", "value"});
  for (int i = 2; i <= 17; ++i) (void)w.call({std::to_string(i), "3"});
  const ThrashReport r = w.report();
  REQUIRE(r.thrashing);
  REQUIRE(r.findings.size() == 1);
  CHECK(r.findings[0].pattern == ThrashPattern::growth);
  CHECK(r.findings[0].text == "len(L['xs']) grew at each of the last 16 compiles (2 to 17)");
  CHECK(r.findings[0].kind == "length");
  CHECK(advice(r, AdviceKind::declare_range) == nullptr);  // it still grows
  const Advice* dynamic = advice(r, AdviceKind::mark_dynamic);
  const Advice* pad = advice(r, AdviceKind::pad);
  REQUIRE(dynamic != nullptr);
  REQUIRE(pad != nullptr);
  CHECK(dynamic->compiles == 16);
  CHECK(dynamic->remaining == 1);
  CHECK(pad->remaining == 5);  // 2, 4, 8, 16, 32
  // The advice followed: the same calls, padded.
  World padded({{"len(L['xs'])", SlotSort::integer}, {"L['n']", SlotSort::integer}}, {"length", "value"});
  for (const int i : {2, 4, 4, 8, 8, 8, 8, 16, 16, 16, 16, 16, 16, 16, 16, 32})
    (void)padded.call({std::to_string(i), "3"});
  CHECK(padded.cache->statistics().compiles == pad->remaining);
  CHECK(to_text(r).find("pad len(L['xs']) to a power of two: 5 of 16 compiles left") != std::string::npos);
}

TEST_CASE("an identity that never repeats, a flag and a device to and fro, a string, an environment variable") {
  World id({{"id(L['f'])", SlotSort::name}}, {"identity"});
  for (int i = 0; i < 6; ++i) (void)id.call({"object " + std::to_string(i)});
  ThrashReport r = id.report();
  REQUIRE(r.findings.size() == 1);
  CHECK(r.findings[0].pattern == ThrashPattern::fresh_identity);
  CHECK(r.findings[0].text == "id(L['f']) was another object at each of the last 6 compiles");
  CHECK(advice(r, AdviceKind::keep_object)->remaining == 1);

  World flag({{"L['n']", SlotSort::integer}, {"grad_mode", SlotSort::boolean}}, {"value", "grad_mode"});
  for (int i = 0; i < 16; ++i) (void)flag.call({std::to_string(100 * (i / 2)), i % 2 == 0 ? "1" : "0"});
  r = flag.report();
  REQUIRE(advice(r, AdviceKind::stabilise_flag) != nullptr);
  CHECK(advice(r, AdviceKind::stabilise_flag)->remaining == 8);
  CHECK(advice(r, AdviceKind::stabilise_flag)->text == "set grad_mode once before the loop");
  CHECK(advice(r, AdviceKind::declare_range)->text == "declare 0 to 700 as the range of L['n']");

  World mixed({{"L['x'].device", SlotSort::name},
               {"L['mode']", SlotSort::name},
               {"os.environ['A']", SlotSort::name},
               {"L['d'].keys()", SlotSort::name}},
              {"device", "value", "environment", "keys"});
  for (int i = 0; i < 16; ++i)
    (void)mixed.call({i % 2 == 0 ? "cpu" : "cuda:0", "mode " + std::to_string(i / 4), std::to_string(i / 8),
                      i % 4 < 2 ? "a" : "a,b"});
  r = mixed.report();
  CHECK(advice(r, AdviceKind::stabilise_device)->remaining == 8);
  CHECK(advice(r, AdviceKind::move_string_out)->remaining == 8);
  CHECK(advice(r, AdviceKind::read_environment_once) == nullptr);  // the mode tells as much: 16 compiles stay
  CHECK(advice(r, AdviceKind::stabilise_keys)->remaining == 8);
}

TEST_CASE("a frame that settles does not thrash; a limit's fallbacks are seen as well") {
  World w({{"L['n']", SlotSort::integer}}, {"value"});
  for (int i = 0; i < 4000; ++i) (void)w.call({std::to_string(i < 8 ? i : 3)});
  (void)w.call({"99"});
  CHECK(!w.report().thrashing);
  CHECK(w.report().findings.empty());
  CHECK(to_text(w.report()) == "1 recompiles in the last 1000 calls\n");

  World limited({{"L['n']", SlotSort::integer}}, {"value"}, {.max_entries = 2});
  for (int i = 0; i < 10; ++i) (void)limited.call({std::to_string(5 * i)});
  const ThrashReport r = limited.report();
  CHECK(limited.cache->statistics().compiles == 2);
  REQUIRE(r.thrashing);
  CHECK(advice(r, AdviceKind::mark_dynamic)->compiles == 10);  // would have been
}

TEST_CASE("causes by kind, first compiles and recompiles apart, and the hit rate over time") {
  World w({{"L['n']", SlotSort::integer}, {"L['x'].device", SlotSort::name}}, {"value", "device"});
  for (int i = 0; i < 10; ++i) (void)w.call({"1", "cpu"});
  (void)w.call({"2", "cpu"});
  (void)w.call({"2", "cuda:0"});
  (void)w.call({"3", "meta"});
  const auto kinds = w.causes->recompiles_by_kind();
  CHECK(kinds == std::map<std::string, std::uint64_t>{{"value", 2}, {"device", 1}});
  const auto causes = w.causes->causes();
  std::uint64_t recompiles = 0, also = 0;
  for (const CauseCount& c : causes) recompiles += c.recompiles, also += c.also;
  CHECK(recompiles == 3);
  CHECK(also == 1);  // both differ from the entry nearest to (3, meta)
  const auto line = w.causes->timeline();
  REQUIRE(line.size() == 4);
  CHECK(line[0].compiles == 1);
  CHECK(line[0].recompiles == 0);
  CHECK(line[1].hits == 9);
  CHECK(line[1].hit_rate() == doctest::Approx(0.9));
  CHECK(w.causes->times().longest > 0);

  CauseStatistics small({.causes = 2, .points = 4});
  MissRecord m;
  Entry e;
  for (std::uint64_t i = 1; i <= 100; ++i) {
    e.guard_texts = {"n == " + std::to_string(i)};
    m.clock = i, m.hits = i, m.outcome = Outcome::compiled;
    m.nearest = {{&e, {0}}};
    small.missed(m);
  }
  CHECK(small.causes().size() == 3);
  CHECK(small.causes().front().guard == "others");
  CHECK(small.timeline().size() <= 4);
  std::uint64_t all = 0;
  for (const TimePoint& p : small.timeline()) all += p.compiles;
  CHECK(all == 100);
}
