// A training loop of 10^5 calls: every distinct world compiles once, and every cause is found.
#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

#include "dimgate/world_compare.hpp"
#include "training_trace.hpp"

using namespace dimgate;

TEST_CASE("a training loop of 100,000 calls") {
  constexpr std::size_t kCalls = 100'000;
  const std::string path = "world_loop_test.tmp.jsonl";
  {
    std::ofstream out(path);
    demo::write_training_trace(out, kCalls);
  }
  WorldCompareOptions options;
  options.measure = false;
  const auto c = compare_worlds(path, *parse_policies("static,auto_dynamic:inf,symbolic", CallKind::worlds), options);
  std::remove(path.c_str());
  REQUIRE_MESSAGE(c.ok(), (c.ok() ? "" : c.error().to_string()));
  CHECK(c->calls == kCalls);

  // The worlds there are, from the loop's description (training_trace.hpp), not from the trace.
  std::set<std::tuple<std::size_t, bool, bool, bool, bool, bool, bool>> shapes;
  std::set<std::tuple<bool, bool, bool, bool, bool, bool>> modes;
  for (std::size_t i = 0; i < kCalls; ++i) {
    const std::size_t step = i % 110;
    const bool training = step < 100, gpu = i >= kCalls / 20, mask = i >= kCalls * 3 / 10, cooled = i >= kCalls / 2;
    const bool debug = i >= kCalls * 6 / 10 && i < kCalls * 7 / 10, autocast = i / 110 % 10 == 9;
    const std::size_t rows = training ? (step == 99 ? 17 : 32) : (step == 109 ? 40 : 64);
    shapes.insert({rows, training, gpu, mask, cooled, debug, autocast});
    modes.insert({training, gpu, mask, cooled, debug, autocast});
  }
  const WorldRow &fixed = c->rows[0], &automatic = c->rows[1], &symbolic = c->rows[2];
  CHECK(fixed.compiles == shapes.size());
  CHECK(symbolic.compiles == modes.size());
  CHECK(automatic.compiles == modes.size() + 1);  // the first shape, before it is known to vary
  for (const WorldRow& r : c->rows) {
    CAPTURE(r.policy);
    CHECK(r.hits + r.compiles == kCalls);
    CHECK(r.recompiles == r.compiles - 1);
    std::set<GuardKind> causes;
    std::uint64_t misses = 0;
    for (const WorldCause& k : r.causes) causes.insert(k.kind), misses += k.misses;
    for (const GuardKind k : {GuardKind::autocast, GuardKind::attribute, GuardKind::keys, GuardKind::environment,
                              GuardKind::device, GuardKind::grad_mode})
      CHECK(causes.contains(k));
    CHECK(causes.contains(GuardKind::shape) == (r.policy != "symbolic"));
    CHECK(causes.size() == (r.policy != "symbolic" ? 7 : 6));
    CHECK(misses >= r.recompiles);
    // What each kind costs: tests were run for every call and kind that is guarded.
    std::uint64_t failures = 0;
    for (const WorldKindCost& k : r.kinds) {
      CHECK(k.evaluations > 0);
      failures += k.failures;
    }
    CHECK(failures > r.recompiles);
  }
}
