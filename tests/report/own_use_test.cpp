// Hits and misses by guard kind of a real cache whose trace is read back: against what the cache counted.
#include "report/own_use.hpp"

#include <random>
#include <set>

#include "cache/fixture.hpp"
#include "cli/fixture.hpp"
#include "dimgate/cache_log.hpp"
#include "report/page_data.hpp"
#include "support/temp_files.hpp"

using namespace dimgate;
using report::HitsByKind;
using report::OwnUse;

namespace {

/// A frame of two sizes: an entry for each residue of `a` by 4, bounded by the `b` it was made for.
struct Run {
  testing::Frame frame{"a", "b"};
  testing::Scripted handler;
  std::string trace;
  std::map<std::string, std::uint64_t> hits;  // by kind, as counted call by call
  std::uint64_t calls = 0, served = 0;

  void go(unsigned seed, int rounds, std::size_t limit) {
    handler.on_miss = [&](const Miss& miss) {
      NewEntry entry = frame.entry({"a % 4 == " + std::to_string(miss.inputs.raw(0) % 4),
                                    "b <= " + std::to_string(miss.inputs.raw(1)), "b >= 0"});
      entry.guard_kinds = {"divisor", "bound", "bound"};
      return MissAnswer::compile(std::move(entry));
    };
    Cache cache(handler, {.max_entries = limit,
                          .on_limit = OnLimit::evict,
                          .observer = make_cache_trace(
                              [&](std::string_view line) { trace += std::string(line) + "\n"; }, frame.layout, "f")});
    CacheReader reader(cache);
    std::mt19937 rng(seed);
    for (int i = 0; i < rounds; ++i) {
      const auto answer = reader.lookup(frame.at({static_cast<int>(rng() % 64), static_cast<int>(rng() % 40)}));
      ++calls;
      if (answer.outcome() == Outcome::hit) {
        ++served;
        ++hits["divisor"], ++hits["bound"];
      }
    }
  }
};

OwnUse use_of(const std::string& trace) {
  OwnUse out;
  LogCounts counts;
  for (const LogEvent& event : read_log_text(trace, &counts)) out.add(event);
  CHECK(counts.unknown == 0);
  return out;
}

std::string without_hits(const std::string& trace) {
  std::string out;
  for (std::size_t at = 0; at < trace.size();) {
    const std::size_t end = trace.find('\n', at) + 1;
    const std::string line = trace.substr(at, end - at);
    if (line.find(R"("event":"hits")") == std::string::npos) out += line;
    at = end;
  }
  return out;
}

}  // namespace

TEST_CASE("what the trace says is what the cache served, evictions included") {
  for (const unsigned seed : {1U, 2U, 3U, 4U})
    for (const std::size_t limit : {2U, 5U, 100U}) {
      CAPTURE(seed);
      CAPTURE(limit);
      Run run;
      run.go(seed, 700, limit);
      std::uint64_t apart = 1;
      const HitsByKind use = use_of(run.trace).by_kind(apart);
      CHECK(apart == 0);
      CHECK(use.hits == run.served);
      CHECK(use.calls == run.calls);
      CHECK(use.before_any == 1);
      CHECK(use.kinds.at("divisor").hits == run.hits.at("divisor"));
      CHECK(use.kinds.at("bound").hits == run.hits.at("bound"));
      CHECK(use.kinds.at("bound").cost > use.kinds.at("bound").hits);  // two guards of it an entry
      CHECK(use.kinds.at("divisor").misses + use.kinds.at("bound").misses >= use.misses);
    }
}

TEST_CASE("a trace of several processes adds up; one that was killed, or is older, tells its hits in sum") {
  Run one, two;
  one.go(5, 500, 100);
  two.go(6, 400, 100);
  std::uint64_t apart = 0;
  CHECK(use_of(one.trace + two.trace).by_kind(apart).hits == one.served + two.served);
  CHECK(apart == 0);

  const HitsByKind older = use_of(without_hits(one.trace)).by_kind(apart);
  CHECK(older.hits == 0);
  CHECK(apart > 0);
  CHECK(apart <= one.served);
  CHECK(older.misses + older.before_any + one.served == one.calls);

  const std::string killed = one.trace.substr(0, one.trace.rfind(R"({"v":1,"event":"hits")"));
  const HitsByKind most = use_of(killed).by_kind(apart);
  CHECK(most.hits > 0);
  CHECK(most.hits + apart <= one.served);
}

TEST_CASE("a cache that thrashes writes few counts") {
  Run run;
  run.go(9, 4000, 1);
  std::size_t counts = 0;
  for (std::size_t at = 0; (at = run.trace.find(R"("event":"hits")", at)) != std::string::npos; ++at) ++counts;
  CHECK(counts >= 8);
  CHECK(counts <= 14);
}

TEST_CASE("the page of a trace shows hits, misses and cost by kind") {
  Run run;
  run.go(3, 300, 100);
  const testing::TempFiles files;
  const std::string path = files("trace.jsonl", run.trace);
  const cli::Ran r = cli::dimgate_run({"report", path});
  REQUIRE(r.exit == 0);
  const report::Json data = test::data_of(r.out);
  for (const report::Json& section : data["sections"]) {
    if (section["id"] != "kinds") continue;
    CHECK(section["title"] == "Hits, misses and cost by guard kind");
    const report::Json& rows = section["blocks"][0]["table"]["rows"];
    REQUIRE(rows.size() == 2);
    CHECK(rows[1][0] == "divisor");
    CHECK(rows[1][1] == run.served);
    return;
  }
  FAIL("no such section");
}
