// A dimgate cache whose trace is explained: what it wrote and what is said of it agree.
#include <doctest/doctest.h>

#include "cache/fixture.hpp"
#include "dimgate/cache_log.hpp"
#include "explain/explained.hpp"

using namespace dimgate;

TEST_CASE("a cache that compiles for every size: six misses, one cause, one entry would do") {
  Layout layout;
  layout.add_tensor("L['x']", 2);
  const SlotIndex size = layout.find("L['x'].size()[0]");
  std::string trace;
  testing::Scripted handler;
  handler.on_miss = [&](const Miss& miss) {
    Context ctx;
    const std::string guard = "L['x'].size()[0] == " + std::to_string(miss.inputs.raw(size));
    const Expr formula = parse(ctx, guard).value();
    NewEntry entry;
    entry.program = compile(ctx, std::vector{formula}, layout).value();
    entry.guard_texts = {guard};
    return MissAnswer::compile(std::move(entry));
  };
  Cache cache(handler, {.observer = make_cache_trace([&](std::string_view line) { trace += std::string(line) + "\n"; },
                                                     layout, "attention")});
  CacheReader reader(cache);
  for (const int length : {7, 9, 7, 12, 9, 30, 31, 64}) {
    Snapshot call(layout.size());
    call.set(layout.find("L['x'].dim()"), 2);
    call.set(size, length);
    call.set(layout.find("L['x'].size()[1]"), 3);
    (void)reader.lookup(call);
  }
  const Explanation e = testing::explained(trace);
  CHECK(e.counts.unknown == 0);
  REQUIRE(e.functions.size() == 1);
  CHECK(e.functions[0].function == "attention");
  CHECK(e.functions[0].compiles == 6);
  CHECK(e.functions[0].recompiles == 5);
  REQUIRE(e.groups.size() == 1);
  CHECK(e.groups[0].cause == "tensor size");
  CHECK(e.groups[0].source == "x");
  CHECK(e.groups[0].count == 5);
  CHECK(e.groups[0].remedy.text.find("policy symbolic") != std::string::npos);
  REQUIRE(e.groups[0].remain.has_value());
  CHECK(*e.groups[0].remain == 1);
}
