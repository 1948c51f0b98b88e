// What dimgate's own caches write is read back: entries, recompiles with the nearest entry first, values, costs.
#include <doctest/doctest.h>

#include "dimgate/explain.hpp"
#include "import/log_support.hpp"

using namespace dimgate;
using testing::only;

namespace {

const std::string kTrace =
    R"({"v":1,"event":"frame","frame":"f","slots":[{"name":"x.size()[0]","sort":"Int"},{"name":"x.dtype","sort":"Enum"}]}
{"v":1,"event":"insert","frame":"f","version":1,"entry":1,"reason":"","guards":[{"text":"x.size()[0] == 4","kind":"TENSOR_MATCH"}],"bytes":100}
{"v":1,"event":"miss","frame":"f","call":1,"outcome":"compiled","first":true,"hits":0,"seconds":0.5,"made":1,"inputs":{"x.size()[0]":4,"x.dtype":"torch.float32"},"nearest":[]}
{"v":1,"event":"insert","frame":"f","version":2,"entry":2,"reason":"","guards":[{"text":"x.size()[0] == 5"}],"bytes":100}
{"v":1,"event":"miss","frame":"f","call":9,"outcome":"compiled","first":false,"hits":7,"seconds":0.25,"made":2,"inputs":{"x.size()[0]":5,"x.dtype":"torch.float32"},"nearest":[{"entry":1,"failing":[{"guard":0,"text":"x.size()[0] == 4","kind":"TENSOR_MATCH","message":"tensor 'x' size mismatch at index 0. expected 4, actual 5","expected":"4","actual":"5","margin":1}]}]}
{"v":1,"event":"miss","frame":"f","call":12,"outcome":"fallback","first":false,"hits":9,"seconds":0.001,"reason":"entry limit 2 reached","inputs":{"x.size()[0]":6},"nearest":[{"entry":2,"failing":[{"guard":0,"text":"x.size()[0] == 5","kind":"","message":"","expected":"5","actual":"6"}]}]}
{"v":1,"event":"evict","frame":"f","version":3,"entry":1,"reason":"benefit","hits":3}
)";

}  // namespace

TEST_CASE("a trace of a dimgate cache") {
  LogCounts counts;
  const auto recompiles = only<Recompile>(kTrace, &counts);
  CHECK(counts.lines == 7);
  CHECK(counts.unknown == 0);
  REQUIRE(recompiles.size() == 2);
  CHECK(recompiles[0].function == "f");
  CHECK(recompiles[0].system == "dimgate");
  REQUIRE(recompiles[0].reasons.size() == 1);
  CHECK(recompiles[0].reasons[0].entry == "0/1");
  CHECK(recompiles[0].reasons[0].cause.label() == "tensor size");
  CHECK(recompiles[0].reasons[0].cause.actual == "5");
  CHECK(recompiles[1].limit_hit);
  const auto guards = only<EntryGuards>(kTrace);
  REQUIRE(guards.size() == 2);
  CHECK(guards[0].guards.at(0).kind == "TENSOR_MATCH");
  CHECK(only<LimitHit>(kTrace).at(0).limit == "entry limit 2 reached");
}

TEST_CASE("explained in dimgate's own words, replayed with the inputs it wrote") {
  NativeProver prover;
  Explainer explainer(prover);
  LogReader reader([&](const LogEvent& event) { explainer.add(event); });
  reader.feed(kTrace);
  reader.finish();
  const Explanation e = explainer.finish(reader.counts());
  REQUIRE(e.functions.size() == 1);
  CHECK(e.functions[0].compiles == 2);
  CHECK(e.functions[0].limit_hits == 1);
  CHECK(*e.functions[0].seconds == doctest::Approx(0.75));
  CHECK(e.functions[0].history.at(0).guards == 1);
  REQUIRE(!e.groups.empty());
  CHECK(e.groups[0].cause == "tensor size");
  CHECK(e.groups[0].remedy.text.find("Tracer::size") != std::string::npos);
  CHECK(*e.groups[0].remain == 1);
}

TEST_CASE("versions, events and lines it does not know are listed, never guessed at") {
  LogCounts counts;
  read_log_text(
      "{\"v\":2,\"event\":\"miss\"}\n{\"v\":1,\"event\":\"new\",\"frame\":\"f\"}\n{\"v\":1,\"event\"\n{\"v\":1}\n",
      &counts);
  CHECK(counts.unknown == 4);
  CHECK(counts.unknown_kinds.count("dimgate trace of version 2") == 1);
  CHECK(counts.unknown_kinds.count("dimgate trace: event new") == 1);
  CHECK(counts.unknown_kinds.count("line of a dimgate trace that is no JSON") == 1);
}
